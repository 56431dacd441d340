import type { z } from 'zod';
import ListFilter from '../../../islands/ListFilter.tsx';
import { addDays, mondayOf, type PlainDate } from '../../../shared/dates.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import { formatMoney, moneyText } from '../../../shared/money.ts';
import { BATCH_FIELDS, batchTexts } from '../../../shared/payment-batches.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import type { Filter } from '../../lists/filter.ts';
import { invoiceList } from '../../lists/invoices.ts';
import { pageShape } from '../../lists/shapes.ts';
import {
  MOST_OFFERED,
  type Payable,
  readOffered,
  roomOf,
  withinAmount,
} from '../../services/payment-batches/choosing.ts';
import { flagField, moneyField } from '../../shapes/fields.ts';
import { Island } from '../../shell/island.tsx';
import { Said } from '../../shell/said.tsx';
import { filterFields, resolveNames } from '../ui/list-filters.tsx';
import { parseListQuery, renderList } from '../ui/lists.tsx';
import { firstWrong, renderControls } from '../ui/record-fields.tsx';
import { type FormState, keyOf } from '../ui/record-form.tsx';

/** The list of invoices' own filters, as of today, and how much of them is ticked. */
const FILTERS = {
  filters: [
    ...invoiceList.filters.filter(({ name }) => name !== 'corte'),
    { kind: 'text', name: 'importe', label: 'Marcar hasta', max: 30 },
  ] as readonly Filter[],
  inSight: ['supplierId', 'jobId', 'venceDesde', 'importe'],
  first: { page: ['supplierId', 'jobId', 'venceDesde', 'venceHasta'] },
};

const queryShape = pageShape(invoiceList)
  .omit({ corte: true, sortfield: true, sorttype: true, limit: true, cursor: true, shown: true })
  .extend({ importe: moneyField('Marcar hasta'), marcar: flagField('Marcar todas') });

type Query = z.output<typeof queryShape>;

/** Remarks come with the batch itself. */
const ASKED = BATCH_FIELDS.filter(({ name }) => name !== 'comments');

/** The box that chooses an invoice. */
export const CHOSEN = 'facturaproveedorId';

interface ChoosingState extends FormState {
  /** what was ticked, where the form was posted */
  chosen?: readonly string[];
}

/** What could be paid, to tick from, and who pays it when. */
export async function renderChoosing(c: AppContext, state: ChoosingState) {
  const { db, config } = c.get('deps');
  const today = c.get('today');
  const query = await resolveNames(c, FILTERS, parseListQuery(c, queryShape));
  const { importe, marcar, ...filter } = query;
  const offered = await readOffered(db, filter, { today, timeZone: config.timeZone });
  const marked = importe !== undefined ? withinAmount(offered, importe) : marcar ? offered : [];
  const chosen = new Set(state.chosen ?? marked.map(({ id }) => String(id)));
  return renderList(
    c,
    { title: 'Programar pagos', status: state.status },
    {
      filter: async () => (
        <Island
          of={ListFilter}
          props={{
            action: pages.newPaymentBatch,
            fields: await filterFields(c, FILTERS, textsOfQuery(query)),
            resultsId: 'results',
          }}
        />
      ),
      results: (
        <div className="stack">
          <Presets query={query} today={today} />
          {offered.length === 0 ? (
            <EmptyState
              title="No hay nada por programar"
              action={<LinkButton href={pages.newPaymentBatch}>Quitar filtros</LinkButton>}
            >
              Con este filtro no se debe nada que no esté ya en otra programación abierta.
            </EmptyState>
          ) : (
            await renderForm(c, { query, offered, chosen, state })
          )}
        </div>
      ),
    },
  );
}

interface Offer {
  query: Query;
  offered: readonly Payable[];
  chosen: ReadonlySet<string>;
  state: ChoosingState;
}

