import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Db } from '../../db/schema.ts';
import { fieldsOf } from '../../server/formats/tables/fields.ts';
import { TABLE_KINDS } from '../../server/formats/tables/table.ts';
import { buildCfdi } from './cfdi.ts';
import { FuzzActors } from './fuzz-actors.ts';
import { LiveIds } from './fuzz-ids.ts';
import { type FuzzRequest, makeRequest } from './fuzz-requests.ts';
import { learnTargets, type Route, type Target } from './fuzz-routes.ts';
import { Random } from './fuzz-values.ts';
import { addCreditNote } from './rows.ts';

export interface Offence {
  number: number;
  problem: string;
  /** a command that sends the same request again */
  replay: string;
}

export interface FuzzResult {
  /** how many requests each status answered */
  statuses: Record<string, number>;
  /** routes, and how many of them did at least once what they are for */
  routes: number;
  served: number;
  offences: Offence[];
}

export interface FuzzOptions {
  url: string;
  /** the server's database */
  db: Db;
  routes: readonly Route[];
  requests: number;
  seed: number;
}

/** These take a tenth of a second of work each time: at most one request in a hundred. */
const HASHES =
  /^(POST|PUT) (\/api\/auth\/(signin|signup|changepsw|resetpsw)|\/login|\/new-user|\/userprofile|\/admin-users)$/;
/** These end sessions, so each of them has one of its own. */
const ENDS_SESSIONS = /\/(logout|signout|sesiones|signin|login|codigo|changepsw|userprofile|doble-factor)$/;
const HASH_SHARE = 0.01;
/** Whole lists as files, and files that a process of their own reads: one request in fifty. */
const HEAVY = /\/export\.(pdf|xlsx|csv|json)$|^\/importar\/:id|\/new-invoice\/xml$/;
const HEAVY_SHARE = 0.02;
const IN_FLIGHT = 8;
const RENEW_EVERY = 20;
const ANSWER_MS = 30_000;
/** Larger bodies are refused while they are still being sent, which may break the connection. */
const BODY_LIMIT = 256 * 1024;
/** Signs of what happens inside that no answer may show. */
const LEAK =
  /SQLITE_|SqliteError|node_modules|\bat \S+ \(.*:\d+:\d+\)|select .* from "|relation ".*" does not/;

/**
 * Sends requests to all routes, sound and bent ones, as all kinds of callers. The same seed makes the same
 * requests but for the ids in them, which are of rows that exist by then; in which order eight of them at a time
 * arrive is the network's.
 */
export async function fuzz({ url, db, routes, requests, seed }: FuzzOptions): Promise<FuzzResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const actors = new FuzzActors(db);
  const ids = new LiveIds(db, new Random(seed));
  await actors.start();
  await ids.refresh();
  const admin = { 'x-access-token': await adminToken(actors, url) };
  const uploads = await sendFirst(agent, url, admin, db);
  await ids.refresh();
  const targets = await learnTargets(
    routes,
    async (path) => {
      const { status, text } = await send(agent, url, { method: 'GET', path, headers: admin });
      return { status, text };
    },
    uploads,
  );
  const hashing = targets.filter(isHashing);
  const heavy = targets.filter(({ path }) => HEAVY.test(path));
  // Changes are asked for more often than pages.
  const cheap = targets
    .filter((target) => !isHashing(target) && !heavy.includes(target))
    .flatMap((target) => Array<Target>(target.method === 'GET' ? 1 : 3).fill(target));
  const served = new Set<Target>();
  const statuses: Record<string, number> = {};
  const offences: Offence[] = [];
  let next = 0;

  const one = async (number: number) => {
    if (number % RENEW_EVERY === 0) await Promise.all([actors.renew(), ids.refresh()]);
    // Each request has a seed of its own, so that the others' order changes nothing about it.
    const own = new Random(seed * 1_000_003 + number);
    const share = own.next();
    const group = share < HASH_SHARE ? hashing : share < HASH_SHARE + HEAVY_SHARE ? heavy : cheap;
    const target = own.pick(group.length > 0 ? group : cheap);
    const made = makeRequest(target, own, ids);
    const { headers } = await actors.headersOf(own, url, ENDS_SESSIONS.test(target.path));
    const sent = { ...made, headers: { ...headers, ...made.headers } };
    const problem = await send(agent, url, sent).then(
      ({ status, text, type, retryAfter }) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status < 400) served.add(target);
        // In line for its turn, and told when to come again: no error.
        if (status === 503 && retryAfter) return undefined;
        return judge(status, text, type, sent);
      },
      (error: Error) => {
        if ((sent.body?.length ?? 0) <= BODY_LIMIT) return error.message;
        statuses.cut = (statuses.cut ?? 0) + 1;
        return undefined;
      },
    );
    if (problem) offences.push({ number, problem, replay: replayOf(url, sent) });
  };
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (let number = next++; number < requests; number = next++) await one(number);
    }),
  );
  agent.destroy();
  await actors.renew();
  return { statuses, routes: targets.length, served: served.size, offences };
}

