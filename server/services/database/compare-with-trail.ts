import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Fault } from '../../../db/integrity.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { inSnapshot } from '../../../db/transaction.ts';
import { formatMoney } from '../../../shared/money.ts';
import { CLI_USERNAME } from '../../../shared/users.ts';
import { REPLAYED_ENTITIES, type ReplayedTable } from '../audit/replay-definitions.ts';
import { type EntityState, readEntityStates, type StoredRow } from '../audit/stored-rows.ts';
import type { CheckDefinition, ReportProgress } from './check-rules.ts';
import { type EntityDefinition, isIdWithin, type RecordedRow, ReplayTrail } from './replay-trail.ts';

export const DEEP_CHECKS: readonly CheckDefinition[] = [
  {
    name: 'files',
    description: 'Los archivos guardados son los que se guardaron',
    find: findAlteredFiles,
  },
  {
    name: 'replay',
    description: 'Cada registro es lo que la bitácora dice que es',
    find: findTrailDifferences,
  },
];

async function* findAlteredFiles(db: Db, report: ReportProgress): AsyncGenerator<Fault> {
  for (let after = ''; ; ) {
    const file = await db
      .selectFrom('files')
      .select(['sha256', 'size', 'bytes'])
      .where('sha256', '>', after)
      .orderBy('sha256')
      .limit(1)
      .executeTakeFirst();
    if (!file) return;
    const { sha256, size, bytes } = file;
    if (createHash('sha256').update(bytes).digest('hex') !== sha256 || bytes.length !== size)
      yield { table: 'files', id: sha256, problem: 'sus bytes no son los que se guardaron' };
    after = sha256;
    report(Number.parseInt(sha256.slice(0, 4), 16) / 0xffff);
  }
}

const PAGE_SIZE = 1000;

export async function* findTrailDifferences(db: Db, onProgress: ReportProgress): AsyncGenerator<Fault> {
  const faults: Fault[] = [];
  const failed = await inSnapshot(db, (snapshot) => compareAllEntities(snapshot, faults, onProgress)).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  yield* faults;
  if (failed) throw failed.error;
}

async function compareAllEntities(db: Db, faults: Fault[], report: ReportProgress): Promise<void> {
  const trail = new ReplayTrail(db);
  await trail.readArchiveIndex();
  for (const [index, entity] of REPLAYED_ENTITIES.entries()) {
    const missingIds = await trail.findMissingIds(entity);
    for await (const { rows, above, to, fraction } of readIdPages(db, entity)) {
      const listed = await trail.readArchivedRows(entity, above, to);
      const missingInRange = missingIds.filter((id) => isIdWithin(id, above, to));
      const all = [...new Set([...rows, ...listed.keys(), ...missingInRange])];
      // Where all rows of a list are missing, the last page has all of their ids.
      for (let from = 0; from < all.length; from += PAGE_SIZE) {
        const ids = all.slice(from, from + PAGE_SIZE);
        faults.push(...(await compareRowsWithTrail(db, trail, entity, { ids, listed })));
      }
      report((index + fraction) / REPLAYED_ENTITIES.length);
    }
  }
  for (const [partId, entryId] of trail.entryIdByBrokenPart)
    faults.push({
      table: 'audit',
      id: entryId,
      problem: `los registros que guardó (parte ${partId}) cambiaron o faltan`,
    });
}

/** Yields the ids of an entity's rows in pages, each with its range. Text ids are few and come in one page. */
async function* readIdPages(db: Db, { tables: [{ table, key }], hasTextIds }: EntityDefinition) {
  const id = sql.ref(String(key));
  const name = sql.table(table);
  for (let above = Number.MIN_SAFE_INTEGER, to = above; to < Number.MAX_SAFE_INTEGER; above = to) {
    const page = hasTextIds ? sql`` : sql`where ${id} > ${above} order by ${id} limit ${PAGE_SIZE}`;
    const { rows } = await sql<{ id: number | string; last: number }>`
      select ${id} as id, (select max(${id}) from ${name}) as last from ${name} ${page}`.execute(db);
    const isEnd = hasTextIds || rows.length < PAGE_SIZE;
    const last = rows.at(-1);
    to = isEnd ? Number.MAX_SAFE_INTEGER : Number(last!.id);
    yield { rows: rows.map((row) => String(row.id)), above, to, fraction: isEnd ? 1 : to / last!.last };
  }
}

async function compareRowsWithTrail(
  db: Db,
  trail: ReplayTrail,
  entity: EntityDefinition,
  { ids, listed }: { ids: readonly string[]; listed: ReadonlyMap<string, RecordedRow> },
): Promise<Fault[]> {
  const last = await trail.readLastStates(entity, ids);
  const states = await readEntityStates(db, entity, entity.hasTextIds ? ids : ids.map(Number));
  const faults: Fault[] = [];
  for (const id of ids) {
    const recorded = findNewestRow([last.get(id), listed.get(id), trail.findEmptyingEntry(entity)]);
    const state = states.get(id);
    if (!recorded) {
      if (state && !isCliUser(entity, state))
        faults.push(toFault(entity, id, 'la bitácora no dice que alguien lo capturara'));
      continue;
    }
    if (await wasDeletedWithOwner(db, entity, recorded, state)) continue;
    for (const problem of findDifferences(entity, recorded, state ?? null))
      faults.push(toFault(entity, id, problem));
  }
  return faults;
}

