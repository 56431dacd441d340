/**
 * Kills the server repeatedly while payments are made through it:
 * npm run build && node tests/drills/kills.ts [kills, 100 by default]
 * Exits with 1 if an acknowledged payment is lost or stored twice, or an answer is neither a payment nor a 503.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../db/open.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { compare, prepare, Writers } from './writers.ts';

const WRITERS = 4;
const GIVE_UP_MS = 60_000;
/** The longest time until the server is killed. */
const MOST_MS = 600;

export interface KillFigures {
  kills: number;
  payments: number;
  lost: number;
  doubled: number;
  unclear: string[];
  problems: string[];
  /** from the start of a process until it answers */
  slowestStartMs: number;
}

export async function drillKills(kills: number, say: (line: string) => void): Promise<KillFigures> {
  const { folder, remove } = temporaryFolder();
  const url = `file:${folder}/saldo.db`;
  const env = {
    DATABASE_URL: url,
    SALDO_SECRET: 'a secret of this drill alone, 0123456789',
    LOG_LEVEL: 'fatal',
  };
  let server: RunningServer | undefined;
  try {
    const prepared = await prepare(url);
    server = await startServer(env);
    const writers = new Writers(() => [server!.url], prepared, { mayBreak: true });
    writers.start(WRITERS);
    let slowestStartMs = 0;
    for (let kill = 1; kill <= kills; kill++) {
      await writers.untilServing(performance.now(), GIVE_UP_MS);
      await delay(Math.random() * MOST_MS);
      const { process: running } = server;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGKILL');
      await ended;
      const began = performance.now();
      server = await startServer(env);
      slowestStartMs = Math.max(slowestStartMs, performance.now() - began);
      if (kill % 10 === 0) say(`${kill} kills: ${writers.acknowledged.size} payments acknowledged`);
    }
    await writers.stop();
    const database = openDatabase(url, { root: '/', createIfMissing: false });
    const kept = await compare(database.db, writers.acknowledged);
    await database.close();
    return { kills, ...kept, unclear: writers.unclear, slowestStartMs: Math.round(slowestStartMs) };
  } finally {
    await server?.stop();
    remove();
  }
}

if (import.meta.main) {
  const figures = await drillKills(Number(process.argv[2] ?? '100'), console.log);
  console.log(figures);
  if (figures.lost + figures.doubled + figures.unclear.length + figures.problems.length > 0)
    process.exitCode = 1;
}
