import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { WITHHOLDINGS } from '../../formats/cfdi/withholdings.ts';
import { columnsOf, type ListRows } from '../../formats/sheets/sheet.ts';
import { monthField, parseShape } from '../../shapes/fields.ts';
import { withheldRowAnswer } from '../../shapes/fiscal-returns.ts';
import { monthIn } from '../fiscal/cross.ts';
import { fiscalTexts } from '../fiscal/texts.ts';
import { readWithheld, type WithheldRow } from '../fiscal/withheld.ts';
import { readSettings } from '../settings/settings.ts';

/** @throws DomainError malformed */
export async function withheldExport(
  db: Db,
  mes: string | undefined,
  today: PlainDate,
): Promise<ListRows<WithheldRow>> {
  const month = monthIn(parseShape(monthField('mes'), mes), today);
  const settings = await readSettings(db);
  const { rows } = await readWithheld(db, month, settings);
  return {
    file: `Retenciones ${month.from.slice(0, 7)}`,
    sheet: {
      columns: columnsOf<WithheldRow>([
        { name: 'tipo', heading: 'Retención', cell: ({ tipo }) => WITHHOLDINGS[tipo] },
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
    toRecords: (all) => all.map(withheldRowAnswer.toJson),
    notes: settings.rfc ? [] : [fiscalTexts.rfcMissing],
  };
}
