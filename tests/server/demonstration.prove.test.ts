import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { startServer } from '../support/server.ts';

it('the demonstration fills the empty database that DATABASE_URL names, and refuses one with data', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const own = { SALDO_ADMIN_EMAIL: 'jefa@obra.test', SALDO_ADMIN_PASSWORD: 'k3v9x0qa-una-propia' };
  const env = {
    DATABASE_URL: `file:${folder}/saldo.db`,
    SALDO_SECRET: 'k3v9x0qaTz7mmPqLr5Ws8Yd2Bn6Gc1Hj4',
    ...own,
  };
  const server = await startServer(env, ['--demo']);
  const entered = await fetch(`${server.url}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: own.SALDO_ADMIN_EMAIL, password: own.SALDO_ADMIN_PASSWORD }),
  });
  await server.stop();
  expect(entered.status).toBe(200);
  expect(server.output()).toContain(`Demostración: ${own.SALDO_ADMIN_EMAIL} / ${own.SALDO_ADMIN_PASSWORD}`);
  await expect(startServer(env, ['--demo'])).rejects.toThrow(
    'the server ended with 1: saldo: DATABASE_URL: la demostración solo llena una base de datos vacía, y esta ya tiene datos.',
  );
});
