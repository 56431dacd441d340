import { createHash } from 'node:crypto';
import { insertRows } from '../../../db/bulk.ts';
import { compileQueryOnce } from '../../../db/compile-once.ts';
import { forUpdate } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { AuditTable } from '../../../db/tables/audit.ts';
import { addCommitStep } from '../../../db/transaction.ts';
import { type Instant, type PlainDate, plainDateIn } from '../../../shared/dates.ts';
import { countRowsCreatedByEntry } from './created-counts.ts';
import {
  type AffectedIdsOrArchivedParts,
  archiveAffectedRows,
  serializeEntryRows,
} from './stored-entries.ts';
import { writeTrailMark } from './trail-mark.ts';

export interface Actor {
  userId: number;
  username: string;
  roles: readonly number[];
  origin: 'page' | 'api' | 'cli' | 'system';
  /** the moment of the request, and its day in the business's time zone */
  at: Instant;
  today: PlainDate;
  osUser?: string;
  /** the user's reason; required to override a closed period, a budget, or a batch that is at the bank */
  motivo?: string;
  overriddenRules?: Set<OverridableRule>;
  /** set for imports: they may not change a closed period, whoever runs them */
  isImport?: true;
}

export function createSystemActor({ timeZone }: { timeZone: string }, now = new Date()): Actor {
  return {
    userId: 0,
    username: 'sistema',
    roles: [],
    origin: 'system',
    at: now.toISOString(),
    today: plainDateIn(now, timeZone),
  };
}

export type OverridableRule = 'cierre' | 'presupuesto' | 'programacion';

export interface CreationStamp extends Pick<Actor, 'userId' | 'at'> {
  importId: number | null;
}

export interface AuditInput {
  action:
    | 'create'
    | 'update'
    | 'delete'
    | 'restore'
    | 'import'
    | 'password'
    | 'second-factor'
    | 'sign'
    | 'backup'
    | 'download'
    | 'missing';
  entity: string;
  entityId?: number | string;
  before?: object;
  after?: object;
  /** rows of other entities that this change created, changed or deleted, and that have no entry of their own */
  affected?: AffectedIdsOrArchivedParts;
}

type PendingEntry = { actor: Actor; note: AuditInput };
const pendingByTransaction = new WeakMap<Trx, PendingEntry[]>();

/** Every writer has to lock the tail of the chain, so entries are written last, right before the commit. */
export function queueAuditEntry(trx: Trx, actor: Actor, input: AuditInput): void {
  const entries = pendingByTransaction.get(trx);
  if (entries) {
    entries.push({ actor, note: input });
    return;
  }
  const first = [{ actor, note: input }];
  pendingByTransaction.set(trx, first);
  addCommitStep(trx, async () => {
    const { lastId, lastHash } = await appendEntries(trx, first);
    return () => {
      for (const { note } of first) countRowsCreatedByEntry(note);
      writeTrailMark(trx, { at: actor.at, entries: lastId, hash: lastHash });
    };
  });
}

export const getPendingEntries = (db: Db): readonly PendingEntry[] =>
  pendingByTransaction.get(db as Trx) ?? [];

function hashAuditEntry(entry: Omit<AuditTable, 'hash'>): string {
  const content = JSON.stringify([
    entry.prevHash,
    entry.id,
    entry.at,
    entry.userId,
    entry.username,
    entry.origin,
    entry.action,
    entry.entity,
    entry.entityId,
    entry.before,
    entry.after,
    ...(entry.stored === null ? [] : [entry.stored]),
  ]);
  return createHash('sha256').update(content).digest('hex');
}

const CHECK_PAGE_SIZE = 2000;

export interface AuditFault {
  id: number;
  problem: string;
}

