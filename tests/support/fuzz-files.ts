import { fieldsOf } from '../../server/formats/tables/fields.ts';
import { TABLE_KINDS, type TableKind } from '../../server/formats/tables/table.ts';
import { buildCfdi, buildNote, buildReceipt } from './cfdi.ts';
import { aJpeg, aPdf, aPng, aWebp, REFUSED } from './files.ts';
import { plausible, type Random } from './fuzz-values.ts';
import { rowOf, workbookParts } from './tables.ts';
import { buildZip } from './zip.ts';

export interface FuzzFile {
  filename: string;
  bytes: Buffer;
}

/** A small file such as this route is sent, or one that is damaged, of another kind, or badly named. */
export function fileFor(path: string, control: string, random: Random): FuzzFile {
  const makers =
    control === 'pdf' ? [aPicture] : control === 'xml' ? [aDocument] : /importar/.test(path) ? TABLES : KEPT;
  const make = random.pick(random.chance(0.9) ? makers : EVERY);
  const { filename, bytes } = make(random);
  return {
    filename: random.chance(0.85) ? filename : random.pick(NAMES),
    bytes: random.chance(0.8) ? bytes : damaged(bytes, random),
  };
}

/** Some bytes, the end, or everything lost. */
export function damaged(whole: Buffer, random: Random): Buffer {
  if (random.chance(0.3)) return whole.subarray(0, random.int(0, whole.length));
  const bytes = Buffer.from(whole);
  for (let n = random.int(1, 4); n > 0 && bytes.length > 0; n--)
    bytes[random.int(0, bytes.length - 1)] = random.int(0, 255);
  return bytes;
}

type Maker = (random: Random) => FuzzFile;

const aCsv: Maker = (random) => {
  const [header = [], ...rows] = tableOf(random);
  const sign = random.pick([',', ',', ';', '\t', '|']);
  const quoted = (text: string) =>
    /[\n\r"]/.test(text) || text.includes(sign) ? JSON.stringify(text) : text;
  const lines = [header, ...rows].map((cells) => cells.map(quoted).join(sign));
  const text = lines.join(random.pick(['\n', '\n', '\r\n', '\r'])) + random.pick(['\n', '', '\nTotal,,9\n']);
  const encoding = random.pick<BufferEncoding>(['utf8', 'utf8', 'utf8', 'latin1', 'utf16le']);
  const mark = encoding === 'utf16le' || random.chance(0.2) ? '\ufeff' : '';
  return { filename: 'tabla.csv', bytes: Buffer.from(mark + text, encoding) };
};

const aWorkbook: Maker = (random) => {
  const rows = tableOf(random).map((cells, index) => rowOf(index + 1, cells.map(escaped)));
  const sheets = random.chance(0.8) ? [{ rows: rows.join('') }] : [{ rows: '' }, { rows: rows.join('') }];
  return { filename: 'tabla.xlsx', bytes: buildZip(workbookParts(sheets)) };
};

const aDocument: Maker = (random) => {
  const uuid = uuidOf(random);
  const root = { Serie: random.pick(['', 'A', 'FX']), Folio: String(random.int(1, 9999)) };
  const emisor = {
    Rfc: random.pick(['GODE561231GR8', 'EKU9003173C9', 'XAXX010101000', 'x']),
    Nombre: 'Emisor',
  };
  const version = random.pick(['3.2', '3.3', '4.0', '4.0'] as const);
  const make = random.pick<() => string>([
    () => buildCfdi({ uuid, root, emisor, version }),
    () => buildCfdi({ uuid, emisor, root: { ...root, Total: String(plausible('subtotal', random)) } }),
    () => buildCfdi({ uuid, emisor, root: { Fecha: random.pick(['', '2024-02-30T00:00:00', 'ayer']) } }),
    () => buildNote([uuidOf(random)], { uuid, emisor }),
    () => buildReceipt({ uuid, emisor, doctos: [{ amount: '10.00', of: uuidOf(random) }] }),
  ]);
  return { filename: 'documento.xml', bytes: Buffer.from(make()) };
};

const aPicture: Maker = (random) => {
  const mark = String(random.int(1, 1e6));
  return random.pick([
    { filename: 'factura.pdf', bytes: aPdf(mark) },
    { filename: 'factura.pdf', bytes: aPdf(mark) },
    { filename: 'foto.png', bytes: aPng(mark) },
    { filename: 'foto.jpg', bytes: aJpeg(mark) },
    { filename: 'foto.webp', bytes: aWebp(mark) },
  ]);
};

const aRefused: Maker = (random) => ({ filename: 'x.xml', bytes: random.pick(Object.values(REFUSED)) });

const TABLES = [aCsv, aCsv, aWorkbook];
const KEPT = [aPicture, aPicture, aDocument];
const EVERY = [...TABLES, ...KEPT, aRefused, aRefused];

/** The names that uploads come with, and those that attackers give them. */
const NAMES = [
  '',
  'a',
  '../../../etc/passwd',
  'C:\\x\\tabla.csv',
  'tabla.csv.exe',
  `${'n'.repeat(300)}.csv`,
  '<img src=x onerror=alert(1)>.csv',
  'a\u202evsc.csv',
  '%00.csv',
  'ñandú 😀.xlsx',
  '__proto__',
];

/** A header and some rows of one of the lists, in the fields' own names or as people call them. */
function tableOf(random: Random): string[][] {
  const kind: TableKind = random.pick(TABLE_KINDS);
  const fields = fieldsOf(kind).filter(({ required }) => required || random.chance(0.6));
  const header = fields.map(({ name, label, aliases }) => random.pick([name, label, ...aliases]));
  const rows = Array.from({ length: random.int(0, 12) }, () =>
    fields.map(({ name }) => cellOf(name, random)),
  );
  return [header, ...rows];
}

function cellOf(name: string, random: Random): string {
  if (random.chance(0.04)) return random.pick(CELLS);
  // Few names, so that rows speak of the same supplier and of invoices of rows before them.
  if (/name$|title$|nombre/.test(name)) return `Nombre ${random.int(1, 6)}`;
  if (name === 'numfactura') return `F-${random.int(1, 200)}`;
  if (name === 'uuid') return random.chance(0.7) ? '' : uuidOf(random);
  return String(plausible(name, random));
}

const CELLS = [
  '',
  '-',
  'N/A',
  '=1+1',
  '#REF!',
  '1,16',
  '31/12/2025',
  '2026-02-30',
  '$ 1.160,50',
  '1e9',
  '\u0000',
];

const uuidOf = (random: Random) =>
  `AAAAAAAA-1111-4222-8333-${random.int(1, 400).toString(16).padStart(12, '0').toUpperCase()}`;

const escaped = (text: string) =>
  text.replace(/[^\x20-\x7e\xa0-\ud7ff]/g, '').replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
