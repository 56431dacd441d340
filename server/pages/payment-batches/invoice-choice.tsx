import type { z } from 'zod';
import ListFilter, { type FilterField } from '../../../islands/ListFilter.tsx';
import { pluralize } from '../../../shared/counts.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { formatMoney, toDecimalText } from '../../../shared/money.ts';
import { batchTexts, MAX_BATCH_LINES } from '../../../shared/payment-batches.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import type { Filter } from '../../lists/filter.ts';
import { invoiceList } from '../../lists/invoices.ts';
import { getPageShape } from '../../lists/query-shapes.ts';
import {
  chooseWithinAmount,
  type InvoiceSelection,
  MAX_OFFERED_INVOICES,
  type OfferedInvoice,
  readOfferedInvoices,
  readSelectedInvoices,
  sumAvailable,
} from '../../services/payment-batches/offered-invoices.ts';
import { flagField, moneyField, wholeNumberField } from '../../shapes/fields.ts';
import { Island } from '../../shell/island.tsx';
import { renderPage } from '../../shell/render.tsx';
import {
  countFoldedActiveFilters,
  describeActiveFilters,
  describeFilterFields,
  resolveTypedNames,
} from '../ui/list-filters.tsx';
import { parseListQuery, renderListOrFragment } from '../ui/list-layout.tsx';
import { type InvoiceChoiceState, nextFriday, renderOfferedInvoices } from './offered-invoices.tsx';
import { findPartEnd, orderBySupplier } from './offered-table.tsx';

const OFFER_FILTERS = {
  filters: invoiceList.filters.filter(
    ({ name }) => name !== 'corte' && name !== 'venceDesde',
  ) as readonly Filter[],
  alwaysVisible: [],
  first: { page: ['supplierId', 'jobId'] },
};

const queryShape = getPageShape(invoiceList)
  .omit({ corte: true, sortfield: true, sorttype: true, limit: true, cursor: true, shown: true })
  .extend({
    importe: moneyField('Importe máximo'),
    marcar: flagField('Marcar todas'),
    desde: wholeNumberField('desde', 0, MAX_OFFERED_INVOICES),
  });

type ChoiceQuery = z.output<typeof queryShape>;

const TITLE = 'Programar pagos';

export async function renderInvoiceChoice(c: AppContext, state: InvoiceChoiceState) {
  const { db, config } = c.get('deps');
  const today = c.get('today');
  const query = await resolveTypedNames(c, OFFER_FILTERS, parseListQuery(c, queryShape));
  const { importe, marcar, desde = 0, ...filter } = query;
  const offered = await readOfferedInvoices(db, filter, { today, timeZone: config.timeZone });
  const ordered = orderBySupplier(offered);
  const marked = importe !== undefined ? chooseWithinAmount(offered, importe) : marcar ? offered : [];
  const chosen = new Set(state.chosenKeys ?? marked.map(({ id }) => String(id)));
  // A refused form shows all rows up to the last one that was ticked.
  const last = state.chosenKeys ? ordered.findLastIndex(({ id }) => chosen.has(String(id))) : -1;
  const end = findPartEnd(ordered, desde, last + 1);
  const part = { from: desde, end, next: invoiceChoiceHref({ ...query, desde: end }) };
  const fields = await describeOfferFilterFields(c, query);
  return renderListOrFragment(
    c,
    { title: TITLE, status: state.status, back: { href: pages.paymentBatches, text: 'Programaciones' } },
    {
      renderFilter: async () => (
        <Island
          component={ListFilter}
          props={{
            action: pages.newPaymentBatch,
            fields,
            set: countFoldedActiveFilters(fields),
            resultsId: 'results',
          }}
        />
      ),
      words: await describeActiveOfferFilters(c, query),
      results: (
        <div className="stack">
          {offered.length === 0 ? (
            <EmptyState
              title="No hay nada por programar"
              action={<LinkButton href={pages.newPaymentBatch}>Quitar filtros</LinkButton>}
            >
              Lo que se debe con este filtro ya está en otra programación.
            </EmptyState>
          ) : (
            await renderOfferedInvoices(c, {
              action: invoiceChoiceHref(query),
              offeredInvoices: ordered,
              chosen,
              state,
              note: describeOfferedInvoices(offered, query, nextFriday(today)),
              presets: (
                <FilterPresets
                  query={{ ...query, desde: undefined }}
                  friday={nextFriday(today)}
                  areAllMarked={chosen.size === offered.length}
                />
              ),
              part,
            })
          )}
        </div>
      ),
    },
  );
}

