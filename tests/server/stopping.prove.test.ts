import { expect, it, onTestFinished } from 'vitest';
import { startPostgresPair } from '../support/postgres-pair.ts';
import { startServer } from '../support/server.ts';

it('a server that is told to stop ends within ten seconds, even if its database hangs during a request', async () => {
  const pair = await startPostgresPair();
  onTestFinished(() => pair.stop());
  const server = await startServer({
    DATABASE_URL: pair.url,
    SALDO_SECRET: 'a secret of this test alone, 0123456789',
    LOG_LEVEL: 'fatal',
  });
  for (const node of [pair.primary, pair.standby]) await node.signal('SIGSTOP');
  const request = fetch(`${server.url}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );
  const { ms } = await server.stop();
  expect(ms).toBeLessThan(12_000);
  expect([0, 503]).toContain(await request);
});
