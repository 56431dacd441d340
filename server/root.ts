import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Found by walking up, since this module runs from server/ or bundled from dist/server/, in any directory. */
export const projectRoot = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json no está en ninguna carpeta superior');
  return findRoot(parent);
}
