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
import * as member from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

const diotColumnMembers = Object.fromEntries(
  DIOT_COLUMNS.map(({ name, label, centsOf }) => [
    name,
    [member.amount(label), (row: DiotRow) => toDecimal(centsOf(row))] as const,
  ]),
);

export const diotRowAnswer = answerFor<DiotRow>('DiotRow').with({
  rfc: member.text('Del proveedor, según su CFDI'),
  nombre: member.text('Su nombre'),
  operacion: member.choice(keysOf(DIOT_OPERATIONS), 'Tipo de operación'),
  pagado: [member.amount('Pagos y notas de crédito aplicadas'), 'pagadoCents'],
  ...diotColumnMembers,
  renglon: [member.text('Sus 54 campos; vacío: todo se redondea a cero'), ({ campos }) => campos.join('|')],
  redondeo: member.amount('Lo que suma el redondeo a pesos'),
});

export const unreportedPaymentAnswer = answerFor<UnreportedPayment>('DiotNotReported').with({
  tipo: member.choice(
    ['pago', 'nota', 'gasto'],
    'Un pago, una nota de crédito aplicada o un gasto de caja chica',
  ),
  id: member.rowId('De ese pago o gasto'),
  fecha: member.day('Cuándo se pagó'),
  proveedor: member.text('A quién'),
  rfc: member.nullableText('Su RFC, si se conoce'),
  documento: member.text('El número de la factura, o el concepto del gasto'),
  uuid: member.nullableText('El de su CFDI'),
  importe: member.amount('En pesos'),
  causa: member.choice(keysOf(EXCLUSION_CAUSES), 'Por qué no se reporta'),
});

export const diotAnswer = answerFor<Diot>(
  'Diot',
  'Lo pagado en un mes: pagado = archivo − retenido + notas + noReportado.total − redondeo.',
).with({
  mes: [member.text('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  estado: [member.choice(keysOf(FISCAL_STATE_LABELS), 'abierto: nada se ha pagado'), diotStateOf],
  cuenta: member.count('Pagos, gastos de caja chica y notas de crédito aplicadas'),
  pagado: member.amount('Lo que suman'),
  archivo: member.amount('Lo que suma el archivo: valores e IVA, menos devoluciones e IVA retenido'),
  retenido: member.amount('ISR y otras retenciones, que el archivo no lleva'),
  notas: member.amount('Notas de crédito aplicadas, que van como devoluciones'),
  redondeo: member.amount('Lo que suma redondear cada campo a pesos'),
  filas: [listAnswer(diotRowAnswer), 'rows'],
  noReportado: {
    cuenta: [member.count('Cuántos'), ({ noReportado }) => noReportado.cuenta],
    total: [member.amount('Cuánto suman'), ({ noReportado }) => toDecimal(noReportado.totalCents)],
    filas: [listAnswer(unreportedPaymentAnswer), ({ noReportado }) => noReportado.rows],
  },
});

export const withholdingRowAnswer = answerFor<WithholdingRow>('WithheldRow').with({
  tipo: member.choice(
    keysOf(WITHHOLDING_LABELS),
    'Qué retención; sin_regla: el CFDI la lleva y no corresponde',
  ),
  rfc: member.text('Del proveedor, según su CFDI'),
  nombre: member.text('Su nombre'),
  regimenFiscal: member.text('El del proveedor, según su último CFDI; vacío: no lo dice'),
  pagos: member.count('De cuántos pagos'),
  base: member.amount('Sobre qué, en la parte pagada'),
  retenido: member.amount('Lo que retienen los CFDI'),
  esperado: member.amount('Lo que corresponde retener'),
  diferencia: member.amount('Lo que falta retener; bajo cero: lo que se retuvo de más'),
});

export const withholdingReportAnswer = answerFor<WithholdingReport>(
  'Withheld',
  'Lo retenido en lo pagado en un mes, junto a lo que corresponde.',
).with({
  mes: [member.text('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  estado: [
    member.choice(
      keysOf(FISCAL_STATE_LABELS),
      'abierto: faltan XML; pendientes: alguna difiere más de un peso',
    ),
    withholdingStateOf,
  ],
  retenido: member.amount('Lo que retienen los CFDI'),
  esperado: member.amount('Lo que corresponde retener'),
  difieren: member.count('Cuántas filas difieren más de un peso'),
  filas: [listAnswer(withholdingRowAnswer), 'rows'],
  sinRevisar: {
    cuenta: [member.count('Pagos sin el XML que lo dice'), ({ sinRevisar }) => sinRevisar.cuenta],
    total: [member.amount('Cuánto suman'), ({ sinRevisar }) => toDecimal(sinRevisar.totalCents)],
  },
});
