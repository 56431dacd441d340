import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { writeHledger } from '../../formats/hledger.ts';
import { createSheetColumns, dayCell, type PartialListExport } from '../../formats/sheets/sheet.ts';
import { monthField, parseShape } from '../../shapes/fields.ts';
import { accountingJournalRowAnswer } from '../../shapes/journal.ts';
import { resolveMonth } from '../fiscal/cross-check.ts';
import { filterJournal, type JournalFilter, type JournalRow, readJournal } from '../fiscal/journal.ts';

/** Without `mes`, exports the current month. @throws DomainError malformed: `mes` is not a month */
export async function journalExport(
  db: Db,
  { mes, ...filter }: JournalFilter & { mes?: string },
  { today, timeZone }: { today: PlainDate; timeZone: string },
): Promise<PartialListExport<JournalRow>> {
  const month = resolveMonth(parseShape(monthField('mes'), mes), today);
  const journal = filterJournal(await readJournal(db, month, timeZone), filter);
  const { rows } = journal;
  const title = `Pólizas ${month.from.slice(0, 7)}`;
  return {
    file: title,
    sheet: {
      columns: createSheetColumns<JournalRow>([
        { name: 'fecha', heading: 'Fecha', cell: ({ fecha }) => dayCell(fecha) },
        { name: 'poliza', heading: 'Póliza', cell: ({ code }) => code, key: true },
        { name: 'nombre', heading: 'Nombre' },
        { name: 'concepto', heading: 'Concepto' },
        { name: 'cuenta', heading: 'Cuenta', cell: ({ account }) => account },
        { name: 'cargo', heading: 'Cargo', cell: ({ cents }) => (cents > 0 ? { cents } : null) },
        { name: 'abono', heading: 'Abono', cell: ({ cents }) => (cents < 0 ? { cents: -cents } : null) },
        { name: 'uuid', heading: 'UUID' },
      ]),
      pages: [rows],
    },
    count: async () => rows.length,
    toRecords: (all) => all.map(accountingJournalRowAnswer.toJson),
    hledger: () => writeHledger({ title, currency: journal.moneda }, journal.entries),
  };
}
