import { z } from 'zod';
import { AGING_BANDS } from '../../shared/statements.ts';
import { dateField } from './fields.ts';
import { amount, day, dayOrNone, rowId, text, textOrNone } from './wire.ts';

export const supplierStatementShape = z
  .strictObject({
    desde: dateField('Desde').meta({ description: 'Primer día; por omisión desde el principio' }),
    hasta: dateField('Hasta').meta({ description: 'Último día; por omisión hoy' }),
  })
  .meta({ examples: [{ desde: '2026-11-01', hasta: '2026-11-20' }] });

const line = z.object({
  date: day('Día en que cuenta; un pago anterior a su factura, el de la factura'),
  kind: z.enum(['factura', 'pago', 'credito']),
  id: rowId('Factura o pago'),
  facturaproveedorId: rowId('Factura'),
  numfactura: text('Número de factura'),
  jobtitle: text('Obra'),
  cargo: amount('Lo que suma al saldo'),
  abono: amount('Lo que le resta'),
  balance: amount('Saldo después del movimiento'),
  uuid: textOrNone('Folio fiscal de la factura o de la nota de crédito'),
  referencia: text('Cheque o número de la nota de crédito'),
  rep: z
    .enum(['con', 'sin'])
    .nullable()
    .meta({ description: 'Si llegó el REP del pago; null: no se espera' }),
});

/** opening + Σ cargo − Σ abono = closing = Σ aging */
export const statementAnswer = z
  .object({
    supplier: z.object({ id: rowId('Proveedor'), suppliername: text('Nombre'), rfc: textOrNone('RFC') }),
    desde: dayOrNone('Primer día; null: desde el principio'),
    hasta: day('Último día'),
    opening: amount('Saldo antes del primer día'),
    lines: z.array(line),
    closing: amount('Saldo al terminar el último día: el de Saldos por proveedor con ese corte'),
    aging: z.object(Object.fromEntries(AGING_BANDS.map(({ name, label }) => [name, amount(label)]))),
    saldoafavor: amount('Notas de crédito sin aplicar, fuera del saldo'),
  })
  .meta({ id: 'Statement', description: 'El estado de cuenta de un proveedor.' });
