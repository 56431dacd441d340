import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createRefusal, toDomainError } from '../../../shared/refusal.ts';
import { inspectPicture, MAX_PIXELS, type Picture, type PictureFile } from '../../formats/picture.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { deleteUnusedFiles, storeFile } from '../files.ts';
import { LOGO_KEY } from './definitions.ts';

export const MAX_LOGO_KB = 200;

export async function readLogo(db: Db): Promise<PictureFile | undefined> {
  const found = await db
    .selectFrom('logo')
    .innerJoin('files', 'files.sha256', 'logo.sha256')
    .select(['files.bytes', 'logo.sha256'])
    .executeTakeFirst();
  const picture = found && inspectPicture(found.bytes);
  return picture && { ...found, ...picture };
}

/**
 * @returns whether the logo has changed
 * @throws DomainError too-large, invalid `bad_logo`, naming the field
 */
export async function setLogo(db: Db, actor: Actor, bytes: Uint8Array | undefined): Promise<boolean> {
  const picture = bytes && requirePicture(bytes);
  return inTransaction(db, async (trx) => {
    const before = await readLogo(trx);
    await trx.deleteFrom('logo').execute();
    const sha256 = bytes && (await storeFile(trx, bytes, actor.at));
    if (sha256) await trx.insertInto('logo').values({ id: 1, sha256 }).execute();
    if (before?.sha256 === sha256) return false;
    if (before) await deleteUnusedFiles(trx, [before.sha256]);
    queueAuditEntry(trx, actor, {
      action: 'update',
      entity: 'settings',
      entityId: LOGO_KEY,
      before: { value: describeLogo(before), sha256: before?.sha256 },
      after: { value: describeLogo(picture), sha256 },
    });
    return true;
  });
}

const describeLogo = (logo: Picture | undefined): string =>
  logo ? `${logo.kind.toUpperCase()} de ${logo.width} × ${logo.height}` : '';

function requirePicture(bytes: Uint8Array): Picture {
  const badLogoError = (kind: 'too-large' | 'invalid', message: string) =>
    toDomainError({ ...createRefusal(message, LOGO_KEY), kind, code: 'bad_logo' });
  if (bytes.length > MAX_LOGO_KB * 1024)
    throw badLogoError('too-large', `El logotipo pasa de ${MAX_LOGO_KB} KB: expórtalo más chico.`);
  let picture: Picture | undefined;
  try {
    picture = inspectPicture(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badLogoError('invalid', 'La imagen está dañada o incompleta: expórtala otra vez.');
  }
  if (!picture)
    throw badLogoError(
      'invalid',
      'El logotipo es una imagen PNG o JPEG; por su contenido, este archivo no lo es.',
    );
  if (picture.width * picture.height > MAX_PIXELS)
    throw badLogoError(
      'invalid',
      `El logotipo mide ${picture.width} × ${picture.height} pixeles: expórtalo más chico.`,
    );
  return picture;
}
