/**
 * Measures how long other writers wait during a large import on SQLite: the command line imports invoices and then
 * their payments, while this process makes one payment after another.
 * node tests/bench/import-wait.ts [rows] [cli/saldo.mjs of another build, to compare with]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../db/open.ts';
import { projectRoot } from '../../server/root.ts';
import { createPayment } from '../../server/services/payments/payments.ts';
import { findOrCreateCliUser } from '../../server/services/users/cli-user.ts';
import { addInvoice, createActor, NOW } from '../support/rows.ts';

const [count = '60000', cli = join(projectRoot, 'cli/saldo.mjs')] = process.argv.slice(2);
const ROWS = Number(count);
const BETWEEN_MS = 5;

const folder = mkdtempSync(join(tmpdir(), 'saldo-import-wait-'));
const env = { ...process.env, DATABASE_URL: `file:${join(folder, 'saldo.db')}` };
const rows = <T>(make: (n: number) => T) => Array.from({ length: ROWS }, (_, n) => make(n));
const supplier = (n: number) => `Proveedor ${n % 300}`;

try {
  await saldo('db', 'migrate');
  const { db, close } = openDatabase(env.DATABASE_URL, { root: '/', createIfMissing: false });
  const as = createActor({ userId: await findOrCreateCliUser(db, NOW) });
  const facturaproveedorId = await addInvoice(db, { subtotalCents: 90_000_000, ivaCents: 14_400_000 });
  for (const [kind, header, lines] of [
    [
      'invoices',
      'Proveedor,Obra,Factura,Emisión,Subtotal,Tasa',
      rows((n) => `${supplier(n)},Obra ${n % 40},F-${n},2026-0${1 + (n % 9)}-05,${1000 + (n % 5000)}.00,16`),
    ],
    [
      'payments',
      'Cheque,Factura,Proveedor,Fecha de pago,Importe pagado,Origen',
      rows((n) => `C-${n},F-${n},${supplier(n)},2026-02-05,${100 + (n % 100)}.00,Caja`),
    ],
  ] as const) {
    const file = join(folder, `${kind}.csv`);
    writeFileSync(file, `${header}\n${lines.join('\n')}\n`);
    const times: number[] = [];
    let isOver = false;
    const began = performance.now();
    const importing = saldo('import', kind, file, '--create-missing').finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const from = performance.now();
      await createPayment(db, as, { facturaproveedorId, amountCents: 1 });
      times.push(performance.now() - from);
      await delay(BETWEEN_MS);
    }
    await importing;
    const seconds = (performance.now() - began) / 1000;
    times.sort((a, b) => a - b);
    const at = (share: number) =>
      Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]!);
    console.log(
      `${ROWS} ${kind} in ${seconds.toFixed(1)} s; ${times.length} payments beside them waited ${at(0.5)} ms (median), ${at(0.99)} ms (p99), ${at(1)} ms at the most`,
    );
  }
  await close();
  await saldo('db', 'check');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function saldo(...words: string[]): Promise<void> {
  const child = spawn(process.execPath, [cli, ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`saldo ${words[0]}: exit ${code}`)),
    );
  });
}
