import { z } from 'zod';
import { AGING_BANDS, type Aging } from '../../shared/aging.ts';
import { toDecimal } from '../../shared/money.ts';
import {
  STATEMENT_LINE_KINDS,
  type StatementLine,
  type SupplierStatement,
} from '../services/statements/supplier-statement.ts';
import * as member from './answer-members.ts';
import { Answer, answerFor, listAnswer } from './answers.ts';
import { dateField } from './fields.ts';

export const supplierStatementShape = z
  .strictObject({
    desde: dateField('Desde').meta({ description: 'Primer día; por omisión desde el principio' }),
    hasta: dateField('Hasta').meta({ description: 'Último día; por omisión hoy' }),
  })
  .meta({ examples: [{ desde: '2026-11-01', hasta: '2026-11-20' }] });

export const supplierStatementLineAnswer = answerFor<StatementLine>().with({
  date: member.day('Día en que cuenta; un pago anterior a su factura, el de la factura'),
  kind: z.enum(STATEMENT_LINE_KINDS).meta({
    description: '`diferencia`: la cambiaria del pago que está antes, que no cambia el saldo',
  }),
  id: member.rowId('Factura o pago'),
  facturaproveedorId: [member.rowId('Factura'), 'invoiceId'],
  numfactura: member.text('Número de factura'),
  jobtitle: member.text('Obra'),
  moneda: member.nullableText('Moneda de la factura; nulo: está en pesos'),
  tipocambio: [
    z.number().nullable().meta({ description: 'El de la factura; de una diferencia, el del día del pago' }),
    ({ tipocambio }) => (tipocambio === null ? null : Number(tipocambio)),
  ],
  importemoneda: [member.amount('El movimiento en esa moneda').nullable(), 'foreignCents'],
  diferencia: [
    member.amount('De una diferencia, lo que salió del banco de más o, negativo, de menos').nullable(),
    'exchangeCents',
  ],
  cargo: [member.amount('Lo que suma al saldo'), 'chargeCents'],
  abono: [member.amount('Lo que le resta'), 'creditCents'],
  balance: member.amount('Saldo después del movimiento'),
  uuid: member.nullableText('Folio fiscal de la factura o de la nota de crédito'),
  referencia: [member.text('Cheque o número de la nota de crédito'), 'reference'],
  rep: z
    .enum(['con', 'sin'])
    .nullable()
    .meta({ description: 'Si llegó el REP del pago; null: no se espera' }),
});

const supplierAnswer = answerFor<SupplierStatement['supplier']>().with({
  id: member.rowId('Proveedor'),
  suppliername: member.text('Nombre'),
  rfc: member.nullableText('RFC'),
});

const agingAnswer = new Answer<Aging>(
  z.strictObject(Object.fromEntries(AGING_BANDS.map(({ name, label }) => [name, member.amount(label)]))),
  (aging) => Object.fromEntries(AGING_BANDS.map(({ name, cents }) => [name, toDecimal(aging[cents])])),
);

/** The opening balance plus all charges less all credits is the closing balance, and so is the sum of the aging. */
export const supplierStatementAnswer = answerFor<SupplierStatement>(
  'Statement',
  'El estado de cuenta de un proveedor.',
).with({
  supplier: supplierAnswer,
  desde: [member.nullableDay('Primer día; null: desde el principio'), 'from'],
  hasta: [member.day('Último día'), 'to'],
  opening: member.amount('Saldo antes del primer día'),
  lines: listAnswer(supplierStatementLineAnswer),
  closing: member.amount('Saldo al terminar el último día: el de Saldos por proveedor con ese corte'),
  aging: agingAnswer,
  saldoafavor: [member.amount('Notas de crédito sin aplicar, fuera del saldo'), 'unappliedCents'],
});
