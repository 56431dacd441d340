/**
 * What a list costs over HTTP: the page of invoices and the API's search of fifty, both by due day and by a signed-in
 * browser, against bare-list.ts on the same database, 8 connections each, asked in turn in one run. Once while nothing
 * is written, and once while ten payments a second come in. Of the medians the ratio counts; exit 1 where at rest the
 * page falls below a quarter of the bare one's answers a second, or the API below a half.
 *
 *   npm run build && SCALE=100000 node tests/bench/list-http.ts [rounds, 5 by default]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serializeSigned } from 'hono/utils/cookie';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { inTransaction } from '../../db/transaction.ts';
import { addSession, addUser } from '../support/rows.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { load, type Measured } from './load.ts';
import { insertInvoices } from './many-invoices.ts';

const INVOICES = Number(process.env.SCALE ?? 100_000);
const ROUNDS = Number(process.argv[2] ?? 5);
const ROUND_MS = 2000;
const WRITES_A_SECOND = 10;
const SECRET = 'a secret of this bench alone, 0123456789';

const folder = mkdtempSync(join(tmpdir(), 'saldo-list-'));
const file = join(folder, 'saldo.db');
let server: RunningServer | undefined;
let bare: ChildProcess | undefined;
let paid = 0;

try {
  const token = await fill();
  server = await startServer({ DATABASE_URL: `file:${file}`, SALDO_SECRET: SECRET });
  bare = fork(join(import.meta.dirname, 'bare-list.ts'), [file], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const port = await new Promise<number>((resolve, reject) => {
    bare?.once('message', (message: { port: number }) => resolve(message.port));
    bare?.once('exit', (code) => reject(new Error(`the bare page's server ended with ${code}`)));
  });
  const headers = { cookie: await serializeSigned('saldo', token, SECRET) };
  const ours = { headers, pid: server.process.pid! };
  const asked = {
    bare: { url: `http://127.0.0.1:${port}/`, headers: {}, pid: bare.pid!, aim: 1 },
    page: { ...ours, url: `${server.url}/invoices?sortfield=fechavencimiento`, aim: 0.25 },
    API: {
      ...ours,
      url: `${server.url}/api/facturaproveedores/search/?limit=50&sortfield=fechavencimiento`,
      aim: 0.5,
    },
  };
  await compareAnswers(asked);
  const misses = await compare('at rest', asked);
  const pay = () => payOnce(`${server?.url}/api/payments/newpayment`, token);
  const paying = setInterval(pay, 1000 / WRITES_A_SECOND);
  await compare(`${WRITES_A_SECOND} payments a second`, asked);
  clearInterval(paying);
  if (misses > 0) process.exitCode = 1;
} finally {
  bare?.kill();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Asked = Record<string, { url: string; headers: Record<string, string>; pid: number; aim: number }>;

/** All three show the same fifty invoices and the same sums. */
async function compareAnswers(asked: Asked): Promise<void> {
  const texts = await Promise.all(
    Object.values(asked).map(async ({ url, headers }) => (await fetch(url, { headers })).text()),
  );
  const [bare = '', page = '', api = '[]'] = texts;
  const ids = (JSON.parse(api) as { id: number }[]).map(({ id }) => id);
  const shown = [bare, page].map((text) => [
    ...new Set([...text.matchAll(/editinvoicepage\/(\d+)/g)].map(([, id]) => Number(id))),
  ]);
  const sums = /facturas, (.*)<\/p>/.exec(bare)?.[1]?.split(', $') ?? [];
  const isSame = shown.every((one) => one.join() === ids.join()) && ids.length === 50;
  if (!isSame || sums.length !== 3 || !sums.every((sum) => page.includes(`${sum.replace('$', '')}</span>`)))
    throw new Error('the answers differ');
}

/** @returns how many missed their aim */
async function compare(when: string, asked: Asked): Promise<number> {
  const measured = new Map(Object.keys(asked).map((name) => [name, [] as Measured[]]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, what] of Object.entries(asked)) {
      const one = await load({ ...what, connections: 8, ms: ROUND_MS });
      if (round >= 0) measured.get(name)?.push(one); // the first one warms up
    }
  }
  const medians = [...measured].map(([name, all]) => ({
    name,
    rate: median(all.map(({ rate }) => rate)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
  }));
  const floor = medians[0]!.rate;
  console.log(`${when}, ${INVOICES} invoices:`);
  for (const { name, rate, cpuMs } of medians)
    console.log(
      `  ${name.padEnd(5)}${rate.toFixed(0).padStart(6)} a second, ratio ${(rate / floor).toFixed(2)}, ${cpuMs.toFixed(3)} ms of processor`,
    );
  return medians.filter(({ name, rate }) => rate / floor < asked[name]!.aim).length;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

async function payOnce(url: string, token: string): Promise<void> {
  const body = JSON.stringify({
    facturaproveedorId: INVOICES,
    paymentamount: 0.01,
    checknum: `L-${++paid}`,
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { status } = await fetch(url, { method: 'POST', headers, body });
  if (status !== 201) console.error(`a payment was refused: ${status}`);
}

async function fill(): Promise<string> {
  const database = openDatabase(`file:${file}`, { root: '/', create: true });
  await migrate(database);
  const { id: userId } = await addUser(database.db, { roles: [1, 3] });
  const at = new Date().toISOString();
  await inTransaction(database.db, (trx) => insertInvoices(trx, INVOICES, { userId, at }));
  const token = await addSession(database.db, userId, at);
  await database.close();
  return token;
}
