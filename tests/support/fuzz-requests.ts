import { fieldsOf } from '../../server/formats/tables/fields.ts';
import { TABLE_KINDS } from '../../server/formats/tables/table.ts';
import { damageBytes, SOUND } from '../security/damage.ts';
import { buildCfdi, buildCreditNote, buildReceipt } from './cfdi.ts';
import { buildJpeg, buildPdf, buildPng, buildWebp, REFUSED_FILES } from './files.ts';
import type { FuzzTarget } from './fuzz-routes.ts';
import { createHostileValue, createPlausibleValue, type Random } from './fuzz-values.ts';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

export type ChooseId = (name: string, random: Random) => number | string;

const HTTP_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
const ODD_HEADERS = ['accept', 'accept-encoding', 'range', 'if-none-match', 'x-forwarded-for', 'user-agent'];
const BAD_IDS =
  '0 00 -1 1.5 1e3 9007199254740993 9223372036854775808 abc %00 1%00 %ff 1%2f.. %E2%80%AE 1;drop 1/1 1/';
const BAD_QUERIES = ['%', '%zz=1', '=', '&&', 'a[]=1', 'a[b]=1', '%ff=%fe', '?', '+'];

/** The request is valid, or broken in ways that callers, browsers and attackers break it. */
export function makeRequest(target: FuzzTarget, random: Random, chooseId: ChooseId): FuzzRequest {
  const method = random.chance(0.02) ? random.pick(HTTP_METHODS) : target.method;
  const path = fillPath(target, random, chooseId) + createQuery(target, random, chooseId);
  const headers: Record<string, string> = {};
  if (random.chance(0.3) && method === 'POST')
    headers['idempotency-key'] = random.chance(0.7)
      ? `clave-${random.int(1, 300)}`
      : toHeaderText(createHostileValue(random));
  if (random.chance(0.03)) headers[random.pick(ODD_HEADERS)] = toHeaderText(createHostileValue(random));
  if (['GET', 'HEAD', 'DELETE'].includes(method)) return { method, path, headers };
  const fields = createFields(target, random, chooseId);
  const { type, body } =
    target.files.length > 0 && random.chance(0.95)
      ? createFilesBody(target, fields, random)
      : createTextBody(fields, random.chance(0.95) ? target.kind : random.pick(['json', 'form']), random);
  if (type !== undefined) headers['content-type'] = type;
  return { method, path, headers, body: body.length > 0 || random.chance(0.5) ? body : undefined };
}

/** The field must match another value, so a random value makes most requests fail. */
const RARE_FIELD_PATTERN =
  /^(id|userid|requesteriduser|iva|total|totalamountpaid|version|cursor|shown|load|repeat|format|sheet|c\d+)$/i;

function fillPath({ path }: FuzzTarget, random: Random, idOf: ChooseId): string {
  const isSound = random.chance(0.87);
  const filled = path.replace(/:id/g, () =>
    String(isSound ? idOf(path, random) : random.pick(BAD_IDS.split(' '))),
  );
  return random.chance(0.05) ? `${filled}/` : filled;
}

function createQuery({ path, query: parameters }: FuzzTarget, random: Random, idOf: ChooseId): string {
  const ofPath: ChooseId = (name, own) => idOf(name === 'id' ? path : name, own);
  const pairs = Object.entries(parameters)
    .filter(([name]) => random.chance(RARE_FIELD_PATTERN.test(name) ? 0.05 : name === 'kind' ? 0.95 : 0.4))
    .map(([name, of]) =>
      formatPair(
        name,
        random.chance(0.8) ? createPlausibleValue(name, random, of, ofPath) : createHostileValue(random),
      ),
    );
  if (pairs.length > 0 && random.chance(0.05)) pairs.push(random.pick(pairs));
  if (random.chance(0.04))
    pairs.push(formatPair(toFieldText(createHostileValue(random)), createHostileValue(random)));
  if (random.chance(0.02)) pairs.push(random.pick(BAD_QUERIES));
  const query = pairs.join('&').slice(0, 6000);
  return query ? `?${query}` : '';
}

/** Lone surrogates cannot be encoded in an address. */
const formatPair = (name: string, value: unknown) =>
  `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(toFieldText(value).toWellFormed())}`;

