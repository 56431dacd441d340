import { batchStateLabel, isPartlyPaid, type PaymentBatch } from '../../../shared/payment-batches.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { batchList } from '../../lists/payment-batches.ts';
import { searchBatches, sumBatches } from '../../services/payment-batches/reading.ts';
import { dateColumn, moneyColumn, textColumn } from '../ui/columns.tsx';
import { showList } from '../ui/list-page.tsx';

export const showBatches = (c: AppContext) =>
  showList(c, batchList, {
    caption: 'Programaciones de pagos',
    actions: <LinkButton href={pages.bankStatements}>Estados de cuenta del banco</LinkButton>,
    create: <NewBatchLink />,
    async read(c, search) {
      const { db } = c.get('deps');
      const { batches: rows, cursor } = await searchBatches(db, search);
      return { rows, cursor, ...(await sumBatches(db, search)) };
    },
    rowHref: ({ id }) => pages.paymentBatch(id),
    totals: ({ count, totalCents }) =>
      count > 0 && (
        <Totals foot label="Totales del filtro" items={[{ label: 'Total programado', cents: totalCents }]} />
      ),
    columns: (sort) => [
      textColumn('id', 'ID', { align: 'end', link: true, sort: sort('id') }),
      dateColumn('fecha', 'Fecha', { card: 'title', sort: sort('fecha') }),
      { key: 'estado', label: 'Estado', card: 'corner', render: (batch) => <StateChip batch={batch} /> },
      textColumn('origenderecursonombre', 'Origen de recurso', { clip: true, card: 'line' }),
      textColumn('count', 'Facturas', { align: 'end' }),
      textColumn('suppliers', 'Proveedores', { align: 'end', hideOnSmall: true }),
      moneyColumn('total', 'Total', ({ totalCents }) => totalCents),
      textColumn('author', 'Autor'),
    ],
    unfound: {
      title: 'Ninguna programación con este filtro',
      hint: 'Prueba con otro estado, o con otras fechas.',
    },
    empty: {
      title: 'Todavía no hay programaciones de pagos',
      hint: 'Aquí se prepara lo que se va a pagar, por ejemplo cada viernes: se eligen las facturas, otra persona autoriza y todos los pagos se registran a la vez.',
      action: <NewBatchLink />,
    },
  });

/** A batch that was not paid whole stands out. */
export function StateChip({ batch }: { batch: PaymentBatch }) {
  const tones = { borrador: 'neutral', autorizada: 'accent', enviada: 'accent', pagada: 'done' } as const;
  return <Chip tone={isPartlyPaid(batch) ? 'warn' : tones[batch.estado]}>{batchStateLabel(batch)}</Chip>;
}

const NewBatchLink = () => (
  <LinkButton href={pages.newPaymentBatch} look="primary" icon="plus" data-new="">
    Programar pagos
  </LinkButton>
);
