import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { type Invoice, pendingOf } from '../../shared/invoices.ts';
import { toDecimal } from '../../shared/money.ts';
import { paymentTexts } from '../../shared/payments.ts';
import { paymentList } from '../lists/payments.ts';
import { backUpAndDeleteAllPayments } from '../services/delete-all.ts';
import { getInvoice } from '../services/invoices/reading.ts';
import { dismissDoublePayment, searchDoublePayments } from '../services/payments/double-payments.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
  updatePayment,
} from '../services/payments/payments.ts';
import { getPayment } from '../services/payments/reading.ts';
import * as member from '../shapes/answer-members.ts';
import { answerFor, listAnswer } from '../shapes/answers.ts';
import { idField, motivoOnlyShape, requireFilledFields } from '../shapes/fields.ts';
import {
  dismissDoublePaymentShape,
  doublePaymentAnswer,
  newPaymentShape,
  paymentAnswer,
  paymentChangeShape,
  restorePaymentShape,
  savedPaymentAnswer,
  toPaymentFieldValues,
} from '../shapes/payments.ts';
import { CLOSED_PERIOD_PROBLEMS, REFERENCE_PROBLEMS } from './call-descriptions.ts';
import { confirmWithMotivoShape, createEndpoints, ROW_PATH } from './calls.ts';

const endpoints = createEndpoints('Pagos');
export const paymentsApi = endpoints.app;

endpoints.lists(
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
    row: paymentAnswer,
    findOne: async (c, id) => paymentAnswer.toJson(await getPayment(c.get('deps').db, id)),
    translateQuery: translateLegacyParameters,
  },
);

endpoints.reads('/dobles', {
  summary: 'Posibles pagos dobles',
  text: 'Los que nadie ha revisado: dos pagos a un proveedor del mismo importe del banco, con hasta 15 días entre sí, de facturas que se parecen; o un cheque de un origen para dos proveedores.',
  returns: 'El más reciente, primero',
  answer: listAnswer(doublePaymentAnswer),
  run: async ({ db }) => (await searchDoublePayments(db, {})).rows,
});

endpoints.sends('POST', '/dobles/:pair{[0-9-]{1,31}}', {
  isIdempotent: true,
  summary: 'Decir que dos pagos no son uno doble',
  body: dismissDoublePaymentShape,
  returns: 'Los dos pagos',
  answer: doublePaymentAnswer,
  problems: ['double_settled', 'not_found', 'invalid'],
  run: ({ c, db, actor }) => dismissDoublePayment(db, actor, c.req.param('pair') ?? ''),
});

const invoiceIdField = idField('Factura').meta({ description: 'La factura cuyo saldo se pregunta' });

endpoints.reads('/pendingpayment', {
  summary: 'Lo que se debe de una factura',
  text: 'Hace falta `facturaproveedorid`.',
  query: z
    .strictObject({
      facturaproveedorid: invoiceIdField,
      facturaproveedorId: invoiceIdField.meta({ description: 'Otra forma de escribirlo' }),
    })
    .meta({ examples: [{ facturaproveedorid: 1 }] }),
  returns: 'Total, pagado y pendiente',
  answer: answerFor<Invoice>('PendingPayment', 'Lo que se debe de una factura.').with({
    facturaproveedorId: [member.rowId('Factura'), 'id'],
    total: member.amount('Total de la factura'),
    totalamountpaid: [member.amount('Suma de sus pagos'), 'paidCents'],
    pending: [member.amount('Lo que falta por pagar'), (invoice) => toDecimal(pendingOf(invoice))],
  }),
  problems: ['not_found'],
  run: ({ db, query: { facturaproveedorid, facturaproveedorId } }) => {
    const id = facturaproveedorid ?? facturaproveedorId;
    if (id) return getInvoice(db, id);
    const fields = { facturaproveedorid: 'Falta.' };
    throw new DomainError('malformed', 'Falta facturaproveedorid.', { fields });
  },
});

for (const path of [`/findbyid${ROW_PATH}`, ROW_PATH])
  endpoints.reads(path, {
    summary: 'Leer un pago',
    returns: 'Un pago',
    answer: paymentAnswer,
    run: ({ db, id }) => getPayment(db, id),
  });

endpoints.creates('/newpayment', {
  summary: 'Registrar un pago',
  text: 'Sin `paymentdate` vale hoy. No puede pasar de lo que se debe de la factura.',
  body: newPaymentShape,
  returns: 'Registrado',
  answer: savedPaymentAnswer,
  problems: ['overpayment', 'in_open_batch', ...CLOSED_PERIOD_PROBLEMS],
  run: ({ db, actor, body: { allowProgrammed, ...fields } }) =>
    createPayment(db, actor, toPaymentFieldValues(fields), { allowProgrammed }),
});

endpoints.steps(`${ROW_PATH}/restore`, {
  summary: 'Recuperar un pago eliminado',
  text: 'Vuelve con su mismo número, si todavía cabe en lo que se debe.',
  body: restorePaymentShape,
  returns: 'El pago recuperado',
  answer: savedPaymentAnswer,
  problems: [
    'not_deleted',
    'overpayment',
    'over_credit',
    'in_open_batch',
    'closed_period',
    'invalid',
    ...REFERENCE_PROBLEMS,
  ],
  run: ({ db, actor, id, body }) => restorePayment(db, actor, id, body),
});

endpoints.changes(ROW_PATH, {
  summary: 'Cambiar un pago',
  text: 'Lo que ya se había pagado vuelve a estar pendiente antes de comparar.',
  body: paymentChangeShape,
  answer: savedPaymentAnswer,
  stale: paymentAnswer,
  problems: [
    'overpayment',
    'credit_fixed',
    'batch_fixed',
    'bank_matched',
    'in_open_batch',
    ...CLOSED_PERIOD_PROBLEMS,
  ],
  run: ({ db, actor, id, body: { version, allowProgrammed, ...fields }, sentBody }) => {
    requireFilledFields(sentBody, { paymentamount: paymentTexts.required });
    const options = { version, allowProgrammed };
    return updatePayment(db, actor, id, toPaymentFieldValues(fields), options);
  },
});

endpoints.removes(ROW_PATH, {
  summary: 'Eliminar un pago',
  text: 'Su cantidad vuelve a estar pendiente.',
  query: motivoOnlyShape,
  problems: ['bank_matched', ...CLOSED_PERIOD_PROBLEMS],
  run: deletePayment,
});

endpoints.removesAll({
  summary: 'Eliminar todos los pagos',
  text: 'Antes se guarda una copia en la carpeta de datos.',
  query: confirmWithMotivoShape,
  problems: ['bank_matched', ...CLOSED_PERIOD_PROBLEMS],
  run: backUpAndDeleteAllPayments,
});

/**
 * The old client sends the check number in `userId`, the sort field in `facturaproveedorId` and the direction in
 * `checknum`. It is recognized by the sort field.
 */
function translateLegacyParameters(parameters: Record<string, string[]>): Record<string, string[]> {
  const { userId = [], facturaproveedorId = [], checknum = [], ...rest } = parameters;
  const { sorts, sortAliases } = paymentList;
  const isSort = Object.hasOwn({ ...sorts, ...sortAliases }, facturaproveedorId[0] ?? '');
  if (!isSort) return parameters;
  return { ...rest, checknum: userId, sortfield: facturaproveedorId, sorttype: checknum };
}
