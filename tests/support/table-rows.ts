import type { Db } from '../../db/schema.ts';
import type { ParsedRow, RowValues, TableKind } from '../../server/formats/tables/table.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { importTable } from '../../server/services/imports/import.ts';
import type { TableImportOptions } from '../../server/services/imports/import-run.ts';
import { parsePlainDate } from '../../shared/dates.ts';
import { parseMoney, parseRate } from '../../shared/money.ts';
import { tableInWords } from './remarks.ts';

const MONEY_FIELD_PATTERN =
  /total$|iva$|isr$|amount$|^(otrosimpuestos|retenciones|descuento|importebanco|importemoneda|creditaplicado|presupuesto|importe|montofijo|tope)$/;

/** Makes a row as a file with headings in its first line has it: amounts, rates and days as they are written. */
export function createParsedRow(cells: Record<string, string | undefined>, line = 2): ParsedRow {
  const values: Record<string, RowValues[string]> = {};
  for (const [name, text] of Object.entries(cells)) {
    if (!text) values[name] = null;
    else if (MONEY_FIELD_PATTERN.test(name)) values[name] = parseMoney(text, name);
    else if (name === 'tasa') values[name] = text === 'Mixta' ? text : parseRate(text);
    else if (name === 'diascredito') values[name] = Number(text);
    else if (/fecha|date$/.test(name)) values[name] = parsePlainDate(text, name);
    else values[name] = text;
  }
  return { line, raw: Object.values(cells).map((text) => text ?? ''), values, problems: [], warnings: [] };
}

export const createParsedRows = (rows: readonly Record<string, string | undefined>[]): ParsedRow[] =>
  rows.map((cells, index) => createParsedRow(cells, index + 2));

export const importRows = async (
  db: Db,
  as: Actor,
  kind: TableKind,
  rows: readonly Record<string, string | undefined>[],
  options: Partial<TableImportOptions> = {},
) =>
  tableInWords(
    await importTable(db, as, kind, createParsedRows(rows), {
      source: 'prueba.csv',
      sha256: 'a'.repeat(64),
      ...options,
    }),
  );
