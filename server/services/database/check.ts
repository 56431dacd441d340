import { sql } from 'kysely';
import { readTableDefinitions } from '../../../db/copies/table-definitions.ts';
import { findWrongDaySums } from '../../../db/day-sums.ts';
import { findSchemaFaults } from '../../../db/expected-schema.ts';
import {
  describeDamageError,
  type Fault,
  findDamage,
  findDamageQuickly,
  findUnsearchableRows,
} from '../../../db/integrity.ts';
import { findWrongPaymentsWithoutReceipt } from '../../../db/payments-without-receipt.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { INDEXED_COLUMNS, SEARCH_INDEXES, SEARCHED_COLUMNS } from '../../../db/tables/search-indexes.ts';
import { catalogs } from '../../../shared/catalogs/all.ts';
import { documentNumberKey, fold } from '../../../shared/text.ts';
import { CLI_USERNAME } from '../../../shared/users.ts';
import { readAnchorNotice } from '../audit/anchors.ts';
import { findAuditFaults, readAuditTail } from '../audit/audit.ts';
import { tableNameOf } from '../catalogs/reading.ts';
import { hasAdministrator } from '../users/reading.ts';
import { createDueDayRule, INVARIANTS, UNIQUE_VALUES } from './check-invariants.ts';
import type {
  CheckDefinition,
  CheckResult,
  Problem,
  ReportProgress,
  Rule,
  ViolatingRow,
} from './check-rules.ts';
import { DEEP_CHECKS } from './compare-with-trail.ts';

export type DatabaseCheckReport = Awaited<ReturnType<typeof checkDatabase>>;

interface CheckOptions {
  /** replays the audit trail, and compares every row with it */
  deep?: boolean;
  /** called with the progress from 0 to 1, and what is being checked */
  report?: (fraction: number, text: string) => void;
}

/** A part has so few rows that no read holds the database for long. */
const ROWS_PER_PART = 50_000;
const TEXT_ROWS_PER_PART = 10_000;

/** Checked at startup besides the file's pages: the sums that limit new payments, and the chain of the audit trail. */
const STARTUP_CHECKS = ['paid-sum', 'applied-sum', 'audit'];

export async function findStartupDamage(db: Db): Promise<string | undefined> {
  const [page] = await findDamageQuickly(db);
  if (page) return page.problem;
  for (const { name, find } of CHECKS) {
    if (!STARTUP_CHECKS.includes(name)) continue;
    try {
      for await (const { table, id, problem } of await find(db, () => {}))
        return `${[table, id].filter(Boolean).join(' ')}: ${problem}`;
    } catch (error) {
      return describeDamageError(error);
    }
  }
  return undefined;
}

/** Can run while the server works: each query sees one moment, and the rules hold at every moment. */
export async function checkDatabase(
  db: Db,
  { deep = false, report: onProgress = () => {} }: CheckOptions = {},
) {
  const checks: CheckResult[] = [];
  const all = deep ? [...CHECKS, ...DEEP_CHECKS] : CHECKS;
  for (const [index, { name, description, find }] of all.entries()) {
    const reportCheckProgress: ReportProgress = (fraction) =>
      onProgress((index + fraction) / all.length, description);
    reportCheckProgress(0);
    const problems: Problem[] = [];
    try {
      for await (const { table, id, problem } of await find(db, reportCheckProgress))
        problems.push({ entity: table.replaceAll('_', '-'), id, problem });
    } catch (error) {
      problems.push({ entity: 'database', id: null, problem: describeDamageError(error) });
    }
    checks.push({ name, description, problems });
  }
  const { lastId, lastHash } = await readAuditTail(db);
  const notice = await readAnchorNotice(db).catch((error: unknown) => {
    describeDamageError(error); // the problem was reported above
    return undefined;
  });
  return {
    ok: checks.every(({ problems }) => problems.length === 0),
    checks,
    /** the trail's length and end: stored elsewhere, they expose a trail that was forged from end to end */
    audit: { entries: lastId, lastHash },
    /** messages other than broken rules, such as about an anchor that could not be stored */
    notices: notice === undefined ? [] : [notice],
  };
}

const CHECKS: readonly CheckDefinition[] = [
  { name: 'file', description: 'El archivo de la base de datos está sano', find: findDamage },
  {
    name: 'schema',
    description: 'Las tablas, índices y disparadores son los de esta versión',
    find: findSchemaFaults,
  },
  ...INVARIANTS.map((invariant) => ({
    ...invariant,
    find: (db: Db, report: ReportProgress) => findViolations(db, invariant, report),
  })),
  {
    name: 'due-day',
    description:
      'El vencimiento de cada factura es el suyo, o el que dan los días de crédito de su proveedor',
    find: (db, report) => findViolations(db, createDueDayRule(db), report),
  },
  {
    name: 'day-sums',
    description: 'Las sumas por día son las de sus facturas y pagos',
    find: findWrongDaySums,
  },
  {
    name: 'payments-without-receipt',
    description: 'Los pagos que esperan REP son los que ninguno cubre',
    find: findWrongPaymentsWithoutReceipt,
  },
  ...UNIQUE_VALUES.map((unique) => ({ ...unique, find: (db: Db) => findDuplicates(db, unique) })),
  {
    name: 'references',
    description: 'Todo registro al que otro se refiere existe',
    find: findDanglingReferences,
  },
  { name: 'folds', description: 'Los textos de búsqueda corresponden a los textos', find: findMisfoldedRows },
  {
    name: 'search',
    description: 'Los índices de búsqueda están al día',
    find: async function* (db) {
      for (const column of INDEXED_COLUMNS) yield* await findUnsearchableRows(db, column);
    },
  },
  {
    name: 'administrator',
    description: 'Hay al menos un administrador activo',
    find: findMissingAdministrator,
  },
  {
    name: 'audit',
    description: 'La bitácora es una cadena sin cambios ni huecos',
    find: async function* (db, report) {
      for await (const fault of findAuditFaults(db, (id, lastId) => report(id / lastId)))
        yield { table: 'audit', ...fault };
    },
  },
];

