import { createHash } from 'node:crypto';
import type { Db } from '../schema.ts';
import { isCarried } from './copy.ts';
import { linesOf } from './portable.ts';
import { readTables } from './portable-tables.ts';
import type { Report } from './progress.ts';

/** They grow by the backup and the restoring themselves. */
const NOT_COUNTED = ['audit', 'audit_rows', 'audit_anchors', 'audit_tail', 'schema_migrations'];

/**
 * One SHA-256 over every row of the firm's data, alike on both databases: equal data have equal digests.
 * Sessions, the audit trail (a chain by itself) and the list of migrations are not in it.
 */
export async function digestOf(db: Db, report: Report = () => {}): Promise<string> {
  const all = createHash('sha256');
  const carried = (await readTables(db)).filter(isCarried);
  const tables = carried.filter(({ name }) => !NOT_COUNTED.includes(name));
  for (const [index, table] of tables.entries()) {
    const own = createHash('sha256');
    for await (const { lines } of linesOf(db, table)) {
      report(index / tables.length, table.name);
      own.update(lines);
    }
    all.update(`${table.name} ${own.digest('hex')}\n`);
  }
  return all.digest('hex');
}
