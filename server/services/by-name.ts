import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

export interface NamedRow {
  id: number;
  name: string;
}

const spanishCollator = new Intl.Collator('es-MX', { numeric: true });

export const compareByName = (a: NamedRow, b: NamedRow): number =>
  spanishCollator.compare(a.name, b.name) || a.id - b.id;

export const compareByNameWithLast =
  (lastId: number) =>
  (a: NamedRow, b: NamedRow): number =>
    Number(a.id === lastId) - Number(b.id === lastId) || compareByName(a, b);

export type NamesById = ReadonlyMap<number, string>;

export async function readAllNamesById(
  db: Db,
  table: 'suppliers' | 'jobs' | 'rubros',
  name: 'suppliername' | 'jobtitle' | 'nombrerubro',
): Promise<NamesById> {
  const { rows } = await sql<NamedRow>`select id, ${sql.ref(name)} as name from ${sql.table(table)}`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}
