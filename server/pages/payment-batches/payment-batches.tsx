import { Hono } from 'hono';
import type { Db } from '../../../db/schema.ts';
import { moneyOf } from '../../../shared/arithmetic.ts';
import {
  BATCH_FIELDS,
  type BatchDraft,
  type FullBatch,
  MOST_LINES,
  batchTexts as texts,
} from '../../../shared/payment-batches.ts';
import { pages } from '../../../shared/urls.ts';
import { sendBytes } from '../../http/downloads.ts';
import { createOnce, idInPath, readForm, readListsForm, readRowsForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { downloadFile, makeFile } from '../../services/bank-files/files.ts';
import { payBatch, returnBatch } from '../../services/payment-batches/paying.ts';
import {
  createBatch,
  deleteBatch,
  extendBatch,
  updateBatch,
} from '../../services/payment-batches/payment-batches.ts';
import { getBatch } from '../../services/payment-batches/reading.ts';
import { authorizeBatch, permitLine, requireRead, sendBatch } from '../../services/payment-batches/stages.ts';
import { newFileShape } from '../../shapes/bank-files.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { newBatchShape, payBatchShape, permitShape, toBatchDraft } from '../../shapes/payment-batches.ts';
import { answerForm, linked, redirectWith } from '../../shell/render.tsx';
import { readFields } from '../ui/posted.ts';
import { versionIn } from '../ui/record-form.tsx';
import { renderBatch } from './batch.tsx';
import { renderChoosing, renderTicked } from './choosing.tsx';
import { amountName, REMOVED } from './lines.tsx';
import { showBatches } from './list.tsx';
import { EXTENDED, OFFERED } from './offer.tsx';
import { CHOSEN, CHOSEN_SUPPLIER, LOOK, readTicks } from './tick.tsx';

const ID = ':id{[0-9]+}';

/** Fields of the form beside those of each line. */
const OTHER_FIELDS = 20;

/** The list of batches, choosing what one pays, and each with its steps. */
export const paymentBatchPages = new Hono<AppEnv>({ strict: false })
  .get(pages.paymentBatches, showBatches)
  .get(pages.newPaymentBatch, (c) => renderChoosing(c, { values: {} }))
  .post(pages.newPaymentBatch, async (c) => {
    const names = [CHOSEN, CHOSEN_SUPPLIER] as const;
    const { fields: form, lists } = await readListsForm(c, names, MOST_LINES * 2 + OTHER_FIELDS);
    const listed = lists[CHOSEN];
    // Ticked in a list or a report: to be looked at, nothing is stored yet.
    if (form[LOOK.name] === LOOK.value)
      return renderTicked(c, readTicks(listed, lists[CHOSEN_SUPPLIER]), { values: {} });
    return answerForm(
      c,
      async () => {
        const lines = listed.map((id) => ({ invoiceId: parseId(id, 'Factura') }));
        const extended = form[EXTENDED] ? parseId(form[EXTENDED], 'Programación') : undefined;
        const { db } = c.get('deps');
        const draft = extended === undefined ? { ...(await readOwnFields(db, form)), lines } : undefined;
        const { id } = await createOnce(c, { ...form, listed }, async (trx) => {
          const saved = draft
            ? await createBatch(trx, actorOf(c), draft)
            : await extendBatch(trx, actorOf(c), extended!, lines);
          return { id: saved.id };
        });
        return redirectWith(c, pages.paymentBatch(id), texts.created);
      },
      (problem, status) => {
        const state = { values: form, chosen: listed, problem, status };
        const offered = form[OFFERED];
        return offered ? renderTicked(c, readTicks(offered.split(','), []), state) : renderChoosing(c, state);
      },
    );
  })
  .get(pages.paymentBatch(ID), (c) => renderBatch(c, idInPath(c)))
  .post(pages.paymentBatch(ID), async (c) => {
    const id = idInPath(c);
    const { db } = c.get('deps');
    const batch = await getBatch(db, id);
    const most = MOST_LINES * 2 + OTHER_FIELDS;
    const { fields: form, listed } = await readRowsForm(c, REMOVED, most);
    return answerForm(
      c,
      async () => {
        const lines = readLines(batch, form, new Set(listed));
        const draft = { ...(await readOwnFields(db, form, batch)), lines };
        const { version } = await updateBatch(db, actorOf(c), id, draft, versionIn(form.version));
        const isSame = version === batch.version;
        return redirectWith(c, pages.paymentBatch(id), isSame ? texts.same : texts.updated);
      },
      (problem, status) => renderBatch(c, id, { values: form, problem, status }),
    );
  })
  .post(pages.paymentBatchStep(ID, 'autorizar'), (c) =>
    takeStep(c, async (id, form) => {
      const actor = actorOf(c);
      const version = requireRead(actor, versionIn(form.version));
      const { estado } = await authorizeBatch(c.get('deps').db, actor, id, version);
      return estado === 'autorizada' ? texts.authorized : texts.signed;
    }),
  )
  .post(pages.paymentBatchStep(ID, 'enviar'), (c) =>
    takeStep(c, async (id, form) => {
      await sendBatch(c.get('deps').db, actorOf(c), id, versionIn(form.version));
      return texts.sent;
    }),
  )
  .post(pages.paymentBatchStep(ID, 'archivos'), (c) =>
    takeStep(c, async (id, form) => {
      const { version, plantilla: layout = '' } = parseShape(newFileShape, form);
      const asked = { layout, version };
      const { warnings, isKnown } = await makeFile(c.get('deps').db, actorOf(c), id, asked);
      return { text: isKnown ? texts.fileAgain : texts.fileMade, warnings };
    }),
  )
  .post(pages.paymentBatchStep(ID, 'archivos/:archivoId{[0-9]+}/descargar'), async (c) => {
    const batchId = idInPath(c);
    const { db, config } = c.get('deps');
    const values = await readForm(c);
    return answerForm(
      c,
      async () => {
        const fileId = parseId(c.req.param('archivoId') ?? '', 'Archivo');
        const asked = { batchId, fileId, again: values.otraVez === 'true' };
        return sendBytes(c, await downloadFile(db, actorOf(c), asked, config.timeZone));
      },
      (problem, status) => renderBatch(c, batchId, { values, problem, status, asked: c.req.path }),
    );
  })
  .post(pages.paymentBatchStep(ID, 'pagar'), (c) =>
    takeStep(c, async (id, { version, motivo, ...form }) => {
      const { cheque, referencia } = parseShape(payBatchShape, form);
      const actor = actorOf(c, motivo);
      const numbers = { cheque, referencia };
      const paid = await payBatch(c.get('deps').db, actor, id, numbers, versionIn(version));
      const { warnings, about, payments } = paid;
      return { text: texts.paid(payments.length), warnings: seeing(warnings, about) };
    }),
  )
  .post(pages.paymentBatchStep(ID, 'regresar'), (c) =>
    takeStep(c, async (id, { version, motivo }) => {
      const { db } = c.get('deps');
      const { estado } = await returnBatch(db, actorOf(c, motivo), id, versionIn(version));
      return estado === 'borrador' ? texts.returned : texts.takenBack;
    }),
  )
  .post(pages.paymentBatchStep(ID, 'partidas/:line{[0-9]+}/permitir'), (c) =>
    takeStep(c, async (id, { version, ...form }) => {
      const { motivo: reason = '' } = parseShape(permitShape, form);
      const invoiceId = parseId(c.req.param('line') ?? '');
      const actor = actorOf(c);
      const asked = { invoiceId, reason, version: requireRead(actor, versionIn(version)) };
      await permitLine(c.get('deps').db, actor, id, asked);
      return texts.permitted;
    }),
  )
  .post(pages.paymentBatchStep(ID, 'eliminar'), async (c) => {
    const id = idInPath(c);
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        await deleteBatch(c.get('deps').db, actorOf(c), id, versionIn(form.version));
        return redirectWith(c, pages.paymentBatches, texts.deleted);
      },
      (problem, status) => renderBatch(c, id, { values: {}, problem, status }),
    );
  });

