import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { type JobRequest, Jobs } from '../../../server/http/jobs.ts';

/** Writes into the file of a job what its address says, and how. */
const WORKER = `
const { writeFileSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');
let cancelled = false;
parentPort.on('message', async (job) => {
  if (job === 'cancel') { cancelled = true; return; }
  cancelled = false;
  const { request: { url }, file } = job;
  if (url === 'die') process.exit(1);
  if (url === 'eat') { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); }
  if (url === 'fail') return parentPort.postMessage({ error: { message: 'no', code: 'SQLITE_CORRUPT' } });
  while (url === 'endless' && !cancelled) await new Promise((resolve) => setTimeout(resolve, 1));
  const bytes = url === 'large' ? Buffer.alloc(3000000, 7) : Buffer.from('made ' + url);
  writeFileSync(file, bytes);
  parentPort.postMessage({ result: { status: 200, headers: [['x-asked', url]], bytes: bytes.length, created: [] } });
});`;

const filesLeft = () => readdirSync(tmpdir()).filter((name) => /^saldo-[\da-f-]{36}$/.test(name));

describe('jobs', () => {
  let jobs: Jobs | undefined;
  afterEach(async () => {
    await jobs?.stop();
  });
  const start = () => {
    let started = 0;
    jobs = new Jobs(() => {
      started++;
      return new Worker(WORKER, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 }, stderr: true });
    });
    const answer = (userId: number, url: string, signal?: AbortSignal) =>
      jobs!.answer('report', requestOf(userId, url), signal);
    const ask = async (userId: number, url: string) => {
      const { body, headers } = await answer(userId, url);
      return { text: await new Response(body).text(), headers };
    };
    return { answer, ask, started: () => started };
  };

  it('of one user are done one at a time, and those of another beside them', async () => {
    const { answer, ask, started } = start();
    const ended: string[] = [];
    const named = async (userId: number, url: string) => {
      await ask(userId, url);
      ended.push(`${userId} ${url}`);
    };
    const gone = new AbortController();
    const held = answer(1, 'endless', gone.signal);
    const own = [named(1, 'a'), named(1, 'b')];
    await Promise.all([named(2, 'c'), named(2, 'd')]);
    expect(ended).toEqual(['2 c', '2 d']);
    gone.abort();
    await (await held).body?.cancel();
    await Promise.all(own);
    expect(ended.slice(2)).toEqual(['1 a', '1 b']);
    expect(started()).toBe(2);
  });

  it('answer with head and body, and leave no file behind', async () => {
    const { answer, ask } = start();
    expect(await ask(1, 'x')).toEqual({ text: 'made x', headers: [['x-asked', 'x']] });
    const { body } = await answer(1, 'large');
    const reader = body!.getReader();
    expect((await reader.read()).value?.[0]).toBe(7);
    expect(filesLeft()).toEqual([]);
    await reader.cancel();
  });

  it('that end, fail or run out of memory take nothing else with them', async () => {
    const { ask } = start();
    await expect(ask(1, 'die')).rejects.toThrow('has ended');
    await expect(ask(1, 'eat')).rejects.toMatchObject({ kind: 'too-large', code: 'report_too_large' });
    await expect(ask(1, 'fail')).rejects.toMatchObject({ message: 'no', code: 'SQLITE_CORRUPT' });
    expect((await ask(1, 'x')).text).toBe('made x');
  });

  it('end once their user has gone, and the next one is done', async () => {
    const { answer, ask } = start();
    const gone = new AbortController();
    const asked = answer(1, 'endless', gone.signal);
    const next = ask(1, 'x');
    setTimeout(() => gone.abort(new Error('gone')), 50);
    expect((await next).text).toBe('made x');
    await (await asked.catch(() => undefined))?.body?.cancel();
  });

  it('wait where eight answers of their user are unread; others have theirs, and beyond 60 one is told to come back', async () => {
    const { answer, ask } = start();
    const unread = await Promise.all(Array.from({ length: 8 }, () => answer(1, 'large')));
    const gone = new AbortController();
    const waiting = Array.from({ length: 60 }, () => answer(1, 'x', gone.signal).catch(() => 'gone'));
    const ninth = answer(1, 'x');
    await expect(ninth).rejects.toMatchObject({ kind: 'busy', retryAfter: 10 });
    expect((await ask(2, 'x')).text).toBe('made x');
    gone.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['gone']));
    await unread[0]!.body!.cancel();
    expect((await ask(1, 'x')).text).toBe('made x');
    await Promise.all(unread.slice(1).map(({ body }) => body!.cancel()));
  });
});

function requestOf(userId: number, url: string): JobRequest {
  const session = {
    token: '',
    userId,
    username: '',
    email: '',
    roles: [],
    mustChangePassword: false,
    mustAddSecondFactor: false,
    confirmedAt: new Date(0),
  };
  const asker = { requestId: '', session, byToken: false, now: new Date(0), today: '2026-11-20' };
  return { method: 'GET', url, headers: [], asker };
}
