import { serializeSigned } from 'hono/utils/cookie';
import type { Db, Schema } from '../../db/schema.ts';
import { fieldsOf } from '../../server/formats/tables/fields.ts';
import { TABLE_KINDS } from '../../server/formats/tables/table.ts';
import { buildCfdi } from './cfdi.ts';
import { type ChooseId, type FuzzRequest, makeRequest } from './fuzz-requests.ts';
import { type FuzzTarget, learnTargets, type Route } from './fuzz-routes.ts';
import { Random } from './fuzz-values.ts';
import { addCreditNote, addSession, addUser } from './rows.ts';
import { createUploadForm } from './upload.ts';

export const FUZZ_SECRET = 'un-secreto-solo-para-las-pruebas-0123456789';

export interface FuzzResult {
  statuses: Record<string, number>;
  /** the number of routes, and of those that succeeded at least once */
  routes: number;
  servedRouteCount: number;
  faults: string[];
}

export interface FuzzOptions {
  url: string;
  db: Db;
  routes: readonly Route[];
  requests: number;
  seed: number;
}

/** These requests take a tenth of a second of work: at most one request in a hundred is one of them. */
const PASSWORD_ROUTE_PATTERN =
  /^(POST|PUT) (\/api\/auth\/(signin|signup|changepsw|resetpsw)|\/login|\/new-user|\/userprofile|\/admin-users)$/;
/** These requests export whole lists, or have files read in a separate process: one request in fifty. */
const HEAVY_ROUTE_PATTERN = /\/export\.(pdf|xlsx|csv|json)$|^\/importar\/:id|\/new-invoice\/xml$/;
/** These requests end sessions, so each of them uses a session of its own. */
const SESSION_ENDING_ROUTE_PATTERN =
  /\/(logout|signout|sesiones|signin|login|codigo|changepsw|userprofile|doble-factor)$/;
const MAX_CONCURRENT = 8;
const REQUESTS_PER_SESSION = 20;
const ANSWER_TIMEOUT_MS = 30_000;
/** Larger bodies are refused while they are still being sent, which may break the connection. */
const BODY_LIMIT = 256 * 1024;
/** Signs of internals that no answer may show. */
const LEAKED_INTERNALS_PATTERN =
  /SQLITE_|SqliteError|node_modules|\bat \S+ \(.*:\d+:\d+\)|select .* from "|relation ".*" does not/;

/**
 * The same seed makes the same requests except for the ids in them, which are of rows that exist by then; the network
 * decides in which order the eight concurrent requests arrive.
 */
