import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import type { Manifest } from '../../db/copies/portable-reading.ts';

/** Reads a zip's entries by name, in the order of its directory; yauzl checks the sizes, but no checksums. */
export async function readZipFile(file: string): Promise<Map<string, Buffer>> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false });
  try {
    const entries = new Map<string, Buffer>();
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
    }
    return entries;
  } finally {
    zip.close();
  }
}

export interface PortableContent {
  manifest: Manifest;
  /** the rows of each table */
  rows: Record<string, Record<string, unknown>[]>;
}

export async function readPortable(file: string): Promise<PortableContent> {
  const entries = await readZipFile(file);
  const manifest = JSON.parse(entries.get('manifest.json')!.toString('utf8')) as Manifest;
  const rows: PortableContent['rows'] = {};
  for (const table of manifest.tables) {
    const part = entries.get(table.file)!;
    const lines = part.toString('utf8').split('\n').slice(0, -1);
    const sha256 = createHash('sha256').update(part).digest('hex');
    if (sha256 !== table.sha256 || lines.length !== table.rows)
      throw new Error(`${table.file} is another one`);
    rows[table.name] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  return { manifest, rows };
}
