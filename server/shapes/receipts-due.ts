import type {
  BalanceMismatch,
  ReceiptDue,
  ReceiptsDue,
  ReceiptsDueSums,
} from '../services/fiscal/receipts-due.ts';
import { amount, count, day, nullableText, rowId, text } from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

const paymentReceiptDueMembers = {
  id: rowId('El pago; de una PUE, la factura'),
  supplierId: rowId('Proveedor'),
  suppliername: text('Su nombre'),
  rfc: nullableText('Su RFC'),
  facturaproveedorId: rowId('Factura'),
  numfactura: text('Su número'),
  uuid: nullableText('Su UUID'),
  fecha: day('Del pago; de una PUE, de emisión'),
  importe: amount('Lo pagado; de una PUE, su total'),
};

export const paymentReceiptDueAnswer = answerFor<ReceiptDue>('ReceiptDue').with({
  ...paymentReceiptDueMembers,
  falta: amount('Lo que ningún REP dice; de una PUE, lo que se debía al terminar su mes'),
  enSuMoneda: nullableText('Lo mismo en la moneda de la factura; null: está en pesos'),
  iva: amount('El IVA de la factura, en la proporción de lo que falta'),
  vence: day('El día 5 del mes siguiente al pago; de una PUE, el último de su mes'),
  atraso: count('Días desde entonces; 0: todavía no vence, o la PUE se pagó después'),
});

export const balanceMismatchAnswer = answerFor<BalanceMismatch>('StatedBalance').with({
  ...paymentReceiptDueMembers,
  rep: [text('Número del REP'), 'numero'],
  saldoRep: amount('ImpSaldoInsoluto del REP; null: no lo dice').nullable(),
  saldo: amount('El mismo según Saldo').nullable(),
});

const paymentReceiptSumMembers = {
  cuenta: count('Cuántos pagos'),
  falta: amount('Lo pagado sin REP'),
  vencido: amount('De ello, lo que ya debía tenerlo'),
  iva: amount('IVA por respaldar'),
};

const supplierPaymentReceiptsAnswer = answerFor<ReceiptDue & ReceiptsDueSums>('SupplierReceipts').with({
  ...{
    supplierId: paymentReceiptDueMembers.supplierId,
    suppliername: paymentReceiptDueMembers.suppliername,
    ...paymentReceiptSumMembers,
  },
  vence: day('Del pago más antiguo'),
  atraso: count('Días desde entonces'),
});

export const paymentReceiptsDueAnswer = answerFor<
  ReceiptsDue & {
    suppliers: (ReceiptDue & ReceiptsDueSums)[];
    pue: ReceiptDue[];
    balances: BalanceMismatch[];
  }
>('ReceiptsDue', 'Los pagos a facturas PPD de los que falta el REP, o parte de él.').with({
  corte: day('Al terminar este día'),
  ...paymentReceiptSumMembers,
  proveedores: [listAnswer(supplierPaymentReceiptsAnswer), 'suppliers'],
  filas: [listAnswer(paymentReceiptDueAnswer), 'rows'],
  pue: listAnswer(paymentReceiptDueAnswer, 'Facturas PUE que no se pagaron completas en su mes'),
  saldos: [listAnswer(balanceMismatchAnswer, 'Pagos cuyo REP dice otro saldo que Saldo'), 'balances'],
});
