import { Hono } from 'hono';
import type { Db } from '../../../db/schema.ts';
import { evaluateMoney } from '../../../shared/arithmetic.ts';
import { currentLanguage } from '../../../shared/language.ts';
import {
  BATCH_FIELDS,
  type BatchInput,
  bankAmountFieldName,
  batchName,
  type FullBatch,
  formatPaidPart,
  MAX_BATCH_LINES,
  batchTexts as texts,
} from '../../../shared/payment-batches.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import { sendBytes } from '../../http/downloads.ts';
import { ID_SEGMENT, idInPath, readFormWithList, readFormWithLists, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, readSettingsOnce, requireSession } from '../../http/session.ts';
import { batchList } from '../../lists/payment-batches.ts';
import { downloadFile, generateFileAndMarkSent } from '../../services/bank-files/files.ts';
import { readAwaitedSignatures, readTasks } from '../../services/notices/tasks.ts';
import { moveBatchBackOneStage, payBatch } from '../../services/payment-batches/paying.ts';
import {
  addBatchLines,
  createBatch,
  deleteBatch,
  updateBatch,
} from '../../services/payment-batches/payment-batches.ts';
import {
  getBatch,
  readIdsWithSignatureNotes,
  searchBatches,
  sumBatches,
} from '../../services/payment-batches/reading.ts';
import {
  markBatchSent,
  permitLine,
  requireApproverAndVersion,
  signBatch,
} from '../../services/payment-batches/stages.ts';
import { idsOf } from '../../services/stored-rows.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import {
  newBankFileShape,
  newBatchShape,
  payBatchShape,
  permitLineShape,
  toBankAmounts,
  toBatchInput,
} from '../../shapes/payment-batches.ts';
import { TaskAndNoticeRows } from '../../shell/notice-rows.tsx';
import {
  type FormRequest,
  handleForm,
  handleParsedForm,
  linkWarnings,
  type RefusedForm,
  redirectWithMessage,
} from '../../shell/render.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { isFiltered } from '../ui/list-filters.tsx';
import { showList } from '../ui/list-page.tsx';
import { readFields } from '../ui/posted-fields.ts';
import { type FormState, parseVersion } from '../ui/record-form.tsx';
import { renderBatch } from './batch.tsx';
import { StateChip } from './batch-steps.tsx';
import { renderInvoiceChoice, renderTickedInvoices } from './invoice-choice.tsx';
import { amountFieldName, REMOVED_INVOICE_FIELD } from './lines.tsx';
import { OFFERED_IDS_FIELD, TARGET_BATCH_FIELD } from './offered-invoices.tsx';
import {
  CHOOSE_STEP_BUTTON,
  CHOSEN_INVOICE_FIELD,
  CHOSEN_SUPPLIER_FIELD,
  parseSelection,
  SHOW_STEP,
  STEP_FIELD,
} from './row-selection.tsx';

/** Upper limit for fields of the form other than lines. */
const MAX_OTHER_FIELDS = 20;

