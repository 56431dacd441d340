import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** `colour` is PNG's type of colour, with 8 bits each. */
export function pngOf(width: number, height: number, { colour = 6, noise = false } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, colour], 8);
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colour] ?? 4;
  const line = 1 + width * samples;
  const pixels = Buffer.alloc(line * height, 0x80);
  for (let row = 0; row < height; row++) pixels[row * line] = 0;
  if (noise)
    for (let row = 0; row < height; row++) fillNoise(pixels.subarray(row * line + 1, (row + 1) * line), row);
  const palette = colour === 3 ? [chunk('PLTE', Buffer.alloc(3 * 256, 0x40))] : [];
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...palette,
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Makes bytes that cannot be compressed, the same each time. */
function fillNoise(part: Buffer, seed: number): void {
  for (let at = 0; at < part.length; at += 32)
    part.set(
      createHash('sha256')
        .update(`${seed} ${at}`)
        .digest()
        .subarray(0, part.length - at),
      at,
    );
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A JPEG of 12 by 8 red pixels, as a camera would write it. */
export const JPEG = Buffer.from(
  `/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////
////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////
////////////wAARCAAIAAwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA
FQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCQA1j/2Q==`,
  'base64',
);
