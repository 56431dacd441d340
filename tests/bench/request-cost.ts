/**
 * What the whole application costs on top of its SQL: a signed-in search of 50 invoices over HTTP, against a bare
 * Hono application with the same statements prepared once (bare-app.ts), both on one database of 10,000 invoices
 * that this makes. Asked in turn, in one run; the medians' ratio counts, for a database at rest and for one that
 * is written to before each request. Exit 1 beyond 2.5.
 *
 *   npm run build && node tests/bench/request-cost.ts [rounds, 1000 by default]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import {
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSession,
  addSupplier,
  addUser,
} from '../support/rows.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const ROUNDS = Number(process.argv[2] ?? 1000);
const BOUND = 2.5;
const INVOICES = 10_000;
const PATH = '/api/facturaproveedores/search/?limit=50';

const folder = mkdtempSync(join(tmpdir(), 'saldo-cost-'));
const file = join(folder, 'saldo.db');
const agent = new Agent({ keepAlive: true });
let server: RunningServer | undefined;
let bare: ChildProcess | undefined;

try {
  const { token, ...ids } = await fill(file);
  server = await startServer({ DATABASE_URL: `file:${file}` });
  bare = fork(join(import.meta.dirname, 'bare-app.ts'), [file], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const port = await new Promise<number>((resolve, reject) => {
    bare?.once('message', (message: { port: number }) => resolve(message.port));
    bare?.once('exit', (code) => reject(new Error(`the bare application ended with ${code}`)));
  });
  const ours = { url: server.url + PATH, headers: { authorization: `Bearer ${token}` } };
  const floor = { url: `http://127.0.0.1:${port}${PATH}`, headers: {} };
  const [one, other] = [await ask(ours), await ask(floor)];
  if (one.body !== other.body || JSON.parse(one.body).length !== 50) throw new Error('the answers differ');
  let written = 0;
  const pay = async () => {
    const sent = { facturaproveedorId: ids.invoiceId, paymentamount: 0.01, checknum: `B-${++written}` };
    const { status, body } = await ask({
      url: `${server?.url}/api/payments/newpayment`,
      headers: { ...ours.headers, 'content-type': 'application/json' },
      sends: JSON.stringify(sent),
    });
    if (status !== 201) throw new Error(`a payment was refused: ${body}`);
  };
  const ratios = [
    await compare('at rest', ours, floor),
    await compare('written to before each request', ours, floor, pay),
  ];
  const { headers } = await ask(ours);
  if (headers['x-sum-paid'] !== ((ids.paidCents + written) / 100).toFixed(2))
    throw new Error(`X-Sum-Paid is wrong: ${headers['x-sum-paid']}`);
  if (ratios.some((ratio) => ratio > BOUND)) process.exitCode = 1;
} finally {
  agent.destroy();
  bare?.kill();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Ask {
  url: string;
  headers: Record<string, string>;
  /** posted */
  sends?: string;
}

async function compare(when: string, ours: Ask, floor: Ask, before = async () => {}): Promise<number> {
  const times: Record<'ours' | 'floor', number[]> = { ours: [], floor: [] };
  for (let round = -200; round < ROUNDS; round++) {
    for (const [who, what] of [
      ['ours', ours],
      ['floor', floor],
    ] as const) {
      await before();
      const { ms, status } = await ask(what);
      if (status !== 200) throw new Error(`${who}: ${status}`);
      if (round >= 0) times[who].push(ms);
    }
  }
  const [own, bare] = [median(times.ours), median(times.floor)];
  console.log(
    `${when}: ours ${own.toFixed(3)} ms, bare ${bare.toFixed(3)} ms, ratio ${(own / bare).toFixed(2)}`,
  );
  return own / bare;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** One request on a connection that is kept; from its sending to the last byte of its answer. */
function ask({ url, headers, sends }: Ask) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string; ms: number }>(
    (resolve, reject) => {
      const began = performance.now();
      const sent = request(
        url,
        { agent, headers, method: sends === undefined ? 'GET' : 'POST' },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk) => chunks.push(chunk));
          answer.on('end', () => {
            const ms = performance.now() - began;
            const { statusCode: status = 0, headers } = answer;
            resolve({ status, headers, body: Buffer.concat(chunks).toString(), ms });
          });
        },
      );
      sent.on('error', reject);
      sent.end(sends);
    },
  );
}

/** 10,000 invoices of 200 suppliers and 30 jobs, two of three paid at least in part. */
async function fill(file: string) {
  const database = openDatabase(`file:${file}`, { root: '/', create: true });
  await migrate(database);
  const made = await database.db.transaction().execute((trx) => addRows(trx));
  const token = await addSession(database.db, made.userId, new Date());
  await database.close();
  return { ...made, token };
}

async function addRows(db: Db) {
  const times = async (count: number, add: () => Promise<number>) => {
    const ids: number[] = [];
    for (let n = 0; n < count; n++) ids.push(await add());
    return ids;
  };
  const { id: userId } = await addUser(db, { roles: [1, 3] });
  const suppliers = await times(200, () => addSupplier(db));
  const jobs = await times(30, () => addJob(db));
  const rubros = await times(12, () => addRubro(db));
  const sources = await times(3, () => addFundingSource(db));
  const pick = (ids: number[], n: number) => ids[n % ids.length]!;
  let paidCents = 0;
  for (let n = 0; n < INVOICES; n++) {
    const day = `2026-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`;
    const subtotalCents = 10_000 + ((n * 7919) % 900_000);
    const facturaproveedorId = await addInvoice(db, {
      supplierId: pick(suppliers, n * 7),
      jobId: pick(jobs, n * 3),
      rubroId: pick(rubros, n),
      fechaemision: day,
      fechavencimiento: day,
      subtotalCents,
      comments: n % 5 ? '' : 'Entregado en obra, con remisión',
    });
    for (let payment = 0; payment < n % 3; payment++) {
      const amountCents = Math.floor(subtotalCents / 3);
      const part = { facturaproveedorId, amountCents, userId, origenderecursoId: pick(sources, n) };
      await addPayment(db, { ...part, paymentdate: day, checknum: `CH-${n}-${payment}` });
      paidCents += amountCents;
    }
  }
  const invoiceId = await addInvoice(db, { subtotalCents: 900_000_000, numfactura: 'GRANDE' });
  return { userId, invoiceId, paidCents };
}
