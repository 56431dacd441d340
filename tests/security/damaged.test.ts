import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startChild } from '../support/children.ts';
import { temporaryFolder } from '../support/folder.ts';
import { chooseRunCount } from '../support/proofs.ts';
import { damageBytes, SOUND } from './damage.ts';

const COUNT = chooseRunCount(45, 500, 2000);
const { folder, remove } = temporaryFolder();
afterAll(remove);

describe('T24 · damaged files', () => {
  it(`${COUNT} of them end in a table or a message in Spanish, each in time, with no crash and no growth`, async () => {
    const child = await startChild();
    const kinds = Object.keys(SOUND) as (keyof typeof SOUND)[];
    const files = Array.from({ length: COUNT }, (_, seed) => {
      const kind = kinds[seed % kinds.length]!;
      const path = join(folder, `${seed}.${kind}`);
      writeFileSync(path, damageBytes(SOUND[kind], seed));
      return { task: kind === 'xml' ? ('cfdi' as const) : ('table' as const), path };
    });
    const { outcomes, grownMb } = await child.run('readFiles', files);
    expect(outcomes).toHaveLength(COUNT);
    for (const [seed, { refused, seconds }] of outcomes.entries()) {
      if (refused !== undefined)
        expect(refused, `seed ${seed}`).toMatch(/^(?!.*falla del programa)\p{Lu}.*\.$/su);
      expect(seconds, `seed ${seed}`).toBeLessThan(5);
    }
    const refused = outcomes.filter((outcome) => outcome.refused !== undefined).length;
    const slowest = Math.max(...outcomes.map(({ seconds }) => seconds));
    console.info(
      `T24: ${COUNT} damaged files, ${refused} refused, the slowest ${slowest.toFixed(2)} s, ${grownMb} MB more`,
    );
    expect(refused).toBeGreaterThan(COUNT / 10);
    expect(grownMb).toBeLessThan(100);
  }, 900_000);
});
