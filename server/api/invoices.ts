import { Hono } from 'hono';
import { DomainError } from '../../shared/errors.ts';
import { dueText, type Invoice, statusOf } from '../../shared/invoices.ts';
import { moneyText, rateText, toDecimal } from '../../shared/money.ts';
import type { Payment } from '../../shared/payments.ts';
import { createOnce, readJson } from '../request.ts';
import { deleteAllInvoices } from '../services/delete-all.ts';
import { getInvoice, searchInvoices, sumInvoices } from '../services/invoice-reading.ts';
import { createInvoice, deleteInvoice, updateInvoice } from '../services/invoices.ts';
import { paymentsOf } from '../services/payment-reading.ts';
import { type AppContext, type AppEnv, actorOf } from '../session.ts';
import { parseQuery, parseShape } from '../shapes/fields.ts';
import {
  invoiceChangeShape,
  invoiceQueryShape,
  newInvoiceShape,
  toInvoiceDraft,
} from '../shapes/invoices.ts';
import {
  answerList,
  askedId,
  pathId,
  requireConfirmation,
  requireOwnId,
  withCurrentAsJson,
} from './answers.ts';
import { toPaymentJson } from './payments.ts';

export const invoicesApi = new Hono<AppEnv>({ strict: false })
  .get('/', answerSearch)
  .get('/search', answerSearch)
  .get('/:id{[0-9]+}', async (c) => c.json(await readInvoice(c, pathId(c))))
  .post('/newfacturaproveedor', async (c) => {
    const body = await readJson(c);
    const { allowDuplicate, ...fields } = parseShape(newInvoiceShape, body);
    const answer = await createOnce(c, body, async (trx) => {
      const { invoice, warnings } = await createInvoice(trx, actorOf(c), toInvoiceDraft(fields), {
        allowDuplicate,
      });
      return { ...toInvoiceJson(invoice, [], c.get('today')), warnings };
    });
    return c.json(answer, 201);
  })
  .put('/:id{[0-9]+}', async (c) => {
    const { db } = c.get('deps');
    const id = pathId(c);
    const {
      id: sentId,
      totalamountpaid,
      version,
      allowDuplicate,
      ...fields
    } = parseShape(invoiceChangeShape, await readJson(c));
    requireOwnId(id, sentId);
    if (totalamountpaid !== undefined && totalamountpaid !== (await getInvoice(db, id)).paidCents) {
      throw new DomainError('malformed', 'totalamountpaid lo calculan los pagos y no se cambia.');
    }
    const { warnings } = await withCurrentAsJson(
      () => updateInvoice(db, actorOf(c), id, toInvoiceDraft(fields), { version, allowDuplicate }),
      (current) => toInvoiceJson(current as Invoice, [], c.get('today')),
    );
    return c.json({ ...(await readInvoice(c, id)), warnings });
  })
  .delete('/:id{[0-9]+}', async (c) => {
    await deleteInvoice(c.get('deps').db, actorOf(c), pathId(c));
    return c.body(null, 204);
  })
  .delete('/', async (c) => {
    requireConfirmation(c);
    await deleteAllInvoices(c.get('deps'), actorOf(c));
    return c.body(null, 204);
  });

/** An invoice on the wire: decimals, nested names, status and due text as of `today`. */
export function toInvoiceJson(invoice: Invoice, payments: readonly Payment[], today: string) {
  return {
    id: invoice.id,
    supplierId: invoice.supplierId,
    jobId: invoice.jobId,
    rubroId: invoice.rubroId,
    numfactura: invoice.numfactura,
    fechaemision: invoice.fechaemision,
    fecharecepcion: invoice.fecharecepcion,
    fechavencimiento: invoice.fechavencimiento,
    vencimientoTexto: dueText(invoice, today),
    status: statusOf(invoice, today),
    subtotal: toDecimal(invoice.subtotalCents),
    tasa: invoice.tasa === null ? null : Number(rateText(invoice.tasa)),
    iva: toDecimal(invoice.ivaCents),
    otrosimpuestos: toDecimal(invoice.otrosimpuestosCents),
    retenciones: toDecimal(invoice.retencionesCents),
    total: toDecimal(invoice.totalCents),
    totalamountpaid: toDecimal(invoice.paidCents),
    comments: invoice.comments,
    uuid: invoice.uuid,
    metodopago: invoice.metodopago,
    createdAt: invoice.createdAt,
    version: invoice.version,
    supplier: { id: invoice.supplierId, suppliername: invoice.suppliername, rfc: invoice.rfc },
    job: { id: invoice.jobId, jobtitle: invoice.jobtitle },
    rubro: invoice.rubroId === null ? null : { id: invoice.rubroId, nombrerubro: invoice.nombrerubro },
    payment: payments.map(toPaymentJson),
  };
}

async function readInvoice(c: AppContext, id: number) {
  const { db } = c.get('deps');
  return toInvoiceJson(await getInvoice(db, id), await paymentsOf(db, [id]), c.get('today'));
}

async function answerSearch(c: AppContext) {
  const { db, config } = c.get('deps');
  const asked = askedId(c);
  if ('id' in asked) return c.json(await readInvoice(c, asked.id));
  const { sortfield, sorttype, limit, cursor, ...filter } = parseQuery(invoiceQueryShape, asked.rest);
  const day = { today: c.get('today'), timeZone: config.timeZone };
  const query = { ...filter, sort: sortfield, direction: sorttype, limit: limit ?? 1000, cursor };
  const [page, totals] = [await searchInvoices(db, query, day), await sumInvoices(db, filter, day)];
  const payments = Map.groupBy(
    await paymentsOf(
      db,
      page.invoices.map((invoice) => invoice.id),
    ),
    (payment) => payment.facturaproveedorId,
  );
  c.header('X-Sum-Total', moneyText(totals.totalCents));
  c.header('X-Sum-Paid', moneyText(totals.paidCents));
  c.header('X-Sum-Pending', moneyText(totals.totalCents - totals.paidCents));
  c.header('X-Sum-SinIva', moneyText(totals.sinIvaCents));
  const today = filter.corte ?? day.today;
  const rows = page.invoices.map((invoice) => toInvoiceJson(invoice, payments.get(invoice.id) ?? [], today));
  return answerList(c, rows, { total: totals.count, cursor: page.cursor });
}
