import { describe, expect, it } from 'vitest';
import { useFreshDatabase } from '../support/databases.ts';
import { ask, runInParallel } from '../support/http.ts';
import { timeLimitFactor } from '../support/patience.ts';
import { addInvoice, addToken } from '../support/rows.ts';
import { serve } from './servers.ts';
import { median, quantile } from './timing.ts';

const TRIES = 200;

describe('a flood of sign-ins', () => {
  const fresh = useFreshDatabase('sqlite');

  it('T29 · is checked two at a time with twenty waiting, while everybody else is answered', async () => {
    for (let n = 0; n < 5; n++) await addInvoice(fresh.db, {});
    const headers = { 'x-access-token': await addToken(fresh.db) };
    const server = await serve(fresh.database);
    try {
      const paths = [
        '/invoices',
        '/api/facturaproveedores/search/',
        '/api/test/user',
        '/userprofile',
        '/login',
      ];
      const timed = async (n: number) => {
        const began = performance.now();
        const { status } = await ask(server.url + paths[n % paths.length], { headers });
        expect(status).toBeLessThan(400);
        return performance.now() - began;
      };
      for (let n = 0; n < 20; n++) await timed(n);
      const before: number[] = [];
      for (let n = 0; n < 100; n++) before.push(await timed(n));

      let isOver = false;
      const flood = runInParallel(TRIES, TRIES, (index) =>
        ask(`${server.url}/api/auth/signin`, {
          json: { email: `persona${index}`, password: 'mala' },
          from: `127.0.60.${index + 1}`,
        }),
      ).finally(() => {
        isOver = true;
      });
      const times: number[] = [];
      for (let n = 0; !isOver || n < 20; n++) times.push(await timed(n));
      const answers = await flood;

      const refused = answers.filter(({ status }) => status === 503);
      const looked = answers.filter(({ status }) => status === 401);
      expect(looked.length + refused.length).toBe(TRIES);
      expect(looked.length).toBeGreaterThanOrEqual(22);
      expect(refused.length).toBeGreaterThan(0);
      for (const answer of refused) {
        expect(answer.headers['retry-after']).toBe('5');
        expect(answer.json()).toMatchObject({ code: 'busy' });
      }
      // An attempt that found the queue full does not count.
      const counted = await fresh.db.selectFrom('signin_attempts').select('id').execute();
      expect(counted).toHaveLength(looked.length);

      const p99 = quantile(times, 0.99);
      const summary = `${looked.length} looked at, ${refused.length} × 503; ${times.length} other requests meanwhile: median ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
      process.stdout.write(`T29: ${summary}\n`);
      // A machine that is busy with other things is slow without the flood, too.
      expect(p99, summary).toBeLessThan(Math.max(300 * timeLimitFactor(), 3 * quantile(before, 0.99)));
    } finally {
      await server.stop();
    }
  });
});
