/**
 * Paying a batch of 500 invoices, checks and all, against the bare statements that such payments come to: for each an
 * update of the invoice, an insert of the payment and one of its entry in the audit trail, prepared once, in one
 * transaction. Both take turns in one process; the medians and their ratio are printed, and above 3 it fails.
 *
 *   node tests/bench/payment-batch.ts [rounds]
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { payBatch } from '../../server/services/payment-batches/paying.ts';
import { addBatch } from '../support/batches.ts';
import { addActor, addInvoice, addJob, addSupplier, NOW, TODAY } from '../support/rows.ts';

const ROUNDS = Number(process.argv[2] ?? '9');
const LINES = 500;
const SUPPLIERS = 60;
let made = 0;

const folder = mkdtempSync(join(tmpdir(), 'saldo-batch-'));
const file = join(folder, 'saldo.db');
const database = openDatabase(`file:${file}`, { root: '/', create: true });

try {
  await migrate(database);
  const { db } = database;
  const approver = await addActor(db, { roles: [1] });
  const jobId = await addJob(db);
  const suppliers: number[] = [];
  for (let n = 0; n < SUPPLIERS; n++) suppliers.push(await addSupplier(db));
  const invoices = async () => {
    const ids: number[] = [];
    for (let n = 0; n < LINES; n++)
      ids.push(
        await addInvoice(db, {
          jobId,
          supplierId: suppliers[n % SUPPLIERS]!,
          subtotalCents: 100_000 + ++made,
        }),
      );
    return ids;
  };
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const batch = await addBatch(db, { estado: 'autorizada', invoiceIds: await invoices() });
    ours.push(await timed(() => payBatch(db, approver, batch.id, { cheque: '0001' })));
    const ids = await invoices();
    bare.push(await timed(async () => payBarely(ids, approver.userId)));
  }
  const [own, other] = [median(ours), median(bare)];
  console.log(
    `${LINES} invoices: ours ${own.toFixed(1)} ms, bare ${other.toFixed(1)} ms, ${(own / other).toFixed(2)} times`,
  );
  if (own > 3 * other) process.exitCode = 1;
} finally {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}

/** With a connection of its own, as the database's own driver would: in each case the same rows, of as many bytes. */
function payBarely(ids: readonly number[], userId: number): void {
  const connection = new Database(file);
  connection.pragma('synchronous = FULL');
  const pay = connection.prepare(
    'update invoices set "paidCents" = "totalCents" where id = ? returning "totalCents"',
  );
  const store = connection.prepare(
    `insert into payments ("facturaproveedorId", checknum, "checknumFold", paymentdate, "amountCents", comments,
      "userId", "createdAt", "updatedAt") values (?, '0001', '0001', '${TODAY}', ?, 'Programación de pagos 1', ?,
      '${NOW}', '${NOW}') returning *`,
  );
  const tail = connection.prepare('select "lastId", "lastHash" from audit_tail');
  const note = connection.prepare(
    `insert into audit (id, at, "userId", username, origin, action, entity, "entityId", "after", "prevHash", hash)
      values (?, '${NOW}', ?, 'ana', 'api', 'create', 'payments', ?, ?, ?, ?)`,
  );
  const move = connection.prepare('update audit_tail set "lastId" = ?, "lastHash" = ?');
  const link = connection.prepare(
    'update payment_batch_lines set "paymentId" = "paymentId" where "invoiceId" = ?',
  );
  connection.exec('begin immediate');
  let { lastId, lastHash } = tail.get() as { lastId: number; lastHash: string };
  for (const id of ids) {
    const { totalCents } = pay.get(id) as { totalCents: number };
    const payment = store.get(id, totalCents, userId) as { id: number };
    const after = JSON.stringify({
      ...payment,
      suppliername: 'Proveedor 12',
      jobtitle: 'Obra 1',
      numfactura: 'F-1',
    });
    const hash = createHash('sha256').update(`${lastHash}${after}`).digest('hex');
    note.run(++lastId, userId, String(payment.id), after, lastHash, hash);
    lastHash = hash;
    link.run(id);
  }
  move.run(lastId, lastHash);
  connection.exec('commit');
  connection.close();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}
