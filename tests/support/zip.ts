import { basename } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  data?: string | Buffer;
  stored?: boolean;
  encrypted?: boolean;
  method?: number;
  /** these values are written instead of the true ones */
  crc?: number;
  size?: number;
  /** bytes written in place of the compressed ones */
  raw?: Buffer;
  /** the Unix mode, such as 0o120777 of a link */
  unixMode?: number;
  /** the entry has no bytes of its own and uses those of the entry before */
  sharesBytes?: true;
}

/** Builds a zip by hand (PKWARE APPNOTE 4.3), so that it may also be wrong. */
export function buildZip(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  let previousOffset = 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? `<${basename(entry.name)}/>`);
    const packed = entry.raw ?? (entry.stored ? data : deflateRawSync(data));
    const name = Buffer.from(entry.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800 | (entry.encrypted ? 1 : 0), 2);
    common.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4);
    common.writeUInt32LE(entry.crc ?? crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(entry.size ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((entry.unixMode ?? 0) << 16) >>> 0, 6);
    tail.writeUInt32LE(entry.sharesBytes ? previousOffset : offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, tail, name]));
    if (entry.sharesBytes) continue;
    parts.push(local);
    previousOffset = offset;
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listing, end]);
}
