import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { WITHHOLDING_LABELS } from '../../formats/cfdi/withholdings.ts';
import { createSheetColumns, type PartialListExport } from '../../formats/sheets/sheet.ts';
import { monthField, parseShape } from '../../shapes/fields.ts';
import { withholdingRowAnswer } from '../../shapes/fiscal-returns.ts';
import { resolveMonth } from '../fiscal/cross-check.ts';
import { fiscalTexts } from '../fiscal/texts.ts';
import { readWithholdingReport, type WithholdingRow } from '../fiscal/withholdings.ts';
import { readSettings } from '../settings/settings.ts';

/** @throws DomainError malformed */
export async function withholdingsExport(
  db: Db,
  mes: string | undefined,
  today: PlainDate,
): Promise<PartialListExport<WithholdingRow>> {
  const month = resolveMonth(parseShape(monthField('mes'), mes), today);
  const settings = await readSettings(db);
  const { rows } = await readWithholdingReport(db, month, settings);
  return {
    file: `Retenciones ${month.from.slice(0, 7)}`,
    sheet: {
      columns: createSheetColumns<WithholdingRow>([
        { name: 'tipo', heading: 'Retención', cell: ({ tipo }) => WITHHOLDING_LABELS[tipo] },
        { name: 'nombre', heading: 'Proveedor', key: true },
        { name: 'rfc', heading: 'RFC' },
        { name: 'regimenFiscal', heading: 'Régimen' },
        { name: 'pagos', heading: 'Pagos' },
        { name: 'base', heading: 'Base', kind: 'money' },
        { name: 'retenido', heading: 'Retenido', kind: 'money' },
        { name: 'esperado', heading: 'Esperado', kind: 'money' },
        { name: 'diferencia', heading: 'Diferencia', kind: 'money' },
      ]),
      pages: [rows],
    },
    count: async () => rows.length,
    toRecords: (all) => all.map(withholdingRowAnswer.toJson),
    notes: settings.rfc ? [] : [fiscalTexts.rfcMissing],
  };
}