const toFault = ({ tables }: EntityDefinition, id: string, problem: string): Fault => ({
  table: tables[0].table,
  id: /^\d+$/.test(id) ? Number(id) : id,
  problem,
});

const findNewestRow = (recordedRows: readonly (RecordedRow | undefined)[]): RecordedRow | undefined =>
  recordedRows
    .filter((one) => one !== undefined)
    .sort((a, b) => a.entryId - b.entryId)
    .at(-1);

/** The command line's own user is created on first use; it has neither password nor role, and no audit entry. */
function isCliUser(
  { entity }: EntityDefinition,
  { users, user_roles: roles, accounts }: EntityState,
): boolean {
  return (
    entity === 'users' &&
    users?.[0]?.username === CLI_USERNAME &&
    users[0].active === 0 &&
    !roles &&
    !accounts
  );
}

async function wasDeletedWithOwner(
  db: Db,
  { ownerReferences, tables: [first] }: EntityDefinition,
  { state }: RecordedRow,
  found: EntityState | undefined,
): Promise<boolean> {
  const row = found ? undefined : state?.[first.table]?.[0];
  if (!row) return false;
  for (const { table, column } of ownerReferences ?? []) {
    const owner = row[column];
    if (!owner) continue;
    const { rows } = await sql`select 1 from ${sql.table(table)} where id = ${owner}`.execute(db);
    return rows.length === 0;
  }
  return false;
}

function findDifferences(
  { tables }: EntityDefinition,
  { entryId, state: recorded }: RecordedRow,
  found: EntityState | null,
): string[] {
  const [first] = tables;
  const [isRecorded, isFound] = [recorded, found].map((state) => Boolean(state?.[first.table]?.length));
  if (isRecorded && !isFound) return [`falta: el asiento ${entryId} dice que está`];
  if (isFound && !isRecorded) return [`está, y el asiento ${entryId} dice que se eliminó`];
  return tables.flatMap((table) => {
    const before = rowsByKey(table.table, recorded);
    const now = rowsByKey(table.table, found);
    return [...new Set([...before.keys(), ...now.keys()])].flatMap((key) => {
      const where =
        table === first ? '' : `${[table.table.replaceAll('_', '-'), key].filter(Boolean).join(' ')}: `;
      const [recordedRow, row] = [before.get(key), now.get(key)];
      if (!row) return [`${where}falta: el asiento ${entryId} dice que está`];
      if (!recordedRow) return [`${where}está de más: el asiento ${entryId} no lo tiene`];
      return findColumnDifferences(table, recordedRow, row).map(
        ([column, current, stated]) =>
          `${where}${column} es ${current}; el asiento ${entryId} dice ${stated}`,
      );
    });
  });
}

const rowsByKey = (table: keyof Schema, state: EntityState | null): Map<string, StoredRow> =>
  new Map(
    (state?.[table] ?? []).map((row) => [
      table === 'user_roles' ? `rol ${row.roleId}` : String(row.id ?? row.userId ?? row.key ?? ''),
      row,
    ]),
  );

type ColumnDifference = [column: string, current: string, stated: string];

function findColumnDifferences(
  { secretColumns = [] }: ReplayedTable,
  recorded: StoredRow,
  found: StoredRow,
): ColumnDifference[] {
  return Object.entries(found).flatMap(([column, value]): ColumnDifference[] => {
    const recordedRow = recorded[column];
    // A column that the entry does not have was added to the table later, empty at first.
    if (recordedRow === value || (recordedRow === undefined && isEmptyValue(value))) return [];
    if (secretColumns.includes(column)) return [[column, 'otra', 'otra cosa']];
    return [
      [
        column,
        formatValueExcerpt(column, value, recordedRow ?? null),
        formatValueExcerpt(column, recordedRow ?? null, value),
      ],
    ];
  });
}

const isEmptyValue = (value: StoredRow[string]): boolean => value === null || value === '' || value === 0;

/** Shows the part of a long text where it begins to differ from the other. */
function formatValueExcerpt(column: string, value: StoredRow[string], other: StoredRow[string]): string {
  if (value === null) return 'nada';
  if (column.endsWith('Cents') && Number.isSafeInteger(value)) return formatMoney(Number(value));
  if (typeof value === 'number') return String(value);
  if (value.length <= EXCERPT_LENGTH) return `«${value}»`;
  const otherText = String(other ?? '');
  let at = 0;
  while (at < value.length && value[at] === otherText[at]) at++;
  const from = Math.max(0, at - EXCERPT_LENGTH / 3);
  const to = from + EXCERPT_LENGTH;
  return `«${from > 0 ? '…' : ''}${value.slice(from, to)}${to < value.length ? '…' : ''}»`;
}

const EXCERPT_LENGTH = 60;
