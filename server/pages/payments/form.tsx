import type { Db } from '../../../db/schema.ts';
import PaymentForm from '../../../islands/PaymentForm.tsx';
import type { PickerFallback } from '../../../islands/pickers/picker.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { formatForeign } from '../../../shared/foreign-amounts.ts';
import { dueText, type Invoice, invoiceNumberText, pendingOf } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import {
  computeForeignAmounts,
  creditNoteLabel,
  INVOICE_OF_PAYMENT_FIELDS,
  type InvoiceOfPayment,
  PAYMENT_FIELDS,
  type Payment,
  type PaymentFieldTexts,
  type PaymentFormContext,
  paymentTexts,
} from '../../../shared/payments.ts';
import { describeAccountChange, describePayeeAccount } from '../../../shared/supplier-accounts.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { LeaveLink, leaveLabel } from '../../../shared/ui/LeaveLink.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';
import { type AppContext, readSettingsOnce } from '../../http/session.ts';
import { readOpenInvoiceOptions } from '../../services/invoices/finding.ts';
import { getInvoice } from '../../services/invoices/reading.ts';
import { readCommittedLines } from '../../services/payments/committed-amounts.ts';
import { computeForeignBalance, readForeignPaymentSums } from '../../services/payments/foreign-currency.ts';
import { readPayeeAccount } from '../../services/supplier-accounts/reading.ts';
import { Island } from '../../shell/island.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { invoicePicker, MAX_SELECT_OPTIONS, parseOptionalId } from '../ui/pickers.ts';
import { evaluateOperations } from '../ui/posted-fields.ts';
import {
  describeControls,
  type FieldTexts,
  findFirstWrongField,
  pickFieldTexts,
  shortenFieldErrors,
  toFieldTexts,
} from '../ui/record-fields.tsx';
import { FormMessages, type FormState } from '../ui/record-form.tsx';
import { needsReason } from '../ui/refusal-reason.tsx';
import { findFieldDifferences, toDifferenceRows } from '../ui/stale-fields.tsx';
import { localizeReferenceLabel } from './list.tsx';

const FORM_ID = 'payment-form';

interface PaymentFormOptions {
  action: string;
  hidden: Record<string, string>;
  /** the page that the form returns to, by default the list of payments */
  back?: string;
  /** the fields that have a proposed value */
  proposedFields?: ReadonlySet<string>;
  payment?: Payment;
  today: PlainDate;
  /** the day when the payment was recorded, in the firm's time zone */
  createdOn?: PlainDate;
}

