import { DomainError } from '../shared/errors.ts';

const VIOLATION_CODES = {
  unique: ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'],
  reference: ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'],
  check: ['SQLITE_CONSTRAINT_CHECK', '23514'],
} as const;

export function isViolation(error: unknown, kind: keyof typeof VIOLATION_CODES): boolean {
  return (VIOLATION_CODES[kind] as readonly string[]).includes(errorCodeOf(error));
}

/** Returns SQLITE_… or an SQLSTATE, as the driver sets it; '' for other errors. */
export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

export const isBusyError = (error: unknown): boolean => errorCodeOf(error).startsWith('SQLITE_BUSY');

export const isDamageError = (error: unknown): boolean =>
  /^(SQLITE_CORRUPT|SQLITE_NOTADB|XX001|XX002|SALDO_UNREADABLE)/.test(errorCodeOf(error));

/** Invalid JSON counts as damage. */
export function parseStoredJson<T>(text: string, source: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    const unreadable = new Error(`${source} no se puede leer`, { cause: error });
    throw Object.assign(unreadable, { code: 'SALDO_UNREADABLE' });
  }
}

export const isMissingTableError = (error: unknown): boolean =>
  errorCodeOf(error) === '42P01' ||
  (errorCodeOf(error) === 'SQLITE_ERROR' && /no such table/.test(String(error)));

const unavailableError = (message: string, retryAfter: number, code?: string): DomainError =>
  new DomainError('busy', message, { code, retryAfter });

export const busyError = (): DomainError =>
  unavailableError('La base de datos está ocupada con otra operación. Intenta de nuevo en un momento.', 5);

/** At the same moment, somebody deleted a row that is referred to, or referred to a row that is being deleted. */
export function referenceChangedError(): DomainError {
  const message =
    'Un registro del que depende esta operación acaba de cambiar o de eliminarse. Intenta de nuevo.';
  return new DomainError('conflict', message, { code: 'reference_changed' });
}

/** Whether a CFDI would have become both an invoice and an expense's voucher, or the voucher of two expenses. */
export const isTakenUuidError = (error: unknown): boolean =>
  (errorCodeOf(error) === 'SQLITE_CONSTRAINT_TRIGGER' && String(error).includes('a CFDI of an invoice')) ||
  (isViolation(error, 'unique') && /petty_cash_movements[._]uuid|a CFDI of an invoice/.test(String(error)));

export function takenUuidError(): DomainError {
  const message = 'Ese CFDI ya está en una factura o en un gasto de caja chica.';
  return new DomainError('conflict', message, { code: 'uuid_taken', fields: { uuid: message } });
}

export const databaseMissingError = (): DomainError =>
  unavailableError(
    'El archivo de la base de datos ya no está en su lugar: no se guardó nada. Avisa al administrador.',
    60,
    'database_gone',
  );

export const databaseDamagedError = (): DomainError =>
  unavailableError(
    'La base de datos está dañada: se puede consultar, y no se guarda nada. Avisa al administrador.',
    600,
    'database_damaged',
  );

/** A retry sees what the faster transaction stored. Only the code that began the transaction can retry all of it. */
export class LostRaceError extends Error {
  readonly refusal: DomainError;

  constructor(refusal: DomainError, cause: unknown) {
    super(refusal.message, { cause });
    this.refusal = refusal;
  }

  /** The retry saw what others had stored, so the cause is not a race but the input itself. */
  hasSameCauseAs = (before: LostRaceError | undefined): boolean =>
    before !== undefined && getErrorDetail(before.cause) === getErrorDetail(this.cause);

  get inputError(): DomainError {
    const { cause } = this;
    if (cause instanceof DomainError) return cause;
    if (isTakenUuidError(cause)) return takenUuidError();
    if (!isViolation(cause, 'unique'))
      return new DomainError('conflict', REFERENCE_MISSING_TEXT, { code: 'reference_missing' });
    const column = /[(. ]"?(\w+)"?\)?(?:=\(|$)/.exec(getErrorDetail(cause))?.[1] ?? '';
    const message = `Lo que se iba a guardar trae dos veces el mismo dato, o ya lo tiene otro registro: ${UNIQUE_FIELD_LABELS[column] ?? column}. No se guardó nada, y repetirlo no lo cambia: corrígelo primero.`;
    return new DomainError('conflict', message, { code: 'repeated_value' });
  }
}

/** The detail of an error of a unique index: PostgreSQL names the existing values, SQLite the columns. */
const getErrorDetail = (error: unknown): string =>
  error instanceof Error && 'detail' in error && error.detail ? String(error.detail) : String(error);

const UNIQUE_FIELD_LABELS: Readonly<Record<string, string>> = {
  rfc: 'RFC',
  uuid: 'UUID',
  clabe: 'CLABE',
  nombre: 'nombre',
};

const REFERENCE_MISSING_TEXT =
  'Un registro del que depende lo que se iba a guardar no existe: la obra, el rubro, el origen o un proveedor. No se guardó nada.';

/** Turns SQLite's error of a full disk, which is temporary, into a DomainError; adds the file's name to others. */
export function withFileInErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error) Object.assign(error, { file });
    if (!['SQLITE_FULL', 'SQLITE_IOERR_WRITE'].includes(errorCodeOf(error))) throw error;
    throw unavailableError(
      'No hay espacio en el disco: no se guardó nada. Avisa al administrador.',
      60,
      'disk_full',
    );
  }
}
