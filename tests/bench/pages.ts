/**
 * Measures the main pages of the built server over HTTP: each is requested right after a write, when nothing is cached,
 * and once more. It adds a user and a session to the given database. For each page it prints the median time of both
 * requests, the median processor time of the first once the server is warm, and the bytes before and after compression.
 * It exits with 1 if a page takes more than 150 ms after a write, is larger than 300 KB, or is not answered with 200.
 *
 *   npm run build && node tests/bench/pages.ts FILE [rounds, 7 by default] [addresses instead of these]
 */

import { get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { serializeSigned } from 'hono/utils/cookie';
import { sql } from 'kysely';
import { openDatabase } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { readProcessCpuMs } from '../support/cpu.ts';
import { addSession, addUser } from '../support/rows.ts';
import { startServer } from '../support/server.ts';
import { readRow } from '../support/stored.ts';

const MOST_MS = 150;
const MOST_BYTES = 300 * 1024;
const SECRET = 'a secret of this bench alone, 0123456789';

const [file, count = '7', ...given] = process.argv.slice(2);
const rounds = Number(count);
if (!file) throw new Error('node tests/bench/pages.ts FILE [rounds] [addresses]');
const database = openDatabase(`file:${file}`, { root: '/', createIfMissing: false });
const { db } = database;
const at = new Date().toISOString();
const { id: userId } = await addUser(db, { username: `paginas${Date.now()}`, roles: [1, 2, 3] });
const cookie = await serializeSigned('saldo', await addSession(db, userId, at), SECRET);
const server = await startServer({ DATABASE_URL: `file:${file}`, SALDO_SECRET: SECRET });
let misses = 0;
try {
  await isAtRest(server.process.pid!);
  console.log(`${''.padEnd(64)}   after a write  (processor)  again     KB  sent`);
  for (const address of given.length > 0 ? given : await addressesOf(db)) {
    const [fresh, again]: number[][] = [[], []];
    const worked: number[] = [];
    let sizes = { plain: 0, sent: 0, status: 0 };
    for (let round = 0; round < rounds; round++) {
      await write(db);
      const before = readProcessCpuMs(server.process.pid!);
      const one = await ask(`${server.url}${address}`);
      worked.push(readProcessCpuMs(server.process.pid!) - before);
      fresh!.push(one.ms);
      again!.push((await ask(`${server.url}${address}`)).ms);
      sizes = one;
    }
    const isOver = median(fresh!) > MOST_MS || sizes.plain > MOST_BYTES || sizes.status !== 200;
    if (isOver) misses++;
    console.log(
      `${address.padEnd(64)} ${median(fresh!).toFixed(1).padStart(12)} ms ${median(worked.slice(rounds / 2))
        .toFixed(0)
        .padStart(
          8,
        )} ms ${median(again!).toFixed(1).padStart(10)}${(sizes.plain / 1024).toFixed(0).padStart(7)}${(sizes.sent / 1024).toFixed(0).padStart(6)}${isOver ? `  ← ${sizes.status}` : ''}`,
    );
  }
} finally {
  await server.stop();
  await database.close();
}
if (misses > 0) process.exitCode = 1;

async function addressesOf(db: Db): Promise<string[]> {
  const largest = async (column: 'supplierId' | 'jobId' | 'rubroId'): Promise<number> => {
    const { rows } = await sql<{ id: number }>`select ${sql.ref(column)} as id from invoices
      where ${sql.ref(column)} is not null group by 1 order by count(*) desc limit 1`.execute(db);
    return rows[0]!.id;
  };
  const [supplier, job, rubro] = [
    await largest('supplierId'),
    await largest('jobId'),
    await largest('rubroId'),
  ];
  const { clientId } = await readRow(db, 'jobs', { id: job }, ['clientId']);
  const narrowed = [
    '',
    `jobId=${job}`,
    `clientId=${clientId}`,
    `rubroId=${rubro}`,
    'vista=rubros',
    `abierta=${job}`,
    'desde=2025-06-10&hasta=2026-06-17',
    'desde=2000-01-01',
  ];
  const results = (base: string) => narrowed.map((query) => `/?${[base, query].filter(Boolean).join('&')}`);
  return [
    ...results(''),
    ...results('base=pagado'),
    '/dashboard',
    '/cierre',
    '/reporte-saldos',
    `/estado-cuenta/${supplier}`,
    `/estado-cuenta/${supplier}?desde=2026-01-01`,
    '/bitacora',
    '/admin-settings',
    '/notificaciones',
    '/presupuestos',
    '/help',
    '/invoices',
    '/pagos-proveedores',
    '/pagos-proveedores?paymentdateDesde=2026-01-01&paymentdateHasta=2026-11-20',
    `/pagos-proveedores?jobId=${job}&paymentdateDesde=2026-01-01&paymentdateHasta=2026-11-20`,
  ];
}

/** Waits until the server has finished its startup check. */
async function isAtRest(pid: number): Promise<void> {
  for (let before = -1, now = readProcessCpuMs(pid); now - before > 50; now = readProcessCpuMs(pid)) {
    before = now;
    await setTimeout(2000);
  }
}

/** A commit empties the cache of answers. */
async function write(db: Db): Promise<void> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db);
  await inTransaction(db, (trx) =>
    sql`pragma user_version = ${sql.lit(rows[0]!.user_version + 1)}`.execute(trx),
  );
}

function ask(url: string): Promise<{ ms: number; plain: number; sent: number; status: number }> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const request = get(url, { headers: { cookie, 'accept-encoding': 'gzip, br' } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const ms = performance.now() - began;
        const body = Buffer.concat(parts);
        const isPacked = answer.headers['content-encoding'] === 'br';
        const plain = isPacked ? brotliDecompressSync(body).length : body.length;
        resolve({ ms, plain, sent: body.length, status: answer.statusCode ?? 0 });
      });
    });
    request.once('error', reject);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
