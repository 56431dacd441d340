import { toDecimal } from '../../shared/money.ts';
import { keysOf } from '../../shared/record-fields.ts';
import { WITHHOLDING_LABELS } from '../formats/cfdi/withholdings.ts';
import {
  DIOT_COLUMNS,
  DIOT_OPERATIONS,
  type Diot,
  type DiotRow,
  diotStateOf,
  EXCLUSION_CAUSES,
  type UnreportedPayment,
} from '../services/fiscal/diot.ts';
import { FISCAL_STATE_LABELS } from '../services/fiscal/labels.ts';
import {
  type WithholdingReport,
  type WithholdingRow,
  withholdingStateOf,
} from '../services/fiscal/withholdings.ts';
import { amount, count, day, nullableText, oneOf, rowId, text } from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

const diotColumnMembers = Object.fromEntries(
  DIOT_COLUMNS.map(({ name, label, centsOf }) => [
    name,
    [amount(label), (row: DiotRow) => toDecimal(centsOf(row))] as const,
  ]),
);

export const diotRowAnswer = answerFor<DiotRow>('DiotRow').with({
  rfc: text('Del proveedor, según su CFDI'),
  nombre: text('Su nombre'),
  operacion: oneOf(keysOf(DIOT_OPERATIONS), 'Tipo de operación'),
  pagado: [amount('Pagos y notas de crédito aplicadas'), 'pagadoCents'],
  ...diotColumnMembers,
  renglon: [text('Sus 54 campos; vacío: todo se redondea a cero'), ({ campos }) => campos.join('|')],
  redondeo: amount('Lo que suma el redondeo a pesos'),
});

export const unreportedPaymentAnswer = answerFor<UnreportedPayment>('DiotNotReported').with({
  tipo: oneOf(['pago', 'nota', 'gasto'], 'Un pago, una nota de crédito aplicada o un gasto de caja chica'),
  id: rowId('De ese pago o gasto'),
  fecha: day('Cuándo se pagó'),
  proveedor: text('A quién'),
  rfc: nullableText('Su RFC, si se conoce'),
  documento: text('El número de la factura, o el concepto del gasto'),
  uuid: nullableText('El de su CFDI'),
  importe: amount('En pesos'),
  causa: oneOf(keysOf(EXCLUSION_CAUSES), 'Por qué no se reporta'),
});

export const diotAnswer = answerFor<Diot>(
  'Diot',
  'Lo pagado en un mes: pagado = archivo − retenido + notas + noReportado.total − redondeo.',
).with({
  mes: [text('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  estado: [oneOf(keysOf(FISCAL_STATE_LABELS), 'abierto: nada se ha pagado'), diotStateOf],
  cuenta: count('Pagos, gastos de caja chica y notas de crédito aplicadas'),
  pagado: amount('Lo que suman'),
  archivo: amount('Lo que suma el archivo: valores e IVA, menos devoluciones e IVA retenido'),
  retenido: amount('ISR y otras retenciones, que el archivo no lleva'),
  notas: amount('Notas de crédito aplicadas, que van como devoluciones'),
  redondeo: amount('Lo que suma redondear cada campo a pesos'),
  filas: [listAnswer(diotRowAnswer), 'rows'],
  noReportado: {
    cuenta: [count('Cuántos'), ({ noReportado }) => noReportado.cuenta],
    total: [amount('Cuánto suman'), ({ noReportado }) => toDecimal(noReportado.totalCents)],
    filas: [listAnswer(unreportedPaymentAnswer), ({ noReportado }) => noReportado.rows],
  },
});

export const withholdingRowAnswer = answerFor<WithholdingRow>('WithheldRow').with({
  tipo: oneOf(keysOf(WITHHOLDING_LABELS), 'Qué retención; sin_regla: el CFDI la lleva y no corresponde'),
  rfc: text('Del proveedor, según su CFDI'),
  nombre: text('Su nombre'),
  regimenFiscal: text('El del proveedor, según su último CFDI; vacío: no lo dice'),
  pagos: count('De cuántos pagos'),
  base: amount('Sobre qué, en la parte pagada'),
  retenido: amount('Lo que retienen los CFDI'),
  esperado: amount('Lo que corresponde retener'),
  diferencia: amount('Lo que falta retener; bajo cero: lo que se retuvo de más'),
});

export const withholdingReportAnswer = answerFor<WithholdingReport>(
  'Withheld',
  'Lo retenido en lo pagado en un mes, junto a lo que corresponde.',
).with({
  mes: [text('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  estado: [
    oneOf(keysOf(FISCAL_STATE_LABELS), 'abierto: faltan XML; pendientes: alguna difiere más de un peso'),
    withholdingStateOf,
  ],
  retenido: amount('Lo que retienen los CFDI'),
  esperado: amount('Lo que corresponde retener'),
  difieren: count('Cuántas filas difieren más de un peso'),
  filas: [listAnswer(withholdingRowAnswer), 'rows'],
  sinRevisar: {
    cuenta: [count('Pagos sin el XML que lo dice'), ({ sinRevisar }) => sinRevisar.cuenta],
    total: [amount('Cuánto suman'), ({ sinRevisar }) => toDecimal(sinRevisar.totalCents)],
  },
});
