import type { Trx } from '../../db/schema.ts';
import { DomainError } from '../../shared/errors.ts';
import { pages } from '../../shared/urls.ts';
import { type IdempotencyKey, runOncePerKey } from '../services/idempotency.ts';
import type { AppContext } from './session.ts';
import { actorOf, pathWithoutSlash } from './session.ts';

/** application/json (RFC 8259) and types with the suffix +json (RFC 6839). */
const JSON_TYPE_PATTERN = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

export const ID_SEGMENT = ':id{[0-9]+}';

/** @throws DomainError not-found, also for ids that no row can have, such as 0 */
export function idInPath(c: AppContext): number {
  const id = Number(c.req.param('id'));
  if (!Number.isSafeInteger(id) || id < 1) throw new DomainError('not-found', 'No existe esta página.');
  return id;
}

/** @throws DomainError wrong-type, malformed */
export async function readJson(c: AppContext): Promise<Record<string, unknown>> {
  const type = c.req.header('content-type');
  if (type !== undefined && !JSON_TYPE_PATTERN.test(type))
    throw new DomainError('wrong-type', 'El cuerpo se espera como application/json.', {
      code: 'unsupported_media_type',
    });
  const text = await c.req.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new DomainError('malformed', 'El cuerpo no es JSON.');
    throw error;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError('malformed', 'Se espera un objeto JSON.');
  }
  // JSON.parse keeps the last of repeated members; a filter in front of this server may have checked the first.
  const repeated = findRepeatedMember(text);
  if (repeated !== undefined)
    throw new DomainError('malformed', `El campo «${repeated}» viene más de una vez.`);
  return body as Record<string, unknown>;
}

export const readOptionalJson = async (c: AppContext): Promise<Record<string, unknown>> =>
  (await c.req.text()) === '' ? {} : readJson(c);

/** @returns the fields of a posted form, without files @throws DomainError malformed, also for a repeated field */
export const readForm = async (c: AppContext): Promise<Record<string, string>> =>
  pickTextFields(await parseForm(c));

export async function readFormWithList(
  c: AppContext,
  listName: string,
  maxFields: number,
): Promise<{ fields: Record<string, string>; listed: string[] }> {
  const { fields, lists } = await readFormWithLists(c, [listName], maxFields);
  return { fields, listed: lists[listName]! };
}

/** Reads a form in which the given names may be repeated, such as checkboxes. @throws DomainError malformed */
export async function readFormWithLists<Name extends string>(
  c: AppContext,
  names: readonly Name[],
  maxFields = MAX_FIELDS,
): Promise<{ fields: Record<string, string>; lists: Record<Name, string[]> }> {
  const form = await parseForm(c, maxFields);
  const readListValues = (name: string) =>
    [form[name] ?? []].flat().filter((value) => typeof value === 'string');
  const lists = Object.fromEntries(names.map((name) => [name, readListValues(name)])) as Record<
    Name,
    string[]
  >;
  return { fields: pickTextFields(form, names), lists };
}

type ParsedForm = Awaited<ReturnType<typeof parseForm>>;

function pickTextFields(form: ParsedForm, lists: readonly string[] = []): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(form)) {
    if (lists.includes(name)) continue;
    if (Array.isArray(value)) throw new DomainError('malformed', `El campo «${name}» viene más de una vez.`);
    if (typeof value !== 'string') continue;
    // PostgreSQL does not store this character.
    if (value.includes('\0'))
      throw new DomainError('malformed', `El campo «${name}» trae caracteres no permitidos.`);
    fields[name] = value;
  }
  return { ...fields };
}

/** Writes once for each Idempotency-Key (a header, or a hidden field); the key is stored in the same transaction. */
export async function writeOnce<T extends object>(
  c: AppContext,
  body: Record<string, unknown>,
  write: (trx: Trx) => Promise<T>,
): Promise<T> {
  const { idempotencyKey, ...rest } = body;
  const key = c.req.header('idempotency-key') ?? (typeof idempotencyKey === 'string' ? idempotencyKey : '');
  const onceKey: IdempotencyKey | undefined = key
    ? { key, method: c.req.method, path: pathWithoutSlash(c), body: JSON.stringify(rest) }
    : undefined;
  return (await runOncePerKey(c.get('deps').db, actorOf(c), onceKey, write)).answer;
}

export function readRefererHref(c: AppContext): string | undefined {
  const from = URL.parse(c.req.header('referer') ?? '');
  return toLocalPath(from ? from.pathname + from.search : undefined);
}

/** @returns the list's address with its filter, which script posts as `returnTo`, or else its plain address */
export function returnHref(form: Readonly<Record<string, string>>, listPath: string): string {
  const { returnTo = '' } = form;
  const path = returnTo.length <= 2000 ? toLocalPath(returnTo) : undefined;
  return path?.startsWith(`${listPath}?`) ? path : listPath;
}

/** A form that was opened from the first steps posts their address as `back`, to return there once it is saved. */
export const firstStepsReturnHref = ({ back }: Readonly<Record<string, string>>): string | undefined =>
  back === pages.firstSteps ? back : undefined;

/** @param json valid JSON @returns the name of a member that an object in it repeats, at any depth */
function findRepeatedMember(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon) {
      const name = JSON.parse(token.slice(0, -colon.length)) as string;
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return undefined;
}

/** A form that may have more fields states its own limit; parsing a hundred thousand would take long. */
const MAX_FIELDS = 200;

async function parseForm(c: AppContext, limit = MAX_FIELDS) {
  const text = Buffer.from(await c.req.arrayBuffer()).toString('latin1');
  // Besides the fields, splitting at the boundaries gives an empty piece at the start, and one more piece at the end.
  const isMultipart = /^multipart\//i.test(c.req.header('content-type') ?? '');
  const [separator, maxParts] = isMultipart ? [/^--/m, limit + 2] : [/&/, limit];
  if (text.split(separator, maxParts + 1).length > maxParts)
    throw new DomainError('malformed', `El formulario trae más de ${limit} campos.`);
  try {
    return await c.req.parseBody({ all: true });
  } catch (error) {
    // undici throws a TypeError where a form is malformed.
    if (error instanceof TypeError) throw new DomainError('malformed', 'El formulario no se puede leer.');
    throw error;
  }
}

/** @returns the address if it is a path, safe in a header, that no browser takes for the address of another site */
export function toLocalPath(address: string | undefined): string | undefined {
  if (!address || !/^\/[^/\\]/.test(address) || /[\\\s\p{Cc}]/u.test(address)) return undefined;
  const url = URL.parse(address, 'http://saldo.invalid');
  if (url?.host !== 'saldo.invalid') return undefined;
  // Parsing turns "/.//other.site" into "//other.site".
  return url.pathname.startsWith('//') ? undefined : url.pathname + url.search;
}
