import { PDFDocument } from 'pdf-lib';
import { expect, it } from 'vitest';
import { embedLogo } from '../../../../server/formats/pdf/logo.ts';
import { readPicture } from '../../../../server/formats/picture.ts';
import { JPEG, pngOf } from '../../../support/pictures.ts';

// So a database's driver hands out small values: as a part of what came over the line.
it.each([
  ['JPEG', JPEG],
  ['PNG', pngOf(30, 9)],
])('a %s is embedded though its bytes lie in the middle of others', async (_, bytes) => {
  const shared = new Uint8Array(bytes.length + 200).fill(7);
  shared.set(bytes, 100);
  const own = shared.subarray(100, 100 + bytes.length);
  const logo = { ...readPicture(own)!, bytes: own, sha256: `of ${bytes.length} bytes` };
  const { context } = await PDFDocument.create();
  expect(context.lookup(await embedLogo(context, logo))).toBeDefined();
});
