import type { Selectable } from 'kysely';
import type { Schema, Trx } from '../../db/schema.ts';
import { type AttachmentOwner, toOwnerColumn } from './attachments.ts';
import type { Actor } from './audit/audit.ts';
import { retainDeletedFiles } from './files.ts';

export type RetainedAttachment = Omit<Selectable<Schema['attachments']>, 'movementId'> & {
  movementId?: number | null;
  size: number;
  username: string;
};

export async function retainAttachmentsForRestore(
  trx: Trx,
  { at }: Actor,
  owner: AttachmentOwner,
): Promise<RetainedAttachment[]> {
  const attachments = await trx
    .selectFrom('attachments')
    .innerJoin('files', 'files.sha256', 'attachments.sha256')
    .innerJoin('users', 'users.id', 'attachments.userId')
    .selectAll('attachments')
    .select(['files.size', 'users.username'])
    .where((eb) => eb.and(toOwnerColumn(owner)))
    .orderBy('attachments.id')
    .execute();
  await retainDeletedFiles(
    trx,
    attachments.map(({ sha256 }) => sha256),
    at,
  );
  return attachments;
}

/** @returns warnings about files that are no longer retained */
export async function restoreAttachments(
  trx: Trx,
  actor: Actor,
  owner: AttachmentOwner,
  attachments: readonly RetainedAttachment[],
): Promise<string[]> {
  if (attachments.length === 0) return [];
  const hashes = attachments.map(({ sha256 }) => sha256);
  const files = await trx.selectFrom('files').select('sha256').where('sha256', 'in', hashes).execute();
  const existingHashes = new Set(files.map(({ sha256 }) => sha256));
  const rows = attachments.filter(({ sha256 }) => existingHashes.has(sha256));
  if (rows.length > 0)
    await trx
      .insertInto('attachments')
      .values(
        rows.map(({ size: _size, username: _username, ...row }) => ({
          ...row,
          ...toOwnerColumn(owner),
          importId: row.importId ?? null,
          userId: row.userId ?? actor.userId,
        })),
      )
      .execute();
  const lost = attachments
    .filter(({ sha256 }) => !existingHashes.has(sha256))
    .map(({ filename }) => filename);
  return lost.length > 0 ? [`Estos adjuntos ya no se conservan: ${lost.join(', ')}.`] : [];
}
