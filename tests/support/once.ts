import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Has the first thread that asks make something, while the others wait. @returns what `make` did, kept in `file` */
export async function makeOnce(file: string, make: () => Promise<string>): Promise<string> {
  const claim = `${file}.claim`;
  while (!existsSync(file)) {
    if (!createFolder(claim)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    try {
      // Another thread may have finished since the loop looked for the file.
      if (!existsSync(file)) {
        writeFileSync(`${file}.made`, await make());
        renameSync(`${file}.made`, file);
      }
    } finally {
      rmSync(claim, { recursive: true }); // after a failure another process tries again
    }
  }
  return readFileSync(file, 'utf8');
}

/** @returns false if it exists already */
function createFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
