import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../cli/main.ts';
import { createRuntime } from '../cli/runtime.ts';
import { projectRoot } from '../server/root.ts';

/**
 * The layers: shared ← formats ← db ← services (with the shapes of requests) ← lists ← { api, pages, cli }, and shared
 * ← islands ← pages. http and shell are below api and pages. A folder may import itself and the folders named here.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  shared: [],
  islands: ['shared'],
  formats: ['shared'],
  db: ['shared', 'formats'], // portable copies are zips
  services: ['shared', 'db', 'formats'],
  config: ['shared', 'db', 'formats'], // the list of common passwords
  lists: ['shared', 'db', 'formats', 'services'],
  http: ['shared', 'db', 'formats', 'services', 'lists', 'config'],
  shell: ['shared', 'services', 'lists', 'http', 'config', 'islands'],
  api: ['shared', 'db', 'formats', 'services', 'lists', 'http', 'shell', 'package.json'], // its document's version
  // the page of the installation says its version
  pages: [
    'shared',
    'db',
    'formats',
    'services',
    'lists',
    'http',
    'shell',
    'config',
    'islands',
    'package.json',
  ],
  app: ['shared', 'db', 'formats', 'services', 'http', 'shell', 'config', 'api', 'pages'],
  cli: ['shared', 'db', 'formats', 'services', 'lists', 'config', 'app', 'package.json'], // its version
};

/** Pairs of folders that import each other, with the reason. */
const MUTUAL: Record<string, string> = {
  'db ↔ db/copies': 'an upgrade keeps a copy first; a copy is made of an open database',
  'db ↔ db/migrations': 'opening a database migrates it; a migration is written against an open one',
  'islands ↔ islands/loader':
    'the entry starts the loader, which finds every island beside the entry by its name',
  'server ↔ server/http': 'the application is put together of http, which reads the environment in config.ts',
  'server ↔ server/shell': 'the application answers errors by the shell, which finds its assets from root.ts',
  'server/services/audit ↔ server/services/settings':
    'a change of a setting is audited; the trail names settings by their labels',
  'server/services/payment-batches ↔ server/services/payments':
    'a batch is paid by payments; a payment in the bank’s place pays the line of its batch',
};

const ROOMS = ['cli', 'db', 'islands', 'server', 'shared'];
const TOP_LEVEL = [...ROOMS, 'docs', 'tests'].sort();
const LARGEST_ROOM = 40;

