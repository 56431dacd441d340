import type { Selectable } from 'kysely';
import type { Db, Schema } from '../../db/schema.ts';

type Row<T extends keyof Schema> = Selectable<Schema[T]>;

function buildRowQuery<T extends keyof Schema, C extends keyof Row<T>>(
  db: Db,
  table: T,
  where: Partial<Row<T>>,
  columns: readonly C[] | undefined,
) {
  const all = db.selectFrom(table as 'audit');
  const selected = columns ? all.select(columns as never) : all.selectAll();
  return Object.entries(where).reduce(
    (rows, [column, value]) => rows.where(column as 'id', '=', value as never),
    selected,
  );
}

/** Reads the rows of a table that match all of these conditions, ordered by id; with the named columns, or with all. */
export function readRows<T extends keyof Schema, C extends keyof Row<T> = keyof Row<T>>(
  db: Db,
  table: T,
  where: Partial<Row<T>> = {},
  columns?: readonly C[],
): Promise<Pick<Row<T>, C>[]> {
  return buildRowQuery(db, table, where, columns).orderBy('id').execute() as never;
}

export function readRow<T extends keyof Schema, C extends keyof Row<T> = keyof Row<T>>(
  db: Db,
  table: T,
  where: Partial<Row<T>> = {},
  columns?: readonly C[],
): Promise<Pick<Row<T>, C>> {
  return buildRowQuery(db, table, where, columns).orderBy('id').executeTakeFirstOrThrow() as never;
}

export function readLastRow<T extends keyof Schema, C extends keyof Row<T> = keyof Row<T>>(
  db: Db,
  table: T,
  where: Partial<Row<T>> = {},
  columns?: readonly C[],
): Promise<Pick<Row<T>, C>> {
  return buildRowQuery(db, table, where, columns).orderBy('id', 'desc').executeTakeFirstOrThrow() as never;
}
