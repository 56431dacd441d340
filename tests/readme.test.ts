import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../cli/main.ts';
import { createRuntime } from '../cli/runtime.ts';
import packageJson from '../package.json' with { type: 'json' };
import { VARIABLE_DEFAULTS } from '../server/config.ts';
import { projectRoot } from '../server/root.ts';
import { menu } from '../server/shell/menu.ts';
import { catalogs } from '../shared/catalogs/all.ts';
import { api, pages } from '../shared/urls.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const readme = read('README.md');
const MOST_LINES = 230;
/** A file may be named without its ending. */
const SOURCE_ENDINGS = ['', '.ts', '.tsx', '.test.ts', '.test.tsx', '.prove.test.ts'];

const rowOf = (words: string) =>
  readme.split('\n').find((line) => line.startsWith('|') && line.split('|')[1]!.includes(`\`${words}\``));

describe('the README', () => {
  it('can be read in one sitting', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  });

  it('names every variable with its default', () => {
    for (const [name, value] of Object.entries(VARIABLE_DEFAULTS)) expect(rowOf(name), name).toContain(value);
  });

  it('names every command in the row of its group', async () => {
    for (const group of (await createProgram(createRuntime({}))).commands) {
      const row = rowOf(`saldo ${group.name()}`);
      expect(row, group.name()).toBeDefined();
      for (const command of group.commands) expect(row, group.name()).toContain(`\`${command.name()}\``);
    }
  });

  it('names every page of the menu and every list of the API', () => {
    const paths = [
      ...menu.flatMap((entry) => [entry.href, ...(entry.entries ?? []).map((one) => one.href)]),
      ...Object.values(api),
      ...catalogs.flatMap(({ paths: { list, api: address } }) => [list, address]),
      pages.profile,
    ];
    for (const path of paths) if (path) expect(readme, path).toContain(`\`${path}\``);
  });
});

describe('docs', () => {
  const files = ['README.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: projectRoot })];

  it('link to files that are there', () => {
    for (const file of files)
      for (const [, link = ''] of read(file).matchAll(/\]\((?!#|https?:)([^)#]+)(?:#[^)]*)?\)/g))
        expect(globSync(join(projectRoot, file, '..', link)), `${file}: ${link}`).toHaveLength(1);
  });

  it('name files and folders that are there', () => {
    const paths = files.flatMap((file) =>
      [...read(file).matchAll(/(?<![\w./-])(cli|db|docs|islands|server|shared|tests)\/[\w./-]*\w/g)].map(
        ([path]) => [file, path] as const,
      ),
    );
    expect(paths.length).toBeGreaterThan(300);
    const isThere = (path: string) =>
      SOURCE_ENDINGS.some((ending) => existsSync(join(projectRoot, path + ending)));
    expect(paths.filter(([, path]) => !isThere(path))).toEqual([]);
  });

  it('include decisions that state their status, what was decided and what follows', () => {
    const decisions = files.filter((file) => file.startsWith('docs/decisions/'));
    expect(decisions.length).toBeGreaterThan(50);
    for (const file of decisions)
      expect(read(file), file).toMatch(
        /^# [^\n]+\n\nAccepted \d{4}-\d\d-\d\d.*\n\n\*\*Decision\.\*\* .*\n\n\*\*Consequence\.\*\* /s,
      );
    const all = decisions.map(read).join('\n');
    for (const name of Object.keys(packageJson.dependencies)) expect(all, name).toContain(name);
  });
});