async function* findViolations(db: Db, rule: Rule, report: ReportProgress): AsyncGenerator<Fault> {
  const { table, brokenWhen, computedValues = {}, problem } = rule;
  const computedColumns = Object.entries(computedValues).map(
    ([name, value]) => sql`, ${value} as ${sql.ref(name)}`,
  );
  for await (const isInPart of splitIntoIdRanges(db, table, ROWS_PER_PART, report)) {
    const { rows } = await sql<ViolatingRow & { id: number }>`
      select *${sql.join(computedColumns, sql``)} from ${sql.table(table)} where ${isInPart} and (${brokenWhen}) order by id`.execute(
      db,
    );
    for (const row of rows) yield { table, id: row.id, problem: problem(row) };
  }
}

async function findDuplicates(db: Db, { table, value }: (typeof UNIQUE_VALUES)[number]): Promise<Fault[]> {
  const { rows } = await sql<{ id: number; value: string; first: number }>`
    with numbered as (select id, ${value} as value, min(id) over (partition by ${value}) as first
      from ${sql.table(table)} where ${value} is not null)
    select id, value, first from numbered where id <> first order by id`.execute(db);
  return rows.map((row) => ({ table, id: row.id, problem: `comparte ${row.value} con ${row.first}` }));
}

async function* findDanglingReferences(db: Db, report: ReportProgress): AsyncGenerator<Fault> {
  const tables = await readTableDefinitions(db);
  for (const [index, { name: table, columns, keyColumns, references }] of tables.entries()) {
    report(index / tables.length);
    // A row without an id is reported under its owner's id.
    const isReferenceColumn = (part: string) => references.some(({ column }) => column === part);
    const id = columns.some(({ name }) => name === 'id')
      ? 'id'
      : (keyColumns.find(isReferenceColumn) ?? references[0]?.column);
    for (const { column, target, to } of references) {
      const { rows } = await sql<{ id: number; value: number }>`
        select ${sql.ref(`t.${id}`)} as id, ${sql.ref(`t.${column}`)} as value from ${sql.table(table)} t
        where ${sql.ref(`t.${column}`)} is not null
          and not exists (select 1 from ${sql.table(target)} r where ${sql.ref(`r.${to}`)} = ${sql.ref(`t.${column}`)})
        order by 1`.execute(db);
      for (const row of rows)
        yield { table, id: row.id, problem: `${column} ${row.value} no existe en ${target}` };
    }
  }
}

interface FoldedColumn {
  table: keyof Schema;
  text: string;
  stored: string;
  make(text: string): string;
}

const FOLDED_COLUMNS: readonly FoldedColumn[] = [
  ...SEARCHED_COLUMNS.map((stored) => ({ ...SEARCH_INDEXES[stored], stored, make: fold })),
  { table: 'invoices', text: 'numfactura', stored: 'numfacturaKey', make: documentNumberKey },
  { table: 'credit_notes', text: 'numero', stored: 'numeroKey', make: documentNumberKey },
  ...catalogs.flatMap((catalog) =>
    catalog.fields.flatMap(({ name, foldedColumn: stored }) =>
      stored ? [{ table: tableNameOf(catalog), text: name, stored, make: fold }] : [],
    ),
  ),
];

async function* findMisfoldedRows(db: Db, report: ReportProgress): AsyncGenerator<Fault> {
  for (const [index, { table, text, stored, make }] of FOLDED_COLUMNS.entries()) {
    const reportPart: ReportProgress = (fraction) => report((index + fraction) / FOLDED_COLUMNS.length);
    for await (const isInPart of splitIntoIdRanges(db, table, TEXT_ROWS_PER_PART, reportPart)) {
      const { rows } = await sql<{ id: number; text: string; stored: string }>`
        select id, ${sql.ref(text)} as text, ${sql.ref(stored)} as stored from ${sql.table(table)}
        where ${isInPart} order by id`.execute(db);
      for (const row of rows) {
        if (row.stored === make(row.text)) continue;
        yield { table, id: row.id, problem: `${stored} («${row.stored}») no corresponde a «${row.text}»` };
      }
    }
  }
}

async function findMissingAdministrator(db: Db): Promise<Fault[]> {
  // Before the first start there are no users but the command line's own, which cannot sign in.
  const users = db.selectFrom('users').select('id').where('username', '<>', CLI_USERNAME).limit(1);
  if ((await hasAdministrator(db)) || !(await users.executeTakeFirst())) return [];
  return [{ table: 'users', id: null, problem: 'no hay ningún administrador activo' }];
}

async function* splitIntoIdRanges(db: Db, table: keyof Schema, size: number, report: ReportProgress) {
  const name = sql.table(table);
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const { rows } = await sql<{ first: number | null; last: number }>`
      select min(id) as first, (select max(id) from ${name}) as last from ${name} where id > ${after}`.execute(
      db,
    );
    const { first, last } = rows[0]!;
    if (first === null) return;
    after = first + size - 1;
    yield sql`id between ${first} and ${after}`;
    report(Math.max(0, Math.min(1, after / last)));
  }
}
