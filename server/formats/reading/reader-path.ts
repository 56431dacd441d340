import { basename, join } from 'node:path';

/** From the sources, Node starts the TypeScript file itself; the build has reader.js next to the server's code. */
export function readerEntryPath(): string {
  const here = import.meta.dirname;
  if (import.meta.filename.endsWith('.ts')) return join(here, 'reader.ts');
  return join(basename(here) === 'assets' ? join(here, '..') : here, 'reader.js');
}
