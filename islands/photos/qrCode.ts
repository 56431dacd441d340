import decodeQr from 'qr/decode.js';

/** A photo is searched at these sizes (longer side in pixels). Most codes are found at the smaller one, much faster. */
const SCAN_SIDES_PX = [1600, 3200];

/** Limits the library's optional retries; its first attempt, without a limit, finds nearly every code. */
const DECODE_RETRY_LIMIT_MS = 1000;

/** @returns the text of the QR code that a photo shows, empty where it shows none @throws where it is no picture */
export async function readQrCode(photo: Blob): Promise<string> {
  const picture = await createImageBitmap(photo);
  for (const side of SCAN_SIDES_PX) {
    const scale = Math.min(1, side / Math.max(picture.width, picture.height));
    try {
      return decodeQr(toImageData(picture, scale), { timeLimit: DECODE_RETRY_LIMIT_MS });
    } catch {
      if (scale === 1) break;
    }
  }
  return '';
}

function toImageData(picture: ImageBitmap, scale: number): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const context = canvas.getContext('2d')!;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
