import { Hono } from 'hono';
import type { Db } from '../../../db/schema.ts';
import { plainDateIn } from '../../../shared/dates.ts';
import { invoiceNumberOrId, pendingOf } from '../../../shared/invoices.ts';
import { formatMoney, toDecimalText } from '../../../shared/money.ts';
import { batchName } from '../../../shared/payment-batches.ts';
import {
  checkPayment,
  describePayment,
  doublePaymentTexts,
  PAYMENT_FIELDS,
  type Payment,
  type PaymentFieldValues,
  paymentTexts as texts,
} from '../../../shared/payments.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import {
  firstStepsReturnHref,
  ID_SEGMENT,
  idInPath,
  readForm,
  readRefererHref,
  returnHref,
  toLocalPath,
  writeOnce,
} from '../../http/request.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { listAttachments } from '../../services/attachments.ts';
import { readPaymentLinks } from '../../services/bank-matches.ts';
import { getInvoice } from '../../services/invoices/reading.ts';
import { readOpenPairNames } from '../../services/payments/double-payments.ts';
import { readRemainingForeign } from '../../services/payments/foreign-currency.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
  type SavedPayment,
  updatePayment,
} from '../../services/payments/payments.ts';
import { getPayment } from '../../services/payments/reading.ts';
import { findBalanceDifferences } from '../../services/payments/receipt-balances.ts';
import { findUsualFundingSource } from '../../services/payments/usual-funding-source.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { paymentChangeShape, restorePaymentShape, toPaymentFieldValues } from '../../shapes/payments.ts';
import {
  handleForm,
  handleParsedForm,
  linkWarnings,
  type RefusedForm,
  redirectWithMessage,
  renderPage,
  saveOrRerender,
} from '../../shell/render.tsx';
import { renderAdviceLinks } from '../statements/mail-links.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { DocumentPanelLayout, toPanelDocuments } from '../ui/document-panel.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { resolvePickedInvoiceId } from '../ui/pickers.ts';
import { FormErrorCollector, type PostedFields, readFields } from '../ui/posted-fields.ts';
import {
  createEditPage,
  type FormState,
  parseVersion,
  pickNewestRow,
  prepareIdempotencyKey,
} from '../ui/record-form.tsx';
import { CreditNotePaymentDetails, renderPaymentForm, toPaymentTexts } from './form.tsx';
import { describeBalanceDifference, showPayments } from './list.tsx';

export const paymentPages = new Hono<AppEnv>({ strict: false })
  .get(pages.payments, (c) => showPayments(c))
  .post(pages.deletePayment(ID_SEGMENT), (c) =>
    handleForm(c, showPaymentsOnRefusedDeletion, async ({ form, db, actor }) => {
      const id = idInPath(c);
      await deletePayment(db, actor, id, parseVersion(form.version));
      return redirectWithMessage(c, toLocalPath(form.next) ?? pages.payments, {
        text: texts.deleted,
        undo: pages.restorePayment(id),
      });
    }),
  )
  .post(pages.restorePayment(ID_SEGMENT), (c) =>
    handleForm(c, showPaymentsOnRefusedRestore, async ({ form, db, actor }) => {
      const { allowProgrammed } = parseShape(restorePaymentShape.pick({ allowProgrammed: true }), {
        allowProgrammed: form.allowProgrammed,
      });
      const saved = await restorePayment(db, actor, idInPath(c), { allowProgrammed });
      const { warnings } = messageLinks(idInPath(c), saved);
      return redirectWithMessage(c, returnHref(form, pages.payments), { text: texts.restored, warnings });
    }),
  )
  .get(pages.newPayment, async (c) => {
    const { facturaproveedorId = '', origenderecursoId = '', paymentdate = c.get('today') } = c.req.query();
    const values = { facturaproveedorId, origenderecursoId, paymentdate };
    const steps = firstStepsReturnHref(c.req.query());
    return saveOrRerender(
      c,
      async () => {
        const invoice =
          facturaproveedorId && (await getInvoice(c.get('deps').db, parseId(facturaproveedorId, 'Factura')));
        const pending = invoice ? pendingOf(invoice) : 0;
        const remaining =
          invoice && (await readRemainingForeign(c.get('deps').db, [invoice])).get(invoice.id);
        const proposed: Record<string, string> = remaining
          ? { importemoneda: toDecimalText(remaining) }
          : { paymentamount: toDecimalText(pending) };
        const source =
          invoice &&
          !origenderecursoId &&
          (await findUsualFundingSource(c.get('deps').db, invoice.supplierId));
        if (source) proposed.origenderecursoId = String(source);
        const back = steps ?? (facturaproveedorId && readRefererHref(c));
        const proposal = { ...values, ...(pending > 0 && proposed), ...(back && { back }) };
        return renderNew(c, { values: proposal }, pending > 0 ? new Set(Object.keys(proposed)) : undefined);
      },
      (problem, status) => renderNew(c, { values: { ...values, facturaproveedorId: '' }, problem, status }),
    );
  })
  .post(pages.newPayment, async (c) => {
    // These fields only decide which page comes next, so the idempotency key does not cover them.
    const { another, returnTo = '', ...sent } = await readForm(c);
    return handleParsedForm(c, sent, renderNew, async ({ form: { back = '', ...form }, db, actor }) => {
      const { draft, picked, allowProgrammed } = await readPaymentFields(db, form);
      if (form.load) return renderNew(c, { values: { ...form, ...picked, back } });
      const saved = await writeOnce(c, form, async (trx) => {
        const { payment, warnings, about } = await createPayment(trx, actor, draft, { allowProgrammed });
        return { id: payment.id, warnings, about };
      });
      const list = firstStepsReturnHref({ back }) ?? returnHref({ returnTo }, pages.payments);
      const to = another ? newPaymentHref(draft) : list;
      return redirectWithMessage(c, to, { ...messageLinks(saved.id, saved), text: texts.created });
    });
  })
  .get(pages.editPayment(ID_SEGMENT), (c) => paymentEditPage.show(c))
  .post(pages.editPayment(ID_SEGMENT), (c) =>
    paymentEditPage.handleForm(c, async (payment, { form, db, actor }) => {
      const { draft, picked, ...options } = await readPaymentFields(db, form, payment);
      if (form.load) return renderEdit(c, payment, { values: { ...form, ...picked } });
      const saved = await updatePayment(db, actor, payment.id, draft, options);
      const message = { ...messageLinks(payment.id, saved), text: texts.updated };
      return redirectWithMessage(c, returnHref(form, pages.payments), message);
    }),
  );

