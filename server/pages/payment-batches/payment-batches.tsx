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
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages } from '../../../shared/urls.ts';
import { createOnce, idInPath, readForm, readRowsForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { batchList } from '../../lists/payment-batches.ts';
import { payBatch, returnBatch } from '../../services/payment-batches/paying.ts';
import { createBatch, deleteBatch, updateBatch } from '../../services/payment-batches/payment-batches.ts';
import { getBatch } from '../../services/payment-batches/reading.ts';
import { authorizeBatch, permitLine, sendBatch } from '../../services/payment-batches/stages.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { newBatchShape, payBatchShape, permitShape, toBatchDraft } from '../../shapes/payment-batches.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { filterWords, readableListQuery, readListQuery, renderFilter } from '../ui/list-filters.tsx';
import { answerList, renderList } from '../ui/lists.tsx';
import { readFields } from '../ui/posted.ts';
import { versionIn } from '../ui/record-form.tsx';
import { renderBatch } from './batch.tsx';
import { CHOSEN, renderChoosing } from './choosing.tsx';
import { amountName, REMOVED } from './lines.tsx';
import { NewBatchLink, renderBatches } from './list.tsx';

const ID = ':id{[0-9]+}';

/** Fields of the form beside those of each line. */
const OTHER_FIELDS = 20;

/** The list of batches, choosing what one pays, and each with its steps. */
export const paymentBatchPages = new Hono<AppEnv>({ strict: false })
  .get(pages.paymentBatches, showList)
  .get(pages.newPaymentBatch, (c) => renderChoosing(c, { values: {} }))
  .post(pages.newPaymentBatch, async (c) => {
    const { fields: form, listed } = await readRowsForm(c, CHOSEN, MOST_LINES + OTHER_FIELDS);
    return answerForm(
      c,
      async () => {
        const lines = listed.map((id) => ({ invoiceId: parseId(id, 'Factura') }));
        const draft = { ...(await readOwnFields(c.get('deps').db, form)), lines };
        const { id } = await createOnce(c, { ...form, listed }, async (trx) => {
          const created = await createBatch(trx, actorOf(c), draft);
          return { id: created.id };
        });
        return redirectWith(c, pages.paymentBatch(id), texts.created);
      },
      (problem, status) => renderChoosing(c, { values: form, chosen: listed, problem, status }),
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
        await updateBatch(db, actorOf(c), id, draft, versionIn(form.version));
        return redirectWith(c, pages.paymentBatch(id), texts.updated);
      },
      (problem, status) => renderBatch(c, id, { values: form, problem, status }),
    );
  })
  .post(pages.paymentBatchStep(ID, 'autorizar'), (c) =>
    takeStep(c, async (id, form) => {
      const { estado } = await authorizeBatch(c.get('deps').db, actorOf(c), id, versionIn(form.version));
      return estado === 'autorizada' ? texts.authorized : texts.signed;
    }),
  )
  .post(pages.paymentBatchStep(ID, 'enviar'), (c) =>
    takeStep(c, async (id, form) => {
      await sendBatch(c.get('deps').db, actorOf(c), id, versionIn(form.version));
      return texts.sent;
    }),
  )
  .post(pages.paymentBatchStep(ID, 'pagar'), (c) =>
    takeStep(c, async (id, { version, motivo, ...form }) => {
      const { cheque, referencia } = parseShape(payBatchShape, form);
      const actor = actorOf(c, motivo);
      const numbers = { cheque, referencia };
      const { payments } = await payBatch(c.get('deps').db, actor, id, numbers, versionIn(version));
      return texts.paid(payments.length);
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
      const asked = { invoiceId, reason, version: versionIn(version) };
      await permitLine(c.get('deps').db, actorOf(c), id, asked);
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

/** Leads back to the batch, which says what was done, or why it was not. */
async function takeStep(c: AppContext, take: (id: number, form: Record<string, string>) => Promise<string>) {
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

function showList(c: AppContext) {
  const options = { title: batchList.title, actions: <NewBatchLink /> };
  const readable = () => renderFilter(c, batchList, readableListQuery(c, batchList));
  return answerList(c, { ...options, address: pages.paymentBatches, filter: readable }, async () => {
    const query = await readListQuery(c, batchList);
    const actions = (
      <>
        <ExportLinks list={pages.paymentBatches} first="xlsx" query={query} />
        <NewBatchLink />
      </>
    );
    return renderList(
      c,
      { ...options, actions },
      {
        filter: () => renderFilter(c, batchList, query),
        words: await filterWords(c, batchList, query),
        results: await renderBatches(c, query),
      },
    );
  });
}
