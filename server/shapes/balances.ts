import { z } from 'zod';
import type { BalanceQuery } from '../services/balances/balances.ts';
import { dateField, formatField, idField, numberField, textField } from './fields.ts';
import { amount, dayOrNone, rowId, text } from './wire.ts';

const filter = {
  weeknum: numberField('weeknum').meta({ description: 'Primera semana ISO; por omisión la del corte' }),
  yr: numberField('yr').meta({ description: 'Su año ISO' }),
  corte: dateField('Corte').meta({ description: 'Saldos al terminar ese día; por omisión hoy' }),
  supplierId: idField('Proveedor'),
  jobId: idField('Obra'),
};

export const balanceQueryShape = z
  .strictObject({ ...filter, format: formatField })
  .meta({ examples: [{ weeknum: 47, yr: 2026, corte: '2026-11-20' }] });

/** A row of the report: its own members, and one amount for each column. */
export const balanceAnswer = z
  .object({
    suppliername: text('Proveedor; "Total general" en la última fila'),
    jobtitle: text('Obra; "Total {proveedor}" en el total de cada uno'),
    numfactura: text('Número de factura; vacío en los totales'),
    isSummary: z.boolean().meta({ description: 'Si la fila es un total' }),
    facturaproveedorId: rowId('Factura; no está en los totales').optional(),
    fechavencimiento: dayOrNone('Fecha de vencimiento').optional(),
    vencimientoEstimado: z
      .literal(true)
      .optional()
      .meta({ description: 'La factura no tiene vencimiento: se calculó' }),
    total: amount('Saldo de la fila'),
  })
  .catchall(amount('`ANTERIORES` y una columna por semana, como `SEM 47` o `SEM 2 2027`'))
  .meta({ id: 'BalanceRow', description: 'Una factura abierta, el total de un proveedor o el de todos.' });

export const balancePageShape = z.strictObject({
  ...filter,
  /** what a picker's text field holds where there is no script */
  suppliername: textField('Proveedor', 200, 'suppliername'),
  jobtitle: textField('Obra', 200, 'jobtitle'),
  /** the supplier whose invoices show in a long report */
  abierto: idField('abierto'),
});

export type AskedBalances = z.output<typeof balancePageShape>;

export const toBalanceQuery = (asked: Omit<z.output<typeof balanceQueryShape>, 'format'>): BalanceQuery => ({
  corte: asked.corte,
  week: asked.weeknum,
  year: asked.yr,
  supplierId: asked.supplierId,
  jobId: asked.jobId,
});
