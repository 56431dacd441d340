import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SERVER_LIMITS } from '../../server/http/listen.ts';
import { createTestApp } from '../support/app.ts';
import { statusMegabytesOf } from '../support/availability.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { ask } from '../support/http.ts';
import { timeLimitFactor } from '../support/patience.ts';
import { addToken } from '../support/rows.ts';
import { type RunningServer, startOwnServer } from '../support/server.ts';
import { listening } from './listening.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;

describe('T27 · a huge body', () => {
  let server: RunningServer;
  let token: string;

  beforeAll(async () => {
    server = await startOwnServer(async ({ db }) => {
      token = await addToken(db);
    });
  });

  afterAll(() => server?.stop());

  it.each([
    ['announced', { 'content-length': String(GB) }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('of 1 GB, %s, is answered 413 and takes no memory, signed in or not', async (how, headers) => {
    for (let round = 0; round < 3; round++) await send('/api/suppliers/newsupplier', headers, GB);
    const before = statusMegabytesOf(server.process.pid!);
    const started = performance.now();
    const answers = await Promise.all(
      ['/api/suppliers/newsupplier', '/new-supplier', '/login', '/api/auth/signin', '/importar'].flatMap(
        (path) => [send(path, { ...headers, authorization: `Bearer ${token}` }, GB), send(path, headers, GB)],
      ),
    );
    const grown = statusMegabytesOf(server.process.pid!) - before;
    // Without a session the refusal comes before anything is read.
    const expected = how === 'announced' ? [413] : [413, 401, 303];
    for (const { status, sent, path } of answers) {
      expect({ path, isRefused: expected.includes(status) }).toEqual({ path, isRefused: true });
      expect(sent).toBeLessThan(100 * MB);
    }
    expect(answers.filter(({ status }) => status === 413).length).toBeGreaterThanOrEqual(5);
    console.info(
      `T27 1 GB ${how}: ${answers.map(({ status }) => status).join(' ')}, RSS ${grown.toFixed(1)} MB more, ${(performance.now() - started).toFixed(0)} ms`,
    );
    expect(grown).toBeLessThan(50);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  function send(path: string, headers: Record<string, string>, size: number) {
    return new Promise<{ path: string; status: number; sent: number }>((resolve, reject) => {
      const outgoing = request(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.url, ...headers },
        agent: new Agent({ keepAlive: true }), // a client that closes may miss the answer
      });
      const chunk = Buffer.alloc(64 * 1024, '0');
      let sent = 0;
      let isOver = false;
      // Yields between chunks, so that the answer is read before the connection ends.
      const write = () => {
        if (isOver || sent >= size) return;
        sent += chunk.length;
        if (outgoing.write(chunk)) setImmediate(write);
        else outgoing.once('drain', () => setImmediate(write));
      };
      outgoing.once('response', (answer) => {
        isOver = true;
        answer.resume().once('close', () => {
          outgoing.destroy();
          resolve({ path, status: answer.statusCode ?? 0, sent });
        });
      });
      outgoing.on('error', (error) => {
        if (!isOver) reject(error);
      });
      write();
    });
  }
});

describe('T28 · 500 connections that never finish their request', () => {
  const fresh = useFreshDatabase('sqlite');

  it('leave the others as quick as before, and are closed', async () => {
    expect(DEFAULT_SERVER_LIMITS).toMatchObject({
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      maxConnections: 2_000,
    });
    expect(
      DEFAULT_SERVER_LIMITS.headersTimeout + DEFAULT_SERVER_LIMITS.connectionsCheckingInterval,
    ).toBeLessThanOrEqual(30_000);
    // A tenth of the real timeouts, so that the test ends sooner.
    const tenth = { headersTimeout: 1_500, requestTimeout: 6_000, connectionsCheckingInterval: 500 };
    const test = createTestApp({ db: fresh.db, config: { logLevel: 'error' } });
    const admin = await test.withToken([1, 3]);
    const { port, url } = await listening(test.app.fetch, tenth);
    const began = performance.now();
    const sockets = await Promise.all(Array.from({ length: 500 }, () => halfOpen(port)));
    const answers: string[] = [];
    const closed = Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.once('data', (data) => answers.push(String(data).slice(0, 12)));
            socket.once('close', () => resolve());
          }),
      ),
    );
    const took: number[] = [];
    let isOver = false;
    void closed.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const started = performance.now();
      const answer = await fetch(`${url}/api/suppliers`, {
        headers: { authorization: `Bearer ${admin.token}` },
      });
      await answer.text();
      expect(answer.status).toBe(200);
      took.push(performance.now() - started);
    }
    const all = performance.now() - began;
    const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)]!;
    console.info(
      `T28: 500 half-open sockets, ${took.length} other requests, p99 ${p99.toFixed(0)} ms; all closed after ${(all / 1000).toFixed(1)} s at a tenth of the real limits`,
    );
    expect(p99).toBeLessThan(300 * timeLimitFactor());
    expect(all).toBeLessThan(3_000 * timeLimitFactor());
    expect(answers.filter((line) => line === 'HTTP/1.1 408').length).toBeGreaterThan(0);
  });

  it('are closed at once beyond the maximum number', async () => {
    const test = createTestApp({ db: fresh.db, config: { logLevel: 'error' } });
    const { port } = await listening(test.app.fetch, { maxConnections: 5 });
    const sockets = await Promise.all(Array.from({ length: 5 }, () => halfOpen(port)));
    const sixth = connect(port, '127.0.0.1');
    await new Promise((resolve) => sixth.on('error', () => {}).once('close', resolve));
    expect(sockets.every((socket) => !socket.destroyed)).toBe(true);
    for (const socket of sockets) socket.destroy();
  });

  it('are limited for one address, and others get the rest', async () => {
    const test = createTestApp({ db: fresh.db, config: { logLevel: 'error' } });
    expect(DEFAULT_SERVER_LIMITS.maxPerAddress).toBeLessThanOrEqual(DEFAULT_SERVER_LIMITS.maxConnections / 2);
    const { port } = await listening(test.app.fetch, { maxPerAddress: 5 });
    const sockets = await Promise.all(Array.from({ length: 5 }, () => halfOpen(port)));
    const sixth = connect(port, '127.0.0.1');
    await new Promise((resolve) => sixth.on('error', () => {}).once('close', resolve));
    const elsewhere = await ask(`http://127.0.0.1:${port}/healthz`, { from: '127.0.0.7' });
    expect(elsewhere.status).toBe(200);
    sockets[0]!.destroy();
    await expect
      .poll(async () => (await ask(`http://127.0.0.1:${port}/healthz`, {}).catch(() => undefined))?.status)
      .toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('are answered 408 and closed if they stop in the middle of their body', async () => {
    const test = createTestApp({ db: fresh.db, config: { logLevel: 'error' } });
    const limits = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };
    const { port } = await listening(test.app.fetch, limits);
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('POST /login HTTP/1.1\r\nHost: saldo.test\r\nContent-Length: 1000\r\n\r\nemail='),
    );
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});

function halfOpen(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /invoices HTTP/1.1\r\nHost: saldo.test\r\nX-Slow: ');
      resolve(socket);
    });
    socket.once('error', reject);
    socket.on('error', () => {}); // cut off, as it should be
  });
}
