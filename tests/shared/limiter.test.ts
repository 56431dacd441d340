import { expect, it } from 'vitest';
import { FairLimiter, Limiter } from '../../shared/limiter.ts';

const newTurns = () => new Limiter({ concurrent: 1, waiting: 2, refusal: 'Espera.', retryAfter: 5 });

/** Work that ends when the test says so. */
function work() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { run: () => promise, end: resolve };
}

it('work runs one at a time and in order; with a full queue a caller is told when to retry', async () => {
  const turns = newTurns();
  const jobs = [work(), work(), work()];
  const begun: number[] = [];
  const results = jobs.map((job, index) =>
    turns.run(() => {
      begun.push(index);
      return job.run();
    }),
  );
  await expect(turns.run(async () => 'nunca')).rejects.toMatchObject({ kind: 'busy', retryAfter: 5 });
  expect(begun).toEqual([0]);
  jobs.forEach((job, index) => {
    job.end(`listo ${index}`);
  });
  expect(await Promise.all(results)).toEqual(['listo 0', 'listo 1', 'listo 2']);
  expect(begun).toEqual([0, 1, 2]);
  expect(await turns.run(async () => 'otra vez')).toBe('otra vez');
});

it('a turn is released by work that fails', async () => {
  const turns = newTurns();
  await expect(turns.run(() => Promise.reject(new Error('mal')))).rejects.toThrow('mal');
  expect(await turns.run(async () => 'bien')).toBe('bien');
});

it('a caller that leaves the queue frees its place and never starts', async () => {
  const turns = newTurns();
  const first = work();
  const running = turns.run(first.run);
  const leaving = new AbortController();
  const never = turns.run(async () => 'nunca', leaving.signal);
  const last = turns.run(async () => 'último');
  leaving.abort(new Error('se fue'));
  await expect(never).rejects.toThrow('se fue');
  const another = turns.run(async () => 'otro');
  first.end('primero');
  expect(await Promise.all([running, last, another])).toEqual(['primero', 'último', 'otro']);
  await expect(turns.run(async () => 'nunca', AbortSignal.abort(new Error('ya')))).rejects.toThrow('ya');
});

it('whether the queue has room can be asked before anything is done', async () => {
  const turns = newTurns();
  const first = work();
  const results = [turns.run(first.run), turns.run(async () => 'segundo')];
  turns.requireQueueSpace();
  results.push(turns.run(async () => 'tercero'));
  expect(() => turns.requireQueueSpace()).toThrow('Espera.');
  first.end('primero');
  expect(await Promise.all(results)).toEqual(['primero', 'segundo', 'tercero']);
  turns.requireQueueSpace();
});

it('a caller that has waited too long is told to retry and never starts', async () => {
  const turns = new Limiter({ concurrent: 1, waiting: 2, seconds: 0.02, refusal: 'Espera.', retryAfter: 5 });
  const first = work();
  const running = turns.run(first.run);
  await expect(turns.run(async () => 'nunca')).rejects.toMatchObject({ kind: 'busy', message: 'Espera.' });
  const next = turns.run(async () => 'segundo');
  first.end('primero');
  expect(await Promise.all([running, next])).toEqual(['primero', 'segundo']);
  expect(turns.isIdle).toBe(true);
});

it('leaving a queue that is full for everybody frees a place in the user’s own queue', async () => {
  const limits = { refusal: 'Espera.', retryAfter: 5 };
  const turns = new FairLimiter({
    perUser: { ...limits, concurrent: 1, waiting: 0 },
    all: { ...limits, concurrent: 1, waiting: 0 },
  });
  const leave = await turns.acquire(1);
  await expect(turns.acquire(1)).rejects.toMatchObject({ kind: 'busy' });
  await expect(turns.acquire(2)).rejects.toMatchObject({ kind: 'busy' });
  leave();
  (await turns.acquire(2))();
});

it('yielding work lets other work go first, each in order of arrival', async () => {
  const turns = newTurns();
  const leave = await turns.acquire();
  const order: string[] = [];
  const enter = async (name: string, canWait: boolean) => {
    const end = await turns.acquire(undefined, canWait);
    order.push(name);
    end();
  };
  const all = [enter('file', true), enter('page', false)];
  leave();
  await Promise.all(all);
  expect(order).toEqual(['page', 'file']);
});
