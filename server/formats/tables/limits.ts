import { formatCount } from '../../../shared/counts.ts';
import { DomainError, type ErrorDetail } from '../../../shared/errors.ts';

export interface TableLimits {
  fileBytes: number;
  rows: number;
  columns: number;
  cells: number;
  /** number of characters in all cells; a shared string counts in each cell that has it */
  characters: number;
  /** This limits the size of a workbook after decompression. */
  inflatedBytes: number;
  entries: number;
  /** decompressed to compressed size, for entries over a megabyte; a worksheet that repeats one row reaches 100 */
  compressionRatio: number;
}

const UPLOAD_LIMITS: TableLimits = {
  fileBytes: 20 * 1024 * 1024,
  rows: 100_000,
  columns: 200,
  cells: 1_000_000,
  characters: 20_000_000,
  inflatedBytes: 50 * 1024 * 1024,
  entries: 200,
  compressionRatio: 250,
};

/** A command at a terminal may use more of the machine than an upload. */
const COMMAND_LIMITS: TableLimits = {
  ...UPLOAD_LIMITS,
  fileBytes: 40 * 1024 * 1024,
  cells: 2_000_000,
  characters: 40_000_000,
  inflatedBytes: 250 * 1024 * 1024,
};

/** @param maxRows for files that are read for another purpose than an import */
export function getTableLimits(source: 'upload' | 'command', maxRows?: number): TableLimits {
  if (maxRows !== undefined) return { ...UPLOAD_LIMITS, rows: maxRows };
  return source === 'upload' ? UPLOAD_LIMITS : COMMAND_LIMITS;
}

/** Storing more rows than this delays other users. */
const LONG_IMPORT_ROWS = 10_000;

export const longImportWarning = (rows: number): string | undefined =>
  rows > LONG_IMPORT_ROWS
    ? 'Son muchos renglones: mientras se guardan, lo que otros guarden espera hasta 5 segundos. Consultar no espera.'
    : undefined;

export const formatMegabytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MB`;

export const tooLargeTableError = (message: string): DomainError =>
  new DomainError('too-large', message, { code: 'table_too_large' });

export const unreadableTableError = (
  message: string,
  code = 'unreadable_table',
  extra?: ErrorDetail['extra'],
): DomainError => new DomainError('invalid', message, { code, extra });

/** Counts rows and cells while they are read, so that reading stops at the first one over the limit. */
export class TableMeter {
  readonly #countRecords: (() => number) | undefined;
  #rows = 0;
  #cells = 0;
  #characters = 0;
  readonly #limits: TableLimits;

  /** @param countRecords counts the rows of the whole file, the headings included, where that is quick */
  constructor(limits: TableLimits, countRecords?: () => number) {
    this.#limits = limits;
    this.#countRecords = countRecords;
  }

  countRow(cells: readonly unknown[]): void {
    this.#rows += 1;
    for (const cell of cells) {
      if (cell === null) continue;
      this.#cells += 1;
      if (typeof cell === 'string') this.#characters += cell.length;
    }
    const { rows, cells: maxCells, characters } = this.#limits;
    // One of the rows holds the headings.
    if (this.#rows > rows + 1) {
      const found = this.#countRecords ? ` (tiene ${formatCount(this.#countRecords() - 1)})` : '';
      throw tooLargeTableError(
        `La tabla pasa de ${formatCount(rows)} renglones, el límite${found}. Divídela en varios archivos, cada uno con los encabezados.`,
      );
    }
    if (this.#cells > maxCells || this.#characters > characters) {
      throw tooLargeTableError(
        `La tabla es demasiado grande (más de ${formatCount(maxCells)} celdas o ${formatCount(characters)} letras). Divídela en varios archivos, o deja solo las columnas que se importan.`,
      );
    }
  }

  requireAllowedColumn(column: number, where: string): void {
    if (column >= this.#limits.columns) {
      throw tooLargeTableError(
        `La tabla tiene datos más allá de la columna ${this.#limits.columns}, el límite (${where}). Deja solo las columnas que se importan.`,
      );
    }
  }
}
