import { crc32, inflateSync } from 'node:zlib';

/** `kind` is recognised by the content; the size is in pixels. */
export interface Picture {
  kind: 'png' | 'jpeg';
  width: number;
  height: number;
}

export interface PictureFile extends Picture {
  bytes: Uint8Array;
  sha256: string;
}

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** @returns undefined for a file of another kind @throws RangeError where the picture is damaged or truncated */
export function inspectPicture(bytes: Uint8Array): Picture | undefined {
  const file = toBuffer(bytes);
  if (file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return inspectPng(file);
  if (file[0] === 0xff && file[1] === 0xd8 && file[2] === 0xff) return inspectJpeg(file);
  return undefined;
}

/** Samples per pixel by PNG's colour type, and the bits that a sample may have. */
const COLOUR_TYPES: Readonly<Record<number, { samples: number; bits: readonly number[] }>> = {
  0: { samples: 1, bits: [1, 2, 4, 8, 16] },
  2: { samples: 3, bits: [8, 16] },
  3: { samples: 1, bits: [1, 2, 4, 8] },
  4: { samples: 2, bits: [8, 16] },
  6: { samples: 4, bits: [8, 16] },
};

interface PngParts extends Picture {
  chunks: readonly { type: string; data: Buffer }[];
  bits: number;
  samples: number;
  interlaced: number;
}

/** Each chunk must match its checksum, and the pixel data the declared size (PNG, third edition). */
function inspectPng(file: Buffer): Picture {
  const { chunks, width, height, bits, samples, interlaced } = readPngParts(file);
  // A picture that is too large is refused anyway, and need not be decompressed.
  if (width * height <= MAX_PIXELS) {
    const bytesPerLine = (across: number) => 1 + Math.ceil((across * samples * bits) / 8);
    const sizes = interlaced ? computeInterlacePassSizes(width, height) : [[width, height] as const];
    inflatePixels(
      chunks,
      sizes.reduce((sum, [across, down]) => sum + down * bytesPerLine(across), 0),
    );
  }
  return { kind: 'png', width, height };
}

function readPngParts(file: Buffer): PngParts {
  const chunks = readChunks(file);
  const [head] = chunks;
  if (head?.type !== 'IHDR' || head.data.length !== 13) throw damagedPictureError();
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  const [bits = 0, colour = 0, , , interlaced = 0] = head.data.subarray(8);
  const samples = COLOUR_TYPES[colour]?.bits.includes(bits) ? COLOUR_TYPES[colour].samples : 0;
  const palette = chunks.some(({ type }) => type === 'PLTE');
  if (width === 0 || height === 0 || samples === 0 || interlaced > 1 || (colour === 3 && !palette))
    throw damagedPictureError();
  return { kind: 'png', width, height, chunks, bits, samples, interlaced };
}

/**
 * @returns red, green and blue of each pixel, without transparency; undefined for a picture that is interlaced or has
 * other than 8 bits per sample @throws RangeError where it is damaged
 */
export function readPngPixels(bytes: Uint8Array): Uint8Array | undefined {
  const { chunks, width, height, bits, samples, interlaced } = readPngParts(toBuffer(bytes));
  if (bits !== 8 || interlaced) return undefined;
  const length = width * samples;
  const lines = inflatePixels(chunks, height * (1 + length));
  const palette = samples === 1 ? chunks.find(({ type }) => type === 'PLTE')?.data : undefined;
  const pixels = new Uint8Array(width * height * 3);
  let above: Uint8Array = new Uint8Array(length);
  for (let y = 0, out = 0; y < height; y++) {
    const at = y * (1 + length);
    const line = lines.subarray(at + 1, at + 1 + length);
    undoFilter(lines[at]!, line, above, samples);
    for (let x = 0; x < length; x += samples)
      for (let colour = 0; colour < 3; colour++, out++)
        pixels[out] = palette ? palette[line[x]! * 3 + colour]! : line[x + (samples > 2 ? colour : 0)]!;
    above = line;
  }
  return pixels;
}

/** PNG, third edition, 9.2: each byte is stored as its difference from a value predicted from its neighbours. */
function undoFilter(filter: number, line: Uint8Array, above: Uint8Array, samples: number): void {
  if (filter > 4) throw damagedPictureError();
  for (let x = 0; filter > 0 && x < line.length; x++) {
    const left = line[x - samples] ?? 0;
    const up = above[x]!;
    const corner = above[x - samples] ?? 0;
    line[x]! +=
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : predictPaeth(left, up, corner);
  }
}

function predictPaeth(left: number, up: number, corner: number): number {
  const fromLeft = Math.abs(up - corner);
  const fromUp = Math.abs(left - corner);
  const fromCorner = Math.abs(left + up - 2 * corner);
  if (fromLeft <= fromUp && fromLeft <= fromCorner) return left;
  return fromUp <= fromCorner ? up : corner;
}

export const MAX_PIXELS = 4_000_000;

function readChunks(file: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = PNG_SIGNATURE.length; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length) throw damagedPictureError();
    const named = file.subarray(at + 4, end);
    if (crc32(named) !== file.readUInt32BE(end)) throw damagedPictureError();
    const type = named.toString('latin1', 0, 4);
    chunks.push({ type, data: named.subarray(4) });
    if (type === 'IEND') return chunks;
    at = end + 4;
  }
  throw damagedPictureError();
}