export async function renderPaymentForm(
  c: AppContext,
  state: FormState,
  { action, hidden, back = pages.payments, proposedFields, payment, today, createdOn }: PaymentFormOptions,
) {
  const { db } = c.get('deps');
  const { problem } = state;
  const invoice = await findInvoiceByIdText(db, state.values.facturaproveedorId ?? '');
  const moneda = invoice?.moneda;
  // An amount typed in another currency than the invoice's is dropped, so the form asks for it again.
  const isAsked = !invoice || (moneda && (state.values.moneda || moneda) === moneda);
  const values = isAsked ? state.values : { ...state.values, importemoneda: '' };
  const texts = pickFieldTexts(PAYMENT_FIELDS, values);
  const isPrevious = invoice !== null && invoice.id === payment?.facturaproveedorId;
  const payable = invoice ? pendingOf(invoice) + (isPrevious ? payment.amountCents : 0) : 0;
  const remainingCents =
    invoice && (await readForeignRemainingCents(db, invoice, isPrevious ? payment : undefined));
  const previous = payment && {
    invoiceId: payment.facturaproveedorId,
    amountCents: payment.amountCents,
    remainingCents: isPrevious ? remainingCents : null,
  };
  const statesPesos = !moneda || (texts.paymentamount.trim() !== '' && texts.importemoneda.trim() === '');
  const atMost = statesPesos ? formatMoney(payable) : formatForeign(remainingCents ?? 0, moneda!);
  const errors = shortenFieldErrors(problem, paymentTexts.required, PAYMENT_FIELDS, texts, {
    [paymentTexts.beyondTotal]: paymentTexts.atMost(atMost),
  });
  // A form that asks for the amount in the invoice's currency shows the error of the amount in pesos there.
  if (!statesPesos && errors.paymentamount) errors.importemoneda ??= errors.paymentamount;
  if (invoice !== null && payable === 0) {
    if (problem?.code === 'overpayment') {
      delete errors.paymentamount;
      delete errors.importemoneda;
    }
    errors.facturaproveedorId ??= paymentTexts.alreadyPaid;
  }
  const [{ moneda: base }, programmed, account, controls] = await Promise.all([
    readSettingsOnce(c),
    invoice ? readCommittedLines(db, [invoice.id]) : [],
    // The account of today may not be the one that a stored payment went to.
    invoice && !payment ? readAccountTexts(db, invoice.supplierId, today) : undefined,
    describeControls(db, PAYMENT_FIELDS, {
      values,
      errors,
      focus: needsReason(problem) ? undefined : firstFocusField(texts, errors, !payment),
      pickers: { facturaproveedorId: readInvoicePickerContent(db, invoice, values.numfactura) },
      proposedFields,
    }),
  ]);
  const context: PaymentFormContext = {
    invoice: invoice ? toInvoiceOfPayment(invoice, today) : undefined,
    programmed: programmed.map(({ batchId, estado, isAtBank }) => ({ batchId, estado, isAtBank })),
    account,
    remainingCents,
    previous,
  };
  const stale =
    problem?.kind === 'stale' && payment
      ? { rows: await findPaymentDifferences(db, payment, values), reloadHref: pages.editPayment(payment.id) }
      : undefined;
  const source = controls.origenderecursoId;
  if (source.kind === 'ref' && source.isProposal)
    source.proposalHint = 'Propuesta, por sus tres últimos pagos.';
  controls.checknum.label = localizeReferenceLabel(controls.checknum.label);
  return (
    <>
      <FormMessages form={FORM_ID} fields={PAYMENT_FIELDS} state={state} staleFields={stale} />
      <Island
        component={PaymentForm}
        on="idle"
        props={{
          form: {
            id: FORM_ID,
            action,
            hidden,
            next: payment ? undefined : 'Guardar y nuevo',
            back,
            leave: leaveLabel(),
          },
          context,
          controls,
          isProposal: proposedFields !== undefined,
          statesPesos,
          base,
          asksBank: Boolean(invoice?.moneda || texts.importebanco.trim()),
          createdLine: createdOn && paymentTexts.createdLine(formatDate(createdOn)),
          start: computeForeignAmounts(evaluateOperations(PAYMENT_FIELDS, texts), invoice, {
            pendingCents: payable,
            remainingCents: remainingCents ?? 0,
          }),
        }}
      />
    </>
  );
}

export const toPaymentTexts = (payment: Payment): PaymentFieldTexts => toFieldTexts(PAYMENT_FIELDS, payment);

/** @param except the edited payment, whose own amount counts as remaining */
async function readForeignRemainingCents(db: Db, invoice: Invoice, except?: Payment): Promise<Cents | null> {
  const paid = (await readForeignPaymentSums(db, [invoice])).get(invoice.id);
  return paid ? computeForeignBalance(invoice, paid, except).remainingCents : null;
}

function firstFocusField(values: PaymentFieldTexts, errors: FieldTexts, isNew: boolean) {
  const amounts = PAYMENT_FIELDS.filter(({ kind }) => kind === 'money');
  const wrong = findFirstWrongField([PAYMENT_FIELDS[0], ...amounts, ...PAYMENT_FIELDS], errors);
  if (wrong || !isNew) return wrong;
  return values.facturaproveedorId ? undefined : 'facturaproveedorId';
}

async function readAccountTexts(db: Db, supplierId: number, today: PlainDate) {
  const account = await readPayeeAccount(db, supplierId, today);
  return { texto: describePayeeAccount(account), aviso: describeAccountChange(account) };
}

