import { readdirSync, readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { inTransaction } from '../../db/transaction.ts';
import { insertInvoices } from '../bench/many-invoices.ts';
import { temporaryFolder } from './folder.ts';
import { addSession, addUser } from './rows.ts';
import { startServer } from './server.ts';

/** The requests of one user at once, while others go on with their work. */
export interface HeavyLoad {
  /** on file beforehand */
  invoices: number;
  reports: number;
  exports: number;
  uploads: number;
  /** of the table that is imported; the uploads are the same table */
  rows: number;
}

export interface Availability {
  /** milliseconds that other users waited for lists and payments, alone and beside the load */
  before: number[];
  times: number[];
  /** of all answers that either got, how many had which status */
  others: Map<number, number>;
  heavy: Map<string, number>;
  /** how long the load was under way, and the import alone */
  seconds: number;
  importSeconds: number;
  /** megabytes at the most: of the server's process, and of all its processes together */
  rssMb: number;
  withReadersMb: number;
}

const REPORTS = [
  '/',
  '/reporte-saldos',
  '/api/facturaproveedores/reporting/pivot/',
  '/invoices?corte=2026-06-30',
  '/reporte-saldos?corte=2026-03-31',
];
const EXPORTS = [
  '/invoices/export.csv',
  '/invoices/export.xlsx?fechaemisionDesde=2026-01-01',
  '/invoices/export.json',
  '/reporte-saldos/export.pdf?supplierId=7',
  '/pagos-proveedores/export.csv',
];

/** One user with role 6 and all of the load, four others at lists and payments, on the built server. */
export async function measureAvailability(load: HeavyLoad): Promise<Availability> {
  const { folder, remove } = temporaryFolder();
  const url = `file:${folder}/saldo.db`;
  const tokens = await fill(url, folder, load.invoices);
  const [heavy = '', ...others] = tokens;
  const server = await startServer({ DATABASE_URL: url, LOG_LEVEL: 'warn' });
  const agent = new Agent({ keepAlive: true });
  const result: Availability = {
    before: [],
    times: [],
    others: new Map(),
    heavy: new Map(),
    seconds: 0,
    importSeconds: 0,
    rssMb: 0,
    withReadersMb: 0,
  };
  const ask = (token: string, path: string, sent?: Sent) =>
    askServer({ url: server.url, agent }, token, path, sent);
  const watch = setInterval(() => {
    const { own, all } = memoryOf(server.process.pid!);
    result.rssMb = Math.max(result.rssMb, own);
    result.withReadersMb = Math.max(result.withReadersMb, all);
  }, 100);
  try {
    for (let n = 0; n < 40; n++) result.before.push(await work(ask, others, n, result.others));
    let isOver = false;
    const began = performance.now();
    const underWay = makeLoad(ask, heavy, load, result).then(() => {
      isOver = true;
      result.seconds = (performance.now() - began) / 1000;
    });
    const working = others.map(async (_, who) => {
      for (let n = 100 * who; !isOver; n++) {
        result.times.push(await work(ask, [others[who]!], n, result.others));
        await delay(50); // a person does not type faster
      }
    });
    await Promise.all([underWay, ...working]);
    return result;
  } finally {
    clearInterval(watch);
    agent.destroy();
    await server.stop();
    remove();
  }
}

type Ask = (token: string, path: string, sent?: Sent) => Promise<{ status: number; location: string }>;

interface Sent {
  type: string;
  body: string | Buffer;
}

/** A list, a search or a payment: how long it took. */
async function work(ask: Ask, tokens: readonly string[], n: number, statuses: Map<number, number>) {
  const token = tokens[n % tokens.length]!;
  const began = performance.now();
  const { status } = await (n % 3 === 0
    ? ask(token, `/invoices?supplierId=${1 + (n % 400)}`)
    : n % 3 === 1
      ? ask(token, '/api/facturaproveedores/search/?limit=50&status=por-pagar')
      : ask(token, '/api/payments/newpayment', {
          type: 'application/json',
          // The newest twelfth is open.
          body: JSON.stringify({ facturaproveedorId: await openInvoice(ask, n), paymentamount: 0.01 }),
        }));
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return performance.now() - began;
}

let newest = 0;
const openInvoice = async (_: Ask, n: number) =>
  newest - 1 - (n % Math.min(1000, Math.floor(newest / 12) - 1));

async function makeLoad(ask: Ask, token: string, load: HeavyLoad, result: Availability): Promise<void> {
  const { heavy } = result;
  const table = tableOf(load.rows);
  const count = (what: string, status: number) => {
    const key = `${what} ${status}`;
    heavy.set(key, (heavy.get(key) ?? 0) + 1);
  };
  const get = async (what: string, path: string) => count(what, (await ask(token, path)).status);
  const upload = async () => {
    const answer = await ask(token, '/importar', uploadOf(table));
    count('upload', answer.status);
    return answer.location;
  };
  const importAll = async () => {
    const began = performance.now();
    const address = await upload();
    const { status } = await ask(token, address, {
      type: 'application/x-www-form-urlencoded',
      body: 'idempotencyKey=una-vez',
    });
    count('import', status);
    result.importSeconds = (performance.now() - began) / 1000;
  };
  await Promise.all([
    importAll(),
    ...Array.from({ length: load.reports }, (_, n) => get('report', REPORTS[n % REPORTS.length]!)),
    ...Array.from({ length: load.exports }, (_, n) => get('export', EXPORTS[n % EXPORTS.length]!)),
    ...Array.from({ length: load.uploads }, upload),
  ]);
}

function tableOf(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, n) =>
      `Proveedor ${String(1 + (n % 400)).padStart(4, '0')},Obra ${String(1 + (n % 60)).padStart(2, '0')},` +
      `IMP-${n},2026-${String(1 + (n % 9)).padStart(2, '0')}-15,${1000 + n}.00,16`,
  );
  return `Proveedor,Obra,Factura,Emisión,Subtotal,Tasa\n${lines.join('\n')}\n`;
}

