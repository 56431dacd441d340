/**
 * What the rolled sums cost whoever writes: invoices and payments through the services, each in turn on two copies of
 * one database, of which one has no triggers that note changes.
 *
 *   node tests/bench/write-cost.ts FILE [rounds]
 *
 * FILE is a migrated database with open invoices; it is only read.
 */
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { openDatabase } from '../../db/open.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createInvoice } from '../../server/services/invoices/invoices.ts';
import { createPayment } from '../../server/services/payments/payments.ts';
import { actor, addUser, TODAY } from '../support/rows.ts';

const [source, count = '2000'] = process.argv.slice(2);
if (!source) throw new Error('node tests/bench/write-cost.ts FILE [rounds]');
const ROUNDS = Number(count);
/** A page with its frame, in SQLite's log. */
const FRAME_BYTES = 4096 + 24;

const folder = mkdtempSync(join(tmpdir(), 'saldo-write-cost-'));
try {
  const contenders = [await prepare('without', true), await prepare('with rolled sums', false)];
  const { rows: open } = await sql<{ id: number; supplierId: number; jobId: number }>`
    select id, "supplierId", "jobId" from invoices where "totalCents" - "paidCents" > 100
    order by id * 7919 % 10007 limit ${ROUNDS}`.execute(contenders[0]!.db);
  for (const kind of ['payment', 'invoice'] as const) {
    for (const one of contenders) {
      one.times.length = 0;
      one.logBefore = statSync(one.log).size;
    }
    for (let round = 0; round < ROUNDS; round++) {
      const { id, supplierId, jobId } = open[round % open.length]!;
      for (const { db, actor, times } of round % 2 ? contenders : contenders.toReversed()) {
        const began = performance.now();
        if (kind === 'payment') await createPayment(db, actor, { facturaproveedorId: id, amountCents: 1 });
        else {
          const draft = { supplierId, jobId, subtotalCents: 10_000 + round, numfactura: `W-${round}` };
          await createInvoice(db, actor, { ...draft, fechaemision: TODAY });
        }
        times.push(performance.now() - began);
      }
    }
    for (const { name, times, log, logBefore } of contenders) {
      times.sort((a, b) => a - b);
      const at = (part: number) => times[Math.floor(part * times.length)]!.toFixed(2);
      const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
      const pages = (statSync(log).size - logBefore) / FRAME_BYTES / ROUNDS;
      console.log(
        `${kind} ${name}: p50 ${at(0.5)} ms, mean ${mean.toFixed(2)}, p99 ${at(0.99)}, ${pages.toFixed(1)} pages`,
      );
    }
  }
  for (const { close } of contenders) await close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function prepare(name: string, isPlain: boolean) {
  const file = join(folder, isPlain ? 'plain.db' : 'rolled.db');
  copyFileSync(source!, file);
  if (isPlain) {
    const database = new Database(file);
    for (const log of ['invoice_changes', 'payment_changes'])
      for (const event of ['insert', 'update', 'delete']) database.exec(`drop trigger ${log}_${event}`);
    database.close();
  }
  const { db, close } = openDatabase(`file:${file}`, { root: '/', create: false });
  const { id: userId } = await addUser(db, { username: `costo${Date.now()}` });
  // The log keeps what was written, to be counted.
  await inTransaction(db, (trx) => sql`pragma wal_autocheckpoint = 0`.execute(trx));
  return {
    name,
    db,
    close,
    actor: actor({ userId, origin: 'api' }),
    times: [] as number[],
    log: `${file}-wal`,
    logBefore: 0,
  };
}
