import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFresh } from '../../support/databases.ts';

describe('a page', () => {
  const fresh = useFresh('sqlite');

  it('over https asks to stay there for a year, and is kept by nobody', async () => {
    const headersAt = async (url?: string) =>
      (await createTestApp({ db: fresh.db, config: { url } }).visitor().get('/login')).headers;
    const secure = await headersAt('https://saldo.obras.mx');
    expect(secure.get('strict-transport-security')).toMatch(/^max-age=31536000\b/);
    const plain = await headersAt();
    expect(plain.get('strict-transport-security')).toBeNull();
    expect(plain.get('cache-control')).toContain('no-store');
  });
});

describe('/readyz', () => {
  const fresh = useFresh('sqlite');

  it('says no where the schema is not this program’s', async () => {
    const { request } = createTestApp({ db: fresh.db });
    expect((await request('/readyz')).status).toBe(200);
    await fresh.db.deleteFrom('schema_migrations').execute();
    expect((await request('/readyz')).status).toBe(503);
    await sql`DROP TABLE schema_migrations`.execute(fresh.db);
    expect((await request('/readyz')).status).toBe(503);
    expect((await request('/healthz')).status).toBe(200);
  });
});
