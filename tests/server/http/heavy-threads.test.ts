import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { HeavyRequest } from '../../../server/http/heavy-messages.ts';
import { HeavyThreads } from '../../../server/http/heavy-threads.ts';

/** Answers with its path and how many are under way; what the path says comes first. */
const THREAD = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', async (order) => {
  if (order === 'stop') process.exit();
  const { request: { url }, port } = order;
  if (url === 'die') process.exit(1);
  if (url === 'eat') { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); }
  if (url === 'fail') return port.postMessage({ failed: 'no' });
  let isGone = false;
  port.on('message', (reply) => { isGone ||= reply === 'gone'; });
  port.postMessage({ status: 200, headers: [['x-asked', url]] });
  for (let n = 0; url === 'endless' && !isGone; n++) {
    port.postMessage({ chunk: new Uint8Array(1000) });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await new Promise((resolve) => setTimeout(resolve, url === 'slow' ? 200 : 0));
  port.postMessage({ chunk: new TextEncoder().encode('made ' + url) });
  port.postMessage({ created: [] });
});`;

describe('threads for heavy requests', () => {
  let threads: HeavyThreads | undefined;
  afterEach(async () => {
    await threads?.stop();
  });
  const start = () => {
    let started = 0;
    threads = new HeavyThreads(() => {
      started++;
      return new Worker(THREAD, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 }, stderr: true });
    });
    const ask = async (userId: number, url: string, signal?: AbortSignal) => {
      const { content, headers } = await threads!.answer(requestOf(userId, url), signal);
      let text = '';
      for (let chunk = await content.take(); chunk; chunk = await content.take())
        text += Buffer.from(chunk).toString();
      return { text, headers };
    };
    return { ask, started: () => started };
  };

  it('make one answer of a user at a time, and those of another beside it', async () => {
    const { ask, started } = start();
    const ended: string[] = [];
    const named = async (userId: number, url: string) => {
      await ask(userId, url);
      ended.push(`${userId} ${url}`);
    };
    await Promise.all([named(1, 'slow'), named(1, 'a'), named(1, 'b'), named(2, 'c'), named(2, 'd')]);
    expect(ended.slice(0, 2)).toEqual(['2 c', '2 d']);
    expect(ended.slice(2)).toEqual(['1 slow', '1 a', '1 b']);
    expect(started()).toBe(2);
  });

  it('answer with head and content', async () => {
    const { ask } = start();
    expect(await ask(1, 'x')).toEqual({ text: 'made x', headers: [['x-asked', 'x']] });
  });

  it('that end, fail or run out of memory take nothing else with them', async () => {
    const { ask } = start();
    await expect(ask(1, 'die')).rejects.toThrow('has ended');
    await expect(ask(1, 'eat')).rejects.toMatchObject({ kind: 'too-large', code: 'report_too_large' });
    await expect(ask(1, 'fail')).rejects.toThrow('no');
    expect((await ask(1, 'x')).text).toBe('made x');
  });

  it('are free again once nobody waits for the answer', async () => {
    const { ask } = start();
    const gone = new AbortController();
    const asked = ask(1, 'endless', gone.signal);
    setTimeout(() => gone.abort(), 50);
    expect((await asked).text).toMatch(/made endless$/);
    const { content } = await threads!.answer(requestOf(1, 'endless'));
    await content.close();
    expect((await ask(1, 'x')).text).toBe('made x');
  });
});

function requestOf(userId: number, url: string): HeavyRequest {
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
  return { kind: 'report', method: 'GET', url, headers: [], asker };
}
