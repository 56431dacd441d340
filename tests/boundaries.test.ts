import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../server/root.ts';

/**
 * The floors of the house: shared ← db ← server/services (with the shapes of requests) ← { api, pages, cli },
 * and shared ← islands ← pages. An area may import itself and what is named here.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  shared: [],
  islands: ['shared'],
  db: ['shared'],
  services: ['shared', 'db'],
  server: ['shared', 'db', 'services', 'islands'], // config, session, errors, layout …
  api: ['shared', 'db', 'services', 'server', 'package.json'], // the version of its document
  pages: ['shared', 'db', 'services', 'server', 'islands'],
  app: ['shared', 'db', 'services', 'server', 'api', 'pages'],
  cli: ['shared', 'db', 'services', 'server', 'app', 'package.json'], // its version
};

const TOP_LEVEL = ['cli', 'db', 'islands', 'server', 'shared', 'tests'];

function areaOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  if (top !== 'server') return top;
  if (['app.ts', 'main.ts', 'dev.ts'].includes(second)) return 'app';
  if (second === 'services' || second === 'shapes') return 'services';
  return second === 'api' || second === 'pages' ? second : 'server';
}

describe('imports', () => {
  test('go down the floors only', () => {
    const upward = sources
      .flatMap(({ path, imports }) =>
        imports.flatMap((name) => (name.startsWith('.') ? [[path, resolve(path, name)]] : [])),
      )
      .filter(([from = '', to = '']) => {
        const [area, target] = [areaOf(from), areaOf(to)];
        return area !== target && !MAY_IMPORT[area]?.includes(target);
      })
      .map(([from, to]) => `${from} → ${to}`);
    expect(upward).toEqual([]);
  });

  test('only the command line reaches the application, and only to serve it', () => {
    const reaching = sources.filter(
      ({ path, imports }) =>
        areaOf(path) === 'cli' &&
        imports.some((name) => areaOf(resolve(path, name)) === 'app' && name.startsWith('.')),
    );
    expect(reaching.map(({ path }) => path).filter((path) => path !== 'cli/serve.ts')).toEqual([]);
  });
});

describe('what a browser loads', () => {
  const inBrowser = sources.filter(({ path }) => ['shared', 'islands'].includes(areaOf(path)));

  test('uses no Node built-in and no package but React', () => {
    const others = inBrowser.flatMap(({ path, imports }) =>
      imports
        .filter((name) => !name.startsWith('.') && !isForBrowser(path, name))
        .map((name) => `${path} → ${name}`),
    );
    expect(others).toEqual([]);
  });

  test('shared has neither clock nor environment', () => {
    const impure = inBrowser
      .filter(({ path }) => areaOf(path) === 'shared')
      .filter(({ code }) => /\bDate\.now\(|\bnew Date\(\)|\bprocess\.|\bMath\.random\(/.test(code));
    expect(impure.map(({ path }) => path)).toEqual([]);
  });
});

describe('folders', () => {
  test('no top-level folder but the known ones', () => {
    const folders = readdirSync(projectRoot, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const unknown = folders
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('.') && !ignored.has(name));
    expect(unknown.sort()).toEqual(TOP_LEVEL);
  });

  test('nothing lies deeper than three folders', () => {
    expect(sources.map(({ path }) => path).filter((path) => path.split('/').length > 4)).toEqual([]);
  });

  test('every .tsx directly in islands/ is an island: PascalCase, one default export of its own name', () => {
    const islands = sources.filter(({ path }) => /^islands\/[^/]+\.tsx$/.test(path));
    expect(islands.length).toBeGreaterThan(0);
    for (const { path, code } of islands) {
      const name = path.slice('islands/'.length, -'.tsx'.length);
      expect(name).toMatch(/^([A-Z][a-z0-9]*)+$/);
      expect(code, path).toContain(`export default function ${name}(`);
    }
  });
});

interface Source {
  path: string;
  code: string;
  imports: string[];
}

const ignored = ignoredFolders();
const sources: Source[] = TOP_LEVEL.filter((folder) => folder !== 'tests')
  .flatMap(filesIn)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const code = withoutComments(readFileSync(join(projectRoot, path), 'utf8'));
    return { path, code, imports: importsOf(code) };
  });

/** Static, re-exported, side-effect and dynamic imports, types included: a type ties two floors as well. */
function importsOf(code: string): string[] {
  const forms = [
    /\b(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"\n]+)['"]/g,
    /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g,
    /\bimport\.meta\.glob(?:<[^(]*>)?\(\s*['"]([^'"\n]+)['"]/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ''));
}

/** A comment's start has a space, a brace or a line's beginning before it; "islands/*.tsx" has not. */
function withoutComments(code: string): string {
  return code.replace(/(^|[\s({])\/\*[\s\S]*?\*\//gm, '$1').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function resolve(from: string, name: string): string {
  return join(dirname(from), name).replaceAll('\\', '/');
}

function isForBrowser(path: string, name: string): boolean {
  if (name.startsWith('node:') || builtinModules.includes(name)) return false;
  if (path === 'islands/dev.ts') return name === '@vitejs/plugin-react/preamble';
  const packages = areaOf(path) === 'islands' ? /^(react|react-dom|react-aria-components)(\/|$)/ : /^react$/;
  return packages.test(name);
}

function filesIn(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function ignoredFolders(): Set<string> {
  const lines = readFileSync(join(projectRoot, '.gitignore'), 'utf8').split('\n');
  return new Set(lines.map((line) => line.trim().replace(/^\/|\/$/g, '')));
}
