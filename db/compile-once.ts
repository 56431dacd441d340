import type { CompiledQuery } from 'kysely';
import { type DialectName, dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/**
 * Compiles a query only once for each dialect. For queries that run with every request: building one takes longer than
 * running it.
 * @param build gets a placeholder in place of each value, and a handle without plugins, since those would treat
 * placeholders as values
 */
export function compileOnce<Parameters extends readonly unknown[], Row>(
  build: (db: Db, ...parameters: Parameters) => { compile(): CompiledQuery<Row> },
): (db: Db, ...parameters: Parameters) => Promise<Row[]> {
  const compiled = new Map<DialectName, CompiledQuery<Row>>();
  return async (db, ...values) => {
    const dialect = dialectOf(db);
    const placeholders = values.map((_, index) => new Placeholder(index));
    const query =
      compiled.get(dialect) ??
      build(db.withoutPlugins(), ...(placeholders as unknown as Parameters)).compile();
    compiled.set(dialect, query);
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? values[one.index] : one));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

class Placeholder {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}
