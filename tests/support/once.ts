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
      writeFileSync(`${file}.made`, await make());
      renameSync(`${file}.made`, file);
    } finally {
      rmSync(claim, { recursive: true }); // after a failure another one tries
    }
  }
  return readFileSync(file, 'utf8');
}

function createFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}