export const paymentBatchPages = new Hono<AppEnv>({ strict: false })
  .get(pages.paymentBatches, (c) => showBatches(c))
  .get(pages.newPaymentBatch, (c) => renderInvoiceChoice(c, { values: {} }))
  .post(pages.newPaymentBatch, async (c) => {
    const names = [CHOSEN_INVOICE_FIELD, CHOSEN_SUPPLIER_FIELD] as const;
    const { fields: form, lists } = await readFormWithLists(c, names, MAX_BATCH_LINES * 2 + MAX_OTHER_FIELDS);
    const listed = lists[CHOSEN_INVOICE_FIELD];
    if (form[STEP_FIELD] === CHOOSE_STEP_BUTTON.value)
      return renderTickedInvoices(c, parseSelection(listed, lists[CHOSEN_SUPPLIER_FIELD]), { values: {} });
    const renderAgain = (_: AppContext, shown: FormState) => {
      const state = { ...shown, chosenKeys: listed };
      const offered = form[OFFERED_IDS_FIELD];
      return offered
        ? renderTickedInvoices(c, parseSelection(offered.split(','), []), state)
        : renderInvoiceChoice(c, state);
    };
    if (form[STEP_FIELD] === SHOW_STEP) return renderAgain(c, { values: form });
    return handleParsedForm(c, form, renderAgain, async ({ db, actor }) => {
      const lines = listed.map((id) => ({ invoiceId: parseId(id, 'Factura') }));
      const extended = form[TARGET_BATCH_FIELD]
        ? parseId(form[TARGET_BATCH_FIELD], 'Programación')
        : undefined;
      const draft = extended === undefined ? { ...(await readBatchFields(db, form)), lines } : undefined;
      const { id } = await writeOnce(c, { ...form, listed }, async (trx) => {
        const saved = draft
          ? await createBatch(trx, actor, draft)
          : await addBatchLines(trx, actor, extended!, lines);
        return { id: saved.id };
      });
      return redirectWithMessage(c, pages.paymentBatch(id), texts.created);
    });
  })
  .get(pages.paymentBatch(ID_SEGMENT), (c) => renderBatch(c))
  .post(pages.paymentBatch(ID_SEGMENT), async (c) => {
    const id = idInPath(c);
    const batch = await getBatch(c.get('deps').db, id);
    const maxFields = MAX_BATCH_LINES * 2 + MAX_OTHER_FIELDS;
    const { fields, listed } = await readFormWithList(c, REMOVED_INVOICE_FIELD, maxFields);
    return handleParsedForm(c, fields, renderBatch, async ({ form, db, actor }) => {
      const lines = readLinesWithTypedAmounts(batch, form, new Set(listed));
      const draft = { ...(await readBatchFields(db, form, batch)), lines };
      const { version } = await updateBatch(db, actor, id, draft, parseVersion(form.version));
      return redirectWithMessage(
        c,
        pages.paymentBatch(id),
        version === batch.version ? texts.same : texts.updated,
      );
    });
  })
  .post(pages.paymentBatchStep(ID_SEGMENT, 'archivos/:archivoId{[0-9]+}/descargar'), (c) =>
    handleForm(c, showRefusedStep, async ({ form, db, actor }) => {
      const fileId = parseId(c.req.param('archivoId') ?? '', 'Archivo');
      const request = { batchId: idInPath(c), fileId, allowsSecondDownload: form.otraVez === 'true' };
      return sendBytes(c, await downloadFile(db, actor, request, c.get('deps').config.timeZone));
    }),
  )
  .post(pages.paymentBatchStep(ID_SEGMENT, 'eliminar'), (c) => {
    const renderRefused = (_: AppContext, refused: RefusedForm) => renderBatch(c, { ...refused, values: {} });
    return handleForm(c, renderRefused, async ({ form, db, actor }) => {
      await deleteBatch(db, actor, idInPath(c), parseVersion(form.version));
      return redirectWithMessage(c, pages.paymentBatches, texts.deleted);
    });
  });

type BatchStepHandler = (
  id: number,
  request: FormRequest,
  c: AppContext,
) => Promise<Parameters<typeof redirectWithMessage>[2]>;

const STEP_HANDLERS: Readonly<Record<string, BatchStepHandler>> = {
  async autorizar(id, { form, db, actor }, c) {
    const { estado } = await signBatch(
      db,
      actor,
      id,
      requireApproverAndVersion(actor, parseVersion(form.version)),
    );
    const [next] = await readAwaitedSignatures(
      db,
      requireSession(c),
      await readSettingsOnce(c),
      c.get('now'),
    );
    return {
      text: estado === 'autorizada' ? texts.authorized : texts.signed,
      about: next && { href: next.href, link: `Sigue: ${next.label}` },
    };
  },

  async enviar(id, { form, db, actor }) {
    await markBatchSent(db, actor, id, parseVersion(form.version));
    return texts.sent;
  },

  async archivos(id, { form, db, actor }) {
    const { version, plantilla: layout = '' } = parseShape(newBankFileShape, form);
    const { warnings, isExisting } = await generateFileAndMarkSent(db, actor, id, { layout, version });
    return { text: isExisting ? texts.fileAgain : texts.fileMade, warnings };
  },

  async pagar(id, { form: { version, motivo: _motivo, ...form }, db, actor }) {
    const { cheque, referencia, ...amounts } = form;
    const importesbanco = Object.fromEntries(
      Object.entries(amounts).map(([name, text]) => [name.replace(bankAmountFieldName(''), ''), text]),
    );
    const posted = parseShape(payBatchShape, { cheque, referencia, importesbanco });
    const terms = { ...posted, importesbanco: toBankAmounts(posted.importesbanco) };
    const paid = await payBatch(db, actor, id, terms, parseVersion(version));
    const warnings = linkWarnings(paid.warnings, paid.about, pages.editPayment, 'Ver el pago');
    return { text: texts.paid(paid.payments.length), warnings };
  },

  async regresar(id, { form, db, actor }) {
    const { estado } = await moveBatchBackOneStage(db, actor, id, parseVersion(form.version));
    return estado === 'borrador' ? texts.returned : texts.takenBack;
  },

  async 'partidas/:line{[0-9]+}/permitir'(id, { form: { version, ...form }, db, actor }, c) {
    const { motivo: reason = '' } = parseShape(permitLineShape, form);
    const invoiceId = parseId(c.req.param('line') ?? '');
    const request = { invoiceId, reason, version: requireApproverAndVersion(actor, parseVersion(version)) };
    await permitLine(db, actor, id, request);
    return texts.authorizedAnyway;
  },
};

