import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../server/root.ts';

const text = readFileSync(join(projectRoot, 'docs/threats.md'), 'utf8');

const threats = [...text.matchAll(/^\| (T\d\d) \|(?: [^|]+\|){2} ([^|]+) \|/gm)].map(
  ([, id = '', shown = '']): [id: string, tests: string[]] => [id, testsOf(shown)],
);

describe('docs/threats.md', () => {
  it('lists the threats in order, each once', () => {
    const ids = threats.map(([id]) => id);
    expect(ids.length).toBeGreaterThan(40);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it.each(threats)(
    'names existing tests for %s, and if some are in tests/security, one that bears the number',
    (id, tests) => {
      expect(tests).not.toEqual([]);
      for (const file of tests) expect(existsSync(join(projectRoot, file)), file).toBe(true);
      // Outside tests/security, a test has the name of the file that it tests.
      const here = tests.filter((file) => file.startsWith('tests/security/'));
      const bearing = here.filter((file) =>
        readFileSync(join(projectRoot, file), 'utf8').includes(`${id} ·`),
      );
      if (here.length > 0) expect(bearing.length, tests.join()).toBeGreaterThan(0);
    },
  );
});

/**
 * Parses "users; tests/db/schema (the CHECK), check; in full tests/drills/failovers.ts": a name without a folder is in
 * that of the previous name, or in tests/security.
 */
function testsOf(shown: string): string[] {
  let folder = '';
  return shown
    .replace(/\(.*?\)/g, '')
    .split(/[;,]/)
    .map((name) => name.replace('in full', '').trim())
    .map((name) => {
      if (name.startsWith('tests/')) folder = dirname(name);
      const places = name.startsWith('tests/') ? [name] : [`${folder}/${name}`, `tests/security/${name}`];
      const files = places.flatMap((place) =>
        ['', '.test.ts', '.test.tsx', '.prove.test.ts', '.ts'].map((ending) => place + ending),
      );
      return files.find((file) => /\.tsx?$/.test(file) && existsSync(join(projectRoot, file))) ?? name;
    });
}
