import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../server/root.ts';

/** Sizes are of files as a browser downloads them, packed by brotli; React with react-dom is 58,000 bytes of them. */
const KB = 1024;
const BUDGET = {
  login: 2 * KB,
  loader: 5 * KB,
  list: 68 * KB,
  form: 74 * KB,
  dialog: 30 * KB,
  stylesheet: 14 * KB,
  /** the second stylesheet, on pages other than lists */
  pages: 6.5 * KB,
  font: 48 * KB,
};

interface Chunk {
  file: string;
  imports?: string[];
  isDynamicEntry?: boolean;
}

const folder = join(projectRoot, 'dist/client');
let manifest: Record<string, Chunk> = {};

beforeAll(() => {
  const path = join(folder, '.vite/manifest.json');
  if (!existsSync(path))
    throw new Error('dist/client is missing: run the tests by npm test, or npm run build first');
  manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Chunk>;
});

function filesOf(...entries: string[]): Set<string> {
  const seen = new Set<string>();
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (seen.has(key) || !chunk) return;
    seen.add(key);
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const entry of entries) visit(entry);
  return files;
}

function bytesOf(files: Iterable<string>): number {
  let bytes = 0;
  for (const file of files) {
    const path = join(folder, file);
    const compressed = existsSync(`${path}.br`)
      ? readFileSync(`${path}.br`)
      : brotliCompressSync(readFileSync(path));
    bytes += compressed.length;
  }
  return bytes;
}

const islandsIn = () => Object.keys(manifest).filter((key) => /^islands\/[A-Z]\w*\.tsx$/.test(key));

/** The chunk that holds islands/loader/hydrate.ts is React's own. */
const REACT = '_react-';
const reactKey = () => Object.keys(manifest).find((key) => key.startsWith(REACT)) ?? '';

/** The bytes of an island's first use: loader, React and the island. */
const firstUse = (island: string) => filesOf('islands/client.ts', reactKey(), island);

describe('the size limit of scripts holds for', () => {
  test('the sign-in page', () => {
    expect(bytesOf(filesOf('islands/login.ts'))).toBeLessThanOrEqual(BUDGET.login);
  });

  test('a signed-in page before anything is used', () => {
    const files = filesOf('islands/client.ts');
    expect([...files].filter((file) => file.includes('react'))).toEqual([]);
    expect(bytesOf(files)).toBeLessThanOrEqual(BUDGET.loader);
  });

  test('each island at its first use', () => {
    expect(manifest[reactKey()]).toBeDefined();
    const islands = islandsIn();
    expect(islands).toContain('islands/ListFilter.tsx');
    const over = islands
      .map((island) => ({ island, bytes: bytesOf(firstUse(island)) }))
      .filter(({ island, bytes }) => bytes > (/Filter\.tsx$/.test(island) ? BUDGET.list : BUDGET.form));
    expect(over).toEqual([]);
  });

  test('a form with amounts, which includes its pickers and nothing that is seldom used', () => {
    for (const form of ['islands/InvoiceForm.tsx', 'islands/PaymentForm.tsx']) {
      const live = firstUse(form);
      expect(manifest[form]).toBeDefined();
      expect(bytesOf(live)).toBeLessThanOrEqual(BUDGET.form);
      for (const later of ['shared/arithmetic.ts', 'islands/forms/OperatorKeys.tsx']) {
        expect(manifest[later]).toBeDefined();
        expect(live).not.toContain(manifest[later]?.file);
      }
    }
  });

  test('each dialog, loaded on demand on top of its page', () => {
    const loaded = firstUse('islands/ListFilter.tsx');
    const dialogs = Object.keys(manifest).filter(
      (key) => /Dialog\.tsx$/.test(key) && manifest[key]?.isDynamicEntry,
    );
    expect(dialogs).toContain('islands/pickers/PickerDialog.tsx');
    const over = dialogs
      .map((dialog) => ({ dialog, bytes: bytesOf([...filesOf(dialog)].filter((file) => !loaded.has(file))) }))
      .filter(({ bytes }) => bytes > BUDGET.dialog);
    expect(over).toEqual([]);
  });
});

test('the stylesheet stays within its size limit', () => {
  expect(bytesOf(filesOf('islands/styles/app.css'))).toBeLessThanOrEqual(BUDGET.stylesheet);
  expect(bytesOf(filesOf('islands/styles/pages.css'))).toBeLessThanOrEqual(BUDGET.pages);
});

test('the only typeface is shipped unchanged, with its licence', () => {
  const files = readdirSync(join(folder, 'assets'));
  const fonts = files.filter((file) => file.includes('.woff'));
  expect(fonts).toEqual([expect.stringMatching(/\.woff2$/)]); // fonts are compressed already
  expect(readFileSync(join(folder, 'assets', fonts[0]!)).length).toBeLessThanOrEqual(BUDGET.font);
  expect(files.filter((file) => file.endsWith('OFL.txt'))).toHaveLength(1);
});
