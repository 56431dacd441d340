import type {
  BalanceMismatch,
  ReceiptDue,
  ReceiptsDue,
  ReceiptsDueSums,
} from '../services/fiscal/receipts-due.ts';
import * as member from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

const paymentReceiptDueMembers = {
  id: member.rowId('El pago; de una PUE, la factura'),
  supplierId: member.rowId('Proveedor'),
  suppliername: member.text('Su nombre'),
  rfc: member.nullableText('Su RFC'),
  facturaproveedorId: member.rowId('Factura'),
  numfactura: member.text('Su número'),
  uuid: member.nullableText('Su UUID'),
  fecha: member.day('Del pago; de una PUE, de emisión'),
  importe: member.amount('Lo pagado; de una PUE, su total'),
};

export const paymentReceiptDueAnswer = answerFor<ReceiptDue>('ReceiptDue').with({
  ...paymentReceiptDueMembers,
  falta: member.amount('Lo que ningún REP dice; de una PUE, lo que se debía al terminar su mes'),
  enSuMoneda: member.nullableText('Lo mismo en la moneda de la factura; null: está en pesos'),
  iva: member.amount('El IVA de la factura, en la proporción de lo que falta'),
  vence: member.day('El día 5 del mes siguiente al pago; de una PUE, el último de su mes'),
  atraso: member.count('Días desde entonces; 0: todavía no vence, o la PUE se pagó después'),
});

export const balanceMismatchAnswer = answerFor<BalanceMismatch>('StatedBalance').with({
  ...paymentReceiptDueMembers,
  rep: [member.text('Número del REP'), 'numero'],
  saldoRep: member.amount('ImpSaldoInsoluto del REP; null: no lo dice').nullable(),
  saldo: member.amount('El mismo según Saldo').nullable(),
});

const paymentReceiptSumMembers = {
  cuenta: member.count('Cuántos pagos'),
  falta: member.amount('Lo pagado sin REP'),
  vencido: member.amount('De ello, lo que ya debía tenerlo'),
  iva: member.amount('IVA por respaldar'),
};

const supplierPaymentReceiptsAnswer = answerFor<ReceiptDue & ReceiptsDueSums>('SupplierReceipts').with({
  ...{
    supplierId: paymentReceiptDueMembers.supplierId,
    suppliername: paymentReceiptDueMembers.suppliername,
    ...paymentReceiptSumMembers,
  },
  vence: member.day('Del pago más antiguo'),
  atraso: member.count('Días desde entonces'),
});

export const paymentReceiptsDueAnswer = answerFor<
  ReceiptsDue & {
    suppliers: (ReceiptDue & ReceiptsDueSums)[];
    pue: ReceiptDue[];
    balances: BalanceMismatch[];
  }
>('ReceiptsDue', 'Los pagos a facturas PPD de los que falta el REP, o parte de él.').with({
  corte: member.day('Al terminar este día'),
  ...paymentReceiptSumMembers,
  proveedores: [listAnswer(supplierPaymentReceiptsAnswer), 'suppliers'],
  filas: [listAnswer(paymentReceiptDueAnswer), 'rows'],
  pue: listAnswer(paymentReceiptDueAnswer, 'Facturas PUE que no se pagaron completas en su mes'),
  saldos: [listAnswer(balanceMismatchAnswer, 'Pagos cuyo REP dice otro saldo que Saldo'), 'balances'],
});
