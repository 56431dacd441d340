/**
 * Makes PostgreSQL fail in various ways under two servers that are written to all the time:
 * npm run build && node tests/drills/failovers.ts [rounds, 50 by default]
 * Exits with 1 if an acknowledged payment is lost or stored twice, a server ends, an answer is neither a payment nor a
 * 503, or writes resume more than half a minute after the database.
 */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../../db/open.ts';
import { type PostgresNode, type PostgresPair, startPostgresPair } from '../support/postgres-pair.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { compare, prepare, Writers } from './writers.ts';

export const AIM_MS = 30_000;
const WRITERS = 6;
const FAULT_MS = 3000;
/** Time between two faults. */
const CALM_MS = 1000;
const GIVE_UP_MS = 60_000;

interface Field {
  pair: Pick<PostgresPair, 'primary' | 'standby'>;
  /** proxies of the two nodes, in the same order */
  proxies: readonly TcpProxy[];
}

/** Each causes a fault and returns when the database accepted writes again. */
const FAULTS: Readonly<Record<string, (field: Field) => Promise<number>>> = {
  'restarted by hand': async ({ pair }) => {
    await pair.primary.signal('SIGINT');
    await pair.primary.start(SYNCHRONOUS);
    return isBack(pair.primary);
  },
  'crashed and restarted': async ({ pair }) => {
    await pair.primary.signal('SIGQUIT');
    await pair.primary.start(SYNCHRONOUS);
    return isBack(pair.primary);
  },
  'hung for a while': async ({ pair }) => {
    await pair.primary.signal('SIGSTOP');
    await delay(FAULT_MS);
    await pair.primary.signal('SIGCONT');
    return isBack(pair.primary);
  },
  'behind a line that was cut for a while': async ({ pair, proxies: [proxy] }) => {
    proxy!.stopTraffic();
    await delay(FAULT_MS);
    proxy!.acceptConnections();
    return isBack(pair.primary);
  },
  'out of connections for a while': ({ pair }) => exhaust(pair.primary),
  'crashed, its standby promoted': async ({ pair }) => {
    await pair.primary.signal('SIGQUIT');
    await pair.standby.promote();
    return isBack(pair.standby);
  },
  'hung, its standby promoted': async ({ pair }) => {
    await pair.primary.signal('SIGSTOP');
    await pair.standby.promote();
    return isBack(pair.standby);
  },
};

const SYNCHRONOUS = { synchronous_standby_names: '*' };

/** Waits until the node accepts writes, for which its standby has to be connected. */
async function isBack(node: PostgresNode): Promise<number> {
  for (;;) {
    const isStored = await node.query('create table drill_probe (n int); drop table drill_probe').then(
      () => true,
      () => false,
    );
    if (isStored) return performance.now();
    await delay(20);
  }
}

/** Ends all connections, and takes every free one. */
async function exhaust(node: PostgresNode): Promise<number> {
  const own: pg.Client[] = [];
  const open = async () => {
    const client = new pg.Client(`postgres://saldo@${node.hostAndPort}/postgres`);
    client.on('error', () => {});
    await client.connect();
    own.push(client);
    return client;
  };
  const first = await open();
  const others =
    "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend'";
  const until = performance.now() + FAULT_MS;
  while (performance.now() < until) {
    const mine = own.map((client) => (client as unknown as { processID: number }).processID);
    await first.query(`${others} and pid <> all ($1)`, [mine]);
    while (await open().catch(() => undefined));
    await delay(50);
  }
  await Promise.all(own.map((client) => client.end()));
  return isBack(node);
}

export interface FailoverFigures {
  rounds: number;
  payments: number;
  lost: number;
  doubled: number;
  deaths: number;
  unclear: string[];
  refused: number;
  problems: string[];
  /** how long after the database writes resumed through the slower server: maximum and median */
  slowestMs: number;
  medianMs: number;
}

/** @param rounds the number of faults, of each kind in turn */
export async function drillFailovers(rounds: number, say: (line: string) => void): Promise<FailoverFigures> {
  const pair = await startPostgresPair();
  const proxies = await Promise.all(
    [pair.primary, pair.standby].map(({ hostAndPort }) =>
      startTcpProxy(`postgres://saldo@${hostAndPort}/postgres`),
    ),
  );
  const servers: RunningServer[] = [];
  try {
    const url = `postgres://saldo@${proxies.map((proxy) => new URL(proxy.url).host).join()}/postgres`;
    const prepared = await prepare(url);
    const env = {
      DATABASE_URL: url,
      SALDO_SECRET: 'a secret of this drill alone, 0123456789',
      LOG_LEVEL: 'fatal',
    };
    servers.push(...(await Promise.all([startServer(env), startServer(env)])));
    const writers = new Writers(() => servers.map((server) => server.url), prepared);
    writers.start(WRITERS);
    const field: Field = { pair, proxies };
    const times: number[] = [];
    const kinds = Object.entries(FAULTS);
    for (let round = 0; round < rounds; round++) {
      const [name, harm] = kinds[round % kinds.length]!;
      await writers.untilServing(performance.now(), GIVE_UP_MS);
      await delay(CALM_MS);
      const began = performance.now();
      const back = await harm(field);
      const ms = await writers.untilServing(back, GIVE_UP_MS);
      times.push(ms);
      say(
        `${round + 1}. ${name}: down for ${Math.round(back - began)} ms, writes back ${Math.round(ms)} ms after (${writers.acknowledged.size} stored, ${writers.refused} refused)`,
      );
      if (name.includes('promoted')) await rebuild(field);
      if (ms === Number.POSITIVE_INFINITY) break;
    }
    await writers.stop();
    const deaths = servers.filter(
      ({ process }) => process.exitCode !== null || process.signalCode !== null,
    ).length;
    const database = openDatabase(url, { root: '/', createIfMissing: false });
    const kept = await compare(database.db, writers.acknowledged);
    await database.close();
    times.sort((a, b) => a - b);
    return {
      rounds: times.length,
      ...kept,
      deaths,
      unclear: writers.unclear,
      refused: writers.refused,
      slowestMs: Math.round(times.at(-1)!),
      medianMs: Math.round(times[Math.floor(times.length / 2)]!),
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const proxy of proxies) await proxy.close();
    await pair.stop();
  }
}

/** The former primary becomes the standby. */
async function rebuild(field: Field): Promise<void> {
  const { primary: left, standby: primary } = field.pair;
  await left.signal('SIGCONT');
  await left.signal('SIGQUIT');
  await primary.signal('SIGINT');
  left.copyFrom(primary);
  await primary.start(SYNCHRONOUS);
  await left.follow(primary);
  field.pair = { primary, standby: left };
  field.proxies = field.proxies.toReversed();
}

export const isFine = (figures: FailoverFigures): boolean =>
  figures.lost + figures.doubled + figures.deaths + figures.unclear.length + figures.problems.length === 0 &&
  figures.slowestMs < AIM_MS;

if (import.meta.main) {
  const figures = await drillFailovers(Number(process.argv[2] ?? '50'), console.log);
  console.log(figures);
  if (!isFine(figures)) process.exitCode = 1;
}
