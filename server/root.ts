import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder above with a package.json, because this module runs from server/ or bundled from dist/server/. */
export const projectRoot = getRoot(import.meta.dirname);

function getRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json no está en ninguna carpeta superior');
  return getRoot(parent);
}