const INTERLACE_PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const computeInterlacePassSizes = (width: number, height: number) =>
  INTERLACE_PASSES.map(([x, y, across, down]) => [
    Math.ceil((width - x) / across),
    Math.ceil((height - y) / down),
  ]).filter((size): size is [number, number] => size.every((one) => one > 0));

function inflatePixels(chunks: PngParts['chunks'], expected: number): Buffer {
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  let pixels: Buffer;
  try {
    pixels = inflateSync(packed, { maxOutputLength: expected });
  } catch {
    throw damagedPictureError();
  }
  if (pixels.length !== expected) throw damagedPictureError();
  return pixels;
}

/** Every viewer can draw these frames: baseline, extended, progressive (ITU T.81, table B.1). */
const DRAWABLE_FRAMES = new Set([0xc0, 0xc1, 0xc2]);

/** The compressed data between the segments cannot be checked. */
function inspectJpeg(file: Buffer): Picture {
  let size: { width: number; height: number } | undefined;
  let hasScan = false;
  for (let at = 2; at + 1 < file.length; ) {
    if (file[at] !== 0xff) throw damagedPictureError();
    const marker = file[at + 1]!;
    if (marker === 0xff)
      at++; // a fill byte has no meaning
    else if (marker === 0xd9) {
      if (!size || !hasScan) break;
      return { kind: 'jpeg', ...size };
    } else {
      if (at + 4 > file.length) break;
      const end = at + 2 + file.readUInt16BE(at + 2);
      if (end > file.length || end < at + 4) break;
      if (DRAWABLE_FRAMES.has(marker)) size = readFrameSize(file.subarray(at + 4, end));
      hasScan ||= marker === 0xda;
      at = marker === 0xda ? findScanEnd(file, end) : end;
    }
  }
  throw damagedPictureError();
}

function readFrameSize(frame: Buffer): { width: number; height: number } {
  if (frame.length < 6) throw damagedPictureError();
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)];
  if (frame[0] !== 8 || width === 0 || height === 0 || ![1, 3, 4].includes(frame[5]!))
    throw damagedPictureError();
  return { width, height };
}

/** Finds the next marker that is not a restart marker; FF 00 is a byte of the picture. */
function findScanEnd(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 2)) {
    const next = file[at + 1];
    if (next !== 0 && !(next! >= 0xd0 && next! <= 0xd7)) return at;
  }
  throw damagedPictureError();
}

const damagedPictureError = () => new RangeError('a damaged picture');
