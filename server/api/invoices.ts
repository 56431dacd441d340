import { Hono } from 'hono';
import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { type Invoice, invoiceTexts } from '../../shared/invoices.ts';
import { moneyText } from '../../shared/money.ts';
import { ADMIN_ROLE } from '../../shared/roles.ts';
import type { AppContext, AppEnv } from '../http/session.ts';
import { requirePeriods } from '../lists/filter.ts';
import { invoiceList } from '../lists/invoices.ts';
import { apiShape } from '../lists/shapes.ts';
import { deleteAllInvoices } from '../services/database/delete-all.ts';
import {
  createInvoice,
  deleteInvoice,
  restoreInvoice,
  type SavedInvoice,
  updateInvoice,
} from '../services/invoices/invoices.ts';
import { getInvoice, searchInvoices } from '../services/invoices/reading.ts';
import { sumInvoices } from '../services/invoices/sums.ts';
import { readInOpenBatches } from '../services/payment-batches/committed.ts';
import { paymentsOf } from '../services/payments/reading.ts';
import {
  formatField,
  formerIdField,
  motivoShape,
  parseQuery,
  refuseEmptied,
  restoreShape,
} from '../shapes/fields.ts';
import {
  invoiceAnswer,
  invoiceChangeShape,
  newInvoiceShape,
  oneInvoiceAnswer,
  savedInvoiceAnswer,
  toInvoiceDraft,
  toInvoiceJson,
} from '../shapes/invoices.ts';
import {
  type Asked,
  answerList,
  askedId,
  CREATES,
  confirmDatedShape,
  pathId,
  removes,
  requireConfirmation,
  sendList,
  takes,
} from './answers.ts';
import { DATED, describes, REFERRING } from './describe.ts';
import { invoiceSuggestions } from './invoice-suggestions.ts';

const currentJson = (stored: Invoice, c: AppContext) => toInvoiceJson(stored, [], c.get('today'));

/** The list's parameters, and the one that asks for a single invoice. */
const listShape = apiShape(invoiceList)
  .extend({
    id: formerIdField,
    format: formatField,
  })
  .meta({ examples: [{ status: 'vencida', sortfield: 'fechavencimiento', sorttype: 'ASC', limit: 50 }] });

const tag = 'Facturas';
const oneRow = { status: 200, says: 'Una factura con sus pagos', shape: oneInvoiceAnswer } as const;
const rows = {
  status: 200,
  says: 'La lista; los encabezados suman todo lo filtrado',
  shape: z.array(invoiceAnswer),
  headers: ['page', 'totals'],
} as const;
const gone = { status: 204, says: 'Eliminada' } as const;

export const invoicesApi = new Hono<AppEnv>({ strict: false })
  .get(
    '/',
    describes({
      tag,
      summary: 'La lista de facturas',
      query: listShape,
      success: rows,
      problems: ['bad_period'],
    }),
    answerSearch,
  )
  .get(
    '/search',
    describes({
      tag,
      summary: 'Buscar facturas',
      text: 'Con `corte`, todo es como era al terminar ese día: las facturas emitidas hasta entonces y lo pagado hasta entonces.',
      query: listShape,
      success: rows,
      problems: ['bad_period'],
    }),
    answerSearch,
  )
  .route('/', invoiceSuggestions)
  .get('/:id{[0-9]+}', describes({ tag, summary: 'Leer una factura', success: oneRow }), (c) =>
    answerInvoice(c, pathId(c)),
  )
  .post(
    '/newfacturaproveedor',
    describes({
      tag,
      summary: 'Crear una factura',
      text: 'El servidor calcula `iva` y `total`; si vienen, deben coincidir. Sin `tasa` vale la de los ajustes (16).',
      body: newInvoiceShape,
      once: true,
      success: { status: 201, says: 'Creada', shape: savedInvoiceAnswer },
      problems: ['duplicate_invoice', 'amounts_disagree', 'budget_exceeded', ...DATED],
    }),
    takes(newInvoiceShape, CREATES, async ({ c, db, actor, body: { allowDuplicate, ...fields } }) =>
      toSavedJson(c, await createInvoice(db, actor, toInvoiceDraft(fields), { allowDuplicate })),
    ),
  )
  .put(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Cambiar una factura',
      text: 'Sin `tasa` queda la que da ese `iva`. `totalamountpaid` puede venir si es el guardado.',
      body: invoiceChangeShape,
      success: { status: 200, says: 'Como quedó', shape: savedInvoiceAnswer },
      stale: invoiceAnswer,
      problems: ['duplicate_invoice', 'amounts_disagree', 'budget_exceeded', 'cfdi_locked', ...DATED],
    }),
    takes(invoiceChangeShape, { current: currentJson }, changeInvoice),
  )
  .post(
    '/:id{[0-9]+}/restore',
    describes({
      tag,
      summary: 'Recuperar una factura eliminada',
      text: 'Vuelve con su mismo id, su CFDI y sus adjuntos, si nadie la capturó otra vez.',
      body: restoreShape,
      mayLackBody: true,
      once: true,
      success: { status: 200, says: 'La factura recuperada', shape: savedInvoiceAnswer },
      problems: [
        'not_deleted',
        'duplicate_invoice',
        'budget_exceeded',
        'closed_period',
        'invalid',
        ...REFERRING,
      ],
    }),
    takes(restoreShape, { once: true, mayLackBody: true }, async ({ c, db, actor, id }) =>
      toSavedJson(c, await restoreInvoice(db, actor, id)),
    ),
  )
  .delete(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Eliminar una factura',
      query: motivoShape,
      success: gone,
      problems: ['in_use', ...DATED],
    }),
    removes(motivoShape, deleteInvoice),
  )
  .delete(
    '/',
    describes({
      tag,
      summary: 'Eliminar todas las facturas',
      text: 'Antes se guarda una copia en la carpeta de datos. Si hay pagos, no se elimina ninguna.',
      query: confirmDatedShape,
      role: ADMIN_ROLE,
      success: gone,
      problems: ['confirmation_required', 'in_use', ...DATED],
    }),
    async (c) => {
      await deleteAllInvoices(c.get('deps'), requireConfirmation(c, confirmDatedShape));
      return c.body(null, 204);
    },
  );

