import { describe, expect, it } from 'vitest';
import { drillDamage } from './damage.ts';
import { AIM_MS, drillFailovers } from './failovers.ts';
import { drillFullDisk, mayMount } from './full-disk.ts';
import { drillKills } from './kills.ts';

/** Short runs of the drills in this folder; README.md describes the full ones. */
describe('the drill', () => {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  /** Extra time for a machine that runs other tests. */
  const BUSY_MS = 15_000;

  it('of each way in which PostgreSQL fails loses and doubles nothing, and writes resume', async () => {
    const figures = await drillFailovers(7, say);
    expect(figures, lines.join('\n')).toMatchObject({
      rounds: 7,
      lost: 0,
      doubled: 0,
      deaths: 0,
      unclear: [],
      problems: [],
    });
    expect(figures.slowestMs).toBeLessThan(AIM_MS + BUSY_MS);
  });

  it('of a server that is killed again and again finds everything that was acknowledged', async () => {
    const figures = await drillKills(8, say);
    expect(figures).toMatchObject({ lost: 0, doubled: 0, unclear: [], problems: [] });
    expect(figures.payments).toBeGreaterThan(0);
  });

  it('of a disk that fills up reports it to whoever writes, and writes resume', async ({ skip }) => {
    skip(!mayMount(), 'no file system may be mounted here');
    const figures = await drillFullDisk(3, say);
    expect(figures).toMatchObject({ lost: 0, doubled: 0, unclear: [], problems: [], unread: 0, deaths: 0 });
    expect(figures.refused).toBeGreaterThan(0);
    expect(figures.slowestBackMs).toBeLessThan(BUSY_MS);
  });

  it('of changed bytes notices each that matters, and a damaged file accepts no change', async () => {
    const figures = await drillDamage({ flips: 10, starts: 4 }, say);
    expect(figures).toMatchObject({ mattering: 10, unnoticed: [], starts: 4, wrong: [] });
  });
});
