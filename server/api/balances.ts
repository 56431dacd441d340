import { z } from 'zod';
import { writeBalanceJson } from '../../shared/balances.ts';
import { sendJsonText } from '../http/send.ts';
import { getApiShape } from '../lists/query-shapes.ts';
import { balanceList } from '../lists/reports.ts';
import { readBalanceRows } from '../services/balances/balances.ts';
import * as member from '../shapes/answer-members.ts';
import { plainAnswer } from '../shapes/answers.ts';
import { exportFormatField } from '../shapes/fields.ts';
import { createEndpoints } from './calls.ts';
import { sendListExport } from './lists.ts';

const balanceRowShape = z
  .object({
    suppliername: member.text('Proveedor; "Total general" en la última fila'),
    jobtitle: member.text('Obra; "Total {proveedor}" en el total de cada uno'),
    numfactura: member.text('Número de factura; vacío en los totales'),
    isSummary: member.boolean('Si la fila es un total'),
    facturaproveedorId: member.rowId('Factura; no está en los totales').optional(),
    fechavencimiento: member.nullableDay('Fecha de vencimiento').optional(),
    vencimientoEstimado: z
      .literal(true)
      .optional()
      .meta({ description: 'La factura no tiene vencimiento: se calculó' }),
    total: member.amount('Saldo de la fila'),
  })
  .catchall(member.amount('`ANTERIORES` y una columna por semana, como `SEM 47` o `SEM 2 2027`'))
  .meta({ id: 'BalanceRow', description: 'Una factura abierta, el total de un proveedor o el de todos.' });

const endpoints = createEndpoints('Facturas');
/** Mounted under /facturaproveedores, before the routes of the invoices themselves. */
export const balancesApi = endpoints.app;

endpoints.reads('/reporting/pivot', {
  summary: 'Saldos por proveedor y semana',
  text: 'Una fila por factura abierta, el total de cada proveedor y el total general. `ANTERIORES` está siempre; después, una columna por semana (`SEM 47`), en el orden en que vienen.',
  query: getApiShape(balanceList)
    .extend({ format: exportFormatField })
    .meta({ examples: [{ weeknum: 47, yr: 2026, corte: '2026-11-20' }] }),
  returns: 'Las filas, cada una con todas las columnas',
  answer: plainAnswer(z.array(balanceRowShape)),
  problems: ['bad_week', 'report_too_large'],
  run: async ({ c, db, query: { format, ...filter } }) => {
    if (format) return sendListExport(c, balanceList, filter, format);
    const day = { today: c.get('today'), timeZone: c.get('deps').config.timeZone };
    const { rows, columns } = await readBalanceRows(db, filter, day);
    const pieces = Array.from(writeBalanceJson(rows, columns), (text) => Buffer.from(text));
    return sendJsonText(c, Buffer.concat(pieces));
  },
});