for (const [name, take] of Object.entries(STEP_HANDLERS))
  paymentBatchPages.post(pages.paymentBatchStep(ID_SEGMENT, name), (c) =>
    handleForm(c, showRefusedStep, async (request) => {
      const id = idInPath(c);
      return redirectWithMessage(c, pages.paymentBatch(id), await take(id, request, c));
    }),
  );

const showRefusedStep = (c: AppContext, refused: RefusedForm) =>
  renderBatch(c, { ...refused, stepAddress: c.req.path });

async function readBatchFields(
  db: Db,
  form: Record<string, string>,
  previous?: FullBatch,
): Promise<BatchInput> {
  return toBatchInput(parseShape(newBatchShape, await readFields(db, BATCH_FIELDS, form, { previous })));
}

/** @returns the lines that were not removed, with the typed amounts @throws DomainError */
const readLinesWithTypedAmounts = (
  { lines }: FullBatch,
  form: Record<string, string>,
  removed: ReadonlySet<string>,
) =>
  lines
    .filter(({ invoiceId }) => !removed.has(String(invoiceId)))
    .map(({ invoiceId, numfactura, amountCents }) => {
      const name = amountFieldName(invoiceId);
      const typed = form[name];
      const label = `Importe de la factura ${numfactura || invoiceId}`;
      return {
        invoiceId,
        amountCents: typed === undefined ? amountCents : evaluateMoney(typed, label, name),
      };
    });

const showBatches = (c: AppContext) =>
  showList(c, batchList, {
    caption: 'Programaciones de pagos',
    className: 'catalog',
    actions: (
      <LinkButton href={pages.bankStatements}>
        <span>
          Banco<span className="roomy">: estados de cuenta</span>
        </span>
      </LinkButton>
    ),
    create: <NewBatchLink />,
    async read(c, search, query) {
      const { db } = c.get('deps');
      const { rows, cursor } = await searchBatches(db, search);
      const noted = await readIdsWithSignatureNotes(db, idsOf(rows));
      const isWhole = !isFiltered(batchList, query) && !search.cursor;
      const tasks = isWhole ? await readBatchTasks(c) : [];
      return { rows, cursor, noted, tasks, ...(await sumBatches(db, search)) };
    },
    rowHref: ({ id }) => pages.paymentBatch(id),
    above: ({ tasks }) => <TaskAndNoticeRows tasks={tasks} notices={[]} />,
    totals: ({ count, totalCents, paidCents }) =>
      count > 0 && (
        <Totals
          isFooter
          label="Totales del filtro"
          items={[
            { label: 'Pagado', cents: paidCents },
            { label: 'Total programado', cents: totalCents },
          ]}
        />
      ),
    columns: ({ noted }) => [
      {
        key: 'id',
        label: currentLanguage() === 'es' ? 'Programación' : 'ID',
        isRowLink: true,
        card: 'title',
        render: ({ id }) => batchName(id).replace(' ', '\u00a0'),
      },
      dateColumn('fecha', 'Fecha', { card: 'half', cardLabel: () => '' }),
      {
        key: 'estado',
        label: 'Estado',
        card: 'half',
        cardLabel: () => '',
        render: (batch) => (
          <>
            <StateChip batch={batch} /> {noted.has(batch.id) && <Chip tone="warn">Firma por revisar</Chip>}
          </>
        ),
      },
      {
        key: 'origenderecursonombre',
        label: 'Origen de recurso',
        card: 'half',
        cardLabel: () => '',
        textBelow: ({ comments }) => comments,
      },
      { key: 'author', label: 'Elaboró', card: 'none' },
      { key: 'comments', label: 'Observaciones', card: 'none', className: 'wide-only' },
      { key: 'count', label: 'Facturas', align: 'end', card: 'half' },
      { key: 'suppliers', label: 'Proveedores', align: 'end', card: 'none', className: 'wide-only' },
      moneyColumn('total', 'Programado', ({ totalCents }) => totalCents, {
        card: 'corner',
        textBelow: formatPaidPart,
      }),
    ],
    noMatches: {
      title: 'Ninguna programación con este filtro',
      hint: 'Prueba con otro estado, o con otras fechas.',
    },
    empty: {
      title: 'Todavía no hay programaciones de pagos',
      hint: 'Aquí se prepara lo que se va a pagar, por ejemplo cada viernes: se eligen las facturas, otra persona autoriza y todos los pagos se registran a la vez.',
      action: <NewBatchLink />,
    },
  });

async function readBatchTasks(c: AppContext) {
  const { db, config } = c.get('deps');
  const day = { today: c.get('today'), timeZone: config.timeZone };
  const tasks = await readTasks(db, requireSession(c), await readSettingsOnce(c), day, c.get('now'));
  return tasks.filter(({ kind }) => kind === 'programacion' || kind === 'pagar');
}

const NewBatchLink = () => (
  <LinkButton href={pages.newPaymentBatch} look="primary" icon="plus" data-new="">
    <span>
      Programar<span className="roomy"> pagos</span>
    </span>
  </LinkButton>
);
