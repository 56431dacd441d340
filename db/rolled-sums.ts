import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Fault } from './integrity.ts';
import { dialectOf } from './open.ts';
import type { Db, Trx } from './schema.ts';

/**
 * Sums that are there before anybody asks (0009-rolled-sums). Triggers note what changes in a log, and fold the log
 * into the rolls now and then, so a sum is always what its roll says and what is noted since. A roll has a row for
 * each combination of its keys; one of several levels also rows in which a key is ALL.
 */
const LOGS = {
  invoices: {
    name: 'invoice_changes',
    keys: ['supplierId', 'jobId', 'rubroId', 'fechaemision', 'pago', 'vence', 'estimado'],
    measures: ['count', 'totalCents', 'paidCents', 'sinIvaCents'],
    /** worked out from the keys */
    more: sql`, substr(fechaemision, 1, 7) as month`,
    /** what the log would say if all rows had just come */
    rows: (day: DayText) => sql`select "supplierId", "jobId", coalesce("rubroId", 0) as "rubroId",
      ${day('fechaemision')} as fechaemision,
      case when "paidCents" >= "totalCents" then 'todo' when "paidCents" > 0 then 'parte' else 'nada' end as pago,
      ${day('vence')} as vence, case when fechavencimiento is null then 1 else 0 end as estimado, 1 as count, "totalCents", "paidCents",
      "subtotalCents" + "otrosimpuestosCents" as "sinIvaCents" from invoices`,
  },
  payments: {
    name: 'payment_changes',
    keys: ['origenderecursoId', 'paymentdate', 'kind'],
    measures: ['count', 'amountCents', 'takenCents'],
    more: sql``,
    rows: (day: DayText) => sql`select coalesce("origenderecursoId", 0) as "origenderecursoId",
      ${day('paymentdate')} as paymentdate, kind, 1 as count, "amountCents",
      coalesce("importebancoCents", "amountCents") as "takenCents" from payments`,
  },
} as const;

interface Roll {
  of: keyof typeof LOGS;
  keys: readonly string[];
  /** the keys that are told apart, the others being ALL */
  levels?: readonly (readonly string[])[];
}

const ROLLS = {
  invoice_sums: {
    of: 'invoices',
    keys: ['supplierId', 'jobId'],
    levels: [[], ['supplierId'], ['jobId'], ['supplierId', 'jobId']],
  },
  invoice_day_sums: { of: 'invoices', keys: ['fechaemision'] },
  invoice_month_sums: {
    of: 'invoices',
    keys: ['month', 'jobId', 'rubroId'],
    levels: [
      ['month', 'jobId'],
      ['month', 'rubroId'],
    ],
  },
  /** by what is paid of them: 'nada', 'parte', 'todo'; `estimado` is 1 where no fechavencimiento is given */
  invoice_due_sums: { of: 'invoices', keys: ['pago', 'vence', 'estimado'] },
  payment_day_sums: { of: 'payments', keys: ['paymentdate', 'kind'] },
  payment_source_sums: { of: 'payments', keys: ['origenderecursoId', 'paymentdate'] },
} as const satisfies Record<string, Roll>;

type RollName = keyof typeof ROLLS;

/** Payments are shown as they are stored. */
const HELD_ROLLS = (Object.keys(ROLLS) as RollName[]).filter((name) => ROLLS[name].of === 'invoices');

/** By this name a reading connection finds them (hidden-rows.ts). */
function heldName(name: RollName): string {
  return `held_${name}`;
}

/** What is in no portable copy, digest or count of rows, for it follows from the rest. */
export const DERIVED_TABLES: readonly string[] = [
  ...Object.keys(ROLLS),
  ...HELD_ROLLS.map(heldName),
  ...Object.values(LOGS).map(({ name }) => name),
];

const ALL = -1;

type Told = Readonly<Record<string, number | undefined>>;

/**
 * Rows that add up to a roll's sums, to select from; days and months are text, empty where there is none, and what
 * an id is missing of is 0.
 * @param told values of the keys that a level tells apart; undefined: all of them
 * @param within what else has to hold of the keys
 */
export function rolledRows(
  name: RollName,
  told: Told = {},
  within: RawBuilder<SqlBool> = sql<SqlBool>`true`,
): RawBuilder<unknown> {
  const { of, keys }: Roll = ROLLS[name];
  const { name: log, more, measures } = LOGS[of];
  const columns = refs([...keys, ...measures]);
  const given = Object.entries(told);
  const level = given.map(([key, value]) => sql`${sql.ref(key)} = ${value ?? ALL} and `);
  const noted = given.flatMap(([key, value]) =>
    value === undefined ? [] : [sql`${sql.ref(key)} = ${value} and `],
  );
  const [inRoll, inLog] = [level, noted].map((parts) => sql`${sql.join(parts, sql``)} ${within}`);
  return sql`(select ${columns} from ${sql.table(name)} where ${inRoll}
    union all select ${columns} from (select * ${more} from ${sql.table(log)}) noted where ${inLog})`;
}

