import type { CompiledQuery } from 'kysely';
import { disableRowLocks, usesRowLocks } from './expressions.ts';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/**
 * Compiles a query only once for each dialect, with row locks and without. For queries that run with every request:
 * building one takes longer than running it.
 * @param buildQuery gets a placeholder in place of each value, and a handle without plugins, since those would treat
 * placeholders as values
 */
export function compileQueryOnce<Parameters extends readonly unknown[], Row>(
  buildQuery: (db: Db, ...parameters: Parameters) => { compile(db: Db): CompiledQuery<Row> },
): (db: Db, ...parameters: Parameters) => Promise<Row[]> {
  const compiled = new Map<string, CompiledQuery<Row>>();
  return async (db, ...values) => {
    const kind = `${dialectOf(db)} ${usesRowLocks(db)}`;
    let query = compiled.get(kind);
    if (!query) {
      const plain = db.withoutPlugins();
      if (!usesRowLocks(db)) disableRowLocks(plain);
      const placeholders = values.map((_, index) => new Placeholder(index));
      query = buildQuery(plain, ...(placeholders as unknown as Parameters)).compile(plain);
      compiled.set(kind, query);
    }
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? values[one.index] : one));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

/** Compiles once for each key. For queries whose text differs by one value, such as a table's name. */
export function compileOncePerKey<Key, Parameters extends readonly unknown[], Row>(
  buildQuery: (key: Key, db: Db, ...parameters: Parameters) => { compile(db: Db): CompiledQuery<Row> },
): (key: Key, db: Db, ...parameters: Parameters) => Promise<Row[]> {
  const queries = new Map<Key, (db: Db, ...parameters: Parameters) => Promise<Row[]>>();
  return (key, db, ...values) => {
    const query =
      queries.get(key) ??
      compileQueryOnce((one, ...parameters: Parameters) => buildQuery(key, one, ...parameters));
    queries.set(key, query);
    return query(db, ...values);
  };
}

class Placeholder {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}
