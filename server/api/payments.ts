import { Hono } from 'hono';
import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { pendingOf } from '../../shared/invoices.ts';
import { toDecimal } from '../../shared/money.ts';
import { paymentTexts } from '../../shared/payments.ts';
import { ADMIN_ROLE } from '../../shared/roles.ts';
import type { AppContext, AppEnv } from '../http/session.ts';
import { requirePeriods } from '../lists/filter.ts';
import { sortOf } from '../lists/list.ts';
import { paymentList } from '../lists/payments.ts';
import { apiShape } from '../lists/shapes.ts';
import { deleteAllPayments } from '../services/database/delete-all.ts';
import { getInvoice } from '../services/invoices/reading.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
  type SavedPayment,
  updatePayment,
} from '../services/payments/payments.ts';
import { getPayment, searchPayments } from '../services/payments/reading.ts';
import { sumPayments } from '../services/payments/sums.ts';
import { formatField, formerIdField, motivoShape, parseQuery, refuseEmptied } from '../shapes/fields.ts';
import {
  newPaymentShape,
  paymentAnswer,
  paymentChangeShape,
  pendingAnswer,
  pendingQueryShape,
  restorePaymentShape,
  savedPaymentAnswer,
  toPaymentDraft,
  toPaymentJson,
} from '../shapes/payments.ts';
import {
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

/** The list's parameters, and the one that asks for a single payment. */
const listShape = apiShape(paymentList)
  .extend({
    id: formerIdField,
    format: formatField,
  })
  .meta({ examples: [{ sortfield: 'paymentdate', sorttype: 'DESC', limit: 50 }] });

const tag = 'Pagos';
const one = describes({
  tag,
  summary: 'Leer un pago',
  success: { status: 200, says: 'Un pago', shape: paymentAnswer },
});
const rows = {
  status: 200,
  says: 'La lista',
  shape: z.array(paymentAnswer),
  headers: ['page'],
} as const;
const gone = { status: 204, says: 'Eliminado' } as const;

export const paymentsApi = new Hono<AppEnv>({ strict: false })
  .get(
    '/',
    describes({
      tag,
      summary: 'La lista de pagos',
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
      summary: 'Buscar pagos',
      text: 'También se entiende la llamada de la pantalla antigua, que pone el número de cheque en `userId`, el campo del orden en `facturaproveedorId` y el sentido en `checknum`.',
      query: listShape,
      success: rows,
      problems: ['bad_period'],
    }),
    answerSearch,
  )
  .get(
    '/pendingpayment',
    describes({
      tag,
      summary: 'Lo que se debe de una factura',
      text: 'Hace falta `facturaproveedorid`.',
      query: pendingQueryShape,
      success: { status: 200, says: 'Total, pagado y pendiente', shape: pendingAnswer },
      problems: ['not_found'],
    }),
    answerPending,
  )
  .get('/findbyid/:id{[0-9]+}', one, answerPayment)
  .get('/:id{[0-9]+}', one, answerPayment)
  .post(
    '/newpayment',
    describes({
      tag,
      summary: 'Registrar un pago',
      text: 'Sin `paymentdate` vale hoy. No puede pasar de lo que se debe de la factura.',
      body: newPaymentShape,
      once: true,
      success: { status: 201, says: 'Registrado', shape: savedPaymentAnswer },
      problems: ['overpayment', 'in_open_batch', ...DATED],
    }),
    takes(newPaymentShape, CREATES, async ({ db, actor, body: { allowProgrammed, ...fields } }) =>
      toSavedJson(await createPayment(db, actor, toPaymentDraft(fields), { allowProgrammed })),
    ),
  )
  .post(
    '/:id{[0-9]+}/restore',
    describes({
      tag,
      summary: 'Recuperar un pago eliminado',
      text: 'Vuelve con su mismo número, si todavía cabe en lo que se debe.',
      body: restorePaymentShape,
      mayLackBody: true,
      once: true,
      success: { status: 200, says: 'El pago recuperado', shape: savedPaymentAnswer },
      problems: [
        'not_deleted',
        'overpayment',
        'over_credit',
        'in_open_batch',
        'closed_period',
        'invalid',
        ...REFERRING,
      ],
    }),
    takes(restorePaymentShape, { once: true, mayLackBody: true }, async ({ db, actor, id, body }) =>
      toSavedJson(await restorePayment(db, actor, id, body)),
    ),
  )
  .put(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Cambiar un pago',
      text: 'Lo que ya se había pagado vuelve a estar pendiente antes de comparar.',
      body: paymentChangeShape,
      success: { status: 200, says: 'Como quedó', shape: savedPaymentAnswer },
      stale: paymentAnswer,
      problems: ['overpayment', 'credit_fixed', 'batch_fixed', 'in_open_batch', ...DATED],
    }),
    takes(paymentChangeShape, { current: toPaymentJson }, async ({ db, actor, id, body, sent }) => {
      const { version, allowProgrammed, ...fields } = body;
      refuseEmptied(sent, { paymentamount: paymentTexts.required });
      const options = { version, allowProgrammed };
      return toSavedJson(await updatePayment(db, actor, id, toPaymentDraft(fields), options));
    }),
  )
  .delete(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Eliminar un pago',
      text: 'Su cantidad vuelve a estar pendiente.',
      query: motivoShape,
      success: gone,
      problems: DATED,
    }),
    removes(motivoShape, deletePayment),
  )
  .delete(
    '/',
    describes({
      tag,
      summary: 'Eliminar todos los pagos',
      text: 'Antes se guarda una copia en la carpeta de datos.',
      query: confirmDatedShape,
      role: ADMIN_ROLE,
      success: gone,
      problems: ['confirmation_required', ...DATED],
    }),
    async (c) => {
      await deleteAllPayments(c.get('deps'), requireConfirmation(c, confirmDatedShape));
      return c.body(null, 204);
    },
  );

