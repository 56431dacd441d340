import type { Selectable } from 'kysely';
import type { Db, Schema } from '../../db/schema.ts';

type Row<T extends keyof Schema> = Selectable<Schema[T]>;

function query<T extends keyof Schema, C extends keyof Row<T>>(
  db: Db,
  table: T,
  where: Partial<Row<T>>,
  columns: readonly C[] | undefined,
) {
  const all = db.selectFrom(table as 'audit');
  const asked = columns ? all.select(columns as never) : all.selectAll();
  return Object.entries(where).reduce(
    (rows, [column, value]) => rows.where(column as 'id', '=', value as never),
    asked,
  );
}

/** The rows of a table for which each of these is so, by their ids; of columns the named ones, else all. */
export function rowsOf<T extends keyof Schema, C extends keyof Row<T> = keyof Row<T>>(
  db: Db,
  table: T,
  where: Partial<Row<T>> = {},
  columns?: readonly C[],
): Promise<Pick<Row<T>, C>[]> {
  return query(db, table, where, columns).orderBy('id').execute() as never;
}

/** The first of these rows, which there has to be. */
export function rowOf<T extends keyof Schema, C extends keyof Row<T> = keyof Row<T>>(
  db: Db,
  table: T,
  where: Partial<Row<T>> = {},
  columns?: readonly C[],
): Promise<Pick<Row<T>, C>> {
  return query(db, table, where, columns).orderBy('id').executeTakeFirstOrThrow() as never;
}

/** The newest of these rows, which there has to be. */
export function lastRowOf<T extends keyof Schema, C extends keyof Row<T> = keyof Row<T>>(
  db: Db,
  table: T,
  where: Partial<Row<T>> = {},
  columns?: readonly C[],
): Promise<Pick<Row<T>, C>> {
  return query(db, table, where, columns).orderBy('id', 'desc').executeTakeFirstOrThrow() as never;
}