/** Says how much is offered, and how much of it the preset of that Friday would mark. */
function describeOfferedInvoices(
  offered: readonly OfferedInvoice[],
  query: ChoiceQuery,
  friday: PlainDate,
): string {
  if (offered.length === MAX_OFFERED_INVOICES)
    return `Se ofrecen las ${MAX_OFFERED_INVOICES} que vencen primero.`;
  const describeSum = (invoices: readonly OfferedInvoice[]) =>
    `${pluralize(invoices.length, 'factura', 'facturas')} por ${formatMoney(sumAvailable(invoices))}`;
  const due = query.venceDesde || query.venceHasta ? [] : offered.filter(({ vence }) => vence <= friday);
  const dueSum = due.length < offered.length ? `; ${describeSum(due)}` : '';
  return `${describeSum(offered)}${due.length > 0 ? `${dueSum} hasta el ${formatDate(friday)}` : ''}.`;
}

/** Shows the rows that were ticked in a list or a report, and which of them cannot be paid; stores nothing yet. */
export async function renderTickedInvoices(
  c: AppContext,
  ticked: InvoiceSelection,
  state: InvoiceChoiceState,
) {
  const { db, config } = c.get('deps');
  const found = await readSelectedInvoices(db, ticked, { today: c.get('today'), timeZone: config.timeZone });
  const offered = orderBySupplier(found.slice(0, MAX_BATCH_LINES));
  const payableIds = new Set(found.map(({ id }) => id));
  const without = ticked.invoiceIds.filter((id) => !payableIds.has(id)).length;
  const notes = [
    without > 0 && batchTexts.notOwed(without),
    offered.length < found.length && `${batchTexts.tooMany} Están las que vencen primero.`,
  ];
  const chosen = new Set(state.chosenKeys ?? offered.map(({ id }) => String(id)));
  return renderPage(
    c,
    { title: TITLE, status: state.status },
    offered.length === 0 ? (
      <EmptyState
        title="No hay nada por programar"
        action={<LinkButton href={pages.newPaymentBatch}>Ver lo que se debe</LinkButton>}
      >
        Las facturas que marcaste ya están pagadas o en otra programación.
      </EmptyState>
    ) : (
      await renderOfferedInvoices(c, {
        action: pages.newPaymentBatch,
        offeredInvoices: offered,
        chosen,
        state,
        note: notes.filter(Boolean).join(' '),
        isTicked: true,
      })
    ),
  );
}

async function describeOfferFilterFields(c: AppContext, query: ChoiceQuery): Promise<FilterField[]> {
  const { venceDesde, venceHasta, importe, ...otherTexts } = toQueryTexts(query);
  return [
    { kind: 'date', name: 'venceHasta', label: 'Vencen hasta', value: venceHasta ?? '' },
    { kind: 'money', name: 'importe', label: 'Importe máximo', value: importe ?? '' },
    ...(await describeFilterFields(c, OFFER_FILTERS, otherTexts)),
    { kind: 'date', name: 'venceDesde', label: 'Vencen desde', value: venceDesde ?? '', isFolded: true },
  ];
}

/** The links that remove a filter tick no rows (`marcar`), because they add rows that nobody has seen yet. */
const describeActiveOfferFilters = (c: AppContext, query: ChoiceQuery) =>
  describeActiveFilters(
    c,
    {
      page: pages.newPaymentBatch,
      filters: invoiceList.filters.filter(({ name }) => name !== 'corte'),
      leadingFilters: OFFER_FILTERS.first,
      alwaysVisible: query.venceDesde ? [] : ['venceDesde'],
    },
    toQueryTexts({ ...query, marcar: undefined, desde: undefined }),
  );

interface FilterPresetsProps {
  query: ChoiceQuery;
  friday: string;
  areAllMarked: boolean;
}

function FilterPresets({ query, friday, areAllMarked }: FilterPresetsProps) {
  const { importe, ...rest } = query;
  return (
    <>
      <LinkButton href={invoiceChoiceHref({ ...rest, venceDesde: null, venceHasta: friday, marcar: true })}>
        {batchTexts.ofFriday(friday)}
      </LinkButton>
      {!areAllMarked && (
        <LinkButton href={invoiceChoiceHref({ ...rest, marcar: true })}>Marcar todas</LinkButton>
      )}
      {importe !== undefined && (
        <span className="soft">
          Se marcan de la más antigua a la más nueva, sin pasar del importe máximo.
        </span>
      )}
    </>
  );
}

const invoiceChoiceHref = (query: ChoiceQuery): string =>
  withQuery(pages.newPaymentBatch, toQueryTexts(query));

const toQueryTexts = ({ importe, marcar, ...filter }: ChoiceQuery) => ({
  ...filter,
  importe: importe === undefined ? undefined : toDecimalText(importe),
  marcar: marcar ? '1' : undefined,
});
