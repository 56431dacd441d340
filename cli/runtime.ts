import { writeSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isMigrated } from '../db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../db/open.ts';
import { readConfig } from '../server/config.ts';
import { projectRoot } from '../server/root.ts';
import type { Actor } from '../server/services/audit.ts';
import { cliUserId } from '../server/services/first-users.ts';
import { findUser } from '../server/services/user-reading.ts';
import { plainDateIn } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';

export interface Opened extends OpenDatabase {
  actor: Actor;
  timeZone: string;
}

/** What a command has around it; tests hand in their own. */
export interface Runtime {
  env: NodeJS.ProcessEnv;
  /** results, on standard output */
  print(text: string): void;
  /** progress and remarks, on standard error */
  log(text: string): void;
  isTerminal: boolean;
  now(): Date;
  /** the database and who acts; refused where there is no database or it is not migrated */
  open(options?: { as?: string }): Promise<Opened>;
  setExitCode(code: number): void;
}

export function createRuntime(env: NodeJS.ProcessEnv = process.env): Runtime {
  const runtime: Runtime = {
    env,
    print: (text) => writeAll(1, text),
    log: (text) => writeAll(2, `${text}\n`),
    isTerminal: process.stderr.isTTY === true,
    now: () => new Date(),
    open: (options) => openForCommand(runtime, options?.as),
    setExitCode: (code) => {
      process.exitCode = code;
    },
  };
  return runtime;
}

async function openForCommand(runtime: Runtime, as: string | undefined): Promise<Opened> {
  const config = readConfig(runtime.env, projectRoot, { secret: false });
  const database = openDatabase(config.databaseUrl, { root: projectRoot, create: false });
  try {
    if (!(await isMigrated(database.db).catch(() => false))) {
      throw new DomainError('conflict', 'La base de datos no está al día: ejecuta `saldo db migrate`.');
    }
    const now = runtime.now();
    const at = now.toISOString();
    const who = as ?? config.cliUser;
    const user = who
      ? await findUser(database.db, who)
      : { id: await cliUserId(database.db, at), username: 'cli', roles: [], active: true };
    if (!user.active) throw new DomainError('forbidden', `El usuario ${user.username} está desactivado.`);
    const actor: Actor = {
      userId: user.id,
      username: user.username,
      roles: user.roles.map((role) => role.id),
      origin: 'cli',
      at,
      today: plainDateIn(now, config.timeZone),
      osUser: userInfo().username,
    };
    return { ...database, actor, timeZone: config.timeZone };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** All of it before going on, also into a pipe that reads slowly; a reader that went away ends the output quietly. */
function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(fd, bytes, from);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