export async function fuzzServer({ url, db, routes, requests, seed }: FuzzOptions): Promise<FuzzResult> {
  const callers = await createCallers(db);
  let idOf = await readLiveIds(db, new Random(seed));
  const send = (request: FuzzRequest) =>
    fetch(url + request.path, {
      ...request,
      body: request.body && new Uint8Array(request.body),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
  const admin = { 'x-access-token': await callers.tokenOf(0) };
  const get = async (path: string) => {
    const answer = await send({ method: 'GET', path, headers: admin });
    return { status: answer.status, text: await answer.text() };
  };
  const targets = await learnTargets(routes, get, await sendWithForgedTokens(url, admin, db));
  const hashing = targets.filter(({ method, path }) => PASSWORD_ROUTE_PATTERN.test(`${method} ${path}`));
  const heavy = targets.filter(({ path }) => HEAVY_ROUTE_PATTERN.test(path));
  // Changes are requested more often than pages.
  const cheap = targets
    .filter((target) => !hashing.includes(target) && !heavy.includes(target))
    .flatMap((target) => Array<FuzzTarget>(target.method === 'GET' ? 1 : 3).fill(target));
  const served = new Set<FuzzTarget>();
  const statuses: Record<string, number> = {};
  const faults: string[] = [];

  const sendOne = async (number: number) => {
    if (number % REQUESTS_PER_SESSION === 0) {
      await callers.renew();
      idOf = await readLiveIds(db, new Random(seed + number));
    }
    // Each request has its own seed, so that the order of the others does not change it.
    const own = new Random(seed * 1_000_003 + number);
    const share = own.next();
    const target = own.pick(share < 0.01 ? hashing : share < 0.03 ? heavy : cheap);
    const made = makeRequest(target, own, idOf);
    const headers = await callers.headersOf(own, url, SESSION_ENDING_ROUTE_PATTERN.test(target.path));
    const sent = { ...made, headers: { ...headers, ...made.headers } };
    const problem = await send(sent).then(
      async (answer) => {
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (answer.status < 400) served.add(target);
        return findFault(answer, await answer.text(), sent);
      },
      (error: Error) => {
        if ((sent.body?.length ?? 0) <= BODY_LIMIT) return String(error.cause ?? error);
        statuses.cut = (statuses.cut ?? 0) + 1;
        return undefined;
      },
    );
    const body = sent.body?.toString('base64').slice(0, 2000) ?? '';
    if (problem)
      faults.push(
        `${number}: ${problem}: ${sent.method} ${sent.path} ${JSON.stringify(made.headers)} ${body}`,
      );
  };
  let next = 0;
  const sendUntilDone = async () => {
    for (let number = next++; number < requests; number = next++) await sendOne(number);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, sendUntilDone));
  await callers.renew();
  return { statuses, routes: targets.length, servedRouteCount: served.size, faults };
}

async function findFault({ status, headers }: Response, text: string, { method, path }: FuzzRequest) {
  // The caller has to wait and is told when to try again: no error.
  if (status === 503 && headers.has('retry-after')) return undefined;
  if (status >= 500) return `${status}: ${text.slice(0, 200)}`;
  if (status < 400) return undefined;
  if (LEAKED_INTERNALS_PATTERN.test(text))
    return `${status} shows what happens inside: ${text.slice(0, 200)}`;
  if (!path.startsWith('/api/') || method === 'HEAD') return undefined;
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) return `${status} is ${type}, not JSON`;
  const { message, code } = JSON.parse(text) as Record<string, unknown>;
  const isTold = typeof message === 'string' && typeof code === 'string';
  return isTold ? undefined : `${status} without message and code`;
}

/** Other pages depend on these files. @returns the addresses of those pages */
async function sendWithForgedTokens(url: string, headers: Record<string, string>, db: Db): Promise<string[]> {
  const suppliers = await db.selectFrom('suppliers').select('id').orderBy('id').limit(20).execute();
  const { id: userId } = await db.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow();
  for (const { id: supplierId } of suppliers) await addCreditNote(db, { supplierId, userId });
  const documents = new FormData();
  documents.append('xml', new Blob([buildCfdi()]), 'a');
  const forms: [path: string, init: RequestInit][] = [
    ...TABLE_KINDS.map((kind): [string, RequestInit] => {
      const names = fieldsOf(kind).map(({ name }) => name);
      const text = `${names.join()}\n${names.map(() => '1').join()}\n`;
      return [`/importar?kind=${kind}`, createUploadForm({ name: 'a', text }, {})];
    }),
    ['/new-invoice/xml', { method: 'POST', body: documents }],
  ];
  const pages: string[] = [];
  for (const [path, init] of forms) {
    const answer = await fetch(url + path, { ...init, headers, redirect: 'manual' });
    if (answer.status !== 303) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    pages.push(answer.headers.get('location')!);
  }
  return pages;
}

/** The share of each kind of caller, and its roles; a caller without roles is not signed in. */
const CALLER_KINDS: ReadonlyArray<{ share: number; roles?: number[]; mustChangePassword?: boolean }> = [
  { share: 78, roles: [1, 3] },
  { share: 4, roles: [2] },
  { share: 4, roles: [4, 5] },
  { share: 4, roles: [6] },
  { share: 2, roles: [] },
  { share: 2, roles: [1, 3], mustChangePassword: true },
  { share: 6 },
];

const WEIGHTED_CALLERS = CALLER_KINDS.flatMap(({ share }, caller) => Array<number>(share).fill(caller));

