import { createHash } from 'node:crypto';
import type { Trx } from '../../../db/schema.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { parseRows } from '../../formats/tables/parse-rows.ts';
import { parseTable } from '../../formats/tables/parse-table.ts';
import { planTable } from '../../formats/tables/plan.ts';
import type { TableKind } from '../../formats/tables/table.ts';
import type { Actor } from '../audit/audit.ts';
import { importTable } from '../imports/import.ts';

const companyFiles = import.meta.glob<string>('./company/*', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** In the files, days are offsets from `today`: "{-12}". */
export const readCompanyFile = (name: string, today: PlainDate): string =>
  companyFiles[`./company/${name}`]!.replace(/\{(-?\d+)\}/g, (_, days) => addDays(today, Number(days)));

export async function readCompanyTable(name: string, kind: TableKind, today: PlainDate) {
  const filename = `${name}.csv`;
  const bytes = Buffer.from(readCompanyFile(filename, today));
  const table = await parseTable({ bytes, filename, kind });
  const plan = planTable(table, kind);
  return { sha256: table.sha256, columns: plan.columns, rows: parseRows(table, plan) };
}

export async function importCompanyTable(trx: Trx, actor: Actor, kind: TableKind): Promise<void> {
  const { rows, ...table } = await readCompanyTable(kind, kind, actor.today);
  const options = { source: 'empresa de demostración', ...table };
  const { refused, unchanged } = await importTable(trx, actor, kind, rows, options);
  if (refused.length + unchanged > 0)
    throw new Error(`${kind}.csv: ${unchanged} unchanged, ${JSON.stringify(refused[0])}`);
}

export const COMPANY_RFC = 'CVR0903128T8';

/** The demonstration has the same UUIDs whenever it is made. */
export function deriveUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex').toUpperCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
