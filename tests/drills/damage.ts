/**
 * Damages a database file and checks that this is noticed:
 * npm run build && node tests/drills/damage.ts [flips, 100 by default] [starts, 20 by default]
 * Changes single bytes until the given number of changes has altered stored data; the deep check has to notice each.
 * Then overwrites 512 bytes of a page and starts the server. Exits with 1 if such a change goes unnoticed, a damaged
 * file accepts a change, or a stack trace is printed.
 */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { copySqliteDatabase, EXCLUDED_TABLES } from '../../db/copies/copy.ts';
import { readTableLines } from '../../db/copies/portable-writing.ts';
import { readTableDefinitions } from '../../db/copies/table-definitions.ts';
import { isDamageError } from '../../db/errors.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase, openForReading } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { sha256Of } from '../../server/services/audit/stored-rows.ts';
import { checkDatabase } from '../../server/services/database/check.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Random } from '../support/fuzz-values.ts';
import { addActor, addSession } from '../support/rows.ts';
import { startServer } from '../support/server.ts';
import { addSmallCompany } from '../support/small-company.ts';
import { auditAllRows } from '../support/vouching.ts';

/** Tables whose data is not the firm's, or is derived from checked data. */
const OF_NO_ACCOUNT = [...EXCLUDED_TABLES, 'user_preferences', 'roles', 'schema_migrations'];

interface DamageFigures {
  /** changes that altered stored data, of all changes of one byte */
  mattering: number;
  tried: number;
  unnoticed: string[];
  starts: number;
  /** starts that were refused in one line, and those that served read-only */
  refused: number;
  readOnly: number;
  /** starts with altered data that breaks no rule, so that only the deep check reports it */
  quiet: number;
  /** starts that would have accepted changes to a damaged file, or printed a stack trace */
  wrong: string[];
}

export async function drillDamage(
  { flips, starts }: { flips: number; starts: number },
  say: (line: string) => void,
): Promise<DamageFigures> {
  const { folder, remove } = temporaryFolder();
  try {
    const { file, token } = await prepare(folder);
    const bytes = readFileSync(file);
    const sound = await contentOf(file);
    const figures: DamageFigures = {
      mattering: 0,
      tried: 0,
      unnoticed: [],
      starts: 0,
      refused: 0,
      readOnly: 0,
      quiet: 0,
      wrong: [],
    };
    const random = new Random(20_261_123);
    const copy = join(folder, 'copia.db');
    while (figures.mattering < flips) {
      const at = random.int(0, bytes.length - 1);
      const flipped = Buffer.from(bytes);
      flipped[at] = flipped[at]! ^ random.int(1, 255);
      place(copy, flipped);
      figures.tried++;
      const changed = differingTables(sound, await contentOf(copy));
      if (changed.length === 0) continue;
      figures.mattering++;
      if (await isNoticed(copy)) continue;
      figures.unnoticed.push(`byte ${at}, page ${1 + Math.floor(at / 4096)}: ${changed.join(', ')}`);
    }
    say(
      `${figures.mattering} changes of one byte that matter, of ${figures.tried}; ${figures.unnoticed.length} unnoticed`,
    );
    while (figures.starts < starts) {
      const at = 4096 * random.int(0, bytes.length / 4096 - 1) + random.int(0, 3583);
      const broken = Buffer.from(bytes);
      broken.fill(0x5a, at, at + 512);
      place(copy, broken);
      if (differingTables(sound, await contentOf(copy)).length === 0) continue; // there was nothing there
      figures.starts++;
      await startWith(copy, { token, figures, at });
    }
    say(
      `${figures.starts} damaged starts: ${figures.refused} refused, ${figures.readOnly} for reading alone, ${figures.quiet} for the deep check to see`,
    );
    return figures;
  } finally {
    remove();
  }
}

async function prepare(folder: string): Promise<{ file: string; token: string }> {
  const database = openDatabase(`file:${join(folder, 'saldo.db')}`, { root: '/', createIfMissing: true });
  await migrate(database);
  const { db } = database;
  const ana = await addActor(db, { roles: [1, 3] });
  await addSmallCompany(db);
  await auditAllRows(db, ana);
  const file = join(folder, 'entera.db');
  await copySqliteDatabase(db, file);
  const opened = openDatabase(`file:${file}`, { root: '/', createIfMissing: false });
  const token = await addSession(opened.db, ana.userId, new Date());
  await sql`pragma wal_checkpoint(truncate)`.execute(opened.db);
  await opened.close();
  await database.close();
  return { file, token };
}

function place(copy: string, bytes: Uint8Array): void {
  for (const end of ['-wal', '-shm', '-trail']) rmSync(`${copy}${end}`, { force: true });
  writeFileSync(copy, bytes, { mode: 0o600 });
}

/** Digests of each table's content; undefined where the file cannot be read. */
async function contentOf(file: string): Promise<Map<string, string>> {
  const copied = `${file}.leer`;
  copyFileSync(file, copied);
  try {
    const { db, close } = openForReading(copied);
    try {
      return await readAll(db);
    } finally {
      await close();
    }
  } catch (error) {
    if (isDamageError(error) || error instanceof Error) return new Map();
    throw error;
  }
}

function differingTables(sound: Map<string, string>, copy: Map<string, string>): string[] {
  return [...sound.keys()].filter((table) => sound.get(table) !== copy.get(table));
}

async function readAll(db: Db): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for (const table of await readTableDefinitions(db)) {
    if (OF_NO_ACCOUNT.includes(table.name)) continue;
    const texts: string[] = [];
    // The results of checks are recomputed, so they do not count.
    const columns = table.columns.filter(({ name }) => name !== 'verdict');
    for await (const { lines } of readTableLines(db, { ...table, columns })) texts.push(lines.toString());
    digests.set(table.name, sha256Of(texts.join('\n')));
  }
  return digests;
}

async function isNoticed(file: string): Promise<boolean> {
  try {
    const { db, close } = openForReading(file);
    try {
      return !(await checkDatabase(db, { deep: true })).ok;
    } finally {
      await close();
    }
  } catch {
    return true;
  }
}

interface Start {
  token: string;
  figures: DamageFigures;
  at: number;
}

async function startWith(file: string, { token, figures, at }: Start): Promise<void> {
  const env = { DATABASE_URL: `file:${file}`, SALDO_SECRET: 'a secret of this drill alone, 0123456789' };
  const tried = await startServer(env).catch((error: Error) => error);
  if (tried instanceof Error) {
    if (/\n\s+at /.test(tried.message.slice(tried.message.indexOf(': '))))
      figures.wrong.push(`stack at ${at}`);
    else figures.refused++;
    return;
  }
  try {
    const headers = { 'x-access-token': token, 'content-type': 'application/json' };
    const body = JSON.stringify({ suppliername: 'Prueba', suppliercontactperson: 'Ana' });
    const answer = await fetch(`${tried.url}/api/suppliers/newsupplier`, { method: 'POST', headers, body });
    const isRefused = answer.status === 503;
    if (/\n\s+at /.test(tried.output())) figures.wrong.push(`stack at ${at}`);
    else if (isRefused) figures.readOnly++;
    else if (await isNoticed(file)) figures.quiet++;
    else figures.wrong.push(`served at ${at}: ${answer.status}`);
  } finally {
    await tried.stop();
  }
}

if (import.meta.main) {
  const [flips = '100', starts = '20'] = process.argv.slice(2);
  const figures = await drillDamage({ flips: Number(flips), starts: Number(starts) }, console.log);
  console.log(figures);
  if (figures.unnoticed.length + figures.wrong.length > 0) process.exitCode = 1;
}
