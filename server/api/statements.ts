import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { sendExport } from '../http/downloads.ts';
import { statementExport } from '../services/exports/supplier-statement.ts';
import { readSupplierStatement } from '../services/statements/supplier-statement.ts';
import { exportFormatField } from '../shapes/fields.ts';
import { supplierStatementAnswer, supplierStatementShape } from '../shapes/statements.ts';
import { createEndpoints, ROW_PATH } from './calls.ts';

const endpoints = createEndpoints(suppliers.texts.list);
/** Mounted under the path of suppliers, before the routes of the suppliers themselves. */
export const supplierStatementsApi = endpoints.app;

endpoints.reads(`${ROW_PATH}/statement`, {
  summary: 'Estado de cuenta de un proveedor',
  text: 'Saldo anterior, facturas, pagos y notas de crédito por día con el saldo después de cada uno, las diferencias cambiarias, que no lo cambian, y el saldo final por antigüedad. `opening + Σ cargo − Σ abono = closing`, que es lo que dice Saldos por proveedor con ese corte.',
  query: supplierStatementShape.extend({ format: exportFormatField }),
  returns: 'El estado de cuenta',
  answer: supplierStatementAnswer,
  problems: ['bad_period', 'report_too_large'],
  run: async ({ c, db, id, query: { format, ...period } }) => {
    const query = { ...period, supplierId: id };
    const day = { today: c.get('today'), timeZone: c.get('deps').config.timeZone };
    if (format) return sendExport(c, format, (await statementExport(db, query, day)).list);
    return readSupplierStatement(db, query, day);
  },
});
