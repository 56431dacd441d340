import { writeSync } from 'node:fs';
import { userInfo } from 'node:os';
import { styleText } from 'node:util';
import { fileErrorReason } from '../db/explain-errors.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { Config } from '../server/config.ts';
import { projectRoot } from '../server/root.ts';
import type { Actor } from '../server/services/audit/audit.ts';
import { languageOf, setLanguage } from '../server/services/settings/language.ts';
import { plainDateIn } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import type { Area } from '../shared/roles.ts';

export interface CommandContext extends OpenDatabase {
  actor: Actor;
  timeZone: string;
}

interface DatabaseOpenOptions {
  as?: string;
  area?: Area;
  /** nothing is written, not even a file's header, so that a backup stays unchanged */
  readOnly?: boolean;
}

export interface Runtime {
  env: NodeJS.ProcessEnv;
  print(text: string): void;
  /** returns false once the reader has closed the pipe */
  write(chunk: string | Uint8Array): boolean;
  log(text: string): void;
  isTerminal: boolean;
  isOutputTerminal: boolean;
  outputWidth?: number;
  /** colours standard output if that is a terminal with colours; follows NO_COLOR and FORCE_COLOR */
  styleOutput(format: Parameters<typeof styleText>[0], text: string): string;
  now(): Date;
  openContext(options?: DatabaseOpenOptions): Promise<CommandContext>;
  setExitCode(code: number): void;
}

export function createRuntime(env: NodeJS.ProcessEnv = process.env): Runtime {
  const runtime: Runtime = {
    env,
    print: (text) => void writeAllBytes(1, text),
    write: (chunk) => writeAllBytes(1, chunk),
    log: (text) => void writeAllBytes(2, `${text}\n`),
    isTerminal: process.stderr.isTTY === true,
    isOutputTerminal: process.stdout.isTTY === true,
    outputWidth: process.stdout.isTTY ? process.stdout.columns : undefined,
    styleOutput: (format, text) => styleText(format, text, { stream: process.stdout }),
    now: () => new Date(),
    openContext: (options) => openForCommand(runtime, options),
    setExitCode: (code) => {
      process.exitCode = code;
    },
  };
  return runtime;
}

export async function withDatabase<T>(
  runtime: Runtime,
  options: DatabaseOpenOptions,
  work: (opened: CommandContext) => Promise<T>,
): Promise<T> {
  const opened = await runtime.openContext(options);
  try {
    const { readSettings } = await import('../server/services/settings/settings.ts');
    // Failures are ignored, because it must be possible to inspect a damaged database.
    setLanguage(await readSettings(opened.db).then(languageOf, () => 'mixto'), opened.timeZone);
    if (options.area) {
      const { requireArea } = await import('../server/services/area-access.ts');
      requireArea(opened.actor, options.area);
    }
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** Reads the configuration without the secret, since no command opens a session. */
export async function loadConfig({ env }: Pick<Runtime, 'env'>): Promise<Config> {
  const { readConfig } = await import('../server/config.ts');
  return readConfig(env, projectRoot, { secret: false });
}

async function openForCommand(
  runtime: Runtime,
  { as, readOnly }: DatabaseOpenOptions = {},
): Promise<CommandContext> {
  const { openDatabase, openForInspection } = await import('../db/open.ts');
  const { requireMigrated } = await import('../db/migrate.ts');
  const { findOrCreateCliUser } = await import('../server/services/users/cli-user.ts');
  const { getUserByNameOrId } = await import('../server/services/users/reading.ts');
  const config = await loadConfig(runtime);
  const open = readOnly ? openForInspection : openDatabase;
  const database = open(config.databaseUrl, { root: projectRoot, createIfMissing: false });
  try {
    await requireMigrated(database.db);
    if (readOnly)
      return {
        ...database,
        actor: createCliSystemActor(runtime, config.timeZone),
        timeZone: config.timeZone,
      };
    const circumstances = buildActorOriginAndTime(runtime, config.timeZone);
    const username = as ?? config.cliUsername;
    const user = username
      ? await getUserByNameOrId(database.db, username)
      : {
          id: await findOrCreateCliUser(database.db, circumstances.at),
          username: 'cli',
          roles: [],
          active: true,
        };
    if (!user.active) throw new DomainError('forbidden', `El usuario ${user.username} está desactivado.`);
    const roles = user.roles.map((role) => role.id);
    const actor = { userId: user.id, username: user.username, roles, ...circumstances };
    return { ...database, actor, timeZone: config.timeZone };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The actor of commands that only read, and of a restore, which replaces the database's users. */
export const createCliSystemActor = (runtime: Pick<Runtime, 'now'>, timeZone: string): Actor => ({
  userId: 0,
  username: 'sistema',
  roles: [],
  ...buildActorOriginAndTime(runtime, timeZone),
});

function buildActorOriginAndTime({ now }: Pick<Runtime, 'now'>, timeZone: string) {
  const at = now();
  const today = plainDateIn(at, timeZone);
  return { origin: 'cli', at: at.toISOString(), today, osUser: userInfo().username } as const;
}

/** Writes all bytes before continuing, also to a slow pipe. If the reader has closed it, output ends silently. */
function writeAllBytes(fd: 1 | 2, chunk: string | Uint8Array): boolean {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(fd, bytes, from);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN')
        throw new DomainError('invalid', `No se pudo escribir la salida: ${fileErrorReason(error)}.`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return true;
}
