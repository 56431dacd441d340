import { Hono } from 'hono';
import type { Db } from '../../../db/schema.ts';
import InvoiceForm from '../../../islands/InvoiceForm.tsx';
import { evaluateMoney } from '../../../shared/arithmetic.ts';
import {
  CREDIT_NOTE_FIELDS,
  type CreditNote,
  checkCreditNote,
  creditNoteTexts as texts,
  unappliedOf,
} from '../../../shared/credit-notes.ts';
import { computeTypedAmounts, OTHER_AMOUNT_FIELDS } from '../../../shared/invoice-form-amounts.ts';
import { invoiceNumberText, pendingOf } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import { getField, type RecordField } from '../../../shared/record-fields.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { MAX_UNWRAPPED_LETTERS } from '../../../shared/ui/DataTable.tsx';
import { leaveLabel } from '../../../shared/ui/LeaveLink.tsx';
import { pages } from '../../../shared/urls.ts';
import { readForm, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, readSettingsOnce } from '../../http/session.ts';
import { creditNoteList } from '../../lists/credit-notes.ts';
import { searchCreditNotes, sumUnappliedCreditNotes } from '../../services/credit-notes/reading.ts';
import { createCreditNote } from '../../services/credit-notes/write.ts';
import { searchInvoices } from '../../services/invoices/reading.ts';
import { newCreditNoteShape, toCreditNoteFieldValues } from '../../shapes/credit-notes.ts';
import { Island } from '../../shell/island.tsx';
import { handleParsedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { showList } from '../ui/list-page.tsx';
import { parseOptionalId } from '../ui/pickers.ts';
import { evaluateOperations, FormErrorCollector, readFields } from '../ui/posted-fields.ts';
import {
  describeControls,
  findFirstWrongField,
  pickFieldTexts,
  shortenFieldErrors,
} from '../ui/record-fields.tsx';
import { FormMessages, type FormState, prepareIdempotencyKey } from '../ui/record-form.tsx';
import { needsReason } from '../ui/refusal-reason.tsx';

const FORM_ID = 'credit-note-form';

const SUPPLIER_FIELDS = [getField(CREDIT_NOTE_FIELDS, 'supplierId')];

export const creditNotePages = new Hono<AppEnv>({ strict: false })
  .get(pages.creditNotes, (c) => showCreditNotes(c))
  .get(pages.newCreditNote, async (c) => {
    const { tasa } = await readSettingsOnce(c);
    return renderNew(c, { values: { supplierId: c.req.query('supplierId') ?? '', tasa } });
  })
  .post(pages.newCreditNote, async (c) => {
    const { another, ...sent } = await readForm(c);
    if (another) return renderNew(c, { values: sent });
    return handleParsedForm(c, sent, renderNew, async ({ form, db, actor }) => {
      const draft = await readCreditNoteFields(db, form);
      const { supplierId, numero, leftCents, warnings } = await writeOnce(c, form, async (trx) => {
        const { creditNote, warnings } = await createCreditNote(trx, actor, draft);
        const { supplierId, numero } = creditNote;
        return { supplierId, numero, leftCents: unappliedOf(creditNote), warnings };
      });
      const to = leftCents > 0 ? pages.supplierCredit(supplierId) : pages.creditNotes;
      return redirectWithMessage(c, to, { text: texts.saved(numero, leftCents), warnings });
    });
  });

const APPLIED_AMOUNT_PREFIX = 'aplicar-';

async function readCreditNoteFields(db: Db, form: Record<string, string>) {
  const reading = new FormErrorCollector();
  const posted = await readFields(db, CREDIT_NOTE_FIELDS, form, { reading });
  const { motivo: _motivo, aplicar: _none, ...fields } = await reading.parse(newCreditNoteShape, posted);
  const aplicar = [];
  for (const [field, text] of Object.entries(form)) {
    const facturaproveedorId = field.startsWith(APPLIED_AMOUNT_PREFIX)
      ? parseOptionalId(field.slice(APPLIED_AMOUNT_PREFIX.length))
      : null;
    if (facturaproveedorId === null || !text.trim()) continue;
    const amountCents = await reading.try(() => evaluateMoney(text, 'Cantidad que se aplica', field));
    if (amountCents) aplicar.push({ facturaproveedorId, amountCents, field });
  }
  const draft = { ...toCreditNoteFieldValues(fields), aplicar };
  reading.throwIfAnyWrong(checkCreditNote(draft), texts.required, CREDIT_NOTE_FIELDS);
  return draft;
}

async function renderNew(c: AppContext, state: FormState) {
  const { db } = c.get('deps');
  const { idempotencyKey, problem } = prepareIdempotencyKey(state, texts.alreadySaved);
  // Without script a supplier is chosen by its name, so the id may differ from the posted one.
  const picked = await readFields(db, SUPPLIER_FIELDS, state.values, { reading: new FormErrorCollector() });
  const supplierId = parseOptionalId(picked.supplierId);
  const values = { ...state.values, ...picked };
  const { parts, hasMoreInvoices } = await createOpenInvoiceFields(c, supplierId);
  const fields: readonly RecordField[] = [...CREDIT_NOTE_FIELDS, ...parts];
  const typed = pickFieldTexts(CREDIT_NOTE_FIELDS, values);
  const errors = shortenFieldErrors(problem, texts.required, fields, values);
  const focus = needsReason(problem)
    ? undefined
    : (findFirstWrongField(fields, errors) ?? (supplierId ? 'numero' : 'supplierId'));
  return renderPage(
    c,
    { title: 'Nota de crédito', status: state.status },
    <>
      <FormMessages form={FORM_ID} fields={fields} state={{ ...state, problem }} />
      <Island
        component={InvoiceForm}
        on="idle"
        props={{
          form: {
            ...{ id: FORM_ID, action: pages.newCreditNote, hidden: { idempotencyKey } },
            next: 'Elegir facturas',
            ...{ back: pages.creditNotes, leave: leaveLabel() },
          },
          context: { isNew: false, creditDays: 0, fechacaptura: c.get('today') },
          due: '',
          controls: await describeControls(db, fields, { values, errors, focus }),
          supplierFields: parts.map(({ name }) => name),
          shown: computeTypedAmounts(evaluateOperations(CREDIT_NOTE_FIELDS, typed)),
          errors: {},
          showsOthers: OTHER_AMOUNT_FIELDS.some((name) => errors[name] || Number(typed[name]) > 0),
          foldedFields: [],
          notes: [
            ...(hasMoreInvoices ? [`Se muestran las ${MAX_OPEN_INVOICES} facturas que vencen primero.`] : []),
            'Lo que no se aplica a una factura queda como saldo a favor del proveedor.',
          ],
        }}
      />
    </>,
  );
}

/** Fields for amounts to apply to the supplier's open invoices, by due date; the supplier's page shows the rest. */
async function createOpenInvoiceFields(c: AppContext, supplierId: number | null) {
  if (supplierId === null) return { parts: [], hasMoreInvoices: false };
  const { db, config } = c.get('deps');
  const day = { today: c.get('today'), timeZone: config.timeZone };
  const query = {
    supplierId,
    status: 'por-pagar',
    sort: 'fechavencimiento',
    limit: MAX_OPEN_INVOICES,
  } as const;
  const { rows, cursor } = await searchInvoices(db, query, day);
  const parts = rows.map(
    (invoice): RecordField => ({
      name: `${APPLIED_AMOUNT_PREFIX}${invoice.id}`,
      label: `Aplicar a ${invoiceNumberText(invoice.numfactura)}`,
      kind: 'money',
      hint: `${invoice.jobtitle} · se deben ${formatMoney(pendingOf(invoice))}`,
    }),
  );
  return { parts, hasMoreInvoices: cursor !== undefined };
}

const MAX_OPEN_INVOICES = 20;

const showCreditNotes = (c: AppContext) =>
  showList(c, creditNoteList, {
    create: (
      <LinkButton href={pages.newCreditNote} look="primary" icon="plus" data-new="">
        Nota de crédito
      </LinkButton>
    ),
    async read(c, search) {
      const { db } = c.get('deps');
      return { ...(await searchCreditNotes(db, search)), ...(await sumUnappliedCreditNotes(db, search)) };
    },
    rowHref: ({ supplierId }) => pages.supplierCredit(supplierId),
    columns: (_found) => [
      {
        key: 'numero',
        label: 'Nota de crédito',
        wraps: MAX_UNWRAPPED_LETTERS,
        card: 'title',
        render: ({ numero, id }: CreditNote) => numero || `#${id}`,
      },
      { key: 'uuid', label: 'UUID', wraps: MAX_UNWRAPPED_LETTERS, hideOnSmall: true },
      { key: 'suppliername', label: 'Proveedor', wraps: true, card: 'line' },
      dateColumn('fecha', 'Fecha'),
      moneyColumn('total', 'Total', ({ totalCents }) => totalCents),
      moneyColumn('applied', 'Aplicado', ({ appliedCents }) => appliedCents),
      moneyColumn('left', 'Por aplicar', unappliedOf),
    ],
    noMatches: {
      title: 'Ninguna nota de crédito con este filtro',
      hint: 'Prueba con otro proveedor o con otro estado.',
    },
    empty: {
      title: 'Todavía no hay notas de crédito',
      hint: 'Llegan con su XML, en una tabla, o se capturan de su papel.',
      action: <LinkButton href={pages.newCreditNote}>Nota de crédito</LinkButton>,
    },
  });
