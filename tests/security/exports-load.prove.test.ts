import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillLedger } from '../support/ledger.ts';
import { timeLimitFactor } from '../support/patience.ts';
import { chooseRunCount, IS_FULL_PROOF } from '../support/proofs.ts';
import { addToken } from '../support/rows.ts';
import { type RunningServer, startOwnServer } from '../support/server.ts';
import { median, quantile } from './timing.ts';

const INVOICES = chooseRunCount(2_000, 12_000, 200_000);
const USERS = 5;
const EACH = 10;
const FORMATS = ['csv', 'xlsx', 'json', 'pdf'];

describe('T31 · exports of many users', () => {
  let server: RunningServer;
  let tokens: string[];

  beforeAll(async () => {
    server = await startOwnServer(async ({ db }) => {
      await fillLedger(db, { invoiceCount: INVOICES });
      tokens = [];
      for (let n = 0; n <= USERS; n++) tokens.push(await addToken(db, [1]));
    });
  }, 600_000);

  afterAll(() => server?.stop());

  it(`${USERS} users with ${EACH} exports each over ${INVOICES.toLocaleString('en-US')} invoices: payments go on, none is refused`, async () => {
    const payer = tokens[USERS]!;
    for (const format of FORMATS) await take(payer, `/suppliers/export.${format}`);
    const alone: number[] = [];
    for (let invoice = 1; invoice <= 40; invoice++) alone.push(await pay(invoice));

    const statuses = new Map<number, number>();
    let bytes = 0;
    let open = USERS * EACH;
    const began = performance.now();
    const broken: string[] = [];
    const exportOne = async (token: string, format: string | undefined) => {
      try {
        const answer = await take(token, `/invoices/export.${format}`);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        bytes += answer.bytes;
      } catch (error) {
        broken.push(`${format}: ${error} ${error instanceof Error ? error.cause : ''}`);
      }
      open--;
    };
    const exports = tokens
      .slice(0, USERS)
      .flatMap((token) =>
        Array.from({ length: EACH }, (_, n) => exportOne(token, FORMATS[n % FORMATS.length])),
      );
    const times: number[] = [];
    for (let invoice = 1; open > 0 || times.length < 100; invoice++) {
      times.push(await pay(invoice));
      await new Promise((resolve) => setTimeout(resolve, 20)); // a person does not type faster
    }
    await Promise.all(exports);

    const p99 = quantile(times, 0.99);
    // A busy machine is slow without the load, too; full proofs need a quiet one.
    const limit = IS_FULL_PROOF ? 500 : Math.max(500 * timeLimitFactor(), 10 * median(alone));
    const summary = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    console.info(
      `T31: ${INVOICES} invoices, exports ${summary}, ${(bytes / 1e6).toFixed(0)} MB in ${((performance.now() - began) / 1000).toFixed(0)} s; ` +
        `${times.length} payments meanwhile, median ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ` +
        `slowest ${Math.max(...times).toFixed(0)} ms (alone: median ${median(alone).toFixed(0)} ms)`,
    );
    expect(broken).toEqual([]);
    expect(p99).toBeLessThan(limit);
    // Each request is answered, refused for its size, or told to wait; never a server error.
    expect([...statuses.keys()].filter((status) => ![200, 413, 503].includes(status))).toEqual([]);
    expect(statuses.get(200)).toBeGreaterThanOrEqual(25);
  }, 1_800_000);

  async function take(token: string, path: string): Promise<{ status: number; bytes: number }> {
    const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    let bytes = 0;
    for await (const chunk of answer.body!) bytes += chunk.length;
    return { status: answer.status, bytes };
  }

  async function pay(invoice: number): Promise<number> {
    const began = performance.now();
    const answer = await fetch(`${server.url}/api/payments/newpayment`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens[USERS]}`,
        origin: server.url,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ facturaproveedorId: invoice, paymentamount: 0.01 }),
    });
    expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
    return performance.now() - began;
  }
});
