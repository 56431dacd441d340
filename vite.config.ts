import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { availableParallelism } from 'node:os';
import { basename, join, matchesGlob, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import devServer, { defaultOptions } from '@hono/vite-dev-server';
import locales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import type { TestProjectConfiguration } from 'vitest/config';
import { PASSWORDS_FILE, packCommonPasswords } from './server/formats/passwords/common-passwords.ts';
import { FONT_FILES, FONT_FOLDER, fontPathInPackage } from './server/formats/pdf/fonts.ts';

// better-sqlite3 ends an older Node with a segmentation fault, so say it before anything loads it.
if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(`Saldo necesita Node 22 o posterior (este es ${process.version}): use los scripts de npm.`);
  process.exit(1);
}

const root = import.meta.dirname;

const REACT_ARIA = [
  /^react-(aria|stately)/,
  /^@react-(aria|stately)\//,
  /^@internationalized\//,
  /^@swc\/helpers/,
  'clsx',
];

/** `vite build --app` makes both halves; `vite` serves them with reloading; vitest reads `test`. */
export default defineConfig({
  root,
  appType: 'custom',
  publicDir: false,
  plugins: [
    react(),
    inOnly('client', locales.vite({ locales: ['es-ES'] })), // React Aria has no es-MX texts; es-MX falls back to es
    inOnly('client', [browserOnly(), leanImports(), precompress(), clientFiles()]),
    inOnly('ssr', serverFiles()),
    !process.env.VITEST &&
      devServer({
        entry: 'server/dev.ts',
        injectClientScript: false,
        exclude: defaultOptions.exclude.filter((pattern) => !String(pattern).includes('favicon')),
      }),
  ],
  builder: {},
  environments: {
    client: {
      // Found beforehand: a package that turns up with the first dialog would reload the page under it.
      optimizeDeps: { entries: ['islands/**/*.{ts,tsx}'] },
      build: {
        outDir: 'dist/client',
        manifest: true,
        modulePreload: false, // see leanImports
        assetsInlineLimit: 0, // the CSP allows no data: fonts
        rolldownOptions: {
          input: [
            'islands/client.ts',
            'islands/login.ts',
            'islands/styles/app.css',
            'islands/styles/pages.css',
          ],
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false, // or the sign-in page's few lines would join the controls
              // One file for React, what hydrates and what every island is made of, asked for together with the
              // island's own, since many small files compress badly.
              groups: [
                {
                  name: 'react',
                  test: /node_modules[\\/](react|react-dom|scheduler)[\\/]|islands[\\/]loader[\\/]hydrate|shared[\\/](text\.|language\.|ui[\\/](Button|Field|Icon)\.)|rolldown[\\/]runtime/,
                },
                {
                  name: 'picker',
                  test: /islands[\\/](pickers[\\/](PickerField|usePickerChoice|picker)|hooks[\\/](useSearch|latestSearch|ask))\./,
                },
                {
                  name: 'amounts',
                  test: /shared[\\/](money|dates|errors|invoices|refusal|remarks)\.|islands[\\/]forms[\\/](evaluation|useLatest|AmountField|AmountsForm|FormControl)\./,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Hundreds of small files each: in one piece the command line starts in half the time.
      // React Aria is 70 MB of packages, of which the server draws a few dialogs, and of the 40 MB of pdfjs-dist it
      // decodes JPEG. Tests load them as they are: vitest would transform every file.
      resolve: {
        noExternal: process.env.VITEST ? [] : ['kysely', 'commander', /^pdfjs-dist/, ...REACT_ARIA],
      },
      build: {
        outDir: 'dist/server',
        target: 'node22',
        rolldownOptions: {
          input: {
            server: 'server/main.ts',
            cli: 'cli/main.ts',
            help: 'cli/help.ts',
            reader: 'server/formats/reading/reader.ts',
            worker: 'server/worker.ts',
          },
        },
      },
    },
  },
  test: {
    environment: 'node',
    pool: 'threads',
    // By default one fewer than there are processors; but much of the time a test waits for a browser, a server
    // or a database.
    maxWorkers: Math.max(2, availableParallelism()),
    // Files share what they import: to load it takes longer than most of them run. None may count on the other.
    isolate: false,
    // A machine that is busy with other things takes ten times as long.
    hookTimeout: 300_000,
    testTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/setup.ts'],
    // Of what the tests themselves hash; the built server that some of them start knows nothing of it.
    alias: [
      { find: /^\.\/scrypt\.ts$/, replacement: join(root, 'tests/support/quick-crypto.ts') },
      { find: /^\.\/reader-path\.ts$/, replacement: join(root, 'tests/support/built-reader.ts') },
    ],
    projects: process.env.VITEST ? lanes() : undefined,
  },
});

/**
 * `npm test` runs the first two lanes, `npm run prove` the long ones: the files named so, and again, with more of
 * everything, those that ask support/proofs.ts, or by way of doors/doors.ts, how much is enough. React's development
 * build, which complains about wrong markup, takes six times as long: `npm test` has it render every page once.
 */
function lanes(): TestProjectConfiguration[] {
  // A server's clock decides nothing: this one has the next day before Mexico has its noon.
  process.env.TZ = 'Pacific/Kiritimati';
  const files = 'tests/**/*.test.{ts,tsx}';
  const long = 'tests/**/*.prove.test.{ts,tsx}';
  const pages = 'tests/server/pages/**/*.test.{ts,tsx}';
  const markup = ['tests/{islands,shared}/**/*.test.{ts,tsx}', 'tests/server/pages/routes.test.tsx'];
  const asFast = { oxc: { jsx: { development: false } } };
  const env = { NODE_ENV: 'production' };
  const repeated = globSync(files, { cwd: root }).filter((file) =>
    /support\/proofs\.ts|\/doors\.ts/.test(readFileSync(join(root, file), 'utf8')),
  );
  const provide = { lane: 'long' } as const;
  return [
    { extends: true, test: { name: 'markup', include: markup, exclude: [long] } },
    { extends: true, ...asFast, test: { name: 'rest', include: [files], exclude: [long, ...markup], env } },
    {
      extends: true,
      ...asFast,
      test: {
        name: 'long',
        include: [long, ...repeated.filter((file) => !matchesGlob(file, pages))],
        env,
        provide,
      },
    },
    { extends: true, test: { name: 'long-markup', include: [pages], exclude: [long], provide } },
  ];
}

function inOnly(name: 'client' | 'ssr', plugins: Plugin | Plugin[]): Plugin[] {
  return [plugins].flat().map((one) => ({ ...one, applyToEnvironment: (env) => env.name === name }));
}

/** Fails the build where a Node built-in, or a module that is neither island nor shared, reaches the browser. */
function browserOnly(): Plugin {
  return {
    name: 'saldo:browser-only',
    apply: 'build',
    buildEnd(error) {
      if (error) return;
      // A module of ours says more than the built-ins it pulls in.
      const [id] = [...this.getModuleIds()].filter(isServerModule).sort((a, b) => +isNode(a) - +isNode(b));
      if (!id) return;
      const { importers = [], dynamicImporters = [] } = this.getModuleInfo(id) ?? {};
      const by = [...importers, ...dynamicImporters].map(shortName).join(', ');
      this.error(`«${shortName(id)}» no puede llegar al navegador: lo importa ${by}`);
    },
  };
}

function isServerModule(id: string): boolean {
  if (isNode(id)) return true;
  const path = shortName(id);
  if (id.startsWith('\0') || path.startsWith('..') || path.includes('node_modules/')) return false;
  return !/^(islands|shared)\//.test(path);
}

const isNode = (id: string) => id.includes('__vite-browser-external') || isBuiltin(id);

const shortName = (id: string) =>
  isNode(id) ? 'un módulo de Node' : relative(root, id.split('?')[0] ?? id).replaceAll('\\', '/');

/**
 * Vite wraps each import() in a kilobyte of preloading for styles and chunks. Ours bring no styles, and the
 * loader asks for React and the island side by side, so nothing is left to preload.
 */
function leanImports(): Plugin {
  const helper = '\0vite/preload-helper.js';
  return {
    name: 'saldo:lean-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === helper ? 'export const __vitePreload = (load) => load();' : undefined),
  };
}

/** Puts beside the server what it takes of large packages, and the help of all commands, which running does without. */
function serverFiles(): Plugin {
  return {
    name: 'saldo:server-files',
    apply: 'build',
    async writeBundle({ dir = root }) {
      const { collectHelp } = await import(pathToFileURL(join(dir, 'cli.js')).href);
      writeFileSync(join(dir, 'help.json'), JSON.stringify(await collectHelp()));
      const fonts = join(dir, FONT_FOLDER);
      mkdirSync(fonts, { recursive: true });
      for (const name of Object.values(FONT_FILES)) copyFileSync(fontPathInPackage(name), join(fonts, name));
      copyFileSync(fontPathInPackage('../LICENSE.md'), join(fonts, 'LICENSE.md'));
      writeFileSync(join(dir, PASSWORDS_FILE), packCommonPasswords());
    },
  };
}

/** Writes .br and .gz beside each text asset, so that serving them costs nothing. */
function precompress(): Plugin {
  return {
    name: 'saldo:precompress',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle)) {
        if (!/^assets\/.*\.(js|css|svg)$/.test(name)) continue;
        const path = join(dir ?? root, name);
        const content = readFileSync(path);
        const parameters = {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params: parameters }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

/** The guide's pictures, which npm run pictures takes, and the licence of the typeface, which goes with each copy. */
function clientFiles(): Plugin {
  return {
    name: 'saldo:client-files',
    apply: 'build',
    generateBundle() {
      const emit = (name: string, path: string) =>
        this.emitFile({ type: 'asset', fileName: `assets/${name}`, source: readFileSync(join(root, path)) });
      for (const file of globSync('server/pages/help/pictures/*.webp', { cwd: root }))
        emit(basename(file), file);
      emit('source-sans-3-OFL.txt', 'node_modules/@fontsource-variable/source-sans-3/LICENSE');
    },
  };
}
