import { batchStateLabel, isPartlyPaid, type PaymentBatch } from '../../../shared/payment-batches.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { sortOf } from '../../lists/list.ts';
import { batchList } from '../../lists/payment-batches.ts';
import type { QueryOf } from '../../lists/shapes.ts';
import { searchBatches, sumBatches } from '../../services/payment-batches/reading.ts';
import { invertedResults, isFiltered, listAddress, searchOf } from '../ui/list-filters.tsx';
import { rowsBefore, rowsOn, sortLink } from '../ui/lists.tsx';

type BatchListQuery = QueryOf<typeof batchList>;

/** The batches of a filter, and how they got on. */
export async function renderBatches(c: AppContext, query: BatchListQuery) {
  const inverted = invertedResults(batchList, query);
  if (inverted) return inverted;
  const { db } = c.get('deps');
  const search = searchOf(batchList, query);
  const page = await searchBatches(db, { ...search, cursor: query.cursor, limit: rowsOn(query) });
  const { count, totalCents } = await sumBatches(db, search);
  if (count === 0) return <NoBatches isFiltered={isFiltered(batchList, query)} />;
  const shown = rowsBefore(query) + page.batches.length;
  return (
    <>
      <div className="table-wrap">
        <DataTable
          caption="Programaciones de pagos"
          columns={columnsOf(query)}
          rows={page.batches}
          rowKey={({ id }) => id}
          rowHref={({ id }) => pages.paymentBatch(id)}
        />
      </div>
      <Totals foot label="Totales del filtro" items={[{ label: 'Total programado', cents: totalCents }]} />
      <Pager
        shown={shown}
        total={count}
        noun={count === 1 ? 'programación' : 'programaciones'}
        href={page.cursor && listAddress(batchList, query, { cursor: page.cursor, shown })}
      />
    </>
  );
}

function columnsOf(query: BatchListQuery): Column<PaymentBatch>[] {
  const current = { sort: sortOf(batchList, query.sortfield) ?? 'id', direction: query.sorttype ?? 'asc' };
  const sort = (field: 'id' | 'fecha') => sortLink(field, current, (by) => listAddress(batchList, query, by));
  return [
    { key: 'id', label: 'ID', align: 'end', link: true, sort: sort('id'), render: ({ id }) => id },
    {
      key: 'fecha',
      label: 'Fecha',
      card: 'title',
      sort: sort('fecha'),
      render: ({ fecha }) => <DateText date={fecha} />,
    },
    { key: 'estado', label: 'Estado', card: 'corner', render: (batch) => <StateChip batch={batch} /> },
    {
      key: 'origenderecursonombre',
      label: 'Origen de recurso',
      clip: true,
      card: 'line',
      render: ({ origenderecursonombre }) => origenderecursonombre,
    },
    { key: 'facturas', label: 'Facturas', align: 'end', render: ({ count }) => count },
    {
      key: 'proveedores',
      label: 'Proveedores',
      align: 'end',
      hideOnSmall: true,
      render: ({ suppliers }) => suppliers,
    },
    {
      key: 'total',
      label: 'Total',
      align: 'end',
      render: ({ totalCents }) => <Money cents={totalCents} />,
    },
    { key: 'autor', label: 'Autor', render: ({ author }) => author },
  ];
}

/** How far it has come; what was not paid whole wants a look. */
export function StateChip({ batch }: { batch: PaymentBatch }) {
  const tones = { borrador: 'neutral', autorizada: 'accent', enviada: 'accent', pagada: 'done' } as const;
  return <Chip tone={isPartlyPaid(batch) ? 'warn' : tones[batch.estado]}>{batchStateLabel(batch)}</Chip>;
}

export const NewBatchLink = () => (
  <LinkButton href={pages.newPaymentBatch} look="primary" icon="plus" data-new="">
    Programar pagos
  </LinkButton>
);

function NoBatches({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="Ninguna programación con este filtro"
        action={<LinkButton href={pages.paymentBatches}>Quitar filtros</LinkButton>}
      >
        Prueba con otro estado, o con otras fechas.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Todavía no hay programaciones de pagos" action={<NewBatchLink />}>
      Aquí se prepara lo que se va a pagar, por ejemplo cada viernes: se eligen las facturas, otra persona
      autoriza y todos los pagos se registran a la vez.
    </EmptyState>
  );
}