const paymentEditPage = createEditPage<Payment>({
  read: (c) => getPayment(c.get('deps').db, idInPath(c)),
  render: renderEdit,
  toTexts: toPaymentTexts,
});

const showPaymentsOnRefusedDeletion = (c: AppContext, refused: RefusedForm) =>
  showPayments(c, { ...refused, buttonLabel: 'Eliminar de todos modos' });

const showPaymentsOnRefusedRestore = (c: AppContext, refused: RefusedForm) =>
  showPayments(c, { ...refused, buttonLabel: 'Deshacer de todos modos' });

const messageLinks = (id: number, { warnings, about }: Pick<SavedPayment, 'warnings' | 'about'>) => ({
  about: { href: pages.editPayment(id), link: 'Ver pago' },
  warnings: linkWarnings(warnings, about, pages.editPayment, 'Ver ese pago'),
});

const newPaymentHref = ({ origenderecursoId, paymentdate }: PaymentFieldValues) =>
  withQuery(pages.newPayment, { origenderecursoId, paymentdate });

/** Reads the posted fields. Names that users type into text fields without script become ids. @throws DomainError */
async function readPaymentFields(db: Db, form: Record<string, string>, payment?: Payment) {
  const reading = new FormErrorCollector();
  const facturaproveedorId = await reading.try(() => resolvePickedInvoiceId(db, form));
  const fields = form.load ? PAYMENT_FIELDS.filter(({ kind }) => kind === 'ref') : PAYMENT_FIELDS;
  const posted = await readFields(db, fields, form, { previous: payment, reading });
  const { version: postedVersion, allowProgrammed: allowed } = form;
  Object.assign(posted, { facturaproveedorId, version: postedVersion, allowProgrammed: allowed });
  const picked: Record<string, string> = {};
  if (facturaproveedorId !== undefined) picked.facturaproveedorId = facturaproveedorId;
  if (posted.origenderecursoId !== undefined) picked.origenderecursoId = posted.origenderecursoId;
  if (form.load) {
    reading.throwIfAnyWrong(undefined, texts.required, PAYMENT_FIELDS);
    return { draft: {}, picked };
  }
  const { id: _id, version, allowProgrammed, ...sent } = await reading.parse(paymentChangeShape, posted);
  const draft = toPaymentFieldValues(sent);
  reading.throwIfAnyWrong(
    checkPayment(addStoredPaymentFields(draft, posted, payment)),
    texts.required,
    PAYMENT_FIELDS,
  );
  return { draft: { ...draft, formCurrency: form.moneda }, version, allowProgrammed, picked };
}

