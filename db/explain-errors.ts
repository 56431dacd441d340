import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DomainError } from '../shared/errors.ts';
import type { RemedyCode } from '../shared/remedies.ts';
import { errorCodeOf } from './errors.ts';

export function fileErrorReason(error: unknown): string {
  const describe = FILE_REASONS[errorCodeOf(error)];
  return describe ?? (error instanceof Error ? error.message : String(error));
}

const FILE_REASONS: Record<string, string> = {
  ENOENT: 'no existe',
  EEXIST: 'una parte de su ruta no es una carpeta',
  ENOTDIR: 'una parte de su ruta no es una carpeta',
  EISDIR: 'es una carpeta',
  EACCES: 'falta permiso',
  EPERM: 'falta permiso',
  EROFS: 'está en un disco de solo lectura',
  ENOSPC: 'no hay espacio en el disco',
  EDQUOT: 'no hay espacio en el disco',
  ENAMETOOLONG: 'su nombre es demasiado largo',
};

export function explainFileError(error: unknown): DomainError | undefined {
  if (!isFileError(error)) return undefined;
  const { path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  const message = `No se pudo usar ${dest ?? path ?? 'un archivo'}: ${fileErrorReason(error)}.`;
  return new DomainError('conflict', message, { code: 'file_unusable' });
}

const isFileError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && Object.hasOwn(FILE_REASONS, errorCodeOf(error));

export function describeIfFileError(error: unknown): string | undefined {
  if (isFileError(error)) return fileErrorReason(error);
  const isSqliteFileError = /^SQLITE_(CANTOPEN|IOERR|READONLY|PERM)/.test(errorCodeOf(error));
  return isSqliteFileError ? diagnoseDatabaseFile((error as ErrorWithLocation).file) : undefined;
}

/** @returns undefined for errors that have another cause */
export function explainDatabaseError(error: unknown): DomainError | undefined {
  const reason = [...OUTAGE_REASONS, ...NON_OUTAGE_REASONS].find(([pattern]) =>
    pattern.test(errorCodeAndMessage(error)),
  );
  if (!reason) return undefined;
  const [, describe, remedy] = reason;
  return new DomainError('conflict', describe(error as ErrorWithLocation), {
    code: 'database_unreachable',
    remedy,
  });
}

/** Whether the error is an outage, which is temporary: the database server is gone or cannot be reached. */
export const isOutage = (error: unknown): boolean =>
  OUTAGE_REASONS.some(([pattern]) => pattern.test(errorCodeAndMessage(error)));

const errorCodeAndMessage = (error: unknown): string =>
  error instanceof Error ? `${errorCodeOf(error)} ${error.message}` : '';

interface ErrorWithLocation extends Error {
  address?: string;
  port?: number;
  hostname?: string;
  file?: string;
  /** host and port of a server that must not be used (postgres.ts) */
  place?: string;
}

type ErrorExplanation = [
  pattern: RegExp,
  describe: (error: ErrorWithLocation) => string,
  remedy?: RemedyCode,
];

/** Codes of Node, SQLSTATEs (classes 08 and 57P, 53300), and messages of pg and its pool that have no code. */
const OUTAGE_REASONS: readonly ErrorExplanation[] = [
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT) |^ (timeout exceeded when trying to connect|timeout expired|Query read timeout)/,
    (error) => `PostgreSQL no responde${addressSuffix(error)}: revisa DATABASE_URL y que esté en marcha.`,
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN) /,
    ({ hostname = '' }) => `No se encuentra el servidor «${hostname}» de DATABASE_URL.`,
  ],
  [
    /^(08|57P0[124]|ECONNRESET |ECONNABORTED |EPIPE )|Connection terminated|connection error and is not queryable/,
    () => 'Se perdió la conexión con PostgreSQL.',
  ],
  [
    /^SALDO_STANDBY /,
    ({ place }) =>
      `PostgreSQL en ${place} es una réplica, que no recibe cambios: DATABASE_URL debe nombrar el servidor primario, o todos separados por comas.`,
  ],
  [/^57P03 /, () => 'PostgreSQL está arrancando o deteniéndose. Intenta de nuevo en un momento.'],
  [/^53300 /, () => 'PostgreSQL tiene demasiadas conexiones abiertas. Intenta de nuevo en un momento.'],
];

const NON_OUTAGE_REASONS: readonly ErrorExplanation[] = [
  [
    /^SQLITE_(CANTOPEN|IOERR(?!_WRITE))/,
    ({ file }) => `No se puede abrir la base de datos${fileSuffix(file)}: ${diagnoseDatabaseFile(file)}.`,
  ],
  [/^SQLITE_NOTADB/, ({ file }) => `El archivo${fileSuffix(file)} de DATABASE_URL no es una base de datos.`],
  [/^SQLITE_CORRUPT/, () => 'La base de datos está dañada.', 'restore-backup'],
  [
    /^SQLITE_(READONLY|PERM)/,
    ({ file }) =>
      `No se puede escribir en la base de datos${fileSuffix(file)}: ${diagnoseDatabaseFile(file)}.`,
  ],
  [/^25006 /, () => 'La base de datos es de solo lectura: falta permiso de escritura.'],
  [/^(SQLITE_FULL|SQLITE_IOERR_WRITE|53100) /, () => 'No hay espacio en el disco: no se guardó nada.'],
  [/^SQLITE_BUSY/, () => 'La base de datos está ocupada con otra operación. Intenta de nuevo en un momento.'],
  [/^3D000 /, () => 'La base de datos de DATABASE_URL no existe en PostgreSQL: créala con createdb.'],
  [/^28|SASL/, () => 'PostgreSQL no acepta el usuario o la contraseña de DATABASE_URL.'],
  [/^42501 /, () => 'Al usuario de DATABASE_URL le falta permiso en PostgreSQL.'],
];

/** SQLite's shared-memory file needs at least this many bytes. */
const MIN_FREE_BYTES = 65_536;

const addressSuffix = ({ address, port }: ErrorWithLocation): string =>
  address ? ` en ${address}${port ? `:${port}` : ''}` : '';

const fileSuffix = (file: string | undefined): string => (file ? ` ${file}` : '');

/** Looks for the cause, because SQLite has only two codes for all problems with a database file or its side files. */
function diagnoseDatabaseFile(file: string | undefined): string {
  if (!file) return 'falta permiso en ella o en su carpeta, o su disco es de solo lectura';
  const folder = dirname(file);
  for (const [path, describe] of [
    [file, fileErrorReason],
    [folder, (error: unknown) => `en su carpeta ${fileErrorReason(error)}`],
  ] as const) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      return describe(error);
    }
  }
  return hasFreeSpace(folder) ? 'es de solo lectura, o su disco falla' : 'no hay espacio en el disco';
}

function hasFreeSpace(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > MIN_FREE_BYTES;
}
