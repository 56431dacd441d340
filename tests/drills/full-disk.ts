/**
 * Fills the database's disk while payments are made, and frees it again:
 * npm run build && node tests/drills/full-disk.ts [times, 20 by default]
 * Mounts a small file system in memory (Linux, as root or by `unshare -Urm`). Exits with 1 if an acknowledged payment
 * is lost or stored twice, an answer is neither a payment nor a 503, reading fails meanwhile, or writing fails
 * afterwards.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../db/open.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { compare, prepare, Writers } from './writers.ts';

const WRITERS = 4;
const SIZE = '24m';
const FULL_MS = 700;
const BACK_MS = 10_000;

export interface FullDiskFigures {
  times: number;
  payments: number;
  lost: number;
  doubled: number;
  refused: number;
  unclear: string[];
  problems: string[];
  /** failed reads while the disk was full */
  unread: number;
  deaths: number;
  slowestBackMs: number;
}

/** Whether a file system may be mounted here. */
export function mayMount(): boolean {
  const { folder, remove } = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    remove();
  }
}

export async function drillFullDisk(times: number, say: (line: string) => void): Promise<FullDiskFigures> {
  const { folder, remove } = temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder]);
  const url = `file:${folder}/saldo.db`;
  let server: RunningServer | undefined;
  try {
    const prepared = await prepare(url);
    const secret = 'a secret of this drill alone, 0123456789';
    server = await startServer({ DATABASE_URL: url, SALDO_SECRET: secret, LOG_LEVEL: 'fatal' });
    const base = server.url;
    const writers = new Writers(() => [base], prepared);
    writers.start(WRITERS);
    let unread = 0;
    let slowestBackMs = 0;
    for (let time = 1; time <= times; time++) {
      const filler = join(folder, 'relleno');
      fill(filler);
      const until = performance.now() + FULL_MS;
      while (performance.now() < until) {
        const list = await fetch(`${base}/api/payments/search/?limit=5`, {
          headers: { 'x-access-token': prepared.token },
        });
        if (list.status !== 200) unread++;
        fill(filler, true);
        await delay(50);
      }
      rmSync(filler);
      const back = await writers.untilServing(performance.now(), BACK_MS);
      slowestBackMs = Math.max(slowestBackMs, back);
      if (time % 5 === 0)
        say(`${time} times full: ${writers.acknowledged.size} stored, ${writers.refused} refused`);
    }
    await writers.stop();
    const deaths = server.process.exitCode === null && server.process.signalCode === null ? 0 : 1;
    const database = openDatabase(url, { root: '/', createIfMissing: false });
    const kept = await compare(database.db, writers.acknowledged);
    await database.close();
    const { refused, unclear } = writers;
    return { times, ...kept, refused, unclear, unread, deaths, slowestBackMs: Math.round(slowestBackMs) };
  } finally {
    await server?.stop();
    execFileSync('umount', ['-l', folder]);
    remove();
  }
}

/** Fills the disk. @param again fills what was freed since */
function fill(path: string, again = false): void {
  const file = openSync(path, again ? 'a' : 'w');
  try {
    for (const size of [1 << 20, 1 << 12, 1])
      for (const bytes = Buffer.alloc(size); ; ) if (writeSync(file, bytes) < size) break;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

if (import.meta.main) {
  const figures = await drillFullDisk(Number(process.argv[2] ?? '20'), console.log);
  console.log(figures);
  const { lost, doubled, unclear, problems, unread, deaths, slowestBackMs } = figures;
  if (lost + doubled + unclear.length + problems.length + unread + deaths > 0 || slowestBackMs > BACK_MS)
    process.exitCode = 1;
}
