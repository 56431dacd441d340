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
import {
  amountMember,
  choiceMember,
  countMember,
  dayMember,
  nullableTextMember,
  rowIdMember,
  textMember,
} from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

const diotColumnMembers = Object.fromEntries(
  DIOT_COLUMNS.map(({ name, label, centsOf }) => [
    name,
    [amountMember(label), (row: DiotRow) => toDecimal(centsOf(row))] as const,
  ]),
);

export const diotRowAnswer = answerFor<DiotRow>('DiotRow').with({
  rfc: textMember('Del proveedor, según su CFDI'),
  nombre: textMember('Su nombre'),
  operacion: choiceMember(keysOf(DIOT_OPERATIONS), 'Tipo de operación'),
  pagado: [amountMember('Pagos y notas de crédito aplicadas'), 'pagadoCents'],
  ...diotColumnMembers,
  renglon: [textMember('Sus 54 campos; vacío: todo se redondea a cero'), ({ campos }) => campos.join('|')],
  redondeo: amountMember('Lo que suma el redondeo a pesos'),
});

export const unreportedPaymentAnswer = answerFor<UnreportedPayment>('DiotNotReported').with({
  tipo: choiceMember(
    ['pago', 'nota', 'gasto'],
    'Un pago, una nota de crédito aplicada o un gasto de caja chica',
  ),
  id: rowIdMember('De ese pago o gasto'),
  fecha: dayMember('Cuándo se pagó'),
  proveedor: textMember('A quién'),
  rfc: nullableTextMember('Su RFC, si se conoce'),
  documento: textMember('El número de la factura, o el concepto del gasto'),
  uuid: nullableTextMember('El de su CFDI'),
  importe: amountMember('En pesos'),
  causa: choiceMember(keysOf(EXCLUSION_CAUSES), 'Por qué no se reporta'),
});

export const diotAnswer = answerFor<Diot>(
  'Diot',
  'Lo pagado en un mes: pagado = archivo − retenido + notas + noReportado.total − redondeo.',
).with({
  mes: [textMember('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  estado: [choiceMember(keysOf(FISCAL_STATE_LABELS), 'abierto: nada se ha pagado'), diotStateOf],
  cuenta: countMember('Pagos, gastos de caja chica y notas de crédito aplicadas'),
  pagado: amountMember('Lo que suman'),
  archivo: amountMember('Lo que suma el archivo: valores e IVA, menos devoluciones e IVA retenido'),
  retenido: amountMember('ISR y otras retenciones, que el archivo no lleva'),
  notas: amountMember('Notas de crédito aplicadas, que van como devoluciones'),
  redondeo: amountMember('Lo que suma redondear cada campo a pesos'),
  filas: [listAnswer(diotRowAnswer), 'rows'],
  noReportado: {
    cuenta: [countMember('Cuántos'), ({ noReportado }) => noReportado.cuenta],
    total: [amountMember('Cuánto suman'), ({ noReportado }) => toDecimal(noReportado.totalCents)],
    filas: [listAnswer(unreportedPaymentAnswer), ({ noReportado }) => noReportado.rows],
  },
});

export const withholdingRowAnswer = answerFor<WithholdingRow>('WithheldRow').with({
  tipo: choiceMember(
    keysOf(WITHHOLDING_LABELS),
    'Qué retención; sin_regla: el CFDI la lleva y no corresponde',
  ),
  rfc: textMember('Del proveedor, según su CFDI'),
  nombre: textMember('Su nombre'),
  regimenFiscal: textMember('El del proveedor, según su último CFDI; vacío: no lo dice'),
  pagos: countMember('De cuántos pagos'),
  base: amountMember('Sobre qué, en la parte pagada'),
  retenido: amountMember('Lo que retienen los CFDI'),
  esperado: amountMember('Lo que corresponde retener'),
  diferencia: amountMember('Lo que falta retener; bajo cero: lo que se retuvo de más'),
});

export const withholdingReportAnswer = answerFor<WithholdingReport>(
  'Withheld',
  'Lo retenido en lo pagado en un mes, junto a lo que corresponde.',
).with({
  mes: [textMember('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  estado: [
    choiceMember(
      keysOf(FISCAL_STATE_LABELS),
      'abierto: faltan XML; pendientes: alguna difiere más de un peso',
    ),
    withholdingStateOf,
  ],
  retenido: amountMember('Lo que retienen los CFDI'),
  esperado: amountMember('Lo que corresponde retener'),
  difieren: countMember('Cuántas filas difieren más de un peso'),
  filas: [listAnswer(withholdingRowAnswer), 'rows'],
  sinRevisar: {
    cuenta: [countMember('Pagos sin el XML que lo dice'), ({ sinRevisar }) => sinRevisar.cuenta],
    total: [amountMember('Cuánto suman'), ({ sinRevisar }) => toDecimal(sinRevisar.totalCents)],
  },
});