const FORGED_HEADERS: ReadonlyArray<Record<string, string>> = [
  {},
  { 'x-access-token': 'nada' },
  { authorization: 'Bearer x' },
  { authorization: 'Basic YTpi' },
  { cookie: 'saldo=x.y' },
  { cookie: 'saldo=%ff; saldo=; =' },
  { cookie: `saldo=${'x'.repeat(4000)}` },
  { cookie: 'saldo=a.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
];

/**
 * Makes the callers. They do not sign in through the sign-in page, which has a rate limit; changes to their own
 * sessions, roles and passwords are undone now and then, directly in the database.
 */
async function createCallers(db: Db) {
  const users = await Promise.all(
    CALLER_KINDS.map(({ share: _, ...part }) => part.roles && addUser(db, part)),
  );
  const tokens: string[] = [];
  const tokenOf = async (caller: number) => addSession(db, users[caller]!.id, new Date());
  const renewSessions = async () => {
    for (const [caller, user] of users.entries()) {
      if (!user) continue;
      const { id, roles } = user;
      await db.transaction().execute(async (trx) => {
        const flags = { active: 1, mustChangePassword: CALLER_KINDS[caller]!.mustChangePassword ? 1 : 0 };
        await trx.updateTable('users').set(flags).where('id', '=', id).execute();
        await trx.deleteFrom('user_roles').where('userId', '=', id).execute();
        const rows = roles.map((roleId) => ({ userId: id, roleId }));
        if (rows.length > 0) await trx.insertInto('user_roles').values(rows).execute();
      });
      tokens[caller] = await tokenOf(caller);
    }
  };
  await renewSessions();
  return {
    renew: renewSessions,
    tokenOf,
    /** @param isAlone creates a session for this request only */
    async headersOf(random: Random, origin: string, isAlone: boolean): Promise<Record<string, string>> {
      const caller = random.pick(WEIGHTED_CALLERS);
      if (!users[caller] || random.chance(0.02)) return random.pick(FORGED_HEADERS);
      const token = isAlone ? await tokenOf(caller) : tokens[caller]!;
      if (random.chance(0.4)) return { 'x-access-token': token };
      const cookie = await serializeSigned('saldo', token, FUZZ_SECRET);
      const from = random.chance(0.97) ? origin : random.pick(['null', 'http://evil.test', 'x']);
      return { cookie: cookie.split(';')[0]!, origin: from };
    },
  };
}

/** Finds the table that a path or a field's name refers to: the first word found. */
const TABLE_PATTERNS: ReadonlyArray<readonly [RegExp, keyof Schema]> = [
  [/^cfdi$|^pdf$|^\/importar/, 'uploads'],
  [/movimientos/i, 'petty_cash_movements'],
  [/caja-chica/i, 'petty_cash_funds'],
  [/presupuestos/i, 'jobs'],
  [/programaciones/i, 'payment_batches'],
  [/cuenta/i, 'supplier_accounts'],
  [/nota-de-credito|creditNote/i, 'credit_notes'],
  [/supplier/i, 'suppliers'],
  [/client/i, 'clients'],
  [/job/i, 'jobs'],
  [/rubro/i, 'rubros'],
  [/origen|fundingSource/i, 'funding_sources'],
  [/factura|invoice/i, 'invoices'],
  [/payment|pagos/i, 'payments'],
  [/user/i, 'users'],
];

async function readLiveIds(db: Db, random: Random): Promise<ChooseId> {
  const found = new Map<keyof Schema, readonly (number | string)[]>();
  for (const [, table] of TABLE_PATTERNS) {
    const ids = db.selectFrom(table as 'invoices').select('id');
    // Most of them are open: a paid invoice takes no payment.
    const some = table === 'invoices' ? ids.whereRef('paidCents', '<', 'totalCents') : ids;
    const from = table === 'uploads' ? some : some.where('id', '>', random.int(0, 2600));
    let rows = await from.orderBy('id').limit(30).execute();
    if (rows.length === 0) rows = await some.orderBy('id', 'desc').limit(30).execute();
    found.set(
      table,
      rows.map(({ id }) => id),
    );
  }
  return (name, own) => {
    const [, table] = TABLE_PATTERNS.find(([word]) => word.test(name)) ?? [];
    const ids = (table && found.get(table)) || [];
    return ids.length > 0 && own.chance(0.9) ? own.pick(ids) : own.int(1, 2600);
  };
}
