import { basename, join } from 'node:path';

/** Run from the sources, Node starts the TypeScript file itself; the build has reader.js beside the server's code. */
export function readerEntryPath(): string {
  const here = import.meta.dirname;
  if (import.meta.filename.endsWith('.ts')) return join(here, 'reader.ts');
  return join(basename(here) === 'assets' ? join(here, '..') : here, 'reader.js');
}
