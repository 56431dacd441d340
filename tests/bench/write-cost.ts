/**
 * Measures invoices and payments written through the services, on a copy of a database, in turn with a bare payment on
 * another copy: the same rows by prepared statements in one durable transaction.
 * node tests/bench/write-cost.ts FILE [rounds]
 * FILE is a migrated database with open invoices; it is only read.
 */

import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { openDatabase } from '../../db/open.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createInvoice } from '../../server/services/invoices/invoices.ts';
import { createPayment } from '../../server/services/payments/payments.ts';
import { addUser, createActor, TODAY } from '../support/rows.ts';

const [source, count = '2000'] = process.argv.slice(2);
if (!source) throw new Error('node tests/bench/write-cost.ts FILE [rounds]');
const ROUNDS = Number(count);
/** A page with its frame header in SQLite's write-ahead log. */
const FRAME_BYTES = 4096 + 24;

const folder = mkdtempSync(join(tmpdir(), 'saldo-write-cost-'));
try {
  const ours = await prepare();
  const bare = prepareBare();
  const { rows: open } = await sql<{ id: number; supplierId: number; jobId: number }>`
    select id, "supplierId", "jobId" from invoices where "totalCents" - "paidCents" > 100
    order by id * 7919 % 10007 limit ${ROUNDS}`.execute(ours.db);
  for (const kind of ['payment', 'invoice'] as const) {
    ours.times.length = 0;
    ours.logBefore = statSync(ours.log).size;
    for (let round = 0; round < ROUNDS; round++) {
      const { id, supplierId, jobId } = open[round % open.length]!;
      if (kind === 'payment') bare.pay(id);
      const { db, actor, times } = ours;
      const began = performance.now();
      if (kind === 'payment') await createPayment(db, actor, { facturaproveedorId: id, amountCents: 1 });
      else {
        const draft = { supplierId, jobId, subtotalCents: 10_000 + round, numfactura: `W-${round}` };
        await createInvoice(db, actor, { ...draft, fechaemision: TODAY });
      }
      times.push(performance.now() - began);
    }
    const measured = kind === 'payment' ? [bare, ours] : [ours];
    for (const { name, times, log, logBefore } of measured) {
      times.sort((a, b) => a - b);
      const at = (part: number) => times[Math.floor(part * times.length)]!.toFixed(2);
      const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
      const pages = (statSync(log).size - logBefore) / FRAME_BYTES / ROUNDS;
      console.log(
        `${kind} ${name}: p50 ${at(0.5)} ms, mean ${mean.toFixed(2)}, p99 ${at(0.99)}, ${pages.toFixed(1)} pages`,
      );
    }
  }
  bare.close();
  await ours.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function prepare() {
  const file = join(folder, 'ours.db');
  copyFileSync(source!, file);
  const { db, close } = openDatabase(`file:${file}`, { root: '/', createIfMissing: false });
  const { id: userId } = await addUser(db, { username: `costo${Date.now()}` });
  // The log is not emptied, so that its pages can be counted.
  await inTransaction(db, (trx) => sql`pragma wal_autocheckpoint = 0`.execute(trx));
  return {
    name: 'ours',
    db,
    close,
    actor: createActor({ userId, origin: 'api' }),
    times: [] as number[],
    log: `${file}-wal`,
    logBefore: 0,
  };
}

function prepareBare() {
  const file = join(folder, 'bare.db');
  copyFileSync(source!, file);
  const database = new Database(file);
  database.pragma('synchronous = full');
  database.pragma('wal_autocheckpoint = 0');
  database.exec('pragma user_version = 1'); // so that there is a log
  const find = database.prepare('select "totalCents", "paidCents" from invoices where id = ?');
  const insert =
    database.prepare(`insert into payments ("facturaproveedorId", checknum, "checknumFold", paymentdate,
    "amountCents", comments, "userId", "createdAt", "updatedAt") values (?, '', '', ?, ?, '', 1, ?, ?)`);
  const pay = database.prepare('update invoices set "paidCents" = "paidCents" + ? where id = ?');
  const tail = database.prepare('select "lastId", "lastHash" from audit_tail');
  const note =
    database.prepare(`insert into audit (id, at, "userId", username, origin, action, entity, "entityId",
    "after", "prevHash", hash) values (?, ?, 1, 'ana', 'api', 'create', 'payments', ?, ?, ?, ?)`);
  const move = database.prepare('update audit_tail set "lastId" = ?, "lastHash" = ?');
  const times: number[] = [];
  const write = database.transaction((invoiceId: number) => {
    const { totalCents, paidCents } = find.get(invoiceId) as { totalCents: number; paidCents: number };
    if (paidCents >= totalCents) throw new Error('nothing is owed');
    const at = new Date().toISOString();
    const { lastInsertRowid: id } = insert.run(invoiceId, TODAY, 1, at, at);
    pay.run(1, invoiceId);
    const { lastId, lastHash } = tail.get() as { lastId: number; lastHash: string };
    const after = JSON.stringify({
      id: Number(id),
      facturaproveedorId: invoiceId,
      amountCents: 1,
      paymentdate: TODAY,
    });
    const hash = createHash('sha256').update(`${lastHash}${after}`).digest('hex');
    note.run(lastId + 1, at, String(id), after, lastHash, hash);
    move.run(lastId + 1, hash);
  });
  return {
    name: 'bare',
    times,
    log: `${file}-wal`,
    logBefore: 0,
    pay(invoiceId: number) {
      const began = performance.now();
      write.immediate(invoiceId);
      times.push(performance.now() - began);
    },
    close: () => database.close(),
  };
}
