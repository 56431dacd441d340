import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { readTrueType, type TrueType } from './truetype.ts';

/** Source Sans 3: its figures are of one width, and it has the letters of every language of Europe and more. */
export const FONT_FILES = { regular: 'SourceSans3-Regular.ttf', bold: 'SourceSans3-Bold.ttf' };

/** Where the build puts them, in dist/server/. */
export const FONT_FOLDER = 'fonts';

let loading: Promise<Record<keyof typeof FONT_FILES, TrueType>> | undefined;

/** With the first PDF of a process. */
export function loadFonts(): Promise<Record<keyof typeof FONT_FILES, TrueType>> {
  loading ??= readFonts().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function readFonts() {
  const [regular, bold] = await Promise.all(
    [FONT_FILES.regular, FONT_FILES.bold].map(async (name) => readTrueType(await readFile(pathOf(name)))),
  );
  return { regular: regular!, bold: bold! };
}

/** Of the package where the sources run; what runs from dist/ needs no package for it. */
function pathOf(name: string): string {
  if (import.meta.filename.endsWith('.ts')) return packagedFont(name);
  const here = import.meta.dirname;
  return join(basename(here) === 'assets' ? join(here, '..') : here, FONT_FOLDER, name);
}

export const packagedFont = (name: string): string =>
  createRequire(import.meta.url).resolve(`source-sans/TTF/${name}`);
