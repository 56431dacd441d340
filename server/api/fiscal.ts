import { z } from 'zod';
import { MAX_LIST_MB } from '../formats/sat/list-69b.ts';
import { MAX_METADATA_MB } from '../formats/sat/metadata.ts';
import { sendJson } from '../http/send.ts';
import { actorOf } from '../http/session.ts';
import { readUploadForm } from '../http/uploads.ts';
import { list69bList } from '../lists/list-69b.ts';
import { getApiShape } from '../lists/query-shapes.ts';
import { paymentReceiptsDueList } from '../lists/receipts-due.ts';
import { crossCheckList, journalList } from '../lists/reports.ts';
import { requireCrossCheck, resolveMonth } from '../services/fiscal/cross-check.ts';
import { importMetadata } from '../services/fiscal/import-metadata.ts';
import { filterJournal, readJournal } from '../services/fiscal/journal.ts';
import { linkDocument } from '../services/fiscal/link-without-uuid.ts';
import { importList69b, missingListFileError, readList69bReport } from '../services/fiscal/list-69b.ts';
import { readFiscalMonth } from '../services/fiscal/month-cards.ts';
import {
  readBalanceMismatches,
  readLatePue,
  readReceiptsDue,
  sumBySupplier,
} from '../services/fiscal/receipts-due.ts';
import { missingMetadataFileError } from '../services/fiscal/texts.ts';
import { exportFormatField, fileField, monthField, parseShape } from '../shapes/fields.ts';
import {
  crossCheckAnswer,
  fiscalMonthAnswer,
  linkCfdiShape,
  linkedCfdiAnswer,
  metadataOutcomeAnswer,
} from '../shapes/fiscal.ts';
import { accountingJournalAnswer } from '../shapes/journal.ts';
import { list69bAnswer, list69bUploadShape } from '../shapes/list-69b.ts';
import { paymentReceiptsDueAnswer } from '../shapes/receipts-due.ts';
import { CLOSED_PERIOD_PROBLEMS } from './call-descriptions.ts';
import { createEndpoints } from './calls.ts';
import { sendListExport } from './lists.ts';

const ROLES_NOTE = 'Solo para los roles 1, 2 y 3.';

const endpoints = createEndpoints('Fiscal');
export const fiscalApi = endpoints.app;

const newMetadataShape = z
  .strictObject({
    file: fileField(
      `El TXT o el zip de metadatos que da el SAT, de cualquier herramienta, hasta ${MAX_METADATA_MB} MB`,
    ),
  })
  .meta({ id: 'NewMetadata', required: ['file'], examples: [{ file: '@metadatos.zip' }] });

endpoints.reads('/', {
  summary: 'Lo fiscal de un mes, tema por tema',
  text: `Cada tema con cuántos documentos, su suma, su estado y lo que falta. ${ROLES_NOTE}`,
  query: z.strictObject({ mes: monthField('mes') }).meta({ examples: [{ mes: '2026-11' }] }),
  returns: 'Los temas del mes',
  answer: fiscalMonthAnswer,
  async run({ c, db, query: { mes } }) {
    const today = c.get('today');
    const month = resolveMonth(mes, today);
    const { timeZone } = c.get('deps').config;
    return { month, cards: await readFiscalMonth(db, month, { today, timeZone }) };
  },
});

endpoints.call('POST', '/metadatos', {
  summary: 'Cargar metadatos del SAT',
  text: `Lo que varios archivos dicen de un CFDI se suma en cualquier orden: cargar uno otra vez no cambia nada, y lo cancelado no vuelve a estar vigente. Los renglones que no se entienden quedan fuera y vienen en \`warnings\`. ${ROLES_NOTE}`,
  body: newMetadataShape,
  isForm: true,
  status: 200,
  returns: 'Qué trajo de nuevo',
  answer: metadataOutcomeAnswer.shape,
  problems: ['bad_metadata'],
  run: async (c) => {
    const { fields, files } = await readUploadForm(c, MAX_METADATA_MB);
    parseShape(newMetadataShape, fields);
    if (!files.file) throw missingMetadataFileError();
    const outcome = await importMetadata(c.get('deps').db, actorOf(c), files.file, {
      signal: c.req.raw.signal,
    });
    return sendJson(c, metadataOutcomeAnswer.toJson(outcome));
  },
});

