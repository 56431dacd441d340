import { Hono } from 'hono';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { statementRecord } from '../../shared/statements.ts';
import { sendExport } from '../http/downloads.ts';
import type { AppEnv } from '../http/session.ts';
import { statementExport } from '../services/exports/statement.ts';
import { readStatement } from '../services/statements/reading.ts';
import { formatField, parseId, parseQuery } from '../shapes/fields.ts';
import { statementAnswer, supplierStatementShape } from '../shapes/statements.ts';
import { describes, type Tag } from './describe.ts';

const queryShape = supplierStatementShape.extend({ format: formatField });

/** Mounted under the suppliers' address, before its own routes. */
export const statementsApi = new Hono<AppEnv>({ strict: false }).get(
  '/:id{[0-9]+}/statement',
  describes({
    tag: suppliers.texts.list as Tag,
    summary: 'Estado de cuenta de un proveedor',
    text: 'Saldo anterior, facturas, pagos y notas de crédito por día con el saldo después de cada uno, y el saldo final por antigüedad. `opening + Σ cargo − Σ abono = closing`, que es lo que dice Saldos por proveedor con ese corte.',
    query: queryShape,
    success: { status: 200, says: 'El estado de cuenta', shape: statementAnswer },
    problems: ['bad_period', 'report_too_large'],
  }),
  async (c) => {
    const { db, config } = c.get('deps');
    const { format, ...period } = parseQuery(queryShape, c.req.queries());
    const query = { ...period, supplierId: parseId(c.req.param('id')) };
    const day = { today: c.get('today'), timeZone: config.timeZone };
    if (format) return sendExport(c, format, (await statementExport(db, query, day)).list);
    return c.json(statementRecord(await readStatement(db, query, day)));
  },
);