function createFields(
  { path, body: parameters }: FuzzTarget,
  random: Random,
  idOf: ChooseId,
): Record<string, unknown> {
  const ofPath: ChooseId = (name, own) => idOf(name === 'id' ? path : name, own);
  const left = random.chance(0.7) ? 0.95 : 0.5;
  const fields: Record<string, unknown> = {};
  for (const [name, of] of Object.entries(parameters))
    if (random.chance(RARE_FIELD_PATTERN.test(name) ? 0.08 : left))
      fields[name] = createPlausibleValue(name, random, of, ofPath);
  const names = Object.keys(fields);
  const bent =
    random.chance(0.35) || names.length === 0 ? 0 : random.chance(0.7) ? 1 : random.int(2, names.length + 1);
  for (let n = 0; n < bent; n++) fields[random.pick(names)] = createHostileValue(random);
  if (random.chance(0.04)) fields[toFieldText(createHostileValue(random))] = createHostileValue(random);
  return fields;
}

interface Body {
  type?: string;
  body: Buffer;
}

const CONTENT_TYPES = [
  ...['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/xml', 'image/png'],
  ...['application/json; charset=utf-16', 'multipart/form-data', 'multipart/form-data; boundary=x', ';;;'],
];

function createTextBody(fields: Record<string, unknown>, kind: 'json' | 'form', random: Random): Body {
  const isJson = kind === 'json';
  const pairs = Object.entries(fields).map(([name, value]) => formatPair(name, value));
  const text = isJson ? JSON.stringify(fields) : pairs.join('&');
  const [name = 'a'] = Object.keys(fields);
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  if (random.chance(0.8)) return { type, body: Buffer.from(text) };
  const odd: readonly (() => string | Buffer)[] = [
    () => text.slice(0, random.int(0, text.length)),
    () => damageBytes(Buffer.from(text), random.int(1, 1e6)),
    () => `\uFEFF${text}`,
    () => Buffer.from(text, 'utf16le'),
    () => JSON.stringify(createHostileValue(random)) ?? '',
    () => (isJson ? `[${text},${text}]` : `${text}&${text}`),
    () =>
      isJson ? `{"${name}":1,"__proto__":{"roles":[3]},${text.slice(1)}` : `${text}&%=%&%ff=%fe&=&a[]=1`,
    () => (isJson ? `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}` : 'a=1&'.repeat(random.int(1, 5000))),
    () => (isJson ? `{"a":"${'x'.repeat(300 * 1024)}"}` : `a=${'x'.repeat(300 * 1024)}`),
    () => '',
  ];
  if (random.chance(0.7)) return { type, body: Buffer.from(random.pick(odd)() as string) };
  return { type: random.pick([...CONTENT_TYPES, undefined]), body: Buffer.from(text) };
}

const MULTIPART_TYPE = 'multipart/form-data; boundary=frontera';
const FILE_TYPES = ['application/octet-stream', 'text/csv', 'text/xml', 'image/png', 'text/html', 'x'];
const FILE_NAMES = [
  ...[
    '',
    'a',
    '../../../etc/passwd',
    'C:\\x\\tabla.csv',
    'tabla.csv.exe',
    `${'n'.repeat(300)}.csv`,
    '__proto__',
  ],
  ...['<img src=x onerror=alert(1)>.csv', 'a\u202evsc.csv', '%00.csv', 'ñandú 😀.xlsx'],
];

