import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../server/root.ts';
import { catalogs } from '../shared/catalogs/all.ts';

/** Each recipe of the README's "Change it" has to name all files that mention what it adds. */
const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
const recipes = readme.slice(readme.indexOf('## Change it'), readme.indexOf('## Glossary'));

/** The files of the table under "**A field**", "**A list**" … */
function filesOf(recipe: string): string[] {
  const start = recipes.indexOf(`**A ${recipe}**`);
  const [, table = ''] = /(\n\|(?:.*\n)+?)(?:\n|$)/.exec(recipes.slice(start)) ?? [];
  const cells = table.split('\n').map((line) => line.split('|')[1] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!));
}

const sources = ['cli', 'db', 'islands', 'server', 'shared', 'tests'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
);
const codeOf = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const naming = (name: RegExp, files = sources) =>
  files.filter((file) => file !== 'tests/change-it.test.ts' && name.test(codeOf(file))).sort();
const isCode = (file: string) => !file.startsWith('tests/');

describe('a recipe of the README', () => {
  it.each([
    ['field', 12],
    ['list', 9],
    ['report', 9],
    ['setting', 8],
  ])('for a %s names existing files, at most %i', (recipe, most) => {
    const files = filesOf(recipe);
    expect(files.length).toBeGreaterThan(2);
    expect(files.length).toBeLessThanOrEqual(most);
    expect(files.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
  });

  it('for a field names every file that mentions the field', () => {
    const registered = ['CHANGELOG.md', 'db/migrate.ts', 'tests/db/frozen-migrations.json'];
    const named = naming(/(?<![\w-])contrato(?:Fold|_fts)?['"`]?[:,)}\] ]|\.contrato\b/).filter(
      (file) => !/tests\/(?!doors\/invoices)/.test(file),
    );
    const listed = filesOf('field').filter((file) => !registered.includes(file));
    expect(named.filter((file) => !PROSE.includes(file))).toEqual(listed.sort());
    expect(codeOf('db/migrate.ts')).toContain('0001-baseline');
  });

  it('for a list names every file that mentions each list by name', () => {
    const everyList = sources
      .filter(isCode)
      .filter((file) =>
        catalogs.every(({ noun, table }) => new RegExp(`\\b(${noun}|${table})\\b`).test(codeOf(file))),
      );
    // Exceptions: filters by referenced lists, and the demonstration, which has rows of each list.
    const others = ['server/lists/catalog-filters.ts', 'server/services/demo/demo.ts'];
    const listed = filesOf('list').filter(isCode);
    expect(everyList.filter((file) => !others.includes(file) && !listed.includes(file))).toEqual([]);
    for (const { paths, noun } of catalogs) {
      expect(codeOf('shared/catalogs/all.ts'), noun).toContain(`./${noun}.ts`);
      expect(readme, noun).toContain(`\`${paths.list}\``);
    }
  });

  it('for a report names every file that registers it', () => {
    const report = /services\/results\.ts|exports\/results\.ts|reports\/results\.tsx|name: ['"]results['"]/;
    const own = /^(server\/pages\/reports\/results|server\/services\/exports\/results)/;
    const listed = filesOf('report').filter(isCode);
    const named = naming(report).filter((file) => isCode(file) && !own.test(file));
    expect(named.filter((file) => !listed.includes(file))).toEqual([]);
  });

  it('for a setting names every file that mentions the setting', () => {
    // A report has a parameter with the same name.
    const named = naming(/\bsemanas\b.*readSettings|readSettings.*\bsemanas\b/).filter(
      (file) =>
        isCode(file) && !PROSE.includes(file) && !/services\/settings|pages\/reports\/dashboard/.test(file),
    );
    expect(named).toEqual(['server/services/balances/balances.ts', 'server/services/balances/cash-flow.ts']);
  });
});

/** Files in which such a word is ordinary text, such as a heading or a name in the guide. */
const PROSE = ['server/formats/tables/headings.ts', 'islands/palette/destinations.ts'];
