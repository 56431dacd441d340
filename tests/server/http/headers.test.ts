import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFresh } from '../../support/databases.ts';

describe('every answer', () => {
  const fresh = useFresh('sqlite');

  it('carries the security headers, errors and public files included', async () => {
    const { as, visitor } = createTestApp({ db: fresh.db });
    const ana = await as(1);
    const guest = visitor();
    const answers: [number, Response][] = [
      [200, await guest.get('/healthz')],
      [200, await guest.get('/readyz')],
      [200, await guest.get('/favicon.ico')],
      [404, await guest.get('/assets/nada.js')],
      [200, await guest.get('/login')],
      [303, await guest.get('/invoices')],
      [401, await guest.get('/api/suppliers')],
      [404, await guest.get('/nada')],
      [200, await ana.get('/userprofile')],
      [403, await ana.get('/admin-users')],
      [404, await ana.get('/api/nada')],
      [400, await ana.post('/api/auth/signin', 'x')],
      [403, await ana.post('/api/auth/signin', {}, { headers: { origin: 'null' } })],
      [413, await ana.post('/api/auth/signin', 'x'.repeat(300_000))],
      [204, await (await as(1)).post('/api/auth/signout')],
    ];
    await sql`DROP TABLE sessions`.execute(fresh.db);
    answers.push([500, await ana.get('/invoices')], [500, await ana.get('/api/suppliers')]);
    for (const [status, answer] of answers) {
      expect(answer.status).toBe(status);
      const header = (name: string) => answer.headers.get(name);
      const policy = header('content-security-policy') ?? '';
      expect(policy.split('; ').sort(), `${status}`).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "object-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
      ]);
      expect(header('x-content-type-options')).toBe('nosniff');
      expect(header('x-frame-options')).toBe('DENY');
      expect(header('referrer-policy')).toBe('same-origin');
      expect(header('cross-origin-opener-policy')).toBe('same-origin');
      expect(header('permissions-policy')).toContain('camera=()');
      expect(header('cache-control')).toMatch(answer === answers[2]?.[1] ? /max-age/ : /no-store/);
      expect(header('strict-transport-security')).toBeNull();
      expect(header('server')).toBeNull();
      expect(header('x-powered-by')).toBeNull();
    }
  });

  it('over https asks to stay there for a year', async () => {
    const { visitor } = createTestApp({ db: fresh.db, config: { url: 'https://saldo.obras.mx' } });
    const answer = await visitor().get('/login');
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=31536000\b/);
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
