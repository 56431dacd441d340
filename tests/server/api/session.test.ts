import { expect, it } from 'vitest';
import type { TestClient } from '../../support/app.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { enableQuickHashes } from '../../support/quick-crypto.ts';

enableQuickHashes();

describeOneDatabase('POST /api/auth/signin', (fresh) => {
  it.each([
    [{}, 'Se requiere el usuario'],
    [{ email: ' ', password: 'x' }, 'Se requiere el usuario'],
    [{ email: 'ana@obras.mx' }, 'Se requiere la contrasen'],
    [{ username: 'ana', password: '' }, 'Se requiere la contrasen'],
  ])('says what is missing in %o: %s', async (body, message) => {
    const answer = await createTestApp({ db: fresh.db }).visitor().post('/api/auth/signin', body);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ message });
  });

  it('counts attempts by the address that the trusted proxy saw, or by the proxy’s own', async () => {
    const { visitor } = createTestApp({ db: fresh.db, config: { trustedProxies: 1 } });
    for (const forwarded of [
      (n: number) => `10.0.0.${n}, 192.0.2.7`,
      (n: number) => `192.0.2.9:${50_000 + n}`, // nor does a port
      (n: number) => `cliente-${n}`,
    ]) {
      const statuses: number[] = [];
      for (let n = 0; n < 11; n++) statuses.push((await tryFrom(visitor(), forwarded(n))).status);
      expect(statuses, forwarded(0)).toEqual([...Array(10).fill(401), 429]);
    }
    for (const other of ['192.0.2.7, 192.0.2.8', '[2001:db8::7]:50123'])
      expect((await tryFrom(visitor(), other)).status).toBe(401);
    const rows = await fresh.db.selectFrom('signin_attempts').select('address').distinct().execute();
    const addresses = ['127.0.0.1', '192.0.2.7', '192.0.2.8', '192.0.2.9', '2001:db8:0:0::/64'];
    expect(rows.map(({ address }) => address).sort()).toEqual(addresses);
  });

  const tryFrom = (client: TestClient, forwarded: string) =>
    client.post(
      '/api/auth/signin',
      { email: 'nadie', password: 'x' },
      { headers: { 'x-forwarded-for': forwarded } },
    );
});
