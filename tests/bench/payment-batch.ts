/**
 * Paying a batch of 500 invoices, checks and all, against the bare statements that such payments come to: for each an
 * update of the invoice, an insert of the payment, one of its entry in the audit trail and the line's link, prepared
 * once, in one transaction. Both take turns in one process; the medians and their ratio are printed, and above 3 it
 * fails.
 *
 *   node tests/bench/payment-batch.ts [sqlite|postgres] [rounds]
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { payBatch } from '../../server/services/payment-batches/paying.ts';
import { addBatch } from '../support/batches.ts';
import { startPostgres } from '../support/own-postgres.ts';
import { addActor, addInvoice, addJob, addSupplier, NOW, TODAY } from '../support/rows.ts';

const [kind = 'sqlite', rounds = '9'] = process.argv.slice(2);
const ROUNDS = Number(rounds);
const LINES = 500;
const SUPPLIERS = 60;
let made = 0;

const TEXTS = {
  pay: 'update invoices set "paidCents" = "totalCents" where id = $1 returning "totalCents"',
  store: `insert into payments ("facturaproveedorId", checknum, "checknumFold", paymentdate, "amountCents", comments,
    "userId", "createdAt", "updatedAt") values ($1, '0001', '0001', '${TODAY}', $2, 'Programación de pagos 1', $3,
    '${NOW}', '${NOW}') returning *`,
  tail: 'select "lastId", "lastHash" from audit_tail',
  note: `insert into audit (id, at, "userId", username, origin, action, entity, "entityId", "after", "prevHash", hash)
    values ($1, '${NOW}', $2, 'ana', 'api', 'create', 'payments', $3, $4, $5, $6)`,
  move: 'update audit_tail set "lastId" = $1, "lastHash" = $2',
  link: 'update payment_batch_lines set "paymentId" = "paymentId" where "invoiceId" = $1',
};

const folder = mkdtempSync(join(tmpdir(), 'saldo-batch-'));
const file = join(folder, 'saldo.db');
const postgres = kind === 'postgres' ? await startPostgres() : undefined;
const url = postgres?.url ?? `file:${file}`;
const database = openDatabase(url, { root: '/', create: true });
const bareStatements = postgres ? await onPostgres(postgres.url) : onSqlite();

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
    bare.push(await timed(() => payBarely(bareStatements, ids, approver.userId)));
  }
  const [own, other] = [median(ours), median(bare)];
  console.log(
    `${kind}, ${LINES} invoices: ours ${own.toFixed(1)} ms, bare ${other.toFixed(1)} ms, ${(own / other).toFixed(2)} times`,
  );
  if (own > 3 * other) process.exitCode = 1;
} finally {
  await bareStatements.end();
  await database.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Prepared once; each answers its first row. */
interface Statements {
  run(name: keyof typeof TEXTS, values: readonly unknown[]): unknown;
  plain(text: string): unknown;
  end(): unknown;
}

/** With a connection of its own, as the database's own driver would. */
function onSqlite(): Statements {
  const connection = new Database(file);
  connection.pragma('synchronous = FULL');
  const prepared = new Map<string, Database.Statement>();
  return {
    run(name, values) {
      const text = TEXTS[name].replace(/\$\d/g, '?');
      const statement = prepared.get(name) ?? connection.prepare(text);
      prepared.set(name, statement);
      return statement.reader ? statement.get(...values) : statement.run(...values);
    },
    plain: (text) => connection.exec(text),
    end: () => connection.close(),
  };
}

async function onPostgres(connectionString: string): Promise<Statements> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    run: async (name, values) =>
      (await client.query({ name, text: TEXTS[name], values: [...values] })).rows[0],
    plain: (text) => client.query(text),
    end: () => client.end(),
  };
}

/** The same rows as ours, of as many bytes. */
async function payBarely(statements: Statements, ids: readonly number[], userId: number): Promise<void> {
  await statements.plain('begin');
  const found = (await statements.run('tail', [])) as { lastId: number | string; lastHash: string };
  let lastId = Number(found.lastId);
  let { lastHash } = found;
  for (const id of ids) {
    const { totalCents } = (await statements.run('pay', [id])) as { totalCents: number };
    const payment = (await statements.run('store', [id, totalCents, userId])) as { id: number };
    const after = JSON.stringify({
      ...payment,
      suppliername: 'Proveedor 12',
      jobtitle: 'Obra 1',
      numfactura: 'F-1',
    });
    const hash = createHash('sha256').update(`${lastHash}${after}`).digest('hex');
    await statements.run('note', [++lastId, userId, String(payment.id), after, lastHash, hash]);
    lastHash = hash;
    await statements.run('link', [id]);
  }
  await statements.run('move', [lastId, lastHash]);
  await statements.plain('commit');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}
