import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { pluralize } from '../../../shared/counts.ts';
import type { Cents } from '../../../shared/money.ts';
import { batchName } from '../../../shared/payment-batches.ts';
import { isSafeMailAddress } from '../../../shared/text.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Checkbox } from '../../../shared/ui/Checkbox.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import { exportPath, pages, withQuery } from '../../../shared/urls.ts';
import { createMailClock, queueMailsOnce, requireMailEnabled } from '../../http/mailing.ts';
import { ID_SEGMENT, idInPath } from '../../http/request.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { fiscalPaths } from '../../services/fiscal/labels.ts';
import { mailTexts as texts } from '../../services/mails/mail.ts';
import {
  type ComposedMail,
  composeMails,
  type MailOptions,
  type MailRequest,
} from '../../services/mails/queueing.ts';
import { parseShape } from '../../shapes/fields.ts';
import {
  sendBatchAdvicesShape,
  sendPaymentAdviceShape,
  sendPaymentReceiptRequestShape,
  sendSupplierStatementShape,
} from '../../shapes/mails.ts';
import { handleForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import { type FormState, prepareIdempotencyKey } from '../ui/record-form.tsx';
import { RefusedAlert } from '../ui/refused-alert.tsx';
import { StepForm } from '../ui/step-form.tsx';

interface SendingPage {
  title: string;
  subject: MailRequest;
  /** address of the attached document, shown before sending */
  pdf: string | ((draft: ComposedMail) => string);
  back: string;
}

export const mailSendingPages = new Hono<AppEnv>({ strict: false });

addSendingPage(pages.sendStatement(ID_SEGMENT), sendSupplierStatementShape, (id, { desde, hasta }) => {
  const page = pages.statement(id);
  const period = { desde, hasta };
  return {
    title: 'Enviar el estado de cuenta',
    subject: { supplierId: id, ...period },
    pdf: withQuery(exportPath(page, 'pdf'), period),
    back: withQuery(page, period),
  };
});

addSendingPage(
  fiscalPaths.sendReceiptsRequest(ID_SEGMENT),
  sendPaymentReceiptRequestShape,
  (supplierId, { corte }) => ({
    title: 'Pedir los REP que faltan',
    subject: { receiptsOf: supplierId, corte },
    pdf: withQuery(exportPath(fiscalPaths.receipts, 'pdf'), { supplierId, corte }),
    back: withQuery(fiscalPaths.receipts, { supplierId, corte }),
  }),
);

addSendingPage(fiscalPaths.sendReceiptsRequests, sendPaymentReceiptRequestShape, (_, { corte }) => ({
  title: 'Pedir todos los REP que faltan',
  subject: { receiptsOf: 'todos', corte },
  pdf: withQuery(exportPath(fiscalPaths.receipts, 'pdf'), { corte }),
  back: withQuery(fiscalPaths.receipts, { corte }),
}));

addSendingPage(pages.sendAdvice(ID_SEGMENT), sendPaymentAdviceShape, (id, { dia }) => ({
  title: dia ? 'Enviar el aviso de los pagos del día' : 'Enviar el aviso de pago',
  subject: { paymentId: id, dia },
  pdf: ({ supplier, date }) =>
    dia ? withQuery(pages.supplierAdvice(supplier.id), { fecha: date }) : pages.paymentAdvice(id),
  back: pages.editPayment(id),
}));

addSendingPage(pages.sendBatchAdvices(ID_SEGMENT), sendBatchAdvicesShape, (id) => ({
  title: `Enviar los avisos de la ${batchName(id).toLowerCase()}`,
  subject: { batchId: id },
  pdf: pages.paymentBatchAdvices(id),
  back: pages.paymentBatch(id),
}));

/** Adds a page that shows the mail and its recipient before its button sends it, since mails cannot be taken back. */
function addSendingPage<Shape extends z.ZodObject>(
  path: string,
  shape: Shape,
  describe: (id: number, sent: z.output<Shape>) => SendingPage,
): void {
  const describeSendingPage = (c: Context<AppEnv>, fields: Readonly<Record<string, string>>) => {
    const sent = parseShape(shape, fields) as z.output<Shape> & MailOptions;
    const id = path.includes(':') ? idInPath(c) : 0;
    return { ...describe(id, sent), options: { para: sent.para, omitir: sent.omitir } };
  };
  mailSendingPages
    .get(path, (c) => {
      requireMailEnabled(c);
      return renderSending(c, describeSendingPage(c, c.req.query()), { values: c.req.query() });
    })
    .post(path, (c) =>
      handleForm(
        c,
        (_, refused) => {
          const { idempotencyKey: _key, para: _para, omitir: _omitir, ...about } = refused.values;
          return renderSending(c, describeSendingPage(c, about), refused);
        },
        async ({ form: { idempotencyKey = '', ...fields } }) => {
          requireMailEnabled(c);
          const { subject, options, back } = describeSendingPage(c, fields);
          const queued = await queueMailsOnce(c, subject, options, { ...fields, idempotencyKey });
          const about = { href: pages.mails, link: 'Ver los correos' };
          return redirectWithMessage(c, back, { text: texts.queued(queued.length), about });
        },
      ),
    );
}

async function renderSending(c: AppContext, { title, subject, pdf, back }: SendingPage, state: FormState) {
  const drafts = await composeMails(c.get('deps').db, subject, createMailClock(c));
  const { values, problem, status } = state;
  const { idempotencyKey } = prepareIdempotencyKey(state);
  const { desde, hasta, dia, corte } = values;
  const given = Object.entries({ desde, hasta, dia, corte }).filter(([, value]) => value);
  const [only] = drafts;
  const missing = drafts.filter(({ letter }) => !isSafeMailAddress(letter.to.trim()));
  const asksAll = 'receiptsOf' in subject && subject.receiptsOf === 'todos';
  const isSingle = !asksAll && !('batchId' in subject);
  return renderPage(
    c,
    { title, subject: isSingle ? only?.supplier.suppliername : undefined, status },
    <StepForm
      action={c.req.path}
      hidden={{ idempotencyKey, ...Object.fromEntries(given) }}
      buttons={
        <>
          <Button look="primary" icon="mail">
            {drafts.length === 1
              ? 'Enviar'
              : `Enviar ${pluralize(drafts.length - missing.length, 'correo', 'correos')}`}
          </Button>
          <LeaveLink href={back} />
        </>
      }
    >
      <RefusedAlert problem={problem} />
      {isSingle ? (
        <>
          <div className="fields">
            <Field
              name="para"
              label="Para"
              kind="email"
              value={values.para ?? only!.letter.to}
              error={problem?.fields?.para}
              required
              maxLength={254}
              autoComplete="off"
              hint={only!.supplier.suppliername}
            />
          </div>
          <Facts
            look="of-document"
            facts={{ Asunto: only!.letter.subject, Texto: <LetterText text={only!.letter.text} /> }}
          />
        </>
      ) : (
        <DataTable
          caption="A quién se escribe"
          columns={[
            { key: 'suppliername', label: 'Proveedor', card: 'title' },
            { key: 'para', label: 'Para', card: 'line', className: 'wraps' },
            moneyColumn<{ paidCents: Cents }>(
              'paid',
              asksAll ? 'Sin REP' : 'Pagado',
              ({ paidCents }) => paidCents,
              {
                card: 'side',
              },
            ),
          ]}
          rows={drafts.map(({ supplier, letter, paidCents = 0 }) => ({
            ...{ ...supplier, paidCents },
            para: isSafeMailAddress(letter.to.trim()) ? letter.to : 'Sin una dirección de correo',
          }))}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `${pages.editSupplier}/${id}`}
        />
      )}
      <p className="note">
        {isSingle ? 'Va' : 'Cada uno va'} con su PDF, como está en este momento:{' '}
        <a href={typeof pdf === 'string' ? pdf : pdf(only!)}>{isSingle ? 'verlo' : 'verlos'}</a>.
      </p>
      {!isSingle && missing.length > 0 && (
        <Checkbox name="omitir" value="true" checked={values.omitir === 'true'}>
          Dejar fuera a quien no tiene una dirección de correo ({missing.length})
        </Checkbox>
      )}
    </StepForm>,
  );
}

const LetterText = ({ text }: { text: string }) =>
  text.split('\r\n').map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines are rendered once, on the server
    <span key={index}>
      {line}
      <br />
    </span>
  ));
