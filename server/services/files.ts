import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { lockAdvisoryKey } from '../../db/expressions.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Instant } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { oneLine } from '../../shared/text.ts';
import type { Actor } from './audit/audit.ts';

/** Equal files are stored once. @returns the SHA-256 */
export async function storeFile(trx: Trx, bytes: Uint8Array, at: Instant): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await storeFiles(trx, [{ sha256, bytes }], at);
  return sha256;
}

/** All files are stored by one query, so together they have to fit into memory. */
export async function storeFiles(
  trx: Trx,
  files: readonly { sha256: string; bytes: Uint8Array }[],
  at: Instant,
): Promise<void> {
  const rows = files.map(({ sha256, bytes }) => ({ sha256, size: bytes.length, bytes, createdAt: at }));
  await trx
    .insertInto('files')
    .values(rows)
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
}

export interface Upload {
  id: string;
  filename: string;
  bytes: Uint8Array;
}

/** After this time an upload that nobody imported is deleted. */
const UPLOAD_HOURS = 48;

const MAX_UPLOADS_PER_USER_MB = 200;

/** Only its sender can read the upload. @throws DomainError too-large `uploads_full`: the sender's quota is used up */
export async function addUpload(
  db: Db,
  actor: Pick<Actor, 'userId' | 'at'>,
  file: Omit<Upload, 'id'>,
): Promise<string> {
  return inTransaction(db, async (trx) => (await addUploads(trx, actor, [file], null))[0]!);
}

/**
 * @returns the ids of the uploads, in the order of the files; either all files are stored or none
 * @throws DomainError too-large `uploads_full`
 */
export async function addUploads(
  trx: Trx,
  { userId, at }: Pick<Actor, 'userId' | 'at'>,
  files: readonly Omit<Upload, 'id'>[],
  loadId: string | null,
): Promise<string[]> {
  await lockAdvisoryKey(trx, `uploads:${userId}`);
  await deleteExpiredUploads(trx, at);
  const ids: string[] = [];
  for (const { filename, bytes } of files) {
    const id = generateUploadId();
    const sha256 = await storeFile(trx, bytes, at);
    const upload = { id, userId, filename: toSafeFilename(filename), sha256, createdAt: at, loadId };
    await trx.insertInto('uploads').values(upload).execute();
    ids.push(id);
  }
  await requireWithinQuota(trx, { userId, at });
  return ids;
}

export const generateUploadId = (): string => randomBytes(24).toString('base64url');

async function requireWithinQuota(trx: Trx, { userId, at }: Pick<Actor, 'userId' | 'at'>): Promise<void> {
  const { totalBytes, oldest } = await trx
    .selectFrom(
      trx
        .selectFrom('uploads')
        .innerJoin('files', 'files.sha256', 'uploads.sha256')
        .select(({ fn }) => ['files.size', fn.min('uploads.createdAt').as('since')])
        .where('uploads.userId', '=', userId)
        .groupBy(['files.sha256', 'files.size'])
        .as('own'),
    )
    .select(({ fn }) => [
      fn.coalesce(fn.sum<number>('own.size'), sql<number>`0`).as('totalBytes'),
      fn.min('own.since').as('oldest'),
    ])
    .executeTakeFirstOrThrow();
  if (totalBytes <= MAX_UPLOADS_PER_USER_MB * 1024 * 1024 || !oldest) return;
  const age = (Date.parse(at) - Date.parse(oldest)) / 3_600_000;
  const hours = Math.max(1, Math.ceil(UPLOAD_HOURS - age));
  const message = `Tus archivos que esperan a importarse pasan de ${MAX_UPLOADS_PER_USER_MB} MB. Importa los que ya revisaste: se quitan al importarse, y el más antiguo en ${hours} h.`;
  throw new DomainError('too-large', message, { code: 'uploads_full' });
}