/**
 * Sends files that other pages stand on: a table of each list and a document that somebody sent, and credit notes.
 * @returns the addresses of those pages
 */
async function sendFirst(
  agent: Agent,
  url: string,
  admin: Record<string, string>,
  db: Db,
): Promise<string[]> {
  const suppliers = await db.selectFrom('suppliers').select('id').orderBy('id').limit(20).execute();
  const { id: userId } = await db.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow();
  for (const { id: supplierId } of suppliers) await addCreditNote(db, { supplierId, userId });
  const files: [path: string, control: string, text: string][] = [
    ...TABLE_KINDS.map((kind): [string, string, string] => [
      `/importar?kind=${kind}`,
      'file',
      `${fieldsOf(kind)
        .map(({ name }) => name)
        .join()}\n${'1,'.repeat(fieldsOf(kind).length - 1)}1\n`,
    ]),
    ['/new-invoice/xml', 'xml', buildCfdi()],
  ];
  const pages: string[] = [];
  for (const [path, name, text] of files) {
    const part = `Content-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n${text}\r\n`;
    const headers = { ...admin, 'content-type': 'multipart/form-data; boundary=frontera' };
    const body = Buffer.from(`--frontera\r\n${part}--frontera--\r\n`);
    const { status, location, text: said } = await send(agent, url, { method: 'POST', path, headers, body });
    if (status !== 303) throw new Error(`${path}: ${status} ${said}`);
    pages.push(location);
  }
  return pages;
}

const isHashing = ({ method, path }: Target) => HASHES.test(`${method} ${path}`);

async function adminToken(actors: FuzzActors, url: string): Promise<string> {
  for (const random = new Random(1); ; ) {
    const { caller, headers } = await actors.headersOf(random, url);
    if (caller === 0 && headers['x-access-token']) return headers['x-access-token'];
  }
}

/** The fault of an answer, whatever was asked. */
function judge(
  status: number,
  text: string,
  type: string,
  { method, path }: FuzzRequest,
): string | undefined {
  if (status >= 500) return `${status}: ${text.slice(0, 200)}`;
  if (status >= 400 && LEAK.test(text)) return `${status} shows what happens inside: ${text.slice(0, 200)}`;
  if (status >= 400 && path.startsWith('/api/') && method !== 'HEAD') {
    if (!type.startsWith('application/json')) return `${status} is ${type}, not JSON`;
    const { message, code } = tryJson(text);
    if (typeof message !== 'string' || typeof code !== 'string') return `${status} without message and code`;
  }
  return undefined;
}

function tryJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function send(
  agent: Agent | undefined,
  url: string,
  { method, path, headers, body }: FuzzRequest,
): Promise<{ status: number; text: string; type: string; location: string; retryAfter?: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length: Record<string, string> = body ? { 'content-length': String(body.length) } : {};
    const sent = request(
      { agent: agent ?? false, hostname, port, method, path, headers: { ...headers, ...length } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const unpack = bytes.length > 0 && UNPACK[answer.headers['content-encoding'] ?? ''];
          resolve({
            status: answer.statusCode ?? 0,
            text: (unpack ? unpack(bytes) : bytes).toString(),
            type: answer.headers['content-type'] ?? '',
            location: answer.headers.location ?? '',
            retryAfter: answer.headers['retry-after'],
          });
        });
      },
    );
    sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error(`no answer in ${ANSWER_MS / 1000} s`)));
    // A kept connection that the server had given up in the same moment says nothing of this request.
    const isStale = () => sent.reusedSocket && agent !== undefined;
    sent.on('error', (error) =>
      isStale() ? resolve(send(undefined, url, { method, path, headers, body })) : reject(error),
    );
    sent.end(body);
  });
}

/** For a shell, with a session of one's own in the place of the one that was. */
function replayOf(url: string, { method, path, headers, body }: FuzzRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const options = Object.entries(headers).map(([name, value]) =>
    ['cookie', 'x-access-token'].includes(name)
      ? `-H "${name}: $SESSION"`
      : `-H ${quote(`${name}: ${value}`)}`,
  );
  const data = body ? ['--data-binary @-'] : [];
  const curl = ['curl -isg --path-as-is -X', method, ...options, ...data, quote(url + path)].join(' ');
  return body ? `base64 -d <<< ${body.toString('base64')} | ${curl}` : curl;
}

const UNPACK: Partial<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};
