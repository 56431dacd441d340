import { getApiShape } from '../lists/query-shapes.ts';
import { cashFlowList } from '../lists/reports.ts';
import { readCashFlow } from '../services/balances/cash-flow.ts';
import { cashFlowAnswer } from '../shapes/cash-flow.ts';
import { exportFormatField } from '../shapes/fields.ts';
import { createEndpoints } from './calls.ts';
import { sendListExport } from './lists.ts';

const endpoints = createEndpoints('Flujo');
export const cashFlowApi = endpoints.app;

endpoints.reads('/', {
  summary: 'Lo que sale del banco por semana, y hasta dónde alcanza',
  text: 'Las columnas son las de Saldos por proveedor de hoy. `Σ vence + Σ programado + pospuesto` es lo que está por pagar. `mover`, `sin` y `saldo` prueban un cambio y no guardan nada. Solo para los roles 1, 2 y 3.',
  query: getApiShape(cashFlowList)
    .extend({ format: exportFormatField })
    .meta({ examples: [{ semanas: 8 }] }),
  returns: 'El flujo desde hoy',
  answer: cashFlowAnswer,
  problems: ['invalid'],
  run: async ({ c, db, query: { format, ...query } }) =>
    format ? sendListExport(c, cashFlowList, query, format) : readCashFlow(db, query, c.get('today')),
});
