/**
 * 10,000 payment attempts through two server processes on one database: what is accepted must be exactly
 * what fits, and the only refusal the rule's own.
 *
 *   node tests/bench/payment-race.ts [sqlite|postgres] [attempts]
 *
 * It starts the built servers itself, on a database of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { startPostgres } from '../support/own-postgres.ts';
import { addInvoice } from '../support/rows.ts';

const [kind = 'sqlite', count = '10000'] = process.argv.slice(2);
const ATTEMPTS = Number(count);
const INVOICES = 5;
const IN_FLIGHT = 16;
const PASSWORD = 'carrera-de-pagos-9';
const BEYOND = 'El total pagado no puede ser mayor que el total de la factura.';

const folder = mkdtempSync(join(tmpdir(), 'saldo-race-'));
const postgres = kind === 'postgres' ? await startPostgres() : undefined;
const url = postgres?.url ?? `file:${join(folder, 'saldo.db')}`;
const servers: ChildProcess[] = [];

try {
  const database = openDatabase(url, { root: '/', create: true });
  await migrate(database);
  // Each invoice has room for a quarter of the attempts made on it, in payments of uneven size.
  const subtotalCents = Math.floor(ATTEMPTS / INVOICES / 4) * 1_000 + 7;
  const invoices: number[] = [];
  for (let n = 0; n < INVOICES; n++) {
    invoices.push(
      await addInvoice(database.db, { subtotalCents, tasa: 0, ivaCents: 0, totalCents: subtotalCents }),
    );
  }
  const bases = await Promise.all([startServer(4711), startServer(4712)]);
  const token = await signIn(bases[0]!);
  const outcomes = new Map<string, number>();
  const accepted = new Map<number, number>();
  const times: number[] = [];
  const began = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async (_, worker) => {
      for (let n = next++; n < ATTEMPTS; n = next++) {
        const facturaproveedorId = invoices[n % INVOICES]!;
        const cents = 500 + ((n * 7919) % 1001);
        const sent = performance.now();
        const response = await fetch(`${bases[worker % 2]}/api/payments/newpayment`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-access-token': token },
          body: JSON.stringify({ facturaproveedorId, paymentamount: cents / 100 }),
        });
        const body = (await response.json()) as { message?: string };
        times.push(performance.now() - sent);
        const outcome = `${response.status} ${body.message ?? 'accepted'}`;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (response.status === 201)
          accepted.set(facturaproveedorId, (accepted.get(facturaproveedorId) ?? 0) + cents);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const rows = await database.db
    .selectFrom('invoices')
    .leftJoin('payments', 'payments.facturaproveedorId', 'invoices.id')
    .select(['invoices.id', 'totalCents', 'paidCents'])
    .select((eb) => eb.fn.sum<number>('amountCents').as('sum'))
    .groupBy(['invoices.id', 'totalCents', 'paidCents'])
    .orderBy('invoices.id')
    .execute();
  const entries = await database.db
    .selectFrom('audit')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('entity', '=', 'payments')
    .executeTakeFirstOrThrow();
  await database.close();

  times.sort((a, b) => a - b);
  const p = (q: number) => `${times[Math.floor(q * times.length)]!.toFixed(1)} ms`;
  console.log(`${kind}: ${ATTEMPTS} attempts in ${seconds.toFixed(1)} s; p50 ${p(0.5)}, p99 ${p(0.99)}`);
  for (const [outcome, times] of outcomes) console.log(`  ${times} × ${outcome}`);
  let wrong = 0;
  for (const row of rows) {
    const exact =
      row.paidCents === row.sum && row.sum === accepted.get(row.id) && row.paidCents <= row.totalCents;
    if (!exact) wrong++;
    console.log(
      `  invoice ${row.id}: total ${row.totalCents}, paid ${row.paidCents}, payments ${row.sum} ${exact ? 'exact' : 'WRONG'}`,
    );
  }
  const allowed = new Set(['201 accepted', `422 ${BEYOND}`]);
  const strange = [...outcomes.keys()].filter((outcome) => !allowed.has(outcome));
  const made = outcomes.get('201 accepted') ?? 0;
  console.log(`  audit entries ${entries.n} for ${made} payments`);
  if (wrong > 0 || strange.length > 0 || entries.n !== made) process.exitCode = 1;
} finally {
  for (const server of servers) server.kill('SIGTERM');
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function startServer(port: number): Promise<string> {
  const server = spawn(process.execPath, [join(import.meta.dirname, '../../cli/saldo.mjs'), 'serve'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: url,
      SALDO_SECRET: 'una-prueba-de-carrera-con-secreto-0123456789',
      SALDO_ADMIN_EMAIL: 'carrera@saldo.test',
      SALDO_ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  servers.push(server);
  const base = `http://127.0.0.1:${port}`;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`the server on ${port} ended with ${server.exitCode}`);
    const ready = await fetch(`${base}/readyz`).catch(() => undefined);
    if (ready?.ok) return base;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function signIn(base: string): Promise<string> {
  const response = await fetch(`${base}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'carrera@saldo.test', password: PASSWORD }),
  });
  const { accessToken } = (await response.json()) as { accessToken: string };
  return accessToken;
}