async function renderForm(c: AppContext, { query, offered, chosen, state }: Offer) {
  const { idempotencyKey, problem } = keyOf(state);
  const values = { fecha: fridayFrom(c.get('today')), ...state.values };
  const errors = problem?.fields ?? {};
  const focus = firstWrong(ASKED, errors);
  const controls = await renderControls(c.get('deps').db, ASKED, { values, errors, focus });
  const marked = offered.filter(({ id }) => chosen.has(String(id)));
  const sum = marked.reduce((cents, one) => cents + roomOf(one), 0);
  return (
    <form method="post" action={addressOf(query)} className="stack" data-busy="" noValidate>
      {problem && (
        <Alert tone="error">
          <Said text={problem.message} />
        </Alert>
      )}
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <div className="form">
        <div className="fields">{controls}</div>
      </div>
      <p className="soft">
        {marked.length > 0
          ? `Marcadas: ${marked.length} de ${offered.length}, ${formatMoney(sum)}. Los importes se pueden bajar después.`
          : 'Marca lo que se va a pagar. Los importes se pueden bajar después.'}
        {offered.length === MOST_OFFERED && ` Se ofrecen las ${MOST_OFFERED} que vencen primero.`}
      </p>
      <div className="table-wrap">
        <DataTable
          caption="Facturas por pagar"
          columns={columnsOf(chosen)}
          rows={offered}
          rowKey={({ id }) => id}
        />
      </div>
      <div className="form-actions">
        <Button look="primary">Programar</Button>
        <LinkButton href={pages.paymentBatches}>Regresar</LinkButton>
      </div>
    </form>
  );
}

/** What people mean by "this week's", each a link that ticks its rows. */
function Presets({ query, today }: { query: Query; today: PlainDate }) {
  const friday = fridayFrom(today);
  const { importe: _importe, ...rest } = query;
  return (
    <p className="actions">
      <LinkButton href={addressOf({ ...rest, venceDesde: null, venceHasta: friday, marcar: true })}>
        {batchTexts.ofFriday(friday)}
      </LinkButton>
      <LinkButton href={addressOf({ ...rest, marcar: true })}>Marcar todas</LinkButton>
      <span className="soft">«Marcar hasta» marca lo más antiguo primero; lo que ya no cabe se salta.</span>
    </p>
  );
}

const addressOf = (query: Query): string => withQuery(pages.newPaymentBatch, textsOfQuery(query));

const textsOfQuery = ({ importe, marcar, ...filter }: Query) => ({
  ...filter,
  importe: importe === undefined ? undefined : moneyText(importe),
  marcar: marcar ? '1' : undefined,
});

/** The Friday that comes, which is when most firms pay. */
function fridayFrom(today: PlainDate): PlainDate {
  const friday = addDays(mondayOf(today), 4);
  return friday < today ? addDays(friday, 7) : friday;
}

const columnsOf = (chosen: ReadonlySet<string>): Column<Payable>[] => [
  {
    key: 'chosen',
    label: 'Pagar',
    card: 'corner',
    render: (invoice) => (
      <input
        type="checkbox"
        name={CHOSEN}
        value={invoice.id}
        defaultChecked={chosen.has(String(invoice.id))}
        aria-label={`Pagar la factura ${invoice.numfactura || invoice.id} de ${invoice.suppliername}`}
      />
    ),
  },
  {
    key: 'suppliername',
    label: 'Proveedor',
    card: 'title',
    className: 'wraps',
    render: ({ suppliername, jobtitle }) => (
      <>
        {suppliername}
        <div className="hint">{jobtitle}</div>
      </>
    ),
  },
  {
    key: 'numfactura',
    label: 'Factura',
    clip: LONGEST_NUMBER,
    card: 'half',
    text: ({ numfactura }) => numfactura,
    render: ({ id, numfactura }) => <a href={pages.editInvoice(id)}>{numfactura || '(sin número)'}</a>,
  },
  {
    key: 'vence',
    label: 'Vence',
    card: 'half',
    render: (invoice) => (
      <>
        <DateText date={invoice.vence} />
        {isDueEstimated(invoice) && <EstimatedMark />}
      </>
    ),
  },
  {
    key: 'comprometido',
    label: 'En otra programación',
    align: 'end',
    hideOnSmall: true,
    render: ({ committedCents }) => committedCents > 0 && <Money cents={committedCents} />,
  },
  { key: 'importe', label: 'Por pagar', align: 'end', render: (one) => <Money cents={roomOf(one)} /> },
];