/** @throws DomainError not-found: the upload has expired, or another user sent it */
export async function readUpload(db: Db, userId: number, id: string): Promise<Upload> {
  // The id comes from a URL, and PostgreSQL cannot store every character.
  if (!/^[\w-]+$/.test(id)) throw uploadNotFoundError();
  const found = await db
    .selectFrom('uploads')
    .innerJoin('files', 'files.sha256', 'uploads.sha256')
    .select(['uploads.id', 'filename', 'bytes'])
    .where('uploads.id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!found) throw uploadNotFoundError();
  return found;
}

const uploadNotFoundError = () => new DomainError('not-found', 'El archivo ya no está: vuelve a elegirlo.');

export const deleteUpload = (trx: Trx, userId: number, id: string): Promise<void> =>
  deleteUploads(trx, userId, [id]);

export async function deleteUploads(trx: Trx, userId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const deleted = await trx
    .deleteFrom('uploads')
    .where('id', 'in', [...ids])
    .where('userId', '=', userId)
    .returning('sha256')
    .execute();
  await deleteUnusedFiles(
    trx,
    deleted.map(({ sha256 }) => sha256),
  );
}

async function deleteExpiredUploads(trx: Trx, at: Instant): Promise<void> {
  const before = new Date(Date.parse(at) - UPLOAD_HOURS * 3_600_000).toISOString();
  const old = await trx.deleteFrom('uploads').where('createdAt', '<', before).returning('sha256').execute();
  await trx
    .deleteFrom('cfdi_loads')
    .where('createdAt', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('uploads').select('uploads.id').whereRef('loadId', '=', 'cfdi_loads.id'))),
    )
    .execute();
  if (old.length > 0) await deleteUnusedFiles(trx, [...new Set(old.map(({ sha256 }) => sha256))]);
}

/** Files of deleted rows are retained this long, so that the rows can be restored. */
const RESTORABLE_DAYS = 30;

export async function retainDeletedFiles(trx: Trx, hashes: readonly string[], at: Instant): Promise<void> {
  const before = new Date(Date.parse(at) - RESTORABLE_DAYS * 24 * 3_600_000).toISOString();
  const old = await trx
    .deleteFrom('deleted_files')
    .where('deletedAt', '<', before)
    .returning('sha256')
    .execute();
  await deleteUnusedFiles(trx, [...new Set(old.map(({ sha256 }) => sha256))]);
  if (hashes.length === 0) return;
  const rows = [...new Set(hashes)].map((sha256) => ({ sha256, deletedAt: at }));
  await trx
    .insertInto('deleted_files')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteUnusedFiles(trx: Trx, hashes: readonly string[] | 'all'): Promise<void> {
  const isReferenced = sql<boolean>`(
    exists (select 1 from uploads where uploads.sha256 = files.sha256)
    or exists (select 1 from attachments where attachments.sha256 = files.sha256)
    or exists (select 1 from credit_notes where credit_notes.sha256 = files.sha256)
    or exists (select 1 from payment_receipts where payment_receipts.sha256 = files.sha256)
    or exists (select 1 from logo where logo.sha256 = files.sha256)
    or exists (select 1 from payment_batch_files where payment_batch_files.sha256 = files.sha256)
    or exists (select 1 from mails where mails.sha256 = files.sha256)
    or exists (select 1 from deleted_files where deleted_files.sha256 = files.sha256))`;
  const unused = trx.deleteFrom('files').where(({ not }) => not(isReferenced));
  if (hashes === 'all') await unused.execute();
  else if (hashes.length > 0) await unused.where('sha256', 'in', [...hashes]).execute();
}

/** Keeps the last part of a path, without characters that have a meaning in terminals, paths or headers. */
export function toSafeFilename(name: string): string {
  const last = oneLine(name.normalize('NFC').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, ''))
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const ending = /\.[A-Za-z0-9]{1,5}$/.exec(last)?.[0] ?? '';
  return [...last].length > 120
    ? [...last].slice(0, 120 - ending.length).join('') + ending
    : last || 'archivo';
}