const seeing = (warnings: string[], about: number[]) =>
  linked(warnings, about, pages.editPayment, 'Ver el pago');

/** Leads back to the batch, which says what was done, or why it was not. */
async function takeStep(
  c: AppContext,
  take: (id: number, form: Record<string, string>) => Promise<Parameters<typeof redirectWith>[2]>,
) {
  const id = idInPath(c);
  const form = await readForm(c);
  return answerForm(
    c,
    async () => redirectWith(c, pages.paymentBatch(id), await take(id, form)),
    (problem, status) => renderBatch(c, id, { values: form, problem, status, asked: c.req.path }),
  );
}

/** What a form says of day, source and remarks. @throws DomainError */
async function readOwnFields(db: Db, form: Record<string, string>, former?: FullBatch): Promise<BatchDraft> {
  return toBatchDraft(parseShape(newBatchShape, await readFields(db, BATCH_FIELDS, form, { former })));
}

/** The lines that are left, with the amounts as they were typed. @throws DomainError */
const readLines = ({ lines }: FullBatch, form: Record<string, string>, removed: ReadonlySet<string>) =>
  lines
    .filter(({ invoiceId }) => !removed.has(String(invoiceId)))
    .map(({ invoiceId, numfactura, amountCents }) => {
      const name = amountName(invoiceId);
      const typed = form[name];
      const label = `Importe de la factura ${numfactura || invoiceId}`;
      return { invoiceId, amountCents: typed === undefined ? amountCents : moneyOf(typed, label, name) };
    });
