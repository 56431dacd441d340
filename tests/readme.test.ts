import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../cli/main.ts';
import { createRuntime } from '../cli/runtime.ts';
import packageJson from '../package.json' with { type: 'json' };
import { VARIABLES } from '../server/config.ts';
import { projectRoot } from '../server/root.ts';
import { menu } from '../server/shell/menu.ts';
import { catalogs } from '../shared/catalogs/all.ts';
import { api, pages } from '../shared/urls.ts';

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');

describe('the README', () => {
  it('names every variable with its default', () => {
    for (const [name, value] of Object.entries(VARIABLES)) {
      const row = readme.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${name}\``));
      expect(row, name).toBeDefined();
      if (value) expect(row, name).toContain(value);
    }
  });

  it('names every command', () => {
    for (const path of commandsOf(createProgram(createRuntime({})))) {
      expect(readme, path).toMatch(new RegExp(`\`(saldo )?${path}`));
    }
  });

  it('names every page of the menu and every list of the API', () => {
    const paths = menu.flatMap((entry) => [entry.href, ...(entry.entries ?? []).map((one) => one.href)]);
    const all = [
      ...paths,
      ...Object.values(api),
      ...catalogs.flatMap(({ paths }) => [paths.list, paths.api]),
      pages.profile,
    ];
    for (const path of all) if (path) expect(readme, path).toContain(`\`${path}\``);
  });

  it('gives every dependency a line of its own in Decisions', () => {
    const decisions = readme.slice(readme.indexOf('## Decisions'));
    for (const name of Object.keys(packageJson.dependencies)) expect(decisions, name).toContain(name);
  });
});

/** "users create", "db migrate" … */
function commandsOf(command: Command, before = ''): string[] {
  return command.commands.flatMap((one) => {
    const path = `${before}${one.name()}`;
    return one.commands.length > 0 ? commandsOf(one, `${path} `) : [path];
  });
}
