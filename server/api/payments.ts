import { Hono } from 'hono';
import type { Trx } from '../../db/schema.ts';
import { DomainError } from '../../shared/errors.ts';
import { pendingOf } from '../../shared/invoices.ts';
import { toDecimal } from '../../shared/money.ts';
import type { Payment } from '../../shared/payments.ts';
import { createOnce, readJson } from '../request.ts';
import { deleteAllPayments } from '../services/delete-all.ts';
import { getInvoice } from '../services/invoice-reading.ts';
import { getPayment, searchPayments, sumPayments } from '../services/payment-reading.ts';
import { createPayment, deletePayment, restorePayment, updatePayment } from '../services/payments.ts';
import { type AppContext, type AppEnv, actorOf } from '../session.ts';
import { parseId, parseQuery, parseShape } from '../shapes/fields.ts';
import {
  newPaymentShape,
  paymentChangeShape,
  paymentQueryShape,
  toPaymentDraft,
} from '../shapes/payments.ts';
import {
  answerList,
  askedId,
  pathId,
  requireConfirmation,
  requireOwnId,
  withCurrentAsJson,
} from './answers.ts';

export const paymentsApi = new Hono<AppEnv>({ strict: false })
  .get('/', answerSearch)
  .get('/search', answerSearch)
  .get('/pendingpayment', async (c) => {
    const value = c.req.query('facturaproveedorid') ?? c.req.query('facturaproveedorId');
    if (!value) throw new DomainError('malformed', 'Falta facturaproveedorid.');
    const invoice = await getInvoice(c.get('deps').db, parseId(value, 'facturaproveedorid'));
    return c.json({
      facturaproveedorId: invoice.id,
      total: toDecimal(invoice.totalCents),
      totalamountpaid: toDecimal(invoice.paidCents),
      pending: toDecimal(pendingOf(invoice)),
    });
  })
  .get('/findbyid/:id{[0-9]+}', answerPayment)
  .get('/:id{[0-9]+}', answerPayment)
  .post('/newpayment', async (c) => {
    const body = await readJson(c);
    const draft = toPaymentDraft(parseShape(newPaymentShape, body));
    const answer = await createOnce(c, body, async (trx) => {
      const { payment, warnings } = await createPayment(trx, actorOf(c), draft);
      return { ...toPaymentJson(payment), warnings };
    });
    return c.json(answer, 201);
  })
  .post('/:id{[0-9]+}/restore', async (c) => {
    const id = pathId(c);
    const restore = async (trx: Trx) => toPaymentJson(await restorePayment(trx, actorOf(c), id));
    return c.json(await createOnce(c, {}, restore));
  })
  .put('/:id{[0-9]+}', async (c) => {
    const id = pathId(c);
    const { id: sentId, version, ...fields } = parseShape(paymentChangeShape, await readJson(c));
    requireOwnId(id, sentId);
    const { payment, warnings } = await withCurrentAsJson(
      () => updatePayment(c.get('deps').db, actorOf(c), id, toPaymentDraft(fields), version),
      (current) => toPaymentJson(current as Payment),
    );
    return c.json({ ...toPaymentJson(payment), warnings });
  })
  .delete('/:id{[0-9]+}', async (c) => {
    await deletePayment(c.get('deps').db, actorOf(c), pathId(c));
    return c.body(null, 204);
  })
  .delete('/', async (c) => {
    requireConfirmation(c);
    await deleteAllPayments(c.get('deps'), actorOf(c));
    return c.body(null, 204);
  });

/** A payment on the wire. */
export function toPaymentJson(payment: Payment) {
  return {
    id: payment.id,
    facturaproveedorId: payment.facturaproveedorId,
    origenderecursoId: payment.origenderecursoId,
    checknum: payment.checknum,
    paymentdate: payment.paymentdate,
    paymentamount: toDecimal(payment.amountCents),
    comments: payment.comments,
    userId: payment.userId,
    createdAt: payment.createdAt,
    version: payment.version,
    facturaproveedor: {
      id: payment.facturaproveedorId,
      numfactura: payment.numfactura,
      supplier: { suppliername: payment.suppliername },
    },
    origenderecurso:
      payment.origenderecursoId === null
        ? null
        : { id: payment.origenderecursoId, origenderecursonombre: payment.origenderecursonombre },
  };
}

async function answerPayment(c: AppContext) {
  return c.json(toPaymentJson(await getPayment(c.get('deps').db, pathId(c))));
}

async function answerSearch(c: AppContext) {
  const { db } = c.get('deps');
  const asked = askedId(c);
  if ('id' in asked) return c.json(toPaymentJson(await getPayment(db, asked.id)));
  const { sortfield, sorttype, limit, cursor, ...filter } = parseQuery(
    paymentQueryShape,
    fromOldScreen(asked.rest),
  );
  // The old screen's name for the payment date.
  const sort = sortfield === 'fechavencimiento' ? 'paymentdate' : sortfield;
  const page = await searchPayments(db, {
    ...filter,
    sort,
    direction: sorttype,
    limit: limit ?? 1000,
    cursor,
  });
  const { count } = await sumPayments(db, filter);
  return answerList(c, page.payments.map(toPaymentJson), { total: count, cursor: page.cursor });
}

/**
 * The old list screen puts check number, sort field and direction into the first three parameters; where the
 * second one holds a sort field's name, that is what it means.
 */
function fromOldScreen(parameters: Record<string, string[]>): Record<string, string[]> {
  const { userId = [], facturaproveedorId = [], checknum = [], ...rest } = parameters;
  if (!['id', 'paymentdate', 'fechavencimiento'].includes(facturaproveedorId[0] ?? '')) return parameters;
  return { ...rest, checknum: userId, sortfield: facturaproveedorId, sorttype: checknum };
}
