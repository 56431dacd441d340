import { expect, it } from 'vitest';
import { FairTurns, Turns } from '../../shared/turns.ts';

const newTurns = () => new Turns({ atOnce: 1, waiting: 2, refusal: 'Espera.', retryAfter: 5 });

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { run: () => promise, end: resolve };
}

it('work is done one at a time and in order; whoever finds the queue full is told when to come back', async () => {
  const turns = newTurns();
  const jobs = [work(), work(), work()];
  const begun: number[] = [];
  const results = jobs.map((job, index) =>
    turns.take(() => {
      begun.push(index);
      return job.run();
    }),
  );
  await expect(turns.take(async () => 'nunca')).rejects.toMatchObject({ kind: 'busy', retryAfter: 5 });
  expect(begun).toEqual([0]);
  jobs.forEach((job, index) => {
    job.end(`listo ${index}`);
  });
  expect(await Promise.all(results)).toEqual(['listo 0', 'listo 1', 'listo 2']);
  expect(begun).toEqual([0, 1, 2]);
  expect(await turns.take(async () => 'otra vez')).toBe('otra vez');
});

it('a turn is released by work that fails', async () => {
  const turns = newTurns();
  await expect(turns.take(() => Promise.reject(new Error('mal')))).rejects.toThrow('mal');
  expect(await turns.take(async () => 'bien')).toBe('bien');
});

it('whoever leaves the queue makes room in it, and never begins', async () => {
  const turns = newTurns();
  const first = work();
  const running = turns.take(first.run);
  const leaving = new AbortController();
  const never = turns.take(async () => 'nunca', leaving.signal);
  const last = turns.take(async () => 'último');
  leaving.abort(new Error('se fue'));
  await expect(never).rejects.toThrow('se fue');
  const another = turns.take(async () => 'otro');
  first.end('primero');
  expect(await Promise.all([running, last, another])).toEqual(['primero', 'último', 'otro']);
  await expect(turns.take(async () => 'nunca', AbortSignal.abort(new Error('ya')))).rejects.toThrow('ya');
});

it('whether the queue has room can be asked before anything is done', async () => {
  const turns = newTurns();
  const first = work();
  const results = [turns.take(first.run), turns.take(async () => 'segundo')];
  turns.requireRoom();
  results.push(turns.take(async () => 'tercero'));
  expect(() => turns.requireRoom()).toThrow('Espera.');
  first.end('primero');
  expect(await Promise.all(results)).toEqual(['primero', 'segundo', 'tercero']);
  turns.requireRoom();
});

it('whoever has waited too long is told to come back, and never begins', async () => {
  const turns = new Turns({ atOnce: 1, waiting: 2, seconds: 0.02, refusal: 'Espera.', retryAfter: 5 });
  const first = work();
  const running = turns.take(first.run);
  await expect(turns.take(async () => 'nunca')).rejects.toMatchObject({ kind: 'busy', message: 'Espera.' });
  const next = turns.take(async () => 'segundo');
  first.end('primero');
  expect(await Promise.all([running, next])).toEqual(['primero', 'segundo']);
  expect(turns.isIdle).toBe(true);
});

it('whoever leaves a queue that is full for everybody makes room in the own one', async () => {
  const limits = { refusal: 'Espera.', retryAfter: 5 };
  const turns = new FairTurns({
    own: { ...limits, atOnce: 1, waiting: 0 },
    all: { ...limits, atOnce: 1, waiting: 0 },
  });
  const leave = await turns.enter(1);
  await expect(turns.enter(1)).rejects.toMatchObject({ kind: 'busy' });
  await expect(turns.enter(2)).rejects.toMatchObject({ kind: 'busy' });
  leave();
  (await turns.enter(2))();
});

it('what can wait lets urgent work go first, each in order of arrival', async () => {
  const turns = newTurns();
  const leave = await turns.enter();
  const order: string[] = [];
  const enter = async (name: string, canWait: boolean) => {
    const end = await turns.enter(undefined, canWait);
    order.push(name);
    end();
  };
  const all = [enter('file', true), enter('page', false)];
  leave();
  await Promise.all(all);
  expect(order).toEqual(['page', 'file']);
});
