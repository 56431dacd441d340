import type { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { pendingOf } from '../../shared/invoices.ts';
import { toDecimal } from '../../shared/money.ts';
import { paymentTexts } from '../../shared/payments.ts';
import { paymentList } from '../lists/payments.ts';
import { deleteAllPayments } from '../services/delete-all.ts';
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
import { motivoShape, refuseEmptied } from '../shapes/fields.ts';
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
import { callsOf, confirmDatedShape, ONE } from './calls.ts';
import { DATED, REFERRING } from './describe.ts';

const calls = callsOf('Pagos');
export const paymentsApi = calls.app;

calls.lists(
  {
    '/': { summary: 'La lista de pagos' },
    '/search': {
      summary: 'Buscar pagos',
      text: 'También se entiende la llamada de la pantalla antigua, que pone el número de cheque en `userId`, el campo del orden en `facturaproveedorId` y el sentido en `checknum`.',
    },
  },
  {
    list: paymentList,
    example: { sortfield: 'paymentdate', sorttype: 'DESC', limit: 50 },
    says: 'La lista',
    row: paymentAnswer,
    problems: ['bad_period'],
    one: async (c, id) => toPaymentJson(await getPayment(c.get('deps').db, id)),
    translate: fromOldScreen,
    async read(asked, c) {
      const { db } = c.get('deps');
      const { rows, cursor } = await searchPayments(db, asked);
      const { count } = await sumPayments(db, asked);
      return { rows: rows.map(toPaymentJson), total: count, cursor };
    },
  },
);

calls.reads('/pendingpayment', {
  summary: 'Lo que se debe de una factura',
  text: 'Hace falta `facturaproveedorid`.',
  query: pendingQueryShape,
  says: 'Total, pagado y pendiente',
  answer: pendingAnswer,
  problems: ['not_found'],
  run: async ({ db, query: { facturaproveedorid, facturaproveedorId } }) => {
    const id = facturaproveedorid ?? facturaproveedorId;
    if (!id) {
      throw new DomainError('malformed', 'Falta facturaproveedorid.', {
        fields: { facturaproveedorid: 'Falta.' },
      });
    }
    const invoice = await getInvoice(db, id);
    return {
      facturaproveedorId: invoice.id,
      total: toDecimal(invoice.totalCents),
      totalamountpaid: toDecimal(invoice.paidCents),
      pending: toDecimal(pendingOf(invoice)),
    } satisfies z.output<typeof pendingAnswer>;
  },
});

for (const path of [`/findbyid${ONE}`, ONE]) {
  calls.reads(path, {
    summary: 'Leer un pago',
    says: 'Un pago',
    answer: paymentAnswer,
    run: async ({ db, id }) => toPaymentJson(await getPayment(db, id)),
  });
}

calls.creates('/newpayment', {
  summary: 'Registrar un pago',
  text: 'Sin `paymentdate` vale hoy. No puede pasar de lo que se debe de la factura.',
  body: newPaymentShape,
  says: 'Registrado',
  answer: savedPaymentAnswer,
  problems: ['overpayment', 'in_open_batch', ...DATED],
  run: async ({ db, actor, body: { allowProgrammed, ...fields } }) =>
    toSavedJson(await createPayment(db, actor, toPaymentDraft(fields), { allowProgrammed })),
});

calls.steps(`${ONE}/restore`, {
  summary: 'Recuperar un pago eliminado',
  text: 'Vuelve con su mismo número, si todavía cabe en lo que se debe.',
  body: restorePaymentShape,
  says: 'El pago recuperado',
  answer: savedPaymentAnswer,
  problems: [
    'not_deleted',
    'overpayment',
    'over_credit',
    'in_open_batch',
    'closed_period',
    'invalid',
    ...REFERRING,
  ],
  run: async ({ db, actor, id, body }) => toSavedJson(await restorePayment(db, actor, id, body)),
});

calls.changes(ONE, {
  summary: 'Cambiar un pago',
  text: 'Lo que ya se había pagado vuelve a estar pendiente antes de comparar.',
  body: paymentChangeShape,
  says: 'Como quedó',
  answer: savedPaymentAnswer,
  stale: [paymentAnswer, toPaymentJson],
  problems: ['overpayment', 'credit_fixed', 'batch_fixed', 'in_open_batch', ...DATED],
  run: async ({ db, actor, id, body: { version, allowProgrammed, ...fields }, sent }) => {
    refuseEmptied(sent, { paymentamount: paymentTexts.required });
    const options = { version, allowProgrammed };
    return toSavedJson(await updatePayment(db, actor, id, toPaymentDraft(fields), options));
  },
});

calls.removes(ONE, {
  summary: 'Eliminar un pago',
  text: 'Su cantidad vuelve a estar pendiente.',
  query: motivoShape,
  says: 'Eliminado',
  problems: DATED,
  run: deletePayment,
});

calls.removesAll({
  summary: 'Eliminar todos los pagos',
  text: 'Antes se guarda una copia en la carpeta de datos.',
  query: confirmDatedShape,
  says: 'Eliminado',
  problems: ['confirmation_required', ...DATED],
  run: deleteAllPayments,
});

const toSavedJson = ({ payment, warnings }: SavedPayment) => ({ ...toPaymentJson(payment), warnings });

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
