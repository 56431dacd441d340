import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Fault } from './integrity.ts';
import { dialectOf } from './open.ts';
import { DAY_TEXTS, LOGS } from './rolled-logs.ts';
import type { Db, Trx } from './schema.ts';

/**
 * Sums that are there before anybody asks (0009-rolled-sums, 0023-paid-costs). Triggers note what changes in a log, and fold the log
 * into the rolls now and then, so a sum is always what its roll says and what is noted since. A roll has a row for
 * each combination of its keys; one of several levels also rows in which a key is ALL.
 */
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
  payment_month_sums: {
    of: 'payments',
    keys: ['month', 'kind', 'jobId', 'rubroId'],
    levels: [
      ['month', 'kind', 'jobId'],
      ['month', 'kind', 'rubroId'],
    ],
  },
} as const satisfies Record<string, Roll>;

type RollName = keyof typeof ROLLS;

/** What is in no portable copy, digest or count of rows, for it follows from the rest. */
export const DERIVED_TABLES: readonly string[] = [
  ...Object.keys(ROLLS),
  ...Object.values(LOGS).map(({ name }) => name),
];

/** In a key: all of them. */
export const ALL = -1;

/** Those that are made from a table. */
export const rollsOf = (table: Roll['of']): (Roll & { name: string })[] =>
  Object.entries<Roll>(ROLLS).flatMap(([name, roll]) => (roll.of === table ? [{ ...roll, name }] : []));

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
  return sql`(${sql.join(rolledParts(name, told, within), sql` union all `)})`;
}

/** The same, apart: what is rolled up, and what is noted since. Each is added up sooner by itself, then both. */
export function rolledParts(
  name: RollName,
  told: Told = {},
  within: RawBuilder<SqlBool> = sql<SqlBool>`true`,
): [RawBuilder<unknown>, RawBuilder<unknown>] {
  const { of, keys }: Roll = ROLLS[name];
  const { name: log, more, measures } = LOGS[of];
  const columns = refs([...keys, ...measures]);
  const given = Object.entries(told);
  // Told in the text, as the indexes of a level's own rows are.
  const level = given.map(([key, value]) => sql`${sql.ref(key)} = ${value ?? sql.lit(ALL)} and `);
  const noted = given.flatMap(([key, value]) =>
    value === undefined ? [] : [sql`${sql.ref(key)} = ${value} and `],
  );
  const [inRoll, inLog] = [level, noted].map((parts) => sql`${sql.join(parts, sql``)} ${within}`);
  return [
    sql`select ${columns} from ${sql.table(name)} where ${inRoll}`,
    sql`select ${columns} from (select * ${sql.raw(more)} from ${sql.table(log)}) noted where ${inLog}`,
  ];
}

/** How many rows of their table some rolled rows stand for, as a value. */
export const countOfRolled = (rows: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select coalesce(sum(count), 0) from ${rows} rolled)`;

/** Every row of a roll that is not, with what is noted, the sum of the rows themselves; at one moment. */
export async function findMisrolled(db: Db, name: RollName): Promise<Fault[]> {
  const { of, keys, levels = [keys] }: Roll = ROLLS[name];
  const { name: log, more, measures } = LOGS[of];
  const sums = sql.join(measures.map((measure) => sql`sum(${sql.ref(measure)}) as ${sql.ref(measure)}`));
  // Level by level, so that little is left to be compared, some of it in the order of an index.
  const addUp = (from: RawBuilder<unknown>) =>
    sql.join(
      levels.map((level) => {
        const told = keys.map((key) =>
          level.includes(key) ? sql.ref(key) : sql`${sql.lit(ALL)} as ${sql.ref(key)}`,
        );
        const apart = level.length > 0 ? sql`group by ${refs(level)}` : sql``;
        return sql`select ${sql.join(told)}, ${sums} from (select * ${sql.raw(more)} from (${from}) r) n ${apart}`;
      }),
      sql` union all `,
    );
  const takenOff = (from: RawBuilder<unknown>) => {
    const less = measures.map((measure) => sql`-${sql.ref(measure)} as ${sql.ref(measure)}`);
    return sql`union all select ${refs(keys)}, ${sql.join(less)} from ${from}`;
  };
  const isOff = sql.join(
    measures.map((measure) => sql`sum(${sql.ref(measure)}) <> 0`),
    sql` or `,
  );
  const { rows: found } = await sql<Record<string, string | number>>`
    select ${refs(keys)}, ${sums} from (${addUp(rowsNow(db, of))} ${takenOff(sql.table(name))}
      ${takenOff(sql`(${addUp(sql`select * from ${sql.table(log)}`)}) noted`)}) compared
    group by ${refs(keys)} having ${isOff} order by ${refs(keys)}`.execute(db);
  return found.map((row) => ({
    table: name,
    id: keys.map((key) => row[key]).join(' · '),
    problem: `difiere de lo sumado de nuevo en ${measures.map((measure) => `${measure} ${row[measure]}`).join(', ')}`,
  }));
}

export const ROLL_NAMES = Object.keys(ROLLS) as RollName[];

/** Makes all of them anew from the rows. */
export async function rebuildRolls(trx: Trx): Promise<void> {
  for (const table of DERIVED_TABLES) await sql`delete from ${sql.table(table)}`.execute(trx);
  for (const table of ['invoices', 'payments'] as const) {
    const { name, keys, measures } = LOGS[table];
    const columns = refs([...keys, ...measures]);
    await sql`insert into ${sql.table(name)} (${columns}) ${rowsNow(trx, table)}`.execute(trx);
  }
  await foldLogs(trx);
}

/** Adds what is noted to the sums, after many changes; on SQLite who noted it has done so. */
export async function foldLogs(trx: Trx): Promise<void> {
  if (dialectOf(trx) !== 'postgres') return;
  for (const { name } of Object.values(LOGS)) await sql`select ${sql.raw(`fold_${name}()`)}`.execute(trx);
}

const rowsNow = (db: Db, table: Roll['of']) => sql.raw(LOGS[table].rows(table, DAY_TEXTS[dialectOf(db)]));

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
