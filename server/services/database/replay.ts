import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Fault } from '../../../db/integrity.ts';
import type { Db } from '../../../db/schema.ts';
import { inSnapshot } from '../../../db/transaction.ts';
import { CLI_USERNAME } from '../../../shared/users.ts';
import { REPLAYED_ENTITIES, type Replayed, type ReplayedEntity } from '../audit/replayed.ts';
import { readStates, type StoredState } from '../audit/stored-rows.ts';
import type { Check, Report } from './check-rules.ts';
import { differencesBetween } from './replay-differences.ts';
import type { ReplayTrail, Told } from './replay-trail.ts';

/** Beyond the rules a deep check asks whether everything is what was once stored. */
export const deepChecks = (trail: ReplayTrail): Check[] => [
  {
    name: 'files',
    description: 'Los archivos guardados son los que se guardaron',
    find: findOtherFiles,
  },
  {
    name: 'replay',
    description: 'Cada registro es lo que la bitácora dice que es',
    find: (db, report) => findUnlikeTrail(db, trail, report),
  },
];

/** Files are stored under the SHA-256 of their bytes. */
async function* findOtherFiles(db: Db, report: Report): AsyncGenerator<Fault> {
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

/** Rows that are compared at one moment; others may write between two of them. */
const PAGE = 1000;

type Entity = Replayed & { entity: ReplayedEntity };

/**
 * Every row that is not as the audit trail says it was left: replayed entry by entry, each row's last one counts.
 * @param report told how far it is, from 0 to 1
 */
export async function* findUnlikeTrail(db: Db, trail: ReplayTrail, report: Report): AsyncGenerator<Fault> {
  await trail.refresh(db);
  for (const [index, entity] of REPLAYED_ENTITIES.entries()) {
    const own = (fraction: number) => report((index + fraction) / REPLAYED_ENTITIES.length);
    yield* entity.named ? compareAll(db, trail, entity) : comparePages(db, trail, entity, own);
    yield* compareMissing(db, trail, entity);
  }
  for (const [entryId, [partId]] of trail.broken)
    yield {
      table: 'audit',
      id: entryId,
      problem: `los registros que guardó (parte ${partId}) cambiaron o faltan`,
    };
}

/** Compares rows as they are at one moment; others may write between two of them. */
const compareSome = (
  db: Db,
  trail: ReplayTrail,
  entity: Entity,
  pick: (snapshot: Db) => Promise<{ ids: Iterable<string>; listed?: ReadonlyMap<string, Told> }>,
): Promise<Fault[]> =>
  inSnapshot(db, async (snapshot) => {
    await trail.refresh(snapshot);
    const { ids, listed = new Map() } = await pick(snapshot);
    return compare(snapshot, trail, entity, { ids: [...ids], listed });
  });

/** Few rows, under texts. */
async function* compareAll(db: Db, trail: ReplayTrail, entity: Entity): AsyncGenerator<Fault> {
  const [{ table, key }] = entity.tables;
  yield* await compareSome(db, trail, entity, async (snapshot) => {
    const { rows } = await sql<{ id: string }>`select ${sql.ref(String(key))} as id
      from ${sql.table(table)}`.execute(snapshot);
    const listed = await trail.listed(snapshot, entity.entity, 'all');
    return { ids: new Set([...rows.map(({ id }) => id), ...listed.keys()].sort()), listed };
  });
}

/** All rows by their ids, and those that entries about many have left there. */
async function* comparePages(
  db: Db,
  trail: ReplayTrail,
  entity: Entity,
  report: (fraction: number) => void,
): AsyncGenerator<Fault> {
  const [{ table }] = entity.tables;
  const { rows } = await sql<{ last: number | null }>`select max(id) as last
    from ${sql.table(table)}`.execute(db);
  const last = rows[0]?.last ?? 0; // what is added meanwhile is for the next time
  for (let above = Number.MIN_SAFE_INTEGER, isEnd = false; !isEnd; report(above / (last || 1))) {
    yield* await compareSome(db, trail, entity, async (snapshot) => {
      const { rows: page } = await sql<{ id: number }>`select id from ${sql.table(table)}
        where id > ${above} and id <= ${last} order by id limit ${PAGE}`.execute(snapshot);
      isEnd = page.length < PAGE;
      const to = isEnd ? last : page.at(-1)!.id;
      const listed = await trail.listed(snapshot, entity.entity, { above, to });
      above = to;
      return { ids: new Set([...page.map(({ id }) => String(id)), ...listed.keys()]), listed };
    });
  }
  // Beyond the last row there may be some that are gone.
  yield* (
    await compareSome(db, trail, entity, async (snapshot) => {
      const beyond = { above: last, to: Number.MAX_SAFE_INTEGER };
      const listed = await trail.listed(snapshot, entity.entity, beyond);
      return { ids: listed.keys(), listed };
    })
  ).filter(({ id }) => Number(id) > last);
}

/** Rows that entries of their own speak of, and that are not there. */
async function* compareMissing(db: Db, trail: ReplayTrail, entity: Entity): AsyncGenerator<Fault> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    yield* await compareSome(db, trail, entity, async (snapshot) => {
      const ids = await trail.missing(snapshot, entity.entity, after!, PAGE);
      after = ids.length < PAGE ? undefined : ids.at(-1)!;
      return { ids };
    });
  }
}

