import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Insertable, type Selectable, sql } from 'kysely';
import { insertRows, valuesTable } from '../../../db/bulk.ts';
import { isOneOfTexts, lockAdvisoryKey } from '../../../db/expressions.ts';
import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { readIsolated } from '../../formats/reading/isolated-reader.ts';
import {
  badMetadataError,
  MAX_METADATA_MB,
  type MetadataRow,
  type MetadataSummary,
} from '../../formats/sat/metadata.ts';
import { requireArea } from '../area-access.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { toSafeFilename } from '../files.ts';
import { fiscalTexts as texts } from './texts.ts';

export interface MetadataOutcome {
  id: number;
  /** the number of documents in the file */
  filas: number;
  nuevos: number;
  /** the number of known documents that the file changes */
  cambiados: number;
  /** captured documents that this file is the first to report as cancelled */
  cancelados: number;
  warnings: string[];
}

type SatDocumentRow = Selectable<Schema['sat_documents']>;

const MAX_READING_SECONDS = 20;

/** Other writers wait for one transaction at most, some 20 ms. */
const ROWS_PER_TRANSACTION = 1000;

/** @throws DomainError forbidden, invalid bad_metadata, too-large, busy */
export async function importMetadata(
  db: Db,
  actor: Actor,
  { filename, bytes }: { filename: string; bytes: Uint8Array },
  { signal, maxSeconds = MAX_READING_SECONDS }: { signal?: AbortSignal; maxSeconds?: number } = {},
): Promise<MetadataOutcome> {
  requireArea(actor, 'fiscal');
  if (bytes.length > MAX_METADATA_MB * 1024 * 1024)
    throw new DomainError('too-large', `El archivo pasa de ${MAX_METADATA_MB} MB.`);
  const name = toSafeFilename(filename);
  const read = await readIsolated(
    'metadata',
    { name, bytes },
    { userId: actor.userId, signal, seconds: maxSeconds },
  );
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return storeMetadata(db, actor, { filename: name, sha256 }, read);
}

/**
 * Files may be imported in any order. Each document keeps the latest day on which a file lists it as valid, and the
 * earliest on which a file lists it as cancelled. Another file never undoes a cancellation. An interrupted import is
 * finished by importing the file again.
 */
export async function storeMetadata(
  db: Db,
  actor: Actor,
  file: { filename: string; sha256: string },
  metadata: MetadataSummary & { rows: readonly MetadataRow[] },
): Promise<MetadataOutcome> {
  const { rows, contradicting } = mergeRowsByUuid(metadata.rows);
  if (metadata.latestDay === null) throw badMetadataError(texts.noDocuments);
  const visto = metadata.latestDay < actor.today ? metadata.latestDay : actor.today;
  const days = rows.map(({ fecha }) => fecha).sort();
  const load = { ...file, filas: rows.length, desde: days[0]!, hasta: days.at(-1)!, visto };
  const id = await beginImport(db, actor, load);
  const counts = { nuevos: 0, cambiados: 0, cancelados: 0 };
  for (let at = 0; at < rows.length; at += ROWS_PER_TRANSACTION) {
    const part = rows.slice(at, at + ROWS_PER_TRANSACTION);
    const stored = await inTransaction(db, (trx) => storeMetadataRows(trx, part, visto));
    contradicting.push(...stored.contradicting);
    for (const name of ['nuevos', 'cambiados', 'cancelados'] as const) counts[name] += stored[name];
    await setImmediate();
  }
  const after = { archivo: file.filename, sha256: file.sha256, visto, filas: rows.length, ...counts };
  await inTransaction(db, async (trx) => {
    await trx.updateTable('sat_loads').set({ finishedAt: actor.at }).where('id', '=', id).execute();
    queueAuditEntry(trx, actor, { action: 'import', entity: 'sat-documents', entityId: id, after });
  });
  const { problems, problemCount } = metadata;
  const warnings = [
    ...(problemCount > 0 ? [texts.rowsNotRead(problemCount, problems)] : []),
    ...(contradicting.length > 0 ? [texts.contradicting(contradicting)] : []),
  ];
  return { id, filas: rows.length, ...counts, warnings };
}