const NO_AMOUNT = 'Falta la cantidad.';

/** What is said of an amount that a change sends empty. */
const EMPTIED = {
  subtotal: invoiceTexts.required,
  iva: NO_AMOUNT,
  otrosimpuestos: NO_AMOUNT,
  retenciones: NO_AMOUNT,
  total: NO_AMOUNT,
  totalamountpaid: NO_AMOUNT,
};

const toSavedJson = (c: AppContext, { invoice, warnings }: SavedInvoice) => ({
  ...currentJson(invoice, c),
  warnings,
});

async function changeInvoice({
  c,
  db,
  actor,
  id,
  body: { totalamountpaid, version, allowDuplicate, ...fields },
  sent,
}: Asked<z.output<typeof invoiceChangeShape>>) {
  refuseEmptied(sent, EMPTIED);
  const stored = await getInvoice(db, id);
  // "Mixta" is read as null, and may be sent back as it was read.
  if (stored.tasa !== null) refuseEmptied(sent, { tasa: invoiceTexts.missingRate });
  if (totalamountpaid !== undefined && totalamountpaid !== stored.paidCents)
    throw new DomainError('malformed', 'totalamountpaid lo calculan los pagos y no se cambia.');
  const options = { version, allowDuplicate };
  const { warnings } = await updateInvoice(db, actor, id, toInvoiceDraft(fields), options);
  return { ...(await readInvoice(c, id)), warnings };
}

async function readInvoice(c: AppContext, id: number) {
  const { db } = c.get('deps');
  return toInvoiceJson(await getInvoice(db, id), await paymentsOf(db, [id]), c.get('today'));
}

async function answerInvoice(c: AppContext, id: number) {
  const invoice = await readInvoice(c, id);
  const programmed = await readInOpenBatches(c.get('deps').db, [id]);
  const programaciones = programmed.map(({ batchId, estado }) => ({ id: batchId, estado }));
  return c.json({ ...invoice, programaciones } satisfies z.output<typeof oneInvoiceAnswer>);
}

const searchShape = listShape.omit({ id: true });

async function answerSearch(c: AppContext) {
  const { db, config } = c.get('deps');
  const asked = askedId(c);
  if ('id' in asked) return answerInvoice(c, asked.id);
  const parameters = parseQuery(searchShape, asked.rest);
  const { sortfield, sorttype, limit, cursor, format, ...filter } = parameters;
  requirePeriods(invoiceList.filters, filter);
  const day = { today: c.get('today'), timeZone: config.timeZone };
  if (format) {
    const whole = { ...filter, sort: sortfield, direction: sorttype, limit, cursor };
    return sendList(c, invoiceList, whole, format);
  }
  const query = { ...filter, sort: sortfield, direction: sorttype, limit: limit ?? 1000, cursor };
  const [page, totals] = await Promise.all([searchInvoices(db, query, day), sumInvoices(db, filter, day)]);
  const ids = page.invoices.map((invoice) => invoice.id);
  const payments = Map.groupBy(await paymentsOf(db, ids), (payment) => payment.facturaproveedorId);
  const today = filter.corte ?? day.today;
  const rows = page.invoices.map((invoice) => toInvoiceJson(invoice, payments.get(invoice.id) ?? [], today));
  const headers = {
    'X-Sum-Total': moneyText(totals.totalCents),
    'X-Sum-Paid': moneyText(totals.paidCents),
    'X-Sum-Pending': moneyText(totals.totalCents - totals.paidCents),
    'X-Sum-SinIva': moneyText(totals.sinIvaCents),
  };
  return answerList(c, rows, { total: totals.count, cursor: page.cursor, headers });
}
