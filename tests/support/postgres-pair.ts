import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { temporaryFolder } from './folder.ts';
import {
  copyDataFolder,
  copyPrograms,
  findFreePort,
  makeDataFolder,
  runPostgres,
} from './postgres-programs.ts';

const POSTGRES_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '16MB',
  // The tests end processes but never cut the power, so nothing needs to reach the disk.
  fsync: 'off',
  wal_level: 'replica',
  max_wal_size: '64MB',
  wal_receiver_timeout: '3s',
  wal_sender_timeout: '3s',
  wal_retrieve_retry_interval: '100ms',
};

export class PostgresNode {
  readonly port: number;
  readonly dataFolder: string;
  readonly #programs: string;
  #server: ChildProcess | undefined;

  constructor(programs: string, data: string, port: number) {
    this.#programs = programs;
    this.dataFolder = data;
    this.port = port;
  }

  get hostAndPort(): string {
    return `127.0.0.1:${this.port}`;
  }

  async start(extraSettings: Readonly<Record<string, string>> = {}): Promise<void> {
    const settings = { ...POSTGRES_SETTINGS, ...extraSettings, port: String(this.port) };
    const started = await runPostgres(this.#programs, this.dataFolder, settings);
    if ('problem' in started) throw new Error(started.problem);
    this.#server = started.server;
  }

  /** SIGQUIT is a crash, SIGINT an administrator's stop, SIGSTOP and SIGCONT a machine that hangs. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server;
    if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    if (signal === 'SIGSTOP' || signal === 'SIGCONT') {
      for (const pid of [server.pid, ...childPidsOf(server.pid)]) signalIfRunning(pid, signal);
      return;
    }
    server.kill(signal);
    await ended;
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote()');
  }

  async query(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(`postgres://saldo@${this.hostAndPort}/postgres`);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Takes over the files of another server; both must have ended. */
  copyFrom({ dataFolder }: PostgresNode): void {
    rmSync(this.dataFolder, { recursive: true });
    copyDataFolder(this.#programs, dataFolder, this.dataFolder);
  }

  async follow(primary: PostgresNode): Promise<void> {
    writeFileSync(join(this.dataFolder, 'standby.signal'), '');
    await this.start({
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=saldo application_name=otro`,
    });
  }
}

/** A child of a server may end between the reading of the list and its signal. */
function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const childPidsOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);

export interface PostgresPair {
  primary: PostgresNode;
  /** the standby has everything that the primary has acknowledged */
  standby: PostgresNode;
  url: string;
  stop(): Promise<void>;
}

/** Makes a primary and its synchronous standby, with an empty database. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const { folder, remove } = temporaryFolder();
  const programs = copyPrograms(join(folder, 'postgres'));
  const [first, second] = [join(folder, 'primero'), join(folder, 'segundo')];
  makeDataFolder(programs, first);
  const primary = new PostgresNode(programs, first, await findFreePort());
  await primary.start();
  await primary.signal('SIGINT');
  copyDataFolder(programs, first, second);
  const standby = new PostgresNode(programs, second, await findFreePort());
  await primary.start({ synchronous_standby_names: '*' });
  await standby.follow(primary);
  const stop = async () => {
    for (const node of [primary, standby]) {
      await node.signal('SIGCONT');
      await node.signal('SIGQUIT');
    }
    remove();
  };
  return {
    primary,
    standby,
    url: `postgres://saldo@${primary.hostAndPort},${standby.hostAndPort}/postgres`,
    stop,
  };
}