const toSavedJson = ({ payment, warnings }: SavedPayment) => ({ ...toPaymentJson(payment), warnings });

async function answerPending(c: AppContext) {
  const { facturaproveedorid, facturaproveedorId } = parseQuery(pendingQueryShape, c.req.queries());
  const id = facturaproveedorid ?? facturaproveedorId;
  if (!id) {
    throw new DomainError('malformed', 'Falta facturaproveedorid.', {
      fields: { facturaproveedorid: 'Falta.' },
    });
  }
  const invoice = await getInvoice(c.get('deps').db, id);
  return c.json({
    facturaproveedorId: invoice.id,
    total: toDecimal(invoice.totalCents),
    totalamountpaid: toDecimal(invoice.paidCents),
    pending: toDecimal(pendingOf(invoice)),
  } satisfies z.output<typeof pendingAnswer>);
}

async function answerPayment(c: AppContext) {
  return c.json(toPaymentJson(await getPayment(c.get('deps').db, pathId(c))));
}

const searchShape = listShape.omit({ id: true });

async function answerSearch(c: AppContext) {
  const { db } = c.get('deps');
  const asked = askedId(c);
  if ('id' in asked) return c.json(toPaymentJson(await getPayment(db, asked.id)));
  const parameters = parseQuery(searchShape, fromOldScreen(asked.rest));
  const { sortfield, sorttype, limit, cursor, format, ...filter } = parameters;
  requirePeriods(paymentList.filters, filter);
  const query = { ...filter, sort: sortOf(paymentList, sortfield), direction: sorttype, limit, cursor };
  if (format) return sendList(c, paymentList, query, format);
  const page = await searchPayments(db, { ...query, limit: limit ?? 1000 });
  const { count } = await sumPayments(db, filter);
  return answerList(c, page.payments.map(toPaymentJson), { total: count, cursor: page.cursor });
}

/**
 * The old list screen puts check number, sort field and direction into the first three parameters; where the
 * second one holds a sort field's name, that is what it means.
 */
function fromOldScreen(parameters: Record<string, string[]>): Record<string, string[]> {
  const { userId = [], facturaproveedorId = [], checknum = [], ...rest } = parameters;
  const { sorts, otherSorts } = paymentList;
  const isSort = Object.hasOwn({ ...sorts, ...otherSorts }, facturaproveedorId[0] ?? '');
  if (!isSort) return parameters;
  return { ...rest, checknum: userId, sortfield: facturaproveedorId, sorttype: checknum };
}