/** Takes fields that were not sent from the stored payment. An amount that was sent empty counts as missing. */
function addStoredPaymentFields(
  draft: PaymentFieldValues,
  posted: PostedFields,
  payment: Payment | undefined,
): PaymentFieldValues {
  if (!payment) return draft;
  const { facturaproveedorId = payment.facturaproveedorId } = draft;
  const amountCents = posted.paymentamount === undefined ? payment.amountCents : draft.amountCents;
  return { ...draft, facturaproveedorId, amountCents };
}

async function renderNew(c: AppContext, state: FormState, proposed?: ReadonlySet<string>) {
  const { idempotencyKey, problem } = prepareIdempotencyKey(state, texts.alreadySaved);
  const back = toLocalPath(state.values.back);
  const formElement = await renderPaymentForm(
    c,
    { ...state, problem },
    {
      action: pages.newPayment,
      hidden: { idempotencyKey, ...(back && { back }) },
      back,
      proposedFields: proposed,
      today: c.get('today'),
    },
  );
  return renderPage(c, { title: 'Nuevo pago', status: state.status }, formElement);
}

const nameInTab = ({ numfactura, amountCents }: Payment): string =>
  [numfactura, formatMoney(amountCents)].filter(Boolean).join(', ');

async function renderEdit(c: AppContext, before: Payment, state: FormState) {
  if (before.kind === 'credito') {
    const { problem, status } = state;
    return renderPage(
      c,
      {
        title: 'Nota de crédito aplicada',
        subject: nameInTab(before),
        status,
        actions: historyLink(c, 'payments', before.id),
      },
      <CreditNotePaymentDetails
        payment={before}
        problem={problem}
        isDeleteOpen={c.req.query('eliminar') !== undefined}
      />,
    );
  }
  const { row: payment, version } = pickNewestRow(before, state);
  const { db, config } = c.get('deps');
  const [formElement, links, pairs, balances, attachments, adviceLinks] = await Promise.all([
    renderPaymentForm(c, state, {
      action: pages.editPayment(payment.id),
      hidden: { version },
      payment,
      today: c.get('today'),
      createdOn: plainDateIn(new Date(payment.createdAt), config.timeZone),
    }),
    readPaymentLinks(db, [payment.id]),
    readOpenPairNames(db, [payment]),
    findBalanceDifferences(db, { paymentId: payment.id }),
    listAttachments(db, payment.facturaproveedorId),
    renderAdviceLinks(c, payment),
  ]);
  const { batchId, movement } = links.get(payment.id) ?? {};
  const pair = pairs.get(payment.id);
  const [balance] = balances.values();
  return renderPage(
    c,
    {
      title: 'Editar pago',
      subject: nameInTab(payment),
      status: state.status,
      actions: (
        <>
          {adviceLinks}
          {historyLink(c, 'payments', payment.id)}
        </>
      ),
    },
    <DocumentPanelLayout
      documents={toPanelDocuments(pages.attachments(payment.facturaproveedorId), attachments)}
    >
      {pair && (
        <Alert tone="warning" isDismissible={false}>
          {doublePaymentTexts.found} <a href={pages.doublePayment(pair)}>Comparar los dos</a>
        </Alert>
      )}
      {balance && (
        <Alert tone="warning" isDismissible={false}>
          {describeBalanceDifference(balance)}
        </Alert>
      )}
      {formElement}
      <p className="actions note">
        <a href={pages.editInvoice(payment.facturaproveedorId)}>
          Ver la factura {invoiceNumberOrId(payment.numfactura, payment.facturaproveedorId)}
        </a>
        {batchId && <a href={pages.paymentBatch(batchId)}>Ver la {batchName(batchId).toLowerCase()}</a>}
      </p>
      {movement ? (
        <p className="note">
          {texts.bankMatched(movement.fecha, movement.filename, movement.isOfBatch)}{' '}
          <a href={pages.bankStatement(movement.statementId)}>Ver el estado de cuenta</a>
        </p>
      ) : (
        <ConfirmStep
          summary="Eliminar pago"
          question={`¿Eliminar ${describePayment(payment)}? Lo pagado vuelve a quedar pendiente.`}
          action={pages.deletePayment(payment.id)}
          version={version}
          button="Eliminar"
          nextPath={toLocalPath(c.req.query('eliminar'))}
          isOpen={c.req.query('eliminar') !== undefined}
        />
      )}
    </DocumentPanelLayout>,
  );
}
