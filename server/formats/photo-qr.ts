import { JpegImage } from 'pdfjs-dist/image_decoders/pdf.image_decoders.min.mjs';
import decodeQr, { type Image } from 'qr/decode.js';
import { DomainError } from '../../shared/errors.ts';
import { inspectPicture, type Picture, readPngPixels } from './picture.ts';

/** Phone cameras take 12 to 50 million pixels. */
const MAX_PHOTO_PIXELS = 50_000_000;

/** A larger photo is reduced: its code stays readable, and decoding takes a fraction of the time. */
const MAX_SIDE_PIXELS = 2000;

const BAD_QR_DETAIL = { code: 'bad_qr' };

/** Limits the decoder's further attempts; its first one finds nearly every code. */
const DECODING_LIMIT_MS = 1500;

/**
 * Reads the text of the QR code in a photo, for browsers that run no script; other browsers read the code themselves
 * (islands/photos/qrCode.ts). Runs in the reading process only.
 * @returns undefined where the photo shows no QR code
 * @throws DomainError invalid for another kind of file or a damaged one, too-large
 */
export function readQrFromPhoto(bytes: Uint8Array): string | undefined {
  const image = decodePhoto(bytes);
  try {
    return decodeQr(image, { timeLimit: DECODING_LIMIT_MS });
  } catch {
    return undefined;
  }
}

function decodePhoto(bytes: Uint8Array): Image {
  try {
    const picture = inspectPicture(bytes);
    if (!picture) throw unsupportedKindError();
    requireSize(picture);
    if (picture.kind === 'png') {
      const data = readPngPixels(bytes);
      if (!data) throw unsupportedKindError();
      return { ...picture, data };
    }
    const jpeg = new JpegImage();
    jpeg.parse(bytes);
    requireSize(jpeg); // it may have found another frame than the first reading
    const scale = Math.min(1, MAX_SIDE_PIXELS / Math.max(jpeg.width, jpeg.height));
    const [width, height] = [Math.ceil(jpeg.width * scale), Math.ceil(jpeg.height * scale)];
    return { width, height, data: jpeg.getData({ width, height, forceRGB: true }) };
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('invalid', 'La foto está dañada: toma otra.', BAD_QR_DETAIL);
  }
}

function requireSize({ width, height }: Pick<Picture, 'width' | 'height'>): void {
  if (width * height > MAX_PHOTO_PIXELS)
    throw new DomainError(
      'too-large',
      'La foto pasa de 50 millones de pixeles: toma una más pequeña.',
      BAD_QR_DETAIL,
    );
}

const unsupportedKindError = () =>
  new DomainError('invalid', 'De esta foto no se lee el QR: tómala o guárdala como JPEG.', BAD_QR_DETAIL);
