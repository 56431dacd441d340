import { describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { exchange, listening } from './listening.ts';

/** Paths that the access check and the router might read differently. */
const TRICKS = [
  '//admin',
  '//admin-users',
  '/admin-users//',
  '//assets//../package.json',
  '/assets/../package.json',
  '/assets/..%2fpackage.json',
  '/assets/..%2Fpackage.json',
  '/assets/%2e%2e/package.json',
  '/assets/%2E%2E%2Fpackage.json',
  '/assets/%252e%252e%252fpackage.json',
  '/assets/..%255cpackage.json',
  '/assets/..\\package.json',
  '/assets/..%5cpackage.json',
  '/assets/....//package.json',
  '/assets/%c0%ae%c0%ae/package.json',
  '/assets/..;/package.json',
  '/assets/%00',
  '/assets/client.js%00.css',
  '/assets/.vite/manifest.json',
  '/assets//etc/passwd',
  '/assets/%2Fetc%2Fpasswd',
  '/.env',
  '/.git/config',
  '/data/saldo.db',
  '/dist/server/server.js',
  '/./admin-users',
  '/%2e/admin-users',
  '/%2e%2e/admin-users',
  '/x/../admin-users',
  '/x/%2e%2e/admin-users',
  '/login/../admin-users',
  '/login/..;/admin-users',
  '/login/%2e%2e/admin-users',
  '/login%2f..%2fadmin-users',
  '/admin%2dusers',
  '/%61dmin-users',
  '/%2561dmin-users',
  '/admin-users%2f',
  '/admin-users%20',
  '/admin-users%00',
  '/admin-users;',
  '/admin-users;jsessionid=1',
  '/admin-users\\',
  '/\\admin-users',
  '/api//suppliers',
  '/api/%2e/suppliers',
  '/api%2fsuppliers',
  '/api/suppliers;x=1/1',
  '/api/suppliers/1%2f..%2f2',
  '/api/suppliers/%31',
  '/API/../api/suppliers',
];

describe('T26 · an address', () => {
  const fresh = useFreshDatabase('sqlite');

  it('that is disguised as another one leads nowhere, whoever asks', async () => {
    const test = createTestApp({ db: fresh.db });
    const admin = await test.withToken([1, 3]);
    const { port } = await listening(test.app.fetch);
    for (const path of TRICKS) {
      for (const token of ['', admin.token]) {
        const answer = await sendRaw(port, path, token);
        expect(answer.split('\r\n')[0], `${path} ${token}`).toBe('HTTP/1.1 404 Not Found');
        expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
        expect(answer).not.toMatch(/"dependencies"|root:|SQLite format|@saldo\.test/);
      }
    }
    console.info(`T26: ${TRICKS.length} ways to write a path, signed in and not: all 404`);
  });

  it('works with and without its final slash', async () => {
    const test = createTestApp({ db: fresh.db });
    const admin = await test.withToken([1, 3]);
    const { port } = await listening(test.app.fetch);
    for (const path of ['/admin-users', '/admin-users/', '/invoices/export.csv', '/api/suppliers/', '/'])
      expect((await sendRaw(port, path, admin.token)).split('\r\n')[0], path).toBe('HTTP/1.1 200 OK');
  });

  it('that is not HTTP, or has an invalid host, is refused with the same headers', async () => {
    const test = createTestApp({ db: fresh.db });
    const { port } = await listening(test.app.fetch);
    for (const [text, status] of [
      ['GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: a@b/c\r\nConnection: close\r\n\r\n', 400],
      ['GET ftp://x/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
      ['GET \\admin-users HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
      ['TRACE /login HTTP/1.1\r\nHost: x\r\nX-Mark: secreto\r\nConnection: close\r\n\r\n', 404],
      ['TRACE /login HTTP/1.1\r\nHost: x\r\nCookie: saldo=secreto\r\nConnection: close\r\n\r\n', 403],
      ['no http at all\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
      [`GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
      ['POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    ] as const) {
      const answer = (await exchange(port, text)).toLowerCase();
      expect({ text, line: answer.slice(0, 12) }).toEqual({ text, line: `http/1.1 ${status}` });
      for (const header of ['content-security-policy', 'x-content-type-options', 'x-frame-options'])
        expect(answer).toContain(`${header}: `);
      expect(answer).not.toMatch(/node_modules|secreto/);
    }
  });
});

function sendRaw(port: number, path: string, token: string): Promise<string> {
  const authorization = token && `Authorization: Bearer ${token}\r\n`;
  return exchange(
    port,
    `GET ${path} HTTP/1.1\r\nHost: saldo.test\r\n${authorization}Connection: close\r\n\r\n`,
  );
}
