/**
 * What the server holds after ten thousand requests of every kind, as one of a day's would come: lists by several orders
 * and filters, searches, reports, forms, the API, exports, and a payment now and then. Resident memory after every
 * thousand, and its peak (Linux).
 *
 *   npm run build && node tests/bench/memory.ts FILE [requests, 10,000 by default]
 *
 * FILE is a migrated database with invoices; a copy of it is served.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../db/open.ts';
import { addSession, addUser } from '../support/rows.ts';
import { startServer } from '../support/server.ts';

const AIM_MB = 350;
const CONNECTIONS = 6;
const [source, given = '10000'] = process.argv.slice(2);
if (!source) throw new Error('node tests/bench/memory.ts FILE [requests]');
const COUNT = Number(given);

const statuses = new Map<number, number>();
const folder = mkdtempSync(join(tmpdir(), 'saldo-memory-'));
const file = join(folder, 'saldo.db');
copyFileSync(source, file);
const { token, suppliers, invoices } = await prepare();
const server = await startServer({
  DATABASE_URL: `file:${file}`,
  SALDO_SECRET: 'a secret of this bench alone, 0123456789',
});
try {
  const pid = server.process.pid!;
  console.log(`at rest ${memoryOf(pid, 'VmRSS')} MB`);
  let next = 0;
  const ask = async () => {
    for (let n = next++; n < COUNT; n = next++) {
      await askOnce(n);
      if ((n + 1) % 1000 === 0)
        console.log(`${n + 1} requests: ${memoryOf(pid, 'VmRSS')} MB, peak ${memoryOf(pid, 'VmHWM')} MB`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  const resident = memoryOf(pid, 'VmRSS');
  console.log(
    `${resident} MB after ${COUNT} requests (${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}): ${resident <= AIM_MB ? 'met' : 'MISSED'}`,
  );
  if (resident > AIM_MB) process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function askOnce(n: number): Promise<void> {
  const headers = { 'x-access-token': token, 'content-type': 'application/json' };
  const id = invoices[n % invoices.length]!;
  if (n % 20 === 7) {
    const body = JSON.stringify({ facturaproveedorId: id, paymentamount: 0.01, checknum: `M-${n}` });
    await answerTo('/api/payments/newpayment', { method: 'POST', headers, body });
    return;
  }
  await answerTo(pathOf(n, id), { headers });
}

function pathOf(n: number, invoiceId: number): string {
  const supplierId = suppliers[n % suppliers.length]!;
  // Of each hundred some that are heavy.
  if (n % 100 === 0) return '/reporte-saldos';
  if (n % 100 === 20) return '/?desde=2025-11-21&hasta=2026-11-20';
  if (n % 100 === 40) return '/dashboard';
  if (n % 500 === 60) return `/invoices/export.csv?supplierId=${supplierId}`;
  if (n % 500 === 160) return `/invoices/export.xlsx?supplierId=${supplierId}`;
  if (n % 500 === 260) return `/pagos-proveedores/export.csv?supplierId=${supplierId}`;
  const day = `2026-${String(1 + (n % 9)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`;
  const paths = [
    '/invoices',
    `/invoices?sortfield=fechavencimiento&supplierId=${supplierId}`,
    `/invoices?fechaemisionDesde=${day}`,
    `/invoices?numfactura=${1000 + (n % 9000)}`,
    '/invoices?status=vencida',
    '/pagos-proveedores',
    `/pagos-proveedores?paymentdateDesde=${day}`,
    `/editinvoicepage/${invoiceId}`,
    `/new-payment?facturaproveedorId=${invoiceId}`,
    '/new-invoice',
    `/suppliers?suppliername=${n % 90}`,
    `/api/suppliers/search/?limit=8&suppliername=${n % 97}`,
    `/api/facturaproveedores/search/?limit=50&supplierId=${supplierId}`,
  ];
  return paths[n % paths.length]!;
}

async function answerTo(path: string, init: RequestInit): Promise<void> {
  const answer = await fetch(`${server.url}${path}`, init);
  await answer.arrayBuffer();
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
}

async function prepare() {
  const { db, close } = openDatabase(`file:${file}`, { root: '/', create: false });
  const { id } = await addUser(db, { username: `memoria${Date.now()}`, roles: [1, 3] });
  const token = await addSession(db, id, new Date().toISOString());
  const suppliers = await db.selectFrom('suppliers').select('id').limit(500).execute();
  const invoices = await db
    .selectFrom('invoices')
    .select('id')
    .whereRef('paidCents', '<', 'totalCents')
    .limit(500)
    .execute();
  await close();
  return { token, suppliers: suppliers.map((row) => row.id), invoices: invoices.map((row) => row.id) };
}

/** In MB. */
function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] =
    new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
