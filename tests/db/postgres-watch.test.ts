import type { Client, PoolClient } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAtWork, watchQueries } from '../../db/postgres-watch.ts';

const SILENCE_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a query without an answer', () => {
  it('is asked after sooner once nobody knew of it, so that one whose answer went nowhere is given up', async () => {
    const { asked, stream } = watched([false, true, true, false, false]);
    await vi.advanceTimersByTimeAsync(10 * SILENCE_MS);
    expect(asked).toEqual([1000, 1100, 1220, 1364, 1464]);
    expect(stream.destroy).toHaveBeenCalledOnce();
  });

  it('is given up after the second time in a row that nobody knows of it, and not while something of it arrives', async () => {
    const { asked, stream } = watched([true, false, false, false], (ask) => {
      if (ask === 2) stream.bytesRead = 10;
    });
    await vi.advanceTimersByTimeAsync(2150);
    expect(asked).toEqual([1000, 2000, 2100]);
    expect(stream.destroy).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(stream.destroy).toHaveBeenCalledOnce();
  });
});

describe('a server that is asked whether it is at work', () => {
  const asking = (connect: () => Promise<void>, rows: object[] = []) =>
    ({ on: () => {}, connect, query: async () => ({ rows }), end: async () => {} }) as unknown as Client;

  it('may be where it takes no more connections, and is not where it cannot be reached', async () => {
    const refusing = (code: string) => asking(() => Promise.reject(Object.assign(new Error(code), { code })));
    expect(await isAtWork(refusing('53300'), 1)).toBe(true);
    expect(await isAtWork(refusing('ECONNREFUSED'), 1)).toBe(false);
    expect(
      await isAtWork(
        asking(async () => {}),
        1,
      ),
    ).toBe(false);
    expect(
      await isAtWork(
        asking(async () => {}, [{}]),
        1,
      ),
    ).toBe(true);
  });
});

/**
 * A query that is never answered, over a connection of which nothing is left.
 * @param answers whether the server is at work on it, time after time
 * @returns when it was asked after, in ms
 */
function watched(answers: boolean[], onAsk: (ask: number) => void = () => {}) {
  const asked: number[] = [];
  const began = performance.now();
  const stream = { bytesRead: 0, destroy: vi.fn() };
  const client = {
    query: () => new Promise(() => {}),
    release: () => {},
    processID: 1,
    connection: { stream },
  } as unknown as PoolClient;
  const isAtWork = async () => {
    asked.push(Math.round(performance.now() - began));
    onAsk(asked.length);
    return answers.shift() ?? true;
  };
  void watchQueries(client, { silenceMs: SILENCE_MS, isAtWork, onSilence: () => {} }).query('select 1');
  return { asked, stream };
}