const BOUNDARY = 'frontera-de-las-partes';

function uploadOf(table: string): Sent {
  const part = (head: string, body: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  const body = `${part('name="kind"', 'invoices')}${part('name="file"; filename="facturas.csv"', table)}--${BOUNDARY}--\r\n`;
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body: Buffer.from(body) };
}

async function fill(url: string, root: string, invoices: number): Promise<string[]> {
  const database = openDatabase(url, { root, create: true });
  await migrate(database);
  const ids: number[] = [];
  for (let n = 0; n < 5; n++) ids.push((await addUser(database.db, { roles: [6] })).id);
  const at = new Date().toISOString();
  await inTransaction(database.db, (trx) => insertInvoices(trx, invoices, { userId: ids[0]!, at }));
  newest = invoices;
  const tokens: string[] = [];
  for (const id of ids) tokens.push(await addSession(database.db, id, at));
  await database.close();
  return tokens;
}

/** Answers are counted and not kept, to leave the machine to the server. */
function askServer(
  { url, agent }: { url: string; agent: Agent },
  token: string,
  path: string,
  sent?: Sent,
): Promise<{ status: number; location: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'x-access-token': token,
      ...(sent && { 'content-type': sent.type, 'content-length': Buffer.byteLength(sent.body) }),
    };
    const call = request(`${url}${path}`, { agent, headers, method: sent ? 'POST' : 'GET' });
    call.once('error', reject);
    call.once('response', (answer: IncomingMessage) => {
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? '' }),
      );
      answer.resume();
    });
    call.end(sent?.body);
  });
}

/** Linux says how much of a process is in memory; its children are those that read files. */
function memoryOf(pid: number): { own: number; all: number } {
  const own = rssOf(pid);
  let all = own;
  for (const task of readdirSafely(`/proc/${pid}/task`)) {
    const children = readSafely(`/proc/${pid}/task/${task}/children`);
    for (const child of children.split(' ').filter(Boolean)) all += rssOf(Number(child));
  }
  return { own, all };
}

export const rssOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readSafely(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

function readSafely(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

function readdirSafely(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