const toInvoiceOfPayment = (invoice: Invoice, today: PlainDate): InvoiceOfPayment => ({
  ...(Object.fromEntries(
    INVOICE_OF_PAYMENT_FIELDS.map((name) => [name, invoice[name]]),
  ) as unknown as InvoiceOfPayment),
  tipocambio: invoice.tipocambio && String(Number(invoice.tipocambio)),
  vencimientoTexto: dueText(invoice, today),
});

const invoiceNumberOrIdOf = (invoice: Pick<Invoice, 'id' | 'numfactura'>) =>
  invoice.numfactura || `#${invoice.id}`;

async function findInvoiceByIdText(db: Db, text: string): Promise<Invoice | null> {
  const id = parseOptionalId(text);
  return id === null ? null : getInvoice(db, id).catch(() => null);
}

async function readInvoicePickerContent(db: Db, invoice: Invoice | null, typed?: string) {
  return {
    picker: invoicePicker(),
    chosen: invoice && invoiceNumberOrIdOf(invoice),
    typed: invoice ? undefined : typed,
    noscript: await readInvoicePickerFallback(db, invoice, typed),
  };
}

async function readInvoicePickerFallback(
  db: Db,
  invoice: Invoice | null,
  typed = '',
): Promise<PickerFallback> {
  const options = await readOpenInvoiceOptions(db, MAX_SELECT_OPTIONS);
  if (!options) {
    const value = invoice ? `#${invoice.id}` : typed;
    return { name: 'numfactura', value, placeholder: 'Número de factura' };
  }
  // The chosen invoice is an option even where it is paid.
  if (invoice && !options.some((option) => option.value === invoice.id))
    options.unshift({
      value: invoice.id,
      label: `${invoiceNumberOrIdOf(invoice)} · ${invoice.suppliername}`,
    });
  return { options };
}

/** The invoice is compared separately from the other fields, since invoices are no catalog. */
async function findPaymentDifferences(db: Db, payment: Payment, posted: FieldTexts) {
  const { facturaproveedorId: id, numfactura } = posted;
  const readInvoiceName = async (text: string) => {
    const invoice = await findInvoiceByIdText(db, text);
    return invoice ? invoiceNumberOrIdOf(invoice) : text.trim();
  };
  const stored = await readInvoiceName(String(payment.facturaproveedorId));
  const yours =
    id === undefined && numfactura === undefined ? stored : (await readInvoiceName(id ?? '')) || numfactura;
  const [invoice, ...others] = PAYMENT_FIELDS;
  const rows = toDifferenceRows(invoice.label, stored, yours ?? '');
  return [...rows, ...(await findFieldDifferences(db, others, toPaymentTexts(payment), posted))];
}

/** Shown instead of the form for a payment by credit note: it can only be deleted, since its values are the note's. */
export function CreditNotePaymentDetails({
  payment,
  problem,
  isDeleteOpen,
}: {
  payment: Payment;
  problem?: DomainError;
  isDeleteOpen: boolean;
}) {
  const { id, facturaproveedorId, numfactura, suppliername, creditNumero } = payment;
  return (
    <div className="stack">
      <section className="form" aria-label={creditNoteLabel(creditNumero)}>
        {problem && <Alert tone="error">{problem.message}</Alert>}
        <Facts
          facts={{
            Tipo: creditNoteLabel(creditNumero),
            Factura: (
              <>
                <a href={pages.editInvoice(facturaproveedorId)}>{invoiceNumberText(numfactura)}</a>,{' '}
                {suppliername}
              </>
            ),
            'Fecha de la nota': formatDate(payment.paymentdate),
            'Cantidad aplicada': <Money cents={payment.amountCents} />,
          }}
        />
        <p className="soft">{paymentTexts.creditFixed}</p>
        <div className="form-actions">
          <LeaveLink href={pages.payments} savesNothing data-back="" />
        </div>
      </section>
      <ConfirmStep
        summary="Quitar el crédito de la factura"
        question="¿Quitar este crédito? Su cantidad vuelve al saldo a favor del proveedor y la factura la debe otra vez."
        action={pages.deletePayment(id)}
        version={String(payment.version)}
        button="Quitar"
        isOpen={isDeleteOpen}
      />
    </div>
  );
}
