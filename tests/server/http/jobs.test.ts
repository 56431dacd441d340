import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type JobRequest, JobRunner, type RequestJobKind } from '../../../server/http/jobs.ts';

/** A worker that writes to the job's file as its address tells. */
const WORKER = `
const { writeFileSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');
let cancelled = false;
parentPort.on('message', async (job) => {
  if (job === 'cancel') { cancelled = true; return; }
  cancelled = false;
  if (job.kind === 'load') return parentPort.postMessage({ result: undefined });
  const { request: { url }, file } = job;
  if (url === 'die') process.exit(1);
  if (url === 'eat') { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); }
  if (url === 'fail') return parentPort.postMessage({ error: { message: 'no', code: 'SQLITE_CORRUPT' } });
  while (url === 'endless' && !cancelled) await new Promise((resolve) => setTimeout(resolve, 1));
  const text = 'made ' + url;
  writeFileSync(file, text);
  parentPort.postMessage({ result: { status: 200, headers: [], bytes: text.length, createdCounts: [] } });
});`;

describe('jobs', () => {
  let jobs: JobRunner | undefined;
  afterEach(async () => {
    await jobs?.terminateWorkers();
  });
  const start = () => {
    const limits = { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 }, stderr: true };
    const create = vi.fn(() => new Worker(WORKER, limits));
    jobs = new JobRunner(create);
    const answer = (userId: number, url: string, signal?: AbortSignal, kind: RequestJobKind = 'report') =>
      jobs!.runRequest(kind, requestOf(userId, url), signal);
    const ask = async (userId: number, url: string, kind?: RequestJobKind) => ({
      text: await new Response((await answer(userId, url, undefined, kind)).body).text(),
    });
    return { answer, ask, create };
  };

  it('that end, fail or run out of memory do not affect others', async () => {
    const { ask } = start();
    await expect(ask(1, 'die')).rejects.toThrow('has ended');
    await expect(ask(1, 'eat')).rejects.toMatchObject({ kind: 'too-large', code: 'report_too_large' });
    await expect(ask(1, 'fail')).rejects.toMatchObject({ message: 'no', code: 'SQLITE_CORRUPT' });
    expect((await ask(1, 'x')).text).toBe('made x');
  });

  it('are done by the worker that was loaded beforehand', async () => {
    const { ask, create } = start();
    await jobs!.warmUp();
    expect((await ask(1, 'x')).text).toBe('made x');
    expect(create).toHaveBeenCalledTimes(1);
  });

  it('end when their client has gone, and the next one is done', async () => {
    const { answer, ask } = start();
    const gone = new AbortController();
    const job = answer(1, 'endless', gone.signal);
    const next = ask(1, 'x');
    setTimeout(() => gone.abort(new Error('gone')), 50);
    expect((await next).text).toBe('made x');
    await (await job.catch(() => undefined))?.body?.cancel();
  });

  it('T31 · of one user wait for one another, many of them, and the rest is told to come back; others get theirs', async () => {
    const { answer, ask } = start();
    const gone = new AbortController();
    const endless = answer(1, 'endless', gone.signal).catch(() => undefined);
    const many = Promise.allSettled(Array.from({ length: 80 }, () => ask(1, 'x', 'export')));
    expect(await ask(2, 'y', 'export')).toEqual({ text: 'made y' });
    gone.abort(new Error('gone'));
    await endless;
    const made = await many;
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(made.length - refused.length).toBeGreaterThanOrEqual(60);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const reason of refused)
      expect(reason).toMatchObject({
        ...{ kind: 'busy', retryAfter: 10 },
        message: expect.stringContaining('Ya tienes otros reportes o archivos en preparación.'),
      });
    expect(await ask(1, 'z')).toEqual({ text: 'made z' });
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
  return { method: 'GET', url, headers: [], context: asker };
}
