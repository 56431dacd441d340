/**
 * What importing long tables takes through the command line: time, and the most memory that all of its processes had
 * together (Linux: their resident pages, looked at all along).
 *
 *   npm run build && node tests/bench/import-memory.ts [invoices] [payments] [cli/saldo.mjs of another build]
 */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from '../../server/root.ts';
import { addDays } from '../../shared/dates.ts';
import { moneyText } from '../../shared/money.ts';

const [invoices = '100000', payments = '130000', cli = join(projectRoot, 'cli/saldo.mjs')] =
  process.argv.slice(2);
const INVOICES = Number(invoices);
const PAYMENTS = Number(payments);
const SUPPLIERS = 3000;
const LOOK_MS = 50;

const folder = mkdtempSync(join(tmpdir(), 'saldo-import-memory-'));
const DATABASE_URL = process.env.DATABASE_URL ?? `file:${join(folder, 'saldo.db')}`;
const env = { ...process.env, DATABASE_URL };
const supplier = (n: number) => `"Proveedora de Materiales ${n % SUPPLIERS}, S.A. de C.V."`;
const number = (n: number) => `FAC-2021-${String(n * 7919).padStart(9, '0')}`;
const subtotal = (n: number) => 100_000 + ((n * 7919) % 50_000_000);
const issued = (n: number) => addDays('2020-01-01', (n * 31) % 2500);

function* invoiceLines(): Generator<string> {
  yield 'Proveedor,Obra,Rubro,Factura,Emisión,Recepción,Vencimiento,Subtotal,Tasa,Observaciones\n';
  for (let n = 0; n < INVOICES; n++) {
    const day = issued(n);
    const note = n % 6 === 0 ? '"Entrega parcial, pendiente de remisión"' : '';
    yield `${supplier(n)},Obra ${n % 500} del Bajío,Rubro ${n % 40},${number(n)},${day},${day},${addDays(day, 30)},${moneyText(subtotal(n))},16,${note}\n`;
  }
}

function* paymentLines(): Generator<string> {
  yield 'Cheque,Factura,Proveedor,Fecha de pago,Cantidad pagada,Origen de recurso\n';
  for (let at = 0; at < PAYMENTS; at++) {
    const n = at % INVOICES;
    const cents = Math.floor(subtotal(n) / (2 + (at % 3)));
    yield `CH-${at},${number(n)},${supplier(n)},${addDays(issued(n), 5 + (at % 60))},${moneyText(cents)},Cuenta ${at % 8}\n`;
  }
}

function residentMB(pid: number): number {
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + residentMB(Number(child)), Number(kilobytes) / 1024);
  } catch {
    return 0; // it has ended
  }
}

async function run(...args: string[]): Promise<{ seconds: number; peakMB: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  let peakMB = 0;
  while (!isOver) {
    peakMB = Math.max(peakMB, residentMB(child.pid!));
    await delay(LOOK_MS);
  }
  const code = await ended;
  if (code !== 0) throw new Error(`saldo ${args.join(' ')}: ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, peakMB };
}

try {
  await run('db', 'migrate');
  for (const [kind, lines, count] of [
    ['invoices', invoiceLines, INVOICES],
    ['payments', paymentLines, PAYMENTS],
  ] as const) {
    const file = join(folder, `${kind}.csv`);
    await pipeline(Readable.from(lines()), createWriteStream(file));
    const { seconds, peakMB } = await run('import', kind, file, '--create-missing', '--dry-run');
    console.log(`${count} ${kind}: ${seconds.toFixed(1)} s, at most ${Math.round(peakMB)} MB`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
