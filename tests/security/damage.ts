import { buildCfdi } from '../support/cfdi.ts';
import { buildWorkbookParts, formatSheetRow } from '../support/tables.ts';
import { buildZip } from '../support/zip.ts';

const ROWS = Array.from({ length: 40 }, (_, index) => [
  `Proveedor ${index % 7}, S.A.`,
  `F-${index}`,
  `${(index % 28) + 1}/03/2024`,
  'Torre Norte',
  index * 100.25,
]);
const HEAD = ['Proveedor', 'Folio', 'Fecha', 'Obra', 'Subtotal'];

export const SOUND = {
  csv: Buffer.from([HEAD, ...ROWS].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n')),
  xlsx: buildZip(
    buildWorkbookParts(
      [{ rows: [HEAD, ...ROWS].map((cells, index) => formatSheetRow(index + 1, cells)).join('') }],
      {
        sharedStrings: '<si><t>a</t></si>',
        styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
      },
    ),
  ),
  xml: Buffer.from(buildCfdi()),
};

/** Damages bytes: changes, truncates, repeats, removes or inserts some, as the seed decides. */
export function damageBytes(sound: Buffer, seed: number): Buffer {
  const random = randomOf(seed);
  let bytes = Buffer.from(sound);
  const times = 1 + Math.floor(random() * 8);
  for (let time = 0; time < times; time++) {
    const at = Math.floor(random() * bytes.length);
    const length = Math.floor(random() * 60);
    switch (Math.floor(random() * 6)) {
      case 0:
        bytes[at] = Math.floor(random() * 256);
        break;
      case 1:
        if (time === 0 && bytes.length > 20) bytes = bytes.subarray(0, Math.max(at, 10));
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)]);
        break;
      case 4:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(NASTY[Math.floor(random() * NASTY.length)]!),
          bytes.subarray(at),
        ]);
        break;
      default:
        if (bytes.length > 0) bytes[at] = bytes[at]! ^ (1 << Math.floor(random() * 8));
    }
    bytes = Buffer.from(bytes);
  }
  return bytes;
}

const NASTY = [
  '"',
  "'",
  ',',
  ';\t|',
  '\0',
  '\ufeff',
  '\xff\xfe',
  '<',
  '&',
  ']]>',
  '=cmd|',
  '\r',
  '\n\n\n',
  '99999999999999',
  'PK',
  '%',
];

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed + 0x6d2b79f5;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