/** A comment starts after a space, a brace or at a line's start, unlike the "/*" in "islands/*.tsx". */
const COMMENT = /(?<=^|[\s({])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

function areaOf(file: string): string {
  const [top = '', second = '', third] = file.split('/');
  if (top !== 'server') return top;
  if (third === undefined) return ['config.ts', 'root.ts'].includes(second) ? 'config' : 'app';
  return second === 'shapes' ? 'services' : second;
}

describe('imports', () => {
  test('only go down through the layers', () => {
    const upward = sources
      .flatMap(({ path, targets }) => targets.map((target) => [path, target]))
      .filter(([from = '', to = '']) => {
        const [area, target] = [areaOf(from), areaOf(to)];
        return area !== target && !MAY_IMPORT[area]?.includes(target);
      })
      .map(([from, to]) => `${from} → ${to}`);
    expect(upward).toEqual([]);
  });

  test('reach the application only from the command line, and only to serve it', () => {
    const reaching = sources.filter(
      ({ path, targets }) => areaOf(path) === 'cli' && targets.some((target) => areaOf(target) === 'app'),
    );
    expect(reaching.map(({ path }) => path).filter((path) => path !== 'cli/serve.ts')).toEqual([]);
  });
});

describe('files', () => {
  test('do not import one another in a circle, types included', () => {
    // Removes files that import, or are imported by, none of the remaining files: they are on no cycle.
    const left = new Map(sources.map(({ path, targets }) => [path, targets]));
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      const imported = new Set([...left.values()].flat());
      for (const [path, targets] of left)
        if (!imported.has(path) || !targets.some((target) => left.has(target))) left.delete(path);
    }
    expect([...left]).toEqual([]);
  });
});

describe('a file that a document or comment names', () => {
  test('exists', () => {
    const files = [...TOP_LEVEL.flatMap(filesIn), ...readdirSync(projectRoot)];
    const texts = files.filter((path) => /\.(md|tsx?|css|mjs)$/.test(path));
    const missing = texts.flatMap((path) => {
      const text = readFileSync(join(projectRoot, path), 'utf8');
      const words = path.endsWith('.md') ? text : (text.match(COMMENT) ?? []).join('\n');
      const named = [...words.matchAll(/(?<![\w./@-])(?:[\w-]+\/)+[\w.-]+\.(?:tsx?|css|mjs)\b/g)];
      return named
        .filter(([name]) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))
        .map(([name]) => `${path}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});

describe('folders that import one another', () => {
  test('are few, and each has a reason', () => {
    const steps = new Set(
      sources.flatMap(({ path, targets }) =>
        targets.map((target) => `${dirname(path)} → ${dirname(target)}`),
      ),
    );
    const mutual = [...steps].flatMap((step) => {
      const [from = '', to = ''] = step.split(' → ');
      return from < to && steps.has(`${to} → ${from}`) ? [`${from} ↔ ${to}`] : [];
    });
    expect(mutual.sort()).toEqual(Object.keys(MUTUAL).sort());
  });
});

describe('the command line', async () => {
  /** Help pages may explain this; texts of these folders also reach the API. */
  const AREAS = ['shared', 'islands', 'formats', 'db', 'services', 'http', 'shell'];
  const program = await createProgram(createRuntime({}));
  const commands = program.commands.map((command) => command.name()).join('|');
  const flags = [...new Set(flagsOf(program))].map((flag) => flag.slice(2)).join('|');
  const wording = new RegExp(`--(${flags})(?![\\w-])|\\bsaldo (${commands})(?![\\w-])`, 'g');

  test('is mentioned by no text in the layers below it, by option or by command', () => {
    const naming = sources
      .filter(({ path }) => AREAS.includes(areaOf(path)))
      .flatMap(({ path, code }) => [...code.matchAll(wording)].map(([found]) => `${path}: ${found}`));
    expect(naming).toEqual([]);
  });

  test('recognises the words that name it', () => {
    const found = (text: string) => text.match(wording);
    expect(found('Con --replace toma su lugar.')).toEqual(['--replace']);
    expect(found('usa `saldo db migrate`')).toEqual(['saldo db']);
    expect(found("'--max-old-space-size=64' --replaced, y un saldo a favor")).toBeNull();
  });
});

describe('exports', () => {
  test('are all used by another file', () => {
    const texts = new Map(
      [...sources, ...testSources].map(({ path, code }) => [path, new Set(code.match(/\w+/g))]),
    );
    const unused = sources.flatMap(({ path, code }) =>
      [...code.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => ![...texts].some(([other, words]) => other !== path && words.has(name)))
        .map((name) => `${path}: ${name}`),
    );
    expect(unused).toEqual([]);
  });
});

describe('the code that a browser loads', () => {
  const inBrowser = sources.filter(({ path }) => ['shared', 'islands'].includes(areaOf(path)));

  test('uses no Node built-in, and no package except React', () => {
    const others = inBrowser.flatMap(({ path, imports }) =>
      imports
        .filter((name) => !name.startsWith('.') && !isForBrowser(path, name))
        .map((name) => `${path} → ${name}`),
    );
    expect(others).toEqual([]);
  });

  test('reads neither clock nor environment in shared/', () => {
    const impure = inBrowser
      .filter(({ path }) => areaOf(path) === 'shared')
      .filter(({ code }) => /\bDate\.now\(|\bnew Date\(\)|\bprocess\.|\bMath\.random\(/.test(code));
    expect(impure.map(({ path }) => path)).toEqual([]);
  });
});

describe('folders', () => {
  test('exist at the top level only if they are known', () => {
    const folders = readdirSync(projectRoot, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const unknown = folders
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('.') && !ignored.has(name));
    expect(unknown.sort()).toEqual(TOP_LEVEL);
  });

  test('are at most three levels deep', () => {
    expect(sources.map(({ path }) => path).filter((path) => path.split('/').length > 4)).toEqual([]);
  });

  test('contain at most forty files', () => {
    const rooms = Map.groupBy(sources, ({ path }) => dirname(path));
    const halls = [...rooms].filter(([, files]) => files.length > LARGEST_ROOM).map(([room]) => room);
    expect(halls).toEqual([]);
  });

  test('have only islands directly in islands/: PascalCase, one default export named like the file', () => {
    const islands = sources.filter(({ path }) => /^islands\/[^/]+\.tsx$/.test(path));
    expect(islands.length).toBeGreaterThan(0);
    for (const { path, code } of islands) {
      const name = path.slice('islands/'.length, -'.tsx'.length);
      expect(name).toMatch(/^([A-Z][a-z0-9]*)+$/);
      expect(code, path).toContain(`export default function ${name}(`);
    }
  });
});

const flagsOf = (command: Command): string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  ...command.commands.flatMap(flagsOf),
];

interface Source {
  path: string;
  code: string;
  imports: string[];
  targets: string[];
}

const ignored = ignoredFolders();
const sources: Source[] = ROOMS.flatMap(filesIn)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const code = withoutComments(readFileSync(join(projectRoot, path), 'utf8'));
    const imports = importsOf(code);
    const targets = imports.filter((name) => name.startsWith('.')).map((name) => resolve(path, name));
    return { path, code, imports, targets };
  });

const testSources = [...filesIn('tests'), 'vite.config.ts']
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, code: withoutComments(readFileSync(join(projectRoot, path), 'utf8')) }));

/** Static, re-exported, side-effect, dynamic and type imports: types create dependencies too. */
function importsOf(code: string): string[] {
  const forms = [
    /\b(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"\n]+)['"]/g,
    /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g,
    /\bimport\.meta\.glob(?:<[^(]*>)?\(\s*['"]([^'"\n]+)['"]/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ''));
}

function withoutComments(code: string): string {
  return code.replace(COMMENT, '');
}

function resolve(from: string, name: string): string {
  return join(dirname(from), name).replaceAll('\\', '/');
}

function isForBrowser(path: string, name: string): boolean {
  if (name.startsWith('node:') || builtinModules.includes(name)) return false;
  if (path === 'islands/photos/qrCode.ts') return name === 'qr/decode.js';
  if (path.startsWith('islands/documents/')) return /^pdfjs-dist\/build\//.test(name);
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