async function beginImport(
  db: Db,
  actor: Actor,
  load: Pick<Insertable<Schema['sat_loads']>, 'filename' | 'sha256' | 'filas' | 'desde' | 'hasta' | 'visto'>,
): Promise<number> {
  return inTransaction(db, async (trx) => {
    await lockAdvisoryKey(trx, LOCK_KEY);
    const same = await trx
      .selectFrom('sat_loads')
      .select('id')
      .where('sha256', '=', load.sha256)
      .executeTakeFirst();
    if (same) return same.id;
    const { id } = await trx
      .insertInto('sat_loads')
      .values({ ...load, userId: actor.userId || null, createdAt: actor.at, finishedAt: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

const LOCK_KEY = 'sat:metadata';

/** A file may list a document twice, for example if it was cancelled while the SAT wrote the file. */
function mergeRowsByUuid(rows: readonly MetadataRow[]): { rows: MetadataRow[]; contradicting: string[] } {
  const merged = new Map<string, MetadataRow>();
  const contradicting: string[] = [];
  for (const row of rows) {
    const first = merged.get(row.uuid);
    if (!first) merged.set(row.uuid, row);
    else if (!isSameDocument(first, row)) contradicting.push(row.uuid);
    else if (row.isCancelled && (!first.isCancelled || first.fechaCancelacion === null))
      merged.set(row.uuid, row);
  }
  return { rows: [...merged.values()], contradicting };
}

const IMMUTABLE_COLUMNS = ['rfcEmisor', 'rfcReceptor', 'fecha', 'montoCents', 'efecto'] as const;

/** Stamped values never change. A row with a known UUID and other values is left out with a warning. */
const isSameDocument = (
  one: Pick<SatDocumentRow, (typeof IMMUTABLE_COLUMNS)[number]>,
  other: Pick<SatDocumentRow, (typeof IMMUTABLE_COLUMNS)[number]>,
): boolean => IMMUTABLE_COLUMNS.every((name) => one[name] === other[name]);

async function storeMetadataRows(trx: Trx, rows: readonly MetadataRow[], visto: PlainDate) {
  await lockAdvisoryKey(trx, LOCK_KEY);
  const known = await trx
    .selectFrom('sat_documents')
    .selectAll()
    .where(
      isOneOfTexts(
        trx,
        'uuid',
        rows.map(({ uuid }) => uuid),
      ),
    )
    .execute();
  const knownByUuid = new Map(known.map((row) => [row.uuid, row]));
  const added: SatDocumentRow[] = [];
  const changed: SatDocumentRow[] = [];
  const contradicting: string[] = [];
  const newlyCancelled: string[] = [];
  for (const row of rows) {
    const before = knownByUuid.get(row.uuid);
    if (before && !isSameDocument(before, row)) {
      contradicting.push(row.uuid);
      continue;
    }
    const after = recordSeenStatus(before, row, visto);
    if (after.canceladoVisto && !before?.canceladoVisto) newlyCancelled.push(row.uuid);
    if (!before) added.push(after);
    else if (SEEN_STATUS_COLUMNS.some((name) => after[name] !== before[name])) changed.push(after);
  }
  await insertRows(trx, 'sat_documents', added);
  await updateSeenStatuses(trx, changed);
  const cancelados = await countStoredDocuments(trx, newlyCancelled);
  return { nuevos: added.length, cambiados: changed.length, cancelados, contradicting };
}

const SEEN_STATUS_COLUMNS = ['vigenteVisto', 'canceladoVisto', 'fechaCancelacion'] as const;

function recordSeenStatus(
  before: SatDocumentRow | undefined,
  { isCancelled, fechaCancelacion, ...facts }: MetadataRow,
  visto: PlainDate,
): SatDocumentRow {
  const seen = before ?? { ...facts, vigenteVisto: null, canceladoVisto: null, fechaCancelacion: null };
  if (!isCancelled) {
    const isLater = seen.vigenteVisto === null || visto > seen.vigenteVisto;
    return { ...seen, vigenteVisto: isLater ? visto : seen.vigenteVisto };
  }
  const isEarlier = seen.canceladoVisto === null || visto < seen.canceladoVisto;
  return {
    ...seen,
    canceladoVisto: isEarlier ? visto : seen.canceladoVisto,
    // If files state two days for one cancellation, the earlier one counts, so that their order does not matter.
    fechaCancelacion: earlierDay(seen.fechaCancelacion, fechaCancelacion),
  };
}

const earlierDay = (one: PlainDate | null, other: PlainDate | null): PlainDate | null =>
  one === null || (other !== null && other < one) ? other : one;

async function updateSeenStatuses(trx: Trx, rows: readonly SatDocumentRow[]): Promise<void> {
  if (rows.length === 0) return;
  const sightings = rows.map(({ uuid, vigenteVisto, canceladoVisto, fechaCancelacion }) => ({
    u: uuid,
    v: vigenteVisto,
    c: canceladoVisto,
    f: fechaCancelacion,
  }));
  await sql`update sat_documents set "vigenteVisto" = w.v, "canceladoVisto" = w.c, "fechaCancelacion" = w.f
    from ${valuesTable(trx, { u: 'text', v: 'date', c: 'date', f: 'date' }, sightings)} as w
    where sat_documents.uuid = w.u`.execute(trx);
}

async function countStoredDocuments(trx: Trx, uuids: readonly string[]): Promise<number> {
  if (uuids.length === 0) return 0;
  const listed = valuesTable(
    trx,
    { u: 'text' },
    uuids.map((u) => ({ u })),
  );
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${listed} as w
    where exists (select 1 from invoices where uuid = w.u) or exists (select 1 from credit_notes where uuid = w.u)
      or exists (select 1 from payment_receipts where uuid = w.u)
      or exists (select 1 from petty_cash_movements where uuid = w.u)`.execute(trx);
  return Number(rows[0]?.count ?? 0);
}