endpoints.call('POST', '/69b', {
  summary: 'Cargar la lista 69-B del SAT',
  text: `Sustituye a la anterior, si su corte es posterior y trae al menos 5,000 renglones; las situaciones de antes se quedan como historia. ${ROLES_NOTE}`,
  body: list69bUploadShape,
  isForm: true,
  status: 200,
  returns: 'La lista, los proveedores que están en ella y lo pagado a los definitivos',
  answer: list69bAnswer.shape,
  problems: ['bad_list', 'old_list'],
  run: async (c) => {
    const { fields, files } = await readUploadForm(c, MAX_LIST_MB);
    parseShape(list69bUploadShape, fields);
    if (!files.file) throw missingListFileError();
    const { signal } = c.req.raw;
    return sendJson(
      c,
      list69bAnswer.toJson(await importList69b(c.get('deps').db, actorOf(c), files.file, { signal })),
    );
  },
});

endpoints.reads('/69b', {
  summary: 'La lista 69-B que está cargada',
  text: ROLES_NOTE,
  query: getApiShape(list69bList)
    .extend({ format: exportFormatField })
    .meta({ examples: [{}] }),
  returns: 'Los proveedores que están en ella, y lo pagado a los definitivos',
  answer: list69bAnswer,
  run: async ({ c, db, query: { format, ...query } }) =>
    format
      ? sendListExport(c, list69bList, query, format)
      : { ...(await readList69bReport(db)), warnings: [] },
});

endpoints.reads('/cruce', {
  summary: 'Los CFDI de un mes según el SAT, junto a lo que hay en Saldo',
  text: `Cada uno está en \`iguales\`, \`difieren\`, \`faltan\` o \`ajenos\`, que suman \`sat\`. \`cancelados\` son los que están en Saldo, primero los pagados; \`sinUuid\` los que faltan y corresponden a una sola factura sin UUID, por RFC, total y diez días. ${ROLES_NOTE}`,
  query: z
    .strictObject({ mes: monthField('mes'), format: exportFormatField })
    .meta({ examples: [{ mes: '2026-11' }] }),
  returns: 'El cruce del mes',
  answer: crossCheckAnswer,
  problems: ['rfc_missing'],
  async run({ c, db, query: { mes, format } }) {
    if (format) return sendListExport(c, crossCheckList, { mes }, format);
    return requireCrossCheck(db, resolveMonth(mes, c.get('today')));
  },
});

endpoints.reads('/rep', {
  summary: 'Los pagos a facturas PPD sin su REP, y las PUE que no se pagaron en su mes',
  text: `Varios REP pueden decir partes de un pago; lo que el SAT da por cancelado no respalda nada. Con \`que\`, \`format\` da esa lista. ${ROLES_NOTE}`,
  query: getApiShape(paymentReceiptsDueList)
    .extend({ format: exportFormatField })
    .meta({ examples: [{ corte: '2026-11-20', supplierId: 1 }] }),
  returns: 'Lo que falta, por proveedor y por pago',
  answer: paymentReceiptsDueAnswer,
  async run({ c, db, query: { format, ...query } }) {
    if (format) return sendListExport(c, paymentReceiptsDueList, query, format);
    const { corte = null, supplierId } = query;
    const asked = [db, corte ?? c.get('today'), supplierId] as const;
    const due = await readReceiptsDue(...asked);
    const { rows: pue } = await readLatePue(...asked);
    const lists = { pue, balances: await readBalanceMismatches(...asked) };
    return { ...due, ...lists, suppliers: sumBySupplier(due.rows) };
  },
});

endpoints.reads('/polizas', {
  summary: 'Las pólizas de un mes, para el contador',
  text: `De cada factura, nota de crédito, pago y movimiento de caja chica. Las cuentas se eligen en Configuración. Los filtros dejan pólizas enteras, y sus sumas; \`filas\` con \`cuenta\` son solo las de esa cuenta. ${ROLES_NOTE}`,
  query: getApiShape(journalList)
    .omit({ que: true })
    .extend({ mes: monthField('mes'), format: exportFormatField })
    .meta({ examples: [{ mes: '2026-11', tipo: 'P' }] }),
  returns: 'Las pólizas del mes',
  answer: accountingJournalAnswer,
  problems: [],
  async run({ c, db, query: { format, ...query } }) {
    if (format) return sendListExport(c, journalList, query, format);
    const month = resolveMonth(query.mes, c.get('today'));
    return filterJournal(await readJournal(db, month, c.get('deps').config.timeZone), query);
  },
});

endpoints.steps('/cruce/ligar', {
  summary: 'Ligar una factura sin UUID con su CFDI',
  text: `Solo si corresponden por RFC, total y diez días. Desde entonces sus importes son los del CFDI. ${ROLES_NOTE}`,
  body: linkCfdiShape,
  lacksBody: undefined,
  returns: 'La factura como quedó',
  answer: linkedCfdiAnswer,
  stale: linkedCfdiAnswer,
  problems: ['bad_value', 'uuid_taken', ...CLOSED_PERIOD_PROBLEMS],
  run: ({ db, actor, body }) => linkDocument(db, actor, body),
});
