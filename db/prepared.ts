import type { Compilable, CompiledQuery } from 'kysely';
import { type DialectName, dialectOf } from './open.ts';
import { planOnce } from './postgres.ts';
import type { Db } from './schema.ts';

/** Texts kept for each kind of database and each query; the least recently used goes. */
const KEPT = 200;

/**
 * Builds and compiles a query once for each `key`, which has to stand for all that its text and its parameters
 * are made of. Building one takes Kysely longer than SQLite takes to answer it; the driver keeps its statement.
 * @example queries.run(db, String(ids.length), () => db.selectFrom('payments').where('id', 'in', ids)…, ids)
 */
export class CompiledQueries<Row> {
  readonly #known: Record<DialectName, Map<string, CompiledQuery<Row>>> = {
    sqlite: new Map(),
    postgres: new Map(),
  };

  readonly #plansOnce: boolean;

  /** @param plansOnce PostgreSQL, too, plans them once: what they find does not hang on their parameters */
  constructor({ plansOnce = false } = {}) {
    this.#plansOnce = plansOnce;
  }

  /** @param parameters in place of those that it was compiled with, where it is run for others */
  async run(
    db: Db,
    key: string,
    build: () => Compilable<Row>,
    parameters?: readonly unknown[],
  ): Promise<Row[]> {
    const compiled = this.#compiled(db, key, build);
    if (!parameters) return (await db.executeQuery<Row>(compiled)).rows;
    if (parameters.length !== compiled.parameters.length)
      throw new Error(`${parameters.length} parameters for a query of ${compiled.parameters.length}`);
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  }

  #compiled(db: Db, key: string, build: () => Compilable<Row>): CompiledQuery<Row> {
    const known = this.#known[dialectOf(db)];
    let compiled = known.get(key);
    if (compiled) known.delete(key);
    else {
      compiled = build().compile();
      if (this.#plansOnce && known === this.#known.postgres) planOnce(compiled.sql);
    }
    known.set(key, compiled);
    if (known.size > KEPT) known.delete(known.keys().next().value!);
    return compiled;
  }
}
