import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { MOST_PIXELS, type Picture, type PictureFile, readPicture } from '../../formats/picture.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { forgetFiles, keepFile } from '../files.ts';

export const MAX_LOGO_KB = 200;

/** The firm's, where it has one. */
export async function readLogo(db: Db): Promise<PictureFile | undefined> {
  const found = await db
    .selectFrom('logo')
    .innerJoin('files', 'files.sha256', 'logo.sha256')
    .select(['files.bytes', 'logo.sha256'])
    .executeTakeFirst();
  const picture = found && readPicture(found.bytes);
  return picture && { ...found, ...picture };
}

/**
 * Puts a picture on the heads of all documents, in the place of the one before.
 * @throws DomainError too-large, invalid `bad_logo`, naming the field
 */
export async function setLogo(db: Db, actor: Actor, bytes: Uint8Array): Promise<void> {
  const picture = requirePicture(bytes);
  await inTransaction(db, async (trx) => {
    const before = await takeLogo(trx);
    const sha256 = await keepFile(trx, bytes, actor.at);
    await trx.insertInto('logo').values({ id: 1, sha256 }).execute();
    if (before?.sha256 === sha256) return;
    if (before) await forgetFiles(trx, [before.sha256]);
    noteLogo(trx, actor, before, { ...picture, sha256 });
  });
}

export async function removeLogo(db: Db, actor: Actor): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const before = await takeLogo(trx);
    if (!before) return false;
    await forgetFiles(trx, [before.sha256]);
    noteLogo(trx, actor, before, undefined);
    return true;
  });
}

async function takeLogo(trx: Trx): Promise<PictureFile | undefined> {
  const before = await readLogo(trx);
  await trx.deleteFrom('logo').execute();
  return before;
}

type Noted = Picture & { sha256: string };

/** It stands among the settings, also in the trail. */
function noteLogo(trx: Trx, actor: Actor, before: Noted | undefined, after: Noted | undefined): void {
  const [was, is] = [noted(before), noted(after)];
  audit(trx, actor, { action: 'update', entity: 'settings', entityId: LOGO, before: was, after: is });
}

const noted = (logo: Noted | undefined) => ({
  value: logo ? `${logo.kind.toUpperCase()} de ${logo.width} × ${logo.height}` : '',
  sha256: logo?.sha256,
});

export const LOGO = 'logo';

function requirePicture(bytes: Uint8Array): Picture {
  const refuse = (kind: 'too-large' | 'invalid', message: string) =>
    new DomainError(kind, message, { code: 'bad_logo', fields: { [LOGO]: message } });
  if (bytes.length > MAX_LOGO_KB * 1024)
    throw refuse('too-large', `El logotipo pasa de ${MAX_LOGO_KB} KB: expórtalo más chico.`);
  let picture: Picture | undefined;
  try {
    picture = readPicture(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refuse('invalid', 'La imagen está dañada o incompleta: expórtala otra vez.');
  }
  if (!picture)
    throw refuse('invalid', 'El logotipo es una imagen PNG o JPEG; por su contenido, este archivo no lo es.');
  if (picture.width * picture.height > MOST_PIXELS)
    throw refuse(
      'invalid',
      `El logotipo mide ${picture.width} × ${picture.height} pixeles: expórtalo más chico.`,
    );
  return picture;
}
