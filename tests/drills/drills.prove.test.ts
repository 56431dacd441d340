import { describe, expect, it } from 'vitest';
import { drillDamage } from './damage.ts';
import { AIM_MS, drillFailovers } from './failovers.ts';
import { drillFullDisk, mayMount } from './full-disk.ts';
import { drillKills } from './kills.ts';

/** The drills of this folder in short; what they come to in full stands in README.md beside. */
describe('in a drill', () => {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  /** A machine that is busy with other tests waits for everything. */
  const BUSY_MS = 15_000;

  it('each way in which PostgreSQL fails loses and doubles nothing, and writes come back', async () => {
    const figures = await drillFailovers(7, say);
    expect(figures, said.join('\n')).toMatchObject({
      rounds: 7,
      lost: 0,
      doubled: 0,
      deaths: 0,
      unclear: [],
      problems: [],
    });
    expect(figures.slowestMs).toBeLessThan(AIM_MS + BUSY_MS);
  });

  it('a server that is killed again and again has acknowledged nothing that is not there', async () => {
    const figures = await drillKills(8, say);
    expect(figures).toMatchObject({ lost: 0, doubled: 0, unclear: [], problems: [] });
    expect(figures.payments).toBeGreaterThan(0);
  });

  it('a disk that fills up is said to whoever writes, and passes', async ({ skip }) => {
    skip(!mayMount(), 'no file system may be mounted here');
    const figures = await drillFullDisk(3, say);
    expect(figures).toMatchObject({ lost: 0, doubled: 0, unclear: [], problems: [], unread: 0, deaths: 0 });
    expect(figures.refused).toBeGreaterThan(0);
    expect(figures.slowestBackMs).toBeLessThan(BUSY_MS);
  });

  it('a changed byte that matters is noticed, and a damaged file takes no change', async () => {
    const figures = await drillDamage({ flips: 10, starts: 4 }, say);
    expect(figures).toMatchObject({ mattering: 10, unnoticed: [], starts: 4, wrong: [] });
  });
});
