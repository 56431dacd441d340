import { z } from 'zod';
import { sendBytes } from '../http/downloads.ts';
import { diotList, withholdingList } from '../lists/reports.ts';
import { resolveMonth } from '../services/fiscal/cross-check.ts';
import { formatDiotFile, requireDiot } from '../services/fiscal/diot.ts';
import { requireWithholdingReport } from '../services/fiscal/withholdings.ts';
import { exportFormatField, monthField, parseQuery } from '../shapes/fields.ts';
import { diotAnswer, withholdingReportAnswer } from '../shapes/fiscal-returns.ts';
import { createEndpoints } from './calls.ts';
import { sendListExport } from './lists.ts';

const ROLES_NOTE = 'Solo para los roles 1, 2 y 3.';

const endpoints = createEndpoints('Fiscal');
export const fiscalReturnsApi = endpoints.app;

const monthShape = z.strictObject({ mes: monthField('mes') }).meta({ examples: [{ mes: '2026-11' }] });
const monthExportShape = monthShape
  .extend({ format: exportFormatField })
  .meta({ examples: [{ mes: '2026-11' }] });

endpoints.reads('/diot', {
  summary: 'Lo pagado en un mes como lo pide la DIOT',
  text: `Cada pago se reparte como su CFDI reparte el total: base por tasa, IVA y retenciones. Lo que no se sabe no se reporta, y viene en \`noReportado\` con su causa. ${ROLES_NOTE}`,
  query: monthExportShape,
  returns: 'La DIOT del mes',
  answer: diotAnswer,
  problems: ['rfc_missing'],
  async run({ c, db, query: { mes, format } }) {
    if (format) return sendListExport(c, diotList, { mes }, format);
    return requireDiot(db, resolveMonth(mes, c.get('today')));
  },
});

endpoints.call('GET', '/diot/export.txt', {
  summary: 'El archivo de la DIOT',
  text: `Como lo recibe el portal del SAT: UTF-8, 54 campos entre pipes, pesos enteros. ${ROLES_NOTE}`,
  query: monthShape,
  status: 200,
  type: 'application/octet-stream',
  returns: 'El archivo',
  problems: ['rfc_missing'],
  async run(c) {
    const { mes } = parseQuery(monthShape, c.req.queries());
    const { filename, text } = formatDiotFile(
      await requireDiot(c.get('deps').db, resolveMonth(mes, c.get('today'))),
    );
    return sendBytes(c, { filename, bytes: Buffer.from(text) });
  },
});

endpoints.reads('/retenciones', {
  summary: 'Lo retenido en lo pagado en un mes, junto a lo que corresponde',
  text: `Por tipo y proveedor, en la parte de cada CFDI que se pagó. Solo una persona moral retiene. ${ROLES_NOTE}`,
  query: monthExportShape,
  returns: 'Las retenciones del mes',
  answer: withholdingReportAnswer,
  problems: ['rfc_missing'],
  async run({ c, db, query: { mes, format } }) {
    if (format) return sendListExport(c, withholdingList, { mes }, format);
    return requireWithholdingReport(db, resolveMonth(mes, c.get('today')));
  },
});
