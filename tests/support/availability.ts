import { globSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { inTransaction } from '../../db/transaction.ts';
import { insertInvoices } from '../bench/many-invoices.ts';
import { temporaryFolder } from './folder.ts';
import { addSession, addUser } from './rows.ts';
import { startServer } from './server.ts';
import { createUploadForm } from './upload.ts';

/** The load: requests that one user sends at the same time, while other users go on with their work. */
interface HeavyLoad {
  invoices: number;
  reports: number;
  exports: number;
  uploads: number;
  rows: number;
}

export interface Availability {
  /** milliseconds that other users waited for lists and payments, without the load and during it */
  waitsBeforeMs: number[];
  waitsDuringMs: number[];
  /** how many answers had which status, counted over all users */
  userStatusCounts: Map<number, number>;
  loadStatusCounts: Map<string, number>;
  /** how long the load lasted, and how long the import alone took */
  seconds: number;
  importSeconds: number;
  /** the most megabytes that the server's process took, and that all its processes took together */
  rssMb: number;
  rssWithReadersMb: number;
}

const REPORT_PATHS = [
  '/',
  '/reporte-saldos',
  '/api/facturaproveedores/reporting/pivot/',
  '/invoices?corte=2026-06-30',
  '/reporte-saldos?corte=2026-03-31',
];
const EXPORT_PATHS = [
  '/invoices/export.csv',
  '/invoices/export.xlsx?fechaemisionDesde=2026-01-01',
  '/invoices/export.json',
  '/reporte-saldos/export.pdf?supplierId=7',
  '/pagos-proveedores/export.csv',
];

/** Runs one user with role 6 who makes all of the load, and four others at lists and payments, on the built server. */
export async function measureAvailability(load: HeavyLoad): Promise<Availability> {
  const { folder, remove } = temporaryFolder();
  const url = `file:${folder}/saldo.db`;
  const [heavy = '', ...others] = await fillDatabaseAndSignIn(url, folder, load.invoices);
  const server = await startServer({ DATABASE_URL: url, LOG_LEVEL: 'warn' });
  const result: Availability = {
    waitsBeforeMs: [],
    waitsDuringMs: [],
    userStatusCounts: new Map(),
    loadStatusCounts: new Map(),
    seconds: 0,
    importSeconds: 0,
    rssMb: 0,
    rssWithReadersMb: 0,
  };
  /** Answers are counted but not kept, so that the machine's memory is left to the server. */
  const ask: Ask = async (token, path, { headers, ...sent } = {}) => {
    const own = { ...headers, 'x-access-token': token, 'accept-encoding': 'identity' };
    const answer = await fetch(server.url + path, { ...sent, headers: own, redirect: 'manual' });
    await answer.body?.pipeTo(new WritableStream());
    return answer;
  };
  const askUntilLoadEnds = async (tokens: readonly string[], n: number) => {
    const { ms, status } = await askOnceAsUser(ask, tokens[n % tokens.length]!, n, load.invoices);
    incrementCount(result.userStatusCounts, status);
    return ms;
  };
  const watch = setInterval(() => {
    const { own, all } = residentMegabytesOf(server.process.pid!);
    result.rssMb = Math.max(result.rssMb, own);
    result.rssWithReadersMb = Math.max(result.rssWithReadersMb, all);
  }, 100);
  try {
    for (let n = 0; n < 40; n++) result.waitsBeforeMs.push(await askUntilLoadEnds(others, n));
    let isOver = false;
    const began = performance.now();
    const underWay = makeLoad(ask, heavy, load, result).then(() => {
      isOver = true;
      result.seconds = (performance.now() - began) / 1000;
    });
    const working = others.map(async (token, who) => {
      for (let n = 100 * who; !isOver; n++) {
        result.waitsDuringMs.push(await askUntilLoadEnds([token], n));
        await delay(50); // people do not type faster than this
      }
    });
    await Promise.all([underWay, ...working]);
    return result;
  } finally {
    clearInterval(watch);
    await server.stop();
    remove();
  }
}

type Ask = (token: string, path: string, sent?: RequestInit) => Promise<Response>;

function incrementCount<T>(counts: Map<T, number>, one: T): void {
  counts.set(one, (counts.get(one) ?? 0) + 1);
}

async function askOnceAsUser(ask: Ask, token: string, n: number, invoices: number) {
  const facturaproveedorId = invoices - 1 - (n % Math.min(1000, Math.floor(invoices / 12) - 1));
  const body = JSON.stringify({ facturaproveedorId, paymentamount: 0.01 });
  const began = performance.now();
  const { status } = await (n % 3 === 0
    ? ask(token, `/invoices?supplierId=${1 + (n % 400)}`)
    : n % 3 === 1
      ? ask(token, '/api/facturaproveedores/search/?limit=50&status=por-pagar')
      : ask(token, '/api/payments/newpayment', {
          ...{ method: 'POST', body },
          headers: { 'content-type': 'application/json' },
        }));
  return { ms: performance.now() - began, status };
}

async function makeLoad(ask: Ask, token: string, load: HeavyLoad, result: Availability): Promise<void> {
  const text = createInvoiceCsv(load.rows);
  const requestAndCountStatus = async (what: string, path: string, sent?: RequestInit) => {
    const answer = await ask(token, path, sent);
    incrementCount(result.loadStatusCounts, `${what} ${answer.status}`);
    return answer.headers.get('location')!;
  };
  const uploadTable = () =>
    requestAndCountStatus(
      'upload',
      '/importar',
      createUploadForm({ name: 'facturas.csv', text }, { kind: 'invoices' }),
    );
  const importUploadedTable = async () => {
    const began = performance.now();
    const body = new URLSearchParams({ idempotencyKey: 'una-vez' });
    await requestAndCountStatus('import', await uploadTable(), { method: 'POST', body });
    result.importSeconds = (performance.now() - began) / 1000;
  };
  const get = (what: string, times: number, paths: readonly string[]) =>
    Array.from({ length: times }, (_, n) => requestAndCountStatus(what, paths[n % paths.length]!));
  await Promise.all([
    importUploadedTable(),
    ...get('report', load.reports, REPORT_PATHS),
    ...get('export', load.exports, EXPORT_PATHS),
    ...Array.from({ length: load.uploads }, uploadTable),
  ]);
}

function createInvoiceCsv(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, n) =>
      `Proveedor ${String(1 + (n % 400)).padStart(4, '0')},Obra ${String(1 + (n % 60)).padStart(2, '0')},` +
      `IMP-${n},2026-${String(1 + (n % 9)).padStart(2, '0')}-15,${1000 + n}.00,16`,
  );
  return `Proveedor,Obra,Factura,Emisión,Subtotal,Tasa\n${lines.join('\n')}\n`;
}

async function fillDatabaseAndSignIn(url: string, root: string, invoices: number): Promise<string[]> {
  const { db, ...database } = openDatabase(url, { root, createIfMissing: true });
  await migrate({ db, ...database });
  const at = new Date().toISOString();
  const ids: number[] = [];
  for (let n = 0; n < 5; n++) ids.push((await addUser(db, { roles: [6] })).id);
  await inTransaction(db, (trx) => insertInvoices(trx, invoices, { userId: ids[0]!, at }));
  const tokens: string[] = [];
  for (const id of ids) tokens.push(await addSession(db, id, at));
  await database.close();
  return tokens;
}

function residentMegabytesOf(pid: number): { own: number; all: number } {
  const tasks = globSync(`/proc/${pid}/task/*/children`);
  const children = tasks.flatMap((path) => readFileOrEmpty(path).split(' ').filter(Boolean));
  const own = statusMegabytesOf(pid);
  return { own, all: children.reduce((sum, child) => sum + statusMegabytesOf(Number(child)), own) };
}

/** @param field the measure of memory; `VmHWM` is the highest value so far */
export const statusMegabytesOf = (pid: number, field = 'VmRSS') =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileOrEmpty(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

function readFileOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // the process has ended
  }
}