function createFilesBody(target: FuzzTarget, fields: Record<string, unknown>, random: Random): Body {
  const createMultipartPart = (name: string, more: string, content: Buffer) => [
    Buffer.from(`--frontera\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    ...[content, Buffer.from('\r\n')],
  ];
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    createMultipartPart(name, '', Buffer.from(toFieldText(value))),
  );
  for (const control of target.files) {
    if (random.chance(0.1)) continue;
    const name = random.pick(FILE_NAMES).toWellFormed().replaceAll('"', '%22');
    const more = `; filename="${name}"\r\nContent-Type: ${random.pick(FILE_TYPES)}`;
    parts.push(...createMultipartPart(control, more, createFileFor(target.path, control, random)));
  }
  if (random.chance(0.01)) parts.push(...createMultipartPart('relleno', '', Buffer.alloc(300 * 1024, 'x')));
  const body = Buffer.concat([...parts, Buffer.from(random.chance(0.97) ? '--frontera--\r\n' : '')]);
  const isSound = random.chance(0.95);
  return {
    type: random.chance(0.97) ? MULTIPART_TYPE : random.pick(CONTENT_TYPES),
    body: isSound ? body : damageBytes(body, random.int(1, 1e6)),
  };
}

function createFileFor(path: string, control: string, random: Random): Buffer {
  const own =
    control === 'pdf'
      ? [createPicture]
      : control === 'xml'
        ? [createDocument]
        : /importar/.test(path)
          ? TABLE_CREATORS
          : [createPicture];
  const make = random.pick(
    random.chance(0.9) ? own : [...TABLE_CREATORS, createPicture, createDocument, pickRefusedFile],
  );
  const bytes = make(random);
  return random.chance(0.8) ? bytes : damageBytes(bytes, random.int(1, 1e6));
}

const createPicture = (random: Random) =>
  random.pick([buildPdf, buildPdf, buildPng, buildJpeg, buildWebp])(String(random.int(1, 1e6)));
const pickRefusedFile = (random: Random) => random.pick(Object.values(REFUSED_FILES));

function createDocument(random: Random): Buffer {
  const uuidOf = () =>
    `AAAAAAAA-1111-4222-8333-${random.int(1, 400).toString(16).padStart(12, '0').toUpperCase()}`;
  const uuid = uuidOf();
  const emisor = {
    Rfc: random.pick(['GODE561231GR8', 'EKU9003173C9', 'XAXX010101000', 'x']),
    Nombre: 'Emisor',
  };
  const Fecha = random.pick(['2026-11-03T09:00:00', '', '2024-02-30T00:00:00', 'ayer']);
  const make = random.pick([
    () => buildCfdi({ uuid, emisor, root: { Folio: String(random.int(1, 9999)) } }),
    () => buildCfdi({ uuid, emisor, root: { Total: String(createPlausibleValue('subtotal', random)) } }),
    () => buildCfdi({ uuid, emisor, version: random.pick(['3.2', '3.3', '4.0']), root: { Fecha } }),
    () => buildCreditNote([uuidOf()], { uuid, emisor }),
    () => buildReceipt({ uuid, emisor, doctos: [{ amount: '10.00', of: uuidOf() }] }),
  ]);
  return Buffer.from(make());
}

const HOSTILE_CELLS = [
  '',
  '-',
  'N/A',
  '=1+1',
  '#REF!',
  '1,16',
  '31/12/2025',
  '2026-02-30',
  '$ 1.160,50',
  '\u0000',
];

function createCsv(random: Random): Buffer {
  const fields = fieldsOf(random.pick(TABLE_KINDS)).filter(({ required }) => required || random.chance(0.6));
  // Few names are used, so that rows refer to the same supplier and to invoices of earlier rows.
  const cellOf = (name: string) =>
    random.chance(0.04)
      ? random.pick(HOSTILE_CELLS)
      : /name$|title$|nombre|numfactura/.test(name)
        ? `Nombre ${random.int(1, 6)}`
        : String(createPlausibleValue(name, random));
  const header = fields.map(({ name, label, aliases }) => random.pick([name, label, ...aliases]));
  const rows = Array.from({ length: random.int(0, 12) }, () => fields.map(({ name }) => cellOf(name)));
  const sign = random.pick([',', ',', ';', '\t', '|']);
  const lines = [header, ...rows].map((cells) => cells.map((cell) => JSON.stringify(cell)).join(sign));
  return Buffer.from(lines.join(random.pick(['\n', '\r\n', '\r'])), random.pick(['utf8', 'utf8', 'latin1']));
}

const TABLE_CREATORS = [createCsv, createCsv, () => SOUND.xlsx];

const toFieldText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Headers allow no line breaks, and one byte for each character. */
const toHeaderText = (value: unknown) =>
  toFieldText(value)
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '')
    .slice(0, 2000)
    .trim();
