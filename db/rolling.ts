import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { dialectOf } from './open.ts';
import { DAY_TEXTS, LOGS } from './rolled-logs.ts';
import { ALL, rollsOf } from './rolled-sums.ts';
import type { Trx } from './schema.ts';

type Rolled = keyof typeof LOGS;

/**
 * What a transaction changes of rows that nobody notes for the rolled sums meanwhile (0014-import-rolls): told before
 * and after, and added to them all at once. SQLite's alone: on PostgreSQL all is noted as ever.
 */
export class RolledChanges {
  readonly #trx: Trx;
  readonly #changed = new Set<Rolled>();

  constructor(trx: Trx) {
    this.#trx = trx;
  }

  /** Rows as they are before something is done to them. */
  before = (table: string, which: RawBuilder<SqlBool>): Promise<void> => this.#tell(table, which, '-');

  /** As they are then; of new rows this alone. */
  after = (table: string, which: RawBuilder<SqlBool>): Promise<void> => this.#tell(table, which, '');

  async fold(): Promise<void> {
    for (const of of this.#changed) {
      const { more } = LOGS[of];
      for (const { name, keys, levels = [keys] } of rollsOf(of)) {
        const all = refs([...keys, ...LOGS[of].measures]);
        const numbers = sql.raw(levels.map((_, level) => `select ${level} as level`).join(' union all '));
        const told = sql.join(keys.map((key) => keyAt(key, levels)));
        await sql`insert into ${sql.table(name)} (${all})
          select ${told}, ${join(of, (m) => sql`sum(${m})`)}
          from (select * ${sql.raw(more)} from ${kept(of)}) changed cross join (${numbers}) levels where true
          group by ${sql.raw(keys.map((_, index) => index + 1).join(', '))}
          having ${join(of, (m) => sql`sum(${m}) <> 0`, sql` or `)}
          on conflict (${refs(keys)}) do update set
          ${join(of, (m) => sql`${m} = ${sql.table(name)}.${m} + excluded.${m}`)}`.execute(this.#trx);
      }
      // By what is paid of them most days come to nothing in the end.
      if (of === 'invoices') await sql`delete from invoice_due_sums where count = 0`.execute(this.#trx);
      await sql`delete from ${kept(of)}`.execute(this.#trx);
    }
    this.#changed.clear();
  }

  async #tell(table: string, which: RawBuilder<SqlBool>, sign: '' | '-'): Promise<void> {
    if (!(table in LOGS) || dialectOf(this.#trx) === 'postgres') return;
    const of = table as Rolled;
    const { keys, rows } = LOGS[of];
    const from = sql.raw(rows(of, DAY_TEXTS.sqlite));
    const columns = sql`${refs(keys)}, ${join(of, (m) => sql`${sql.raw(sign)}${m}`)}`;
    if (!this.#changed.has(of)) {
      this.#changed.add(of);
      await sql`create temp table if not exists ${kept(of)} as select * from (${from}) r where false`.execute(
        this.#trx,
      );
    }
    await sql`insert into ${kept(of)} select ${columns} from (${from} where ${which}) r`.execute(this.#trx);
  }
}

/** Of this connection. */
const kept = (of: Rolled) => sql.table(`rolled_${of}`);

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

const join = (of: Rolled, each: (measure: RawBuilder<unknown>) => RawBuilder<unknown>, by = sql`, `) =>
  sql.join(
    LOGS[of].measures.map((name) => each(sql.ref(name))),
    by,
  );

/** What stands in a key at each level: itself, or that it is not told apart. */
function keyAt(key: string, levels: readonly (readonly string[])[]): RawBuilder<unknown> {
  const at = levels.flatMap((level, index) => (level.includes(key) ? [index] : []));
  if (at.length === levels.length) return sql.ref(key);
  return sql`case when level in (${sql.raw(at.join(', '))}) then ${sql.ref(key)} else ${sql.lit(ALL)} end`;
}
