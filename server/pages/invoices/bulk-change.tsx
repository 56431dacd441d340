import { Hono } from 'hono';
import { Fragment } from 'react';
import type { Db } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import { joinFirst, pluralize } from '../../../shared/counts.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import {
  INVOICE_FIELDS,
  type Invoice,
  type InvoiceFieldValues,
  invoiceNumberOrId,
  invoiceTexts,
  NO_RUBRO_NAME,
} from '../../../shared/invoices.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import { formatMoney } from '../../../shared/money.ts';
import { getField } from '../../../shared/record-fields.ts';
import { createRefusal, throwIfRefused, toDomainError } from '../../../shared/refusal.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Checkbox } from '../../../shared/ui/Checkbox.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import { pages } from '../../../shared/urls.ts';
import { readFormWithLists, returnHref, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { CLOSED_PERIOD_CODE } from '../../services/closing/closing.ts';
import { readInvoices } from '../../services/invoices/reading.ts';
import { type InvoiceOutcome, writeInvoices } from '../../services/invoices/write.ts';
import { distinctIds, mapById } from '../../services/stored-rows.ts';
import { collectWarnings, requireNoneRefused } from '../../services/write-drafts.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { invoiceChangeShape, toInvoiceFieldValues } from '../../shapes/invoices.ts';
import { handleParsedForm, type RefusedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { CHOOSE_STEP_BUTTON, CHOSEN_INVOICE_FIELD } from '../payment-batches/row-selection.tsx';
import { readChosenName } from '../ui/pickers.ts';
import { type PostedFields, readFields } from '../ui/posted-fields.ts';
import { findFirstWrongField, renderControls } from '../ui/record-fields.tsx';
import { type FormState, prepareIdempotencyKey } from '../ui/record-form.tsx';
import { needsReason, ReasonField } from '../ui/refusal-reason.tsx';
import { RefusedAlert } from '../ui/refused-alert.tsx';
import { HiddenFields } from '../ui/step-form.tsx';

const TITLE = 'Cambiar varias facturas';

/** The review shows every row that changes, and the page must stay within 200 KB. */
const MAX_INVOICES = 500;

/** Limits the refused rows that are shown, because their reasons are long. */
const MAX_SHOWN_REFUSED = 150;

/** More ids are not read. The limit exceeds MAX_INVOICES, so that the page can say how many rows were ticked. */
const MAX_POSTED_IDS = 20_000;

/** No field is required, because an empty control leaves its field unchanged. */
const FIELDS = (['fechavencimiento', 'rubroId', 'jobId'] as const).map((name) => ({
  ...getField(INVOICE_FIELDS, name),
  required: false,
}));

type BulkChange = Pick<InvoiceFieldValues, (typeof FIELDS)[number]['name']>;

/** Checkboxes that empty a field, since an empty control leaves its field unchanged. */
const EMPTYING_CHECKBOXES: Readonly<Partial<Record<keyof BulkChange, { name: string; label: string }>>> = {
  fechavencimiento: {
    name: 'sinFecha',
    label: 'Quitar la fecha: vencen por los días de crédito de su proveedor',
  },
  rubroId: { name: 'sinRubro', label: 'Dejarlas sin rubro' },
};

const REVIEW_STEP = 'revisar';
const SAVE_STEP = 'guardar';

export const invoiceChangePages = new Hono<AppEnv>({ strict: false })
  .get(pages.changeInvoices, (c) => c.redirect(pages.invoices, 303))
  .post(pages.changeInvoices, async (c) => {
    const { fields, lists } = await readFormWithLists(c, [CHOSEN_INVOICE_FIELD], MAX_POSTED_IDS);
    const { returnTo = '', facturas, [CHOOSE_STEP_BUTTON.name]: step, ...form } = fields;
    const listed = facturas ? facturas.split(',') : lists[CHOSEN_INVOICE_FIELD];
    const ids = distinctIds(listed.map((id) => parseId(id, 'Factura')));
    if (ids.length === 0 || ids.length > MAX_INVOICES) return renderWrongInvoiceCount(c, ids.length);
    if (step !== REVIEW_STEP && step !== SAVE_STEP) return renderForm(c, ids, { values: form });
    let change: BulkChange | undefined;
    const renderRefused = (_: AppContext, refused: RefusedForm) =>
      change ? renderReview(c, ids, change, refused) : renderForm(c, ids, refused);
    return handleParsedForm(c, form, renderRefused, async ({ db, actor }) => {
      change = await readPostedChange(db, form);
      if (step === REVIEW_STEP) return renderReview(c, ids, change, { values: form });
      const drafts = parseVersions(form.versiones).map((row) => ({ ...change, ...row }));
      const { count } = await writeOnce(c, form, async (trx) => ({
        count: requireNoneRefused(await writeInvoices(trx, actor, drafts)).length,
      }));
      return redirectWithMessage(
        c,
        returnHref({ returnTo }, pages.invoices),
        invoiceTexts.changedMany(count),
      );
    });
  });

/** @throws DomainError invalid or malformed, naming the field */
async function readPostedChange(db: Db, form: Record<string, string>): Promise<BulkChange> {
  const posted = await readFields(db, FIELDS, form);
  const sent: PostedFields = {};
  for (const { name } of FIELDS) {
    const isEmptied = form[EMPTYING_CHECKBOXES[name]?.name ?? ''] !== undefined;
    const value = posted[name]?.trim() ?? '';
    if (isEmptied && value) throwIfRefused(createRefusal(invoiceTexts.changedAndEmptied, name));
    if (isEmptied || value) sent[name] = value;
  }
  if (Object.keys(sent).length === 0)
    throwIfRefused(createRefusal(invoiceTexts.nothingToChange, FIELDS[0]!.name));
  return toInvoiceFieldValues(parseShape(invoiceChangeShape, sent));
}

/** @param text "7-3,8-1": ids of the invoices that were shown to change, and the version of each */
const parseVersions = (text = '') =>
  text.split(',').map((row) => {
    const [id = '', version = ''] = row.split('-');
    return { id: parseId(id, 'Factura'), version: parseId(version, 'version') };
  });

const renderWrongInvoiceCount = (c: AppContext, count: number) =>
  renderPage(
    c,
    { title: TITLE, status: 422 },
    <EmptyState
      title={count === 0 ? 'No marcaste ninguna factura' : `Marcaste ${pluralize(count, ...INVOICE_NOUN)}`}
      action={<LinkButton href={pages.invoices}>Ver las facturas</LinkButton>}
    >
      {count === 0
        ? 'Marca en la lista las facturas que quieres cambiar.'
        : `Se cambian hasta ${MAX_INVOICES} a la vez.`}
    </EmptyState>,
  );

const INVOICE_NOUN = ['factura', 'facturas'] as const;

const MAX_NAMED_INVOICES = 8;

async function renderForm(c: AppContext, ids: readonly number[], state: FormState) {
  const { db } = c.get('deps');
  const { values, problem, status } = state;
  const errors = problem?.fields ?? {};
  const focus = findFirstWrongField(FIELDS, errors) ?? FIELDS[0]!.name;
  const controls = await renderControls(db, FIELDS, { values, errors, focus });
  const invoices = await readInvoices(db, ids);
  const names = invoices.map(
    ({ id, numfactura, suppliername }) => `${invoiceNumberOrId(numfactura, id)} de ${suppliername}`,
  );
  const sumCents = invoices.reduce((sum, { totalCents }) => sum + totalCents, 0);
  return renderPage(
    c,
    { title: TITLE, status },
    <form method="post" action={pages.changeInvoices} className="form" data-busy="" noValidate>
      <RefusedAlert problem={problem} fields={FIELDS} />
      <HiddenFields fields={{ facturas: ids.join() }} />
      <p>
        {pluralize(ids.length, ...INVOICE_NOUN)} por {formatMoney(sumCents)}:{' '}
        {joinFirst(names, MAX_NAMED_INVOICES)}. Lo que dejes vacío no cambia.
      </p>
      <div className="fields">
        {FIELDS.map(({ name }, at) => (
          <Fragment key={name}>
            {controls[at]}
            {EMPTYING_CHECKBOXES[name] && (
              <Checkbox
                name={EMPTYING_CHECKBOXES[name].name}
                checked={values[EMPTYING_CHECKBOXES[name].name] !== undefined}
              >
                {EMPTYING_CHECKBOXES[name].label}
              </Checkbox>
            )}
          </Fragment>
        ))}
      </div>
      <div className="form-actions">
        <Button look="primary" name={CHOOSE_STEP_BUTTON.name} value={REVIEW_STEP}>
          Revisar
        </Button>
        <LeaveLink href={pages.invoices} data-back="" />
      </div>
    </form>,
  );
}

interface ReviewedRow {
  id: number;
  /** absent where the invoice was deleted meanwhile */
  invoice: Invoice | undefined;
  outcome: InvoiceOutcome;
}

/** Accepted rows are saved with the version shown, all of them or none. */
async function renderReview(c: AppContext, ids: readonly number[], change: BulkChange, state: FormState) {
  const { db } = c.get('deps');
  const { idempotencyKey, problem } = prepareIdempotencyKey(state, invoiceTexts.alreadySaved);
  const { versiones: _shown, idempotencyKey: _key, motivo, ...values } = state.values;
  const found = mapById(await readInvoices(db, ids));
  const drafts = ids.map((id) => ({ ...change, id, version: found.get(id)?.version }));
  const outcomes = await writeInvoices(db, actorOf(c, motivo), drafts, { dryRun: true, onRefusal: 'skip' });
  const all = ids.map((id, at): ReviewedRow => ({ id, invoice: found.get(id), outcome: outcomes[at]! }));
  const rowsWithOutcome = (outcome: InvoiceOutcome['outcome']) =>
    all.filter((row) => row.outcome.outcome === outcome);
  const [refused, changed, unchanged] = [
    rowsWithOutcome('refused'),
    rowsWithOutcome('stored'),
    rowsWithOutcome('unchanged'),
  ];
  const reason = outcomes
    .flatMap((one) => (one.outcome === 'refused' ? toDomainError(one.refused) : []))
    .find(needsReason);
  const closed = refused.flatMap(({ outcome }) => closingDateOfRefusal(outcome) ?? []);
  const { warnings } = collectWarnings(outcomes.filter((one) => one.outcome === 'stored'));
  const versiones = changed.map(({ id, invoice }) => `${id}-${invoice!.version}`).join();
  return renderPage(
    c,
    { title: TITLE, status: state.status },
    <form method="post" action={pages.changeInvoices} className="stack" data-busy="" noValidate>
      <RefusedAlert problem={problem} />
      <HiddenFields fields={{ ...values, facturas: ids.join(), versiones, idempotencyKey }} />
      <Facts facts={await describeChange(db, change)} />
      <p>
        {[
          changed.length > 0 && pluralize(changed.length, 'factura cambia', 'facturas cambian'),
          unchanged.length > 0 && pluralize(unchanged.length, 'ya está así', 'ya están así'),
          refused.length > 0 && pluralize(refused.length, 'no se puede cambiar', 'no se pueden cambiar'),
        ]
          .filter(Boolean)
          .join(', ')}
        .{refused.length > MAX_SHOWN_REFUSED && ` De estas se muestran ${MAX_SHOWN_REFUSED}.`}
      </p>
      {closed.length > 0 && (
        <p className="tone-danger">
          {pluralize(closed.length, 'es de un periodo cerrado', 'son de un periodo cerrado')} (hasta el{' '}
          {formatDate(closed[0]!)}).{' '}
          {reason
            ? 'Para cambiarlas, escribe el motivo.'
            : 'Solo un administrador puede cambiarlas, con un motivo.'}
        </p>
      )}
      {warnings.length > 0 && (
        <ul className="soft">
          {warnings.slice(0, MAX_NAMED_INVOICES).map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <DataTable
        caption="Qué es y qué pasa con cada factura"
        columns={reviewColumns(change)}
        rows={[...refused.slice(0, MAX_SHOWN_REFUSED), ...changed, ...unchanged]}
        rowKey={({ id }) => id}
      />
      <div className="fields">
        <ReasonField problem={reason} values={{ motivo }} />
      </div>
      <div className="form-actions">
        {reason && <SubmitStepButton step={REVIEW_STEP}>Revisar con el motivo</SubmitStepButton>}
        {changed.length > 0 && (
          <SubmitStepButton
            step={SAVE_STEP}
          >{`Cambiar ${pluralize(changed.length, ...INVOICE_NOUN)}`}</SubmitStepButton>
        )}
        <Button name={CHOOSE_STEP_BUTTON.name} value={CHOOSE_STEP_BUTTON.value}>
          Elegir otro cambio
        </Button>
        <LeaveLink href={pages.invoices} data-back="" />
      </div>
    </form>,
  );
}

function closingDateOfRefusal(outcome: InvoiceOutcome): PlainDate | undefined {
  const { code, extra } = outcome.outcome === 'refused' ? toDomainError(outcome.refused) : {};
  return code === CLOSED_PERIOD_CODE ? (extra?.cierre as PlainDate) : undefined;
}

const SubmitStepButton = ({ step, children }: { step: string; children: string }) => (
  <Button look="primary" name={CHOOSE_STEP_BUTTON.name} value={step}>
    {children}
  </Button>
);

async function describeChange(db: Db, { fechavencimiento, rubroId, jobId }: BulkChange) {
  const readChosenRowName = (noun: string, id: number | null) => readChosenName(db, catalogOf(noun), id);
  return {
    'Vencimiento nuevo':
      fechavencimiento !== undefined && (fechavencimiento ? formatDate(fechavencimiento) : 'Sin fecha'),
    'Rubro nuevo': rubroId !== undefined && ((await readChosenRowName('rubros', rubroId)) ?? NO_RUBRO_NAME),
    'Obra nueva': jobId !== undefined && (await readChosenRowName('jobs', jobId)),
  };
}

/** Few cells and classes, so that the HTML of 500 rows stays within 200 KB, the limit of every page. */
const reviewColumns = (change: BulkChange): Column<ReviewedRow>[] => [
  {
    key: 'numfactura',
    label: 'Factura',
    card: 'title',
    render: ({ id, invoice }) =>
      invoice ? <a href={pages.editInvoice(id)}>{invoiceNumberOrId(invoice.numfactura, id)}</a> : `id ${id}`,
  },
  { key: 'suppliername', label: 'Proveedor', card: 'line', render: ({ invoice }) => invoice?.suppliername },
  {
    key: 'current',
    label: 'Ahora',
    render: ({ invoice }) =>
      invoice &&
      FIELDS.flatMap(({ name }) =>
        change[name] === undefined ? [] : CURRENT_VALUE_TEXTS[name](invoice),
      ).join(' · '),
  },
  {
    key: 'outcome',
    label: 'Resultado',
    card: 'line',
    render: ({ outcome, invoice }) =>
      outcome.outcome === 'refused' ? (
        <span className="tone-danger">
          {invoice && closingDateOfRefusal(outcome)
            ? `Periodo cerrado: emitida el ${formatDate(invoice.fechaemision)}`
            : toDomainError(outcome.refused).message}
        </span>
      ) : outcome.outcome === 'stored' ? (
        'Cambia'
      ) : (
        'Ya está así'
      ),
  },
];

const CURRENT_VALUE_TEXTS = {
  fechavencimiento: (invoice: Invoice) =>
    formatDate(invoice.vence) + (isDueEstimated(invoice) ? ' (estimado)' : ''),
  rubroId: ({ nombrerubro }: Invoice) => nombrerubro ?? NO_RUBRO_NAME,
  jobId: ({ jobtitle }: Invoice) => jobtitle,
};
