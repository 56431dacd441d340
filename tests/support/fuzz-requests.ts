import { damaged, fileFor } from './fuzz-files.ts';
import type { LiveIds } from './fuzz-ids.ts';
import type { Target } from './fuzz-routes.ts';
import { hostile, plausible, type Random } from './fuzz-values.ts';

/** Everything about a request but who sends it. */
export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

/** A request for this route: a sound one, or one bent in ways that callers, browsers and attackers have. */
export function makeRequest(target: Target, random: Random, ids: LiveIds): FuzzRequest {
  const changes = !['GET', 'DELETE'].includes(target.method);
  const path = pathOf(target, random, ids) + queryOf(target, random, ids);
  const method = random.chance(0.02)
    ? random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])
    : target.method;
  const headers: Record<string, string> = {};
  if (random.chance(0.3) && method === 'POST')
    headers['idempotency-key'] = random.chance(0.7)
      ? `clave-${random.int(1, 300)}`
      : headerText(hostile(random));
  if (random.chance(0.03))
    headers[
      random.pick(['accept', 'accept-encoding', 'range', 'if-none-match', 'x-forwarded-for', 'user-agent'])
    ] = headerText(hostile(random));
  if (!changes && !random.chance(0.03)) return { method, path, headers };
  const fields = bend(target, random, ids);
  const { type, body } =
    target.kind === 'json'
      ? jsonBody(fields, random)
      : target.files.length > 0 && random.chance(0.95)
        ? filesBody(target, fields, random)
        : formBody(fields, random);
  if (type !== undefined) headers['content-type'] = type;
  return { method, path, headers, body: body.length > 0 || random.chance(0.5) ? body : undefined };
}

/** Has to agree with something else, and makes most requests a mistake where it is random. */
const RARELY =
  /^(id|userid|requesteriduser|iva|total|totalamountpaid|version|cursor|shown|load|repeat|format|sheet|c\d+)$/i;

function pathOf({ path }: Target, random: Random, ids: LiveIds): string {
  const bad = () =>
    random.chance(0.5)
      ? String(ids.of(path, random))
      : random.pick([
          '0',
          '00',
          '-1',
          '1.5',
          '1e3',
          '9007199254740993',
          '9223372036854775808',
          '9'.repeat(400),
          'abc',
          '%00',
          '1%00',
          '%ff',
          '%',
          '1%2f..',
          '%E2%80%AE',
          '1;drop',
          '..',
          '%u0031',
          '1/1',
          '1/',
        ]);
  const whole = random.chance(0.87) ? ids.path(path, random) : path.replace(/:id/g, bad);
  return random.chance(0.05) ? `${whole}/` : whole;
}

function queryOf({ path, query: known }: Target, random: Random, ids: LiveIds): string {
  const names = Object.keys(known);
  const idOf = (name: string) => ids.of(name === 'id' ? path : name, random);
  const pairs: string[] = [];
  for (const name of names) {
    if (!random.chance(RARELY.test(name) ? 0.05 : name === 'kind' ? 0.95 : 0.4)) continue;
    pairs.push(
      pairOf(name, random.chance(0.8) ? plausible(name, random, known[name], idOf) : hostile(random)),
    );
  }
  if (pairs.length > 0 && random.chance(0.05)) pairs.push(random.pick(pairs));
  if (random.chance(0.04)) pairs.push(pairOf(textOf(hostile(random)), hostile(random)));
  if (random.chance(0.02))
    pairs.push(random.pick(['%', '%zz=1', '=', '&&', 'a[]=1', 'a[b]=1', '%ff=%fe', '?', '+']));
  const query = pairs.join('&').slice(0, 6000);
  return query ? `?${query}` : '';
}

/** Lone surrogates have no form in an address. */
const pairOf = (name: string, value: unknown) => {
  return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(textOf(value).toWellFormed())}`;
};

/** The fields with plausible values, of which none, some or all are then bent. */
function bend({ path, body: known }: Target, random: Random, ids: LiveIds): Record<string, unknown> {
  const idOf = (name: string) => ids.of(name === 'id' ? path : name, random);
  const left = random.chance(0.7) ? 0.95 : 0.5;
  const fields: Record<string, unknown> = {};
  for (const [name, of] of Object.entries(known))
    if (random.chance(RARELY.test(name) ? 0.08 : left)) fields[name] = plausible(name, random, of, idOf);
  const names = Object.keys(fields);
  const bent =
    random.chance(0.35) || names.length === 0 ? 0 : random.chance(0.7) ? 1 : random.int(2, names.length + 1);
  for (let n = 0; n < bent; n++) fields[random.pick(names)] = hostile(random);
  if (random.chance(0.04)) fields[textOf(hostile(random))] = hostile(random);
  return fields;
}

interface Body {
  type?: string;
  body: Buffer;
}

const JSON_TYPE = 'application/json';

function jsonBody(fields: Record<string, unknown>, random: Random): Body {
  const text = JSON.stringify(fields);
  if (random.chance(0.8)) return { type: JSON_TYPE, body: Buffer.from(text) };
  const name = Object.keys(fields)[0] ?? 'a';
  return random.pick<() => Body>([
    () => ({ type: JSON_TYPE, body: Buffer.from(text.slice(0, random.int(0, text.length))) }),
    () => ({ type: JSON_TYPE, body: bytesChanged(text, random) }),
    () => ({ type: JSON_TYPE, body: Buffer.from(`\uFEFF${text}`) }),
    () => ({ type: JSON_TYPE, body: Buffer.from(text, 'utf16le') }),
    () => ({ type: JSON_TYPE, body: Buffer.from(JSON.stringify(hostile(random)) ?? '') }),
    () => ({ type: JSON_TYPE, body: Buffer.from(`[${text},${text}]`) }),
    () => ({
      type: JSON_TYPE,
      body: Buffer.from(`{"${name}":1,"${name}":[2],"__proto__":{"roles":[3]},${text.slice(1)}`),
    }),
    () => ({ type: JSON_TYPE, body: Buffer.from(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`) }),
    () => ({ type: JSON_TYPE, body: Buffer.from(`{"a":"${'x'.repeat(300 * 1024)}"}`) }),
    () => ({ type: JSON_TYPE, body: Buffer.from(`{"${name}":1${'0'.repeat(400)}}`) }),
    () => ({ type: random.pick(TYPES), body: Buffer.from(text) }),
    () => ({ body: Buffer.from(text) }),
    () => formBody(fields, random),
    () => ({ type: JSON_TYPE, body: Buffer.alloc(0) }),
  ])();
}

const TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'image/png',
  ';;;',
];

const FORM_TYPE = 'application/x-www-form-urlencoded';

function formBody(fields: Record<string, unknown>, random: Random): Body {
  const pairs = Object.entries(fields).map(([name, value]) => pairOf(name, value));
  if (random.chance(0.05) && pairs.length > 0) pairs.push(random.pick(pairs));
  const text = pairs.join('&');
  if (random.chance(0.85)) return { type: FORM_TYPE, body: Buffer.from(text) };
  const parts = Object.entries(fields).map(([name, value]) => partOf(name, value, random));
  const multipart = Buffer.from(`${parts.join('')}--frontera${random.chance(0.8) ? '--\r\n' : ''}`);
  return random.pick<() => Body>([
    () => ({ type: FORM_TYPE, body: Buffer.from(`${text}&%=%&%ff=%fe&=&a[]=1`) }),
    () => ({ type: FORM_TYPE, body: bytesChanged(text, random) }),
    () => ({ type: FORM_TYPE, body: Buffer.from('a=1&'.repeat(random.int(1, 5000))) }),
    () => ({ type: FORM_TYPE, body: Buffer.from(`a=${'x'.repeat(300 * 1024)}`) }),
    () => ({ type: 'multipart/form-data; boundary=frontera', body: multipart }),
    () => ({
      type: 'multipart/form-data; boundary=frontera',
      body: bytesChanged(multipart.toString(), random),
    }),
    () => ({ type: 'multipart/form-data; boundary=otra', body: multipart }),
    () => ({ type: random.pick(TYPES), body: Buffer.from(text) }),
    () => ({ type: JSON_TYPE, body: Buffer.from(JSON.stringify(fields)) }),
    () => ({ body: Buffer.from(text) }),
  ])();
}

function partOf(name: string, value: unknown, random: Random): string {
  const file = random.chance(0.2) ? `; filename="${random.pick(['a.xml', '../../x', 'a"b', ''])}"` : '';
  return `--frontera\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${textOf(value)}\r\n`;
}

const MULTIPART_TYPE = 'multipart/form-data; boundary=frontera';

/** The form's fields and files, as a browser sends them or as it never would. */
function filesBody(target: Target, fields: Record<string, unknown>, random: Random): Body {
  const parts: Buffer[] = Object.entries(fields).map(([name, value]) =>
    Buffer.from(partOf(name, value, random)),
  );
  for (const control of target.files) {
    if (random.chance(0.1)) continue;
    const { filename, bytes } = fileFor(target.path, control, random);
    const name = filename.toWellFormed().replaceAll('"', '%22');
    const head = `--frontera\r\nContent-Disposition: form-data; name="${control}"; filename="${name}"\r\nContent-Type: ${random.pick(FILE_TYPES)}\r\n\r\n`;
    parts.push(Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')]));
  }
  if (parts.length > 0 && random.chance(0.03)) parts.push(random.pick(parts));
  if (random.chance(0.02))
    parts.push(...Array<Buffer>(random.int(10, 200)).fill(Buffer.from(partOf('a', 1, random))));
  if (random.chance(0.01)) parts.push(Buffer.from(partOf('relleno', 'x'.repeat(300 * 1024), random)));
  const body = Buffer.concat([...parts, Buffer.from(random.chance(0.97) ? '--frontera--\r\n' : '')]);
  return {
    type: random.chance(0.97) ? MULTIPART_TYPE : random.pick(TYPES),
    body: random.chance(0.95) ? body : damaged(body, random),
  };
}

const FILE_TYPES = ['application/octet-stream', 'text/csv', 'text/xml', 'image/png', 'text/html', 'x'];

function bytesChanged(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  for (let n = random.int(1, 4); n > 0 && bytes.length > 0; n--)
    bytes[random.int(0, bytes.length - 1)] = random.int(0, 255);
  return bytes;
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Headers take no line breaks and one byte for each character. */
const headerText = (value: unknown) =>
  textOf(value)
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '')
    .slice(0, 2000);