async function compare(
  db: Db,
  trail: ReplayTrail,
  entity: Entity,
  { ids, listed }: { ids: readonly string[]; listed: ReadonlyMap<string, Told> },
): Promise<Fault[]> {
  if (ids.length === 0) return [];
  const own = await trail.ownOf(db, entity.entity, ids);
  const states = await readStates(db, entity, entity.named ? ids : ids.map(Number));
  const faults: Fault[] = [];
  for (const id of ids) {
    const told = newest(own.get(id), listed.get(id), trail.emptiedAt(entity.entity));
    const state = states.get(id);
    if (!told) {
      if (state && !isSystemUser(entity, state))
        faults.push(fault(entity, id, 'la bitácora no dice que alguien lo capturara'));
      continue;
    }
    if (await wentWithOwner(db, entity, told, state)) continue;
    for (const problem of differencesBetween(entity, told, state ?? null))
      faults.push(fault(entity, id, problem));
  }
  return faults;
}

const fault = ({ tables }: Entity, id: string, problem: string): Fault => ({
  table: tables[0].table,
  id: /^\d+$/.test(id) ? Number(id) : id,
  problem,
});

function newest(own: Told | undefined, listed: Told | undefined, emptiedAt: number): Told | undefined {
  const emptied = emptiedAt > 0 ? { entryId: emptiedAt, state: null } : undefined;
  return [own, listed, emptied]
    .filter((told) => told !== undefined)
    .sort((a, b) => a.entryId - b.entryId)
    .at(-1);
}

/** The command line's own user is made when it is first needed; it has neither password nor role, and no entry. */
function isSystemUser({ entity }: Entity, { users, user_roles: roles, accounts }: StoredState): boolean {
  return (
    entity === 'users' &&
    users?.[0]?.username === CLI_USERNAME &&
    users[0].active === 0 &&
    !roles &&
    !accounts
  );
}

/** It went with the row that it belongs to, whose own entry says so. */
async function wentWithOwner(
  db: Db,
  { goesWith, tables: [first] }: Entity,
  { state }: Told,
  found: StoredState | undefined,
): Promise<boolean> {
  const row = found ? undefined : state?.[first.table]?.[0];
  if (!row) return false;
  for (const { table, column } of goesWith ?? []) {
    const owner = row[column];
    if (!owner) continue;
    const { rows } = await sql`select 1 from ${sql.table(table)} where id = ${owner}`.execute(db);
    return rows.length === 0;
  }
  return false;
}