/** Every row of a roll that is not, with what is noted, the sum of the rows themselves; at one moment. */
export async function findMisrolled(db: Db, name: RollName): Promise<Fault[]> {
  const { of, keys }: Roll = ROLLS[name];
  const { name: log, measures, rows } = LOGS[of];
  const sums = sql.join(measures.map((measure) => sql`sum(${sql.ref(measure)}) as ${sql.ref(measure)}`));
  const isOff = sql.join(
    measures.map((measure) => sql`sum(${sql.ref(measure)}) <> 0`),
    sql` or `,
  );
  const { rows: found } = await sql<Record<string, string | number>>`
    select ${refs(keys)}, ${sums} from (${apart(name, rows(dayText(db)), 1)}
      union all select ${refs(keys)}, ${signed(measures, -1)} from ${sql.table(name)}
      union all ${apart(name, sql`select * from ${sql.table(log)}`, -1)}) compared
    group by ${refs(keys)} having ${isOff} order by ${refs(keys)}`.execute(db);
  return found.map((row) => ({
    table: name,
    id: keys.map((key) => row[key]).join(' · '),
    problem: `difiere de lo sumado de nuevo en ${measures.map((measure) => `${measure} ${row[measure]}`).join(', ')}`,
  }));
}

/** Rows of a log as a roll tells them apart, each once for every level; with a minus, that they are gone. */
function apart(name: RollName, from: RawBuilder<unknown>, sign: 1 | -1): RawBuilder<unknown> {
  const { of, keys, levels = [keys] }: Roll = ROLLS[name];
  const { more, measures } = LOGS[of];
  const told = sql.join(
    keys.map((key) => {
      const at = levels.flatMap((level, index) => (level.includes(key) ? [index] : []));
      const [ref, among] = [sql.ref(key), sql.raw(at.join(', '))];
      return at.length === levels.length
        ? ref
        : sql`case when level in (${among}) then ${ref} else ${sql.lit(ALL)} end as ${ref}`;
    }),
  );
  const numbers = sql.raw(levels.map((_, index) => `select ${index} as level`).join(' union all '));
  return sql`select ${told}, ${signed(measures, sign)}
    from (select * ${more} from (${from}) r) n cross join (${numbers}) levels`;
}

/**
 * Sums of invoices that are stored and not shown yet (0010-open-imports): what readers take off the rolls, which have
 * them already. Adds those with these ids, or takes them off.
 */
export async function holdBack(trx: Trx, { from, to }: { from: number; to: number }, sign: 1 | -1) {
  for (const name of HELD_ROLLS) {
    const { of, keys } = ROLLS[name];
    const { measures, rows } = LOGS[of];
    const own = sql`${rows(dayText(trx))} where id between ${from} and ${to}`;
    const held = sql.table(heldName(name));
    const sums = sql.join(measures.map((measure) => sql`sum(${sql.ref(measure)})`));
    const added = sql.join(
      measures.map((measure) => {
        const column = sql.ref(measure);
        return sql`${column} = ${held}.${column} + excluded.${column}`;
      }),
    );
    await sql`insert into ${held} (${refs([...keys, ...measures])})
      select ${refs(keys)}, ${sums} from (${apart(name, own, sign)}) added where true group by ${refs(keys)}
      on conflict (${refs(keys)}) do update set ${added}`.execute(trx);
  }
}

/** Nothing is held back any more. */
export async function forgetHeld(trx: Trx): Promise<void> {
  for (const name of HELD_ROLLS) await sql`delete from ${sql.table(heldName(name))}`.execute(trx);
}

export const ROLL_NAMES = Object.keys(ROLLS) as RollName[];

/** Makes all of them anew from the rows. */
export async function rebuildRolls(trx: Trx): Promise<void> {
  for (const table of DERIVED_TABLES) await sql`delete from ${sql.table(table)}`.execute(trx);
  for (const { name, keys, measures, rows } of Object.values(LOGS)) {
    await sql`insert into ${sql.table(name)} (${refs([...keys, ...measures])}) ${rows(dayText(trx))}`.execute(
      trx,
    );
    // On SQLite what fills the log has folded it.
    if (dialectOf(trx) === 'postgres') await sql`select ${sql.raw(`fold_${name}()`)}`.execute(trx);
  }
}

type DayText = (column: string) => RawBuilder<string>;

const dayText =
  (db: Db): DayText =>
  (column) =>
    dialectOf(db) === 'postgres'
      ? sql`coalesce(to_char(${sql.ref(column)}, 'YYYY-MM-DD'), '')`
      : sql`coalesce(${sql.ref(column)}, '')`;

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

const signed = (measures: readonly string[], sign: 1 | -1) =>
  sql.join(measures.map((measure) => sql`${sql.lit(sign)} * ${sql.ref(measure)} as ${sql.ref(measure)}`));
