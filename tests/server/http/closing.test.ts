import { describe, expect, it } from 'vitest';
import { exchange, listening } from '../../security/listening.ts';
import { createTestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';

describe('a body that is too large', () => {
  const fresh = useFreshDatabase('sqlite');
  const SIZE = 400 * 1024;
  const smuggled = 'POST /logout HTTP/1.1\r\nHost: saldo.test\r\nContent-Length: 0\r\n\r\n';

  it.each([
    ['announced', `Content-Length: ${SIZE}`, [Buffer.alloc(SIZE - smuggled.length, 'x'), smuggled]],
    [
      'in chunks',
      'Transfer-Encoding: chunked',
      [`${SIZE.toString(16)}\r\n`, Buffer.alloc(SIZE, 'x'), '\r\n0\r\n\r\n'],
    ],
  ])(
    'is answered 413, %s, and closes its connection: nothing in it is taken for a request',
    async (_how, header, body) => {
      const test = createTestApp({ db: fresh.db });
      const { port } = await listening(test.app.fetch);
      const head = `POST /api/auth/signin HTTP/1.1\r\nHost: saldo.test\r\nContent-Type: application/json\r\n${header}\r\n\r\n`;
      const answered = await exchange(port, head, ...body, smuggled);
      expect(answered).toMatch(/^HTTP\/1\.1 413 /);
      expect(answered).toMatch(/\r\nconnection: close\r\n/i);
      expect(answered).toContain('La solicitud pasa de');
      expect(answered.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
      const lines = test.loggedLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
      expect(lines.map(({ path }) => path)).toEqual(['/api/auth/signin']);
    },
  );

  it('leaves no connection open if nothing more of it arrives', async () => {
    const test = createTestApp({ db: fresh.db });
    const { port } = await listening(test.app.fetch);
    const head = `POST /login HTTP/1.1\r\nHost: saldo.test\r\nContent-Length: ${SIZE}\r\n\r\nemail=`;
    const answered = await exchange(port, head);
    expect(answered).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is no reason to close the connection if it is small enough', async () => {
    const test = createTestApp({ db: fresh.db });
    const { port } = await listening(test.app.fetch);
    const post = 'POST /api/auth/signin HTTP/1.1\r\nHost: saldo.test\r\nContent-Length: 1\r\n\r\nx';
    const last = 'GET /healthz HTTP/1.1\r\nHost: saldo.test\r\nConnection: close\r\n\r\n';
    const answered = await exchange(port, post, last);
    expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
  });
});
