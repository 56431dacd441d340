import type {
  BalanceMismatch,
  ReceiptDue,
  ReceiptsDue,
  ReceiptsDueSums,
} from '../services/fiscal/receipts-due.ts';
import {
  amountMember,
  countMember,
  dayMember,
  nullableTextMember,
  rowIdMember,
  textMember,
} from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

const paymentReceiptDueMembers = {
  id: rowIdMember('El pago; de una PUE, la factura'),
  supplierId: rowIdMember('Proveedor'),
  suppliername: textMember('Su nombre'),
  rfc: nullableTextMember('Su RFC'),
  facturaproveedorId: rowIdMember('Factura'),
  numfactura: textMember('Su número'),
  uuid: nullableTextMember('Su UUID'),
  fecha: dayMember('Del pago; de una PUE, de emisión'),
  importe: amountMember('Lo pagado; de una PUE, su total'),
};

export const paymentReceiptDueAnswer = answerFor<ReceiptDue>('ReceiptDue').with({
  ...paymentReceiptDueMembers,
  falta: amountMember('Lo que ningún REP dice; de una PUE, lo que se debía al terminar su mes'),
  enSuMoneda: nullableTextMember('Lo mismo en la moneda de la factura; null: está en pesos'),
  iva: amountMember('El IVA de la factura, en la proporción de lo que falta'),
  vence: dayMember('El día 5 del mes siguiente al pago; de una PUE, el último de su mes'),
  atraso: countMember('Días desde entonces; 0: todavía no vence, o la PUE se pagó después'),
});

export const balanceMismatchAnswer = answerFor<BalanceMismatch>('StatedBalance').with({
  ...paymentReceiptDueMembers,
  rep: [textMember('Número del REP'), 'numero'],
  saldoRep: amountMember('ImpSaldoInsoluto del REP; null: no lo dice').nullable(),
  saldo: amountMember('El mismo según Saldo').nullable(),
});

const paymentReceiptSumMembers = {
  cuenta: countMember('Cuántos pagos'),
  falta: amountMember('Lo pagado sin REP'),
  vencido: amountMember('De ello, lo que ya debía tenerlo'),
  iva: amountMember('IVA por respaldar'),
};

const supplierPaymentReceiptsAnswer = answerFor<ReceiptDue & ReceiptsDueSums>('SupplierReceipts').with({
  ...{
    supplierId: paymentReceiptDueMembers.supplierId,
    suppliername: paymentReceiptDueMembers.suppliername,
    ...paymentReceiptSumMembers,
  },
  vence: dayMember('Del pago más antiguo'),
  atraso: countMember('Días desde entonces'),
});

export const paymentReceiptsDueAnswer = answerFor<
  ReceiptsDue & {
    suppliers: (ReceiptDue & ReceiptsDueSums)[];
    pue: ReceiptDue[];
    balances: BalanceMismatch[];
  }
>('ReceiptsDue', 'Los pagos a facturas PPD de los que falta el REP, o parte de él.').with({
  corte: dayMember('Al terminar este día'),
  ...paymentReceiptSumMembers,
  proveedores: [listAnswer(supplierPaymentReceiptsAnswer), 'suppliers'],
  filas: [listAnswer(paymentReceiptDueAnswer), 'rows'],
  pue: listAnswer(paymentReceiptDueAnswer, 'Facturas PUE que no se pagaron completas en su mes'),
  saldos: [listAnswer(balanceMismatchAnswer, 'Pagos cuyo REP dice otro saldo que Saldo'), 'balances'],
});
