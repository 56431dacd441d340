import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import encodeQr from 'qr';

type Shade = (x: number, y: number) => number;

interface PngOptions {
  /** the PNG colour type; each sample has 8 bits */
  colour?: number;
  noise?: boolean;
  shade?: Shade;
}

export function buildPng(width: number, height: number, options: PngOptions = {}): Buffer {
  const { colour = 6, noise = false, shade } = options;
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
  if (shade) fillPixels(pixels, { width, height, samples, shade });
  const palette =
    colour === 3 ? [buildPngChunk('PLTE', shade ? GREY_PALETTE : Buffer.alloc(3 * 256, 0x40))] : [];
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    buildPngChunk('IHDR', head),
    ...palette,
    buildPngChunk('IDAT', deflateSync(pixels)),
    buildPngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const GREY_PALETTE = Buffer.from(Array.from({ length: 3 * 256 }, (_, at) => Math.floor(at / 3)));

/** Stores the lines with each filter of PNG in turn. */
function fillPixels(
  pixels: Buffer,
  { width, height, samples, shade }: { width: number; height: number; samples: number; shade: Shade },
): void {
  const length = width * samples;
  const at = (x: number, y: number) => (x < 0 || y < 0 ? 0 : shade(Math.floor(x / samples), y));
  for (let y = 0; y < height; y++) {
    const filter = y % 5;
    pixels[y * (1 + length)] = filter;
    for (let x = 0; x < length; x++) {
      const [left, up, corner] = [at(x - samples, y), at(x, y - 1), at(x - samples, y - 1)];
      const near = [left, up, corner].toSorted(
        (a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b),
      );
      const predicted = [0, left, up, (left + up) >> 1, near[0]!][filter]!;
      pixels[y * (1 + length) + 1 + x] = (at(x, y) - predicted) & 0xff;
    }
  }
}

/** A photo of paper on which this QR code is printed. */
export function buildPngOfQrCode(text: string, { colour = 0, scale = 4 } = {}): Buffer {
  const code = encodeQr(text, 'raw', { ecc: 'medium', border: 4 });
  const side = code.length * scale;
  const shade: Shade = (x, y) => (code[Math.floor(y / scale)]?.[Math.floor(x / scale)] ? 20 : 235);
  return buildPng(side, side, { colour, shade });
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

function buildPngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A JPEG of 12 by 8 red pixels, as a camera would write it. */
export const SAMPLE_JPEG = Buffer.from(
  `/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////
////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////
////////////wAARCAAIAAwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA
FQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCQA1j/2Q==`,
  'base64',
);
