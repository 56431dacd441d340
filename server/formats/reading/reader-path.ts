import { basename, join } from 'node:path';

/** Node itself reads TypeScript from the sources. */
export function readerEntryPath(): string {
  const here = import.meta.dirname;
  if (import.meta.filename.endsWith('.ts')) return join(here, 'reader.ts');
  return join(basename(here) === 'assets' ? join(here, '..') : here, 'reader.js');
}