/** Full control of the database is enough to forge the whole chain. Only an anchor stored elsewhere reveals that. */
export async function* findAuditFaults(
  db: Db,
  onVerified: (id: number, lastId: number) => void = () => {},
): AsyncGenerator<AuditFault> {
  const tail = await readAuditTail(db);
  let last = { id: 0, hash: '' };
  while (last.id < tail.lastId) {
    const page = await db
      .selectFrom('audit')
      .selectAll()
      .where('id', '>', last.id)
      .where('id', '<=', tail.lastId) // later entries are left to the next check
      .orderBy('id')
      .limit(CHECK_PAGE_SIZE)
      .execute();
    if (page.length === 0) {
      yield { id: last.id + 1, problem: 'falta' };
      return;
    }
    for (const entry of page) {
      if (entry.id !== last.id + 1) yield { id: last.id + 1, problem: 'falta' };
      else if (entry.prevHash !== last.hash) yield { id: entry.id, problem: 'no sigue a la anterior' };
      if (entry.hash !== hashAuditEntry(entry)) yield { id: entry.id, problem: 'su contenido cambió' };
      last = { id: entry.id, hash: entry.hash };
      onVerified(last.id, tail.lastId);
    }
  }
  if (last.hash !== tail.lastHash) yield { id: last.id, problem: 'no es la última que se escribió' };
  const { highestId, lastId } = await readHighestAndLastId(db);
  if (highestId !== null && highestId !== lastId)
    yield { id: highestId, problem: 'no la escribió la aplicación' };
}

export const readAuditTail = (db: Db): Promise<{ lastId: number; lastHash: string }> =>
  db.selectFrom('audit_tail').select(['lastId', 'lastHash']).executeTakeFirstOrThrow();

const readHighestAndLastId = (db: Db): Promise<{ highestId: number | null; lastId: number }> =>
  db
    .selectFrom('audit_tail')
    .select('lastId')
    .select((eb) => eb.selectFrom('audit').select(eb.fn.max('id').as('id')).as('highestId'))
    .executeTakeFirstOrThrow();

async function appendEntries(
  trx: Trx,
  entries: PendingEntry[],
): Promise<{ lastId: number; lastHash: string }> {
  const notes = entries.map(({ note }) => note);
  // The rows are archived before the tail is locked, so that other transactions do not wait for the archiving. Nobody
  // can change the rows meanwhile, because this transaction has locked them.
  const lists = await archiveAffectedRows(trx, notes);
  const [tail] = await lockAndReadTail(trx);
  let { lastId, lastHash } = tail!;
  // The rows are read under the lock, so that the later of two entries about one row has the result of both changes.
  const stored = await serializeEntryRows(trx, notes, lists);
  const rows: AuditTable[] = [];
  for (const [index, { actor, note }] of entries.entries()) {
    const content = { ...buildEntry(actor, note), stored: stored[index]! };
    const entry = { id: lastId + 1, ...content, prevHash: lastHash };
    const row: AuditTable = { ...entry, hash: hashAuditEntry(entry) };
    rows.push(row);
    lastId = row.id;
    lastHash = row.hash;
  }
  await insertRows(trx, 'audit', rows);
  await updateTail(trx, lastId, lastHash);
  return { lastId, lastHash };
}

const lockAndReadTail = compileQueryOnce((db) =>
  db.selectFrom('audit_tail').select(['lastId', 'lastHash']).where('id', '=', 1).modifyEnd(forUpdate(db)),
);

const updateTail = compileQueryOnce((db, lastId: number, lastHash: string) =>
  db.updateTable('audit_tail').set({ lastId, lastHash }).where('id', '=', 1),
);

function buildEntry(actor: Actor, note: AuditInput) {
  const { motivo, overriddenRules } = actor;
  const justification = { motivo, ...(overriddenRules?.size && { permite: [...overriddenRules].sort() }) };
  const after = motivo ? { ...note.after, ...justification } : note.after;
  return {
    at: actor.at,
    userId: actor.userId || null,
    username: actor.username,
    origin: actor.osUser ? `${actor.origin}:${actor.osUser}` : actor.origin,
    action: note.action,
    entity: note.entity,
    entityId: note.entityId === undefined ? null : String(note.entityId),
    before: note.before ? JSON.stringify(note.before) : null,
    after: after ? JSON.stringify(after) : null,
  };
}
