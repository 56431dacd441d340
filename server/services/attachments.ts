import type { ExpressionBuilder } from 'kysely';
import type { Db, Schema, Trx } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Instant } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import type { CfdiDetail } from '../formats/cfdi/candidates.ts';
import {
  type AttachmentKind,
  addMissingExtension,
  CFDI,
  type FileKind,
  recognizeFile,
  requireFileKind,
} from '../formats/file-kinds.ts';
import { type Actor, queueAuditEntry } from './audit/audit.ts';
import { deleteUnusedFiles, storeFile, toSafeFilename } from './files.ts';
import { lockRow } from './stored-rows.ts';

/** A page photographed with a phone, or a scan of twenty pages, is smaller than this. */
export const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024;
export const MAX_ATTACHMENTS = 20;

export type AttachmentOwner = number | { movementId: number };

export interface Attachment {
  id: number;
  invoiceId: number | null;
  movementId: number | null;
  kind: AttachmentKind;
  filename: string;
  sha256: string;
  size: number;
  createdAt: Instant;
  username: string;
}

export async function listAttachments(db: Db, owner: AttachmentOwner): Promise<Attachment[]> {
  return buildAttachmentQuery(db).where(ownerCondition(owner)).orderBy('attachments.id').execute();
}

export const toOwnerColumn = (owner: AttachmentOwner) =>
  typeof owner === 'number' ? { invoiceId: owner } : owner;

const ownerCondition = (owner: AttachmentOwner) => (eb: ExpressionBuilder<Schema, 'attachments'>) =>
  eb.and(toOwnerColumn(owner));

/** @throws DomainError not-found, also where the attachment belongs to another owner */
export async function readAttachment(
  db: Db,
  owner: AttachmentOwner,
  id: number,
): Promise<Attachment & { mediaType: string; bytes: Uint8Array }> {
  const found = await buildAttachmentQuery(db)
    .select('files.bytes')
    .where(ownerCondition(owner))
    .where('attachments.id', '=', id)
    .executeTakeFirst();
  if (!found) throw new DomainError('not-found', 'No existe ese archivo adjunto.');
  const recognized = found.kind === 'cfdi' ? CFDI : recognizeFile(found.bytes);
  return { ...found, mediaType: recognized?.mediaType ?? 'application/octet-stream' };
}

/**
 * A file with the same bytes is not attached again.
 * @throws DomainError not-found, too-large, invalid not_allowed_file, conflict too_many_attachments
 */
export async function attachFile(
  trx: Trx,
  actor: Actor,
  owner: AttachmentOwner,
  { filename, bytes, importId = null }: { filename: string; bytes: Uint8Array; importId?: number | null },
): Promise<number> {
  const kind = requireAttachableFile(bytes);
  await lockOwner(trx, owner); // so that concurrent uploads cannot exceed the limit together
  const others = await listAttachments(trx, owner);
  const sha256 = await storeFile(trx, bytes, actor.at);
  const existing = others.find((one) => one.sha256 === sha256);
  if (existing) return existing.id;
  if (others.length >= MAX_ATTACHMENTS) {
    const message = `${typeof owner === 'number' ? 'La factura' : 'El movimiento'} ya tiene ${MAX_ATTACHMENTS} archivos adjuntos, que es lo más que se guarda.`;
    throw new DomainError('conflict', message, { code: 'too_many_attachments' });
  }
  const attachment = {
    ...toOwnerColumn(owner),
    kind: kind.kind,
    filename: addMissingExtension(toSafeFilename(filename), kind),
    sha256,
    importId,
  };
  const { id } = await trx
    .insertInto('attachments')
    .values({ ...attachment, userId: actor.userId, createdAt: actor.at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const after = { id, ...attachment, size: bytes.length };
  queueAuditEntry(trx, actor, { action: 'create', entity: 'attachments', entityId: id, after });
  return id;
}

/** @throws DomainError too-large, invalid not_allowed_file; both name `field` if it is given */
export function requireAttachableFile(bytes: Uint8Array, field?: string): FileKind {
  if (bytes.length <= MAX_ATTACHMENT_BYTES) return requireFileKind(bytes, field);
  const message = 'El archivo pasa de 5 MB, lo más que mide un adjunto.';
  throw new DomainError('too-large', message, field ? { fields: { [field]: message } } : {});
}

/** @throws DomainError not-found; conflict cfdi_attachment: the file is the CFDI that the invoice is linked to */
export async function removeAttachment(
  db: Db,
  actor: Actor,
  owner: AttachmentOwner,
  id: number,
): Promise<Attachment> {
  return inTransaction(db, async (trx) => {
    await lockOwner(trx, owner);
    const before = (await listAttachments(trx, owner)).find((one) => one.id === id);
    if (!before) throw new DomainError('not-found', 'No existe ese archivo adjunto.');
    if (typeof owner === 'number' && before.sha256 === (await findLinkedCfdiHash(trx, owner))) {
      const message =
        'Es el CFDI de la factura: no se quita mientras esté ligada a él. Desliga primero la factura de su CFDI.';
      throw new DomainError('conflict', message, { code: 'cfdi_attachment' });
    }
    await trx.deleteFrom('attachments').where('id', '=', id).execute();
    await deleteUnusedFiles(trx, [before.sha256]);
    queueAuditEntry(trx, actor, { action: 'delete', entity: 'attachments', entityId: id, before });
    return before;
  });
}

const lockOwner = (trx: Trx, owner: AttachmentOwner): Promise<void> =>
  typeof owner === 'number'
    ? lockRow(trx, 'invoices', owner)
    : lockRow(trx, 'petty_cash_movements', owner.movementId);

export async function findLinkedCfdiHash(db: Db, invoiceId: number): Promise<string | undefined> {
  const document = await db
    .selectFrom('cfdi_documents')
    .select('detail')
    .where('invoiceId', '=', invoiceId)
    .executeTakeFirst();
  return document && (JSON.parse(document.detail) as CfdiDetail).sha256;
}

const buildAttachmentQuery = (db: Db) =>
  db
    .selectFrom('attachments')
    .innerJoin('files', 'files.sha256', 'attachments.sha256')
    .innerJoin('users', 'users.id', 'attachments.userId')
    .select([
      'attachments.id',
      'invoiceId',
      'movementId',
      'kind',
      'filename',
      'attachments.sha256',
      'files.size',
      'attachments.createdAt',
      'username',
    ]);
