import { safeFilename } from '../files.ts';

export interface SentFile {
  /** with the folders that it lay in, where it comes out of a zip */
  filename: string;
  bytes: Uint8Array;
}

const ENDING = /\.\w{1,5}$/;

/**
 * Names of their own, such as "A-12 (2)", with the same number for those that belong together.
 * @param taken what names begin with that are there, as `stemOf` gives it; the new ones are added
 */
export function nameApart(files: readonly SentFile[], taken: Set<string>): SentFile[] {
  const suffixes = new Map<string, string>();
  const seen = new Set<string>();
  return files.map(({ filename, bytes }) => {
    const path = filename.replace(ENDING, '').toLowerCase();
    const safe = safeFilename(filename);
    const ending = ENDING.exec(safe)?.[0] ?? '';
    const own = safe.slice(0, safe.length - ending.length);
    // Two of one path in one go: the second stands alone.
    const isSecond = seen.has(filename.toLowerCase());
    seen.add(filename.toLowerCase());
    const suffix = (isSecond ? undefined : suffixes.get(path)) ?? freeSuffix(own, taken);
    taken.add((own + suffix).toLowerCase());
    if (!isSecond) suffixes.set(path, suffix);
    return { filename: own + suffix + ending, bytes };
  });
}

function freeSuffix(own: string, taken: ReadonlySet<string>): string {
  let suffix = '';
  for (let n = 2; taken.has((own + suffix).toLowerCase()); n++) suffix = ` (${n})`;
  return suffix;
}

/** What is the same of an XML and the PDF that belongs to it. */
export const stemOf = ({ filename }: Pick<SentFile, 'filename'>): string =>
  filename.replace(ENDING, '').toLowerCase();
