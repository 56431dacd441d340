/**
 * Measures the server's memory during ten thousand requests of a day's usual kinds. Prints the resident memory after
 * every thousand, and its peak (Linux).
 * npm run build && node tests/bench/memory.ts FILE [requests, 10,000 by default]
 * FILE is a migrated database with invoices; a copy of it is served.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statusMegabytesOf } from '../support/availability.ts';
import { prepareMixedRequests, sendMixedRequest } from '../support/mixed-requests.ts';
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
const part = await prepareMixedRequests(file);
const server = await startServer({
  DATABASE_URL: `file:${file}`,
  SALDO_SECRET: 'a secret of this bench alone, 0123456789',
});
try {
  const pid = server.process.pid!;
  console.log(`at rest ${Math.round(statusMegabytesOf(pid))} MB`);
  let next = 0;
  const ask = async () => {
    for (let n = next++; n < COUNT; n = next++) {
      const status = await sendMixedRequest(server.url, part, n);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if ((n + 1) % 1000 === 0)
        console.log(
          `${n + 1} requests: ${Math.round(statusMegabytesOf(pid))} MB, peak ${Math.round(statusMegabytesOf(pid, 'VmHWM'))} MB`,
        );
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  const resident = Math.round(statusMegabytesOf(pid));
  console.log(
    `${resident} MB after ${COUNT} requests (${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}): ${resident <= AIM_MB ? 'met' : 'MISSED'}`,
  );
  if (resident > AIM_MB) process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
