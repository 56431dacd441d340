import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { cleanText, oneLine } from '../../../shared/text.ts';
import { readAmount } from '../tables/amounts.ts';
import { type DayOrder, detectDayOrder, readDay } from '../tables/days.ts';
import { headingKey } from '../tables/headings.ts';
import type { RawCell, RawTable } from '../tables/table.ts';
import {
  type AccountSelection,
  badBankStatementError as bad,
  cellTextWithoutApostrophe,
  findAccountInTitle,
  readAccountCell,
  selectAccountRows,
} from './accounts.ts';
import { findDirections, type MoneyDirection, type SignWords } from './directions.ts';
import known from './headings.json' with { type: 'json' };

export interface BankStatementMovement {
  line: number;
  fecha: PlainDate;
  /** A negative amount left the account. */
  amountCents: Cents;
  referencia: string;
  descripcion: string;
  /** the account's balance after this movement; absent where the file does not state it */
  saldoCents?: Cents | 'unreadable';
}

export type BankStatementField = keyof typeof known;

export type BankStatementHeadings = Readonly<Record<BankStatementField, readonly string[]>>;

/** The headings that banks are known to use, the likeliest first. */
export const DEFAULT_HEADINGS: BankStatementHeadings = known;

const STATEMENT_FIELDS = Object.keys(DEFAULT_HEADINGS) as BankStatementField[];

const MAX_TEXT_LENGTH = 2000;

export type BankStatementTable = Pick<RawTable, 'header' | 'rows'> & Partial<Pick<RawTable, 'skipped'>>;

export interface BankStatementOptions extends AccountSelection {
  headings?: BankStatementHeadings;
  signWords?: SignWords;
}

type Columns = Record<BankStatementField, number[]>;

interface UnsignedMovement {
  line: number;
  cells: readonly RawCell[];
  account: string | undefined;
  amounts: Record<AmountField, Cents>;
  /** the single amount is written with its sign, even if it is "+" */
  isSigned: boolean;
}

type AmountField = 'cargo' | 'abono' | 'importe';

/**
 * Amounts come in two columns (charges, deposits), in one with a sign, or in one next to a column that tells the
 * direction. Lines with totals and balances are skipped.
 * @throws DomainError invalid bad_statement: a column is missing, a line cannot be read, a word is unknown, or the
 * account has to be chosen
 */
export function readMovements(
  { header, rows, skipped = [] }: BankStatementTable,
  { headings = DEFAULT_HEADINGS, signWords, ...selection }: BankStatementOptions = {},
): BankStatementMovement[] {
  const columns = matchColumns(header.names, headings);
  const { fecha, cargo, abono, importe } = columns;
  if (fecha.length === 0)
    throw bad(`Ninguna columna es la fecha. ${describeHeader(header.names)} ${settingsHint('estado.fecha')}`);
  const hasBoth = cargo.length > 0 && abono.length > 0;
  if (!hasBoth && (importe.length === 0 || cargo.length + abono.length > 0))
    throw bad(
      `Faltan las columnas de cargos y abonos, o una de importe. ${describeHeader(header.names)} ${settingsHint('estado.cargo, estado.abono, estado.importe')}`,
    );
  const titleAccount = skipped.map(({ titleCells = [] }) => findAccountInTitle(titleCells)).findLast(Boolean);
  const entries = selectAccountRows(readUnsignedMovements(rows, columns, titleAccount), selection);
  if (entries.length === 0) throw bad('El archivo no tiene ningún movimiento con importe.');
  const texts = entries.map(({ cells }) => insertDateSeparators(cellTextWithoutApostrophe(cells[fecha[0]!])));
  // Mexican banks write the day first. One date that is only valid with the month first decides for its whole column.
  const order = texts.some((text) => detectDayOrder(text) === 'mdy') ? 'mdy' : 'dmy';
  const days = entries.map(({ line }, index) => readMovementDay(texts[index]!, order, line));
  const cents = hasBoth
    ? readAmountsFromTwoColumns(entries)
    : readAmountsFromOneColumn(entries, columns, header.names, signWords);
  return entries.map(({ line, cells }, index): BankStatementMovement => {
    const textOf = (field: BankStatementField) => joinCells(columns[field], cells, field);
    return {
      line,
      fecha: days[index]!,
      amountCents: cents[index]!,
      referencia: textOf('referencia'),
      descripcion: textOf('descripcion'),
      saldoCents: readBalance(cellTextWithoutApostrophe(cells[columns.saldo[0] ?? -1])),
    };
  });
}

function matchColumns(names: readonly string[], headings: BankStatementHeadings): Columns {
  const keys = names.map(headingKey);
  const used = new Set<number>();
  const entries = STATEMENT_FIELDS.map((field) => {
    const selection = headings[field].map(headingKey);
    const found = keys
      .flatMap((key, index) => (selection.includes(key) && !used.has(index) ? index : []))
      .sort((a, b) => selection.indexOf(keys[a]!) - selection.indexOf(keys[b]!) || a - b);
    const selected = MULTI_COLUMN_FIELDS.has(field) ? found : found.slice(0, 1);
    for (const index of selected) used.add(index);
    return [field, selected] as const;
  });
  const columns = Object.fromEntries(entries) as Columns;
  columns.referencia.sort((a, b) => a - b);
  // Banorte's column «Movimiento» is a running number if there is another column with the description.
  const told = columns.descripcion.filter((index) => keys[index] !== 'movimiento').sort((a, b) => a - b);
  return told.length > 0 ? { ...columns, descripcion: told } : columns;
}

const MULTI_COLUMN_FIELDS: ReadonlySet<BankStatementField> = new Set(['signo', 'referencia', 'descripcion']);

function readUnsignedMovements(
  rows: RawTable['rows'],
  columns: Columns,
  titleAccount: string | undefined,
): UnsignedMovement[] {
  let current = titleAccount;
  const entries: UnsignedMovement[] = [];
  for (const { line, cells } of rows) {
    const section = findAccountInTitle(cells, 1);
    if (section !== undefined) current = section;
    if (section !== undefined || isSummaryLine(cells, columns)) continue;
    const readAmountOfField = (field: AmountField) =>
      readCents(cellTextWithoutApostrophe(cells[columns[field][0] ?? -1]), field, line);
    const [cargo, abono] = [readAmountOfField('cargo'), readAmountOfField('abono')];
    const importe = cargo === 0 && abono === 0 ? readAmountOfField('importe') : 0;
    if (cargo === 0 && abono === 0 && importe === 0) continue;
    if (cargo !== 0 && abono !== 0) throw bad(`Renglón ${line}: tiene cargo y abono a la vez.`);
    const account = readAccountCell(cells[columns.cuenta[0] ?? -1]) ?? current;
    const isSigned = /^[+−–-]|[+−–-]$|^\(/.test(
      cellTextWithoutApostrophe(cells[columns.importe[0] ?? -1]).replace(/[$\s]/g, ''),
    );
    entries.push({ line, cells, account, amounts: { cargo, abono, importe }, isSigned });
  }
  return entries;
}

function isSummaryLine(cells: readonly RawCell[], columns: Columns): boolean {
  const [day, ...keys] = [cells[columns.fecha[0]!], ...cells].map((cell) =>
    headingKey(cellTextWithoutApostrophe(cell).slice(0, 80)),
  );
  if (!/\d/.test(day!) || SUMMARY_PATTERN.test(day!)) return keys.some((key) => SUMMARY_PATTERN.test(key));
  const reference = columns.referencia.map((index) => cellTextWithoutApostrophe(cells[index])).join('');
  return (
    !/[1-9]/.test(reference) && columns.descripcion.some((index) => SUMMARY_ONLY_PATTERN.test(keys[index]!))
  );
}

const SUMMARY_PATTERN = /^(?:sub|gran)?(?:total|sumas?|saldo|balance)/;
const SUMMARY_ONLY_PATTERN =
  /^(?:(?:sub|gran)?total(?:es)?|sumas?|saldos?)(?:del?|al|en|los|las|y|cargos?|abonos?|retiros?|depositos?|movimientos?|operaciones|inicial|final|anterior|actual|disponible|promedio|corte|cierre|apertura|inicio|dia|mes|periodo|general|cuenta|\d)*$/;

function readCents(text: string, field: AmountField, line: number): Cents {
  if (text === '' || text === '-') return 0;
  const amount = readAmount(text.replace(/^\+\s*|\s*\+$/g, ''), '.');
  if ('problem' in amount) throw bad(`Renglón ${line}, ${field} «${text}»: ${amount.problem}`);
  return amount.value;
}

/** An unreadable balance is no reason to refuse the file, because its movements are still valid. */
function readBalance(text: string): BankStatementMovement['saldoCents'] {
  if (text === '' || text === '-') return undefined;
  const amount = readAmount(text.replace(/^\+\s*|\s*\+$/g, ''), '.');
  return 'problem' in amount ? 'unreadable' : amount.value;
}

/** A negative amount among positive ones is a refund, but some banks write the whole column negative. */
function readAmountsFromTwoColumns(entries: readonly UnsignedMovement[]): Cents[] {
  const isColumnNegative = (field: AmountField) => entries.every(({ amounts }) => amounts[field] <= 0);
  const [out, into] = [isColumnNegative('cargo') ? 1 : -1, isColumnNegative('abono') ? -1 : 1];
  return entries.map(({ line, amounts: { cargo, abono } }) => {
    if (cargo === 0 && abono === 0) throw bad(`Renglón ${line}: tiene importe, y ni cargo ni abono.`);
    return cargo !== 0 ? out * cargo : into * abono;
  });
}

function readAmountsFromOneColumn(
  entries: readonly UnsignedMovement[],
  { signo, ...others }: Columns,
  names: readonly string[],
  extraWords: SignWords | undefined,
): Cents[] {
  const cents = entries.map(({ amounts }) => amounts.importe);
  const used = new Set([...signo, ...Object.values(others).flat()]);
  const signColumns = signo.map((index) => readSignColumn(index, entries, names, extraWords));
  const freeColumns = [...names.keys()].filter((index) => !used.has(index));
  const told =
    signColumns.find(({ directions }) => !directions.includes(undefined)) ??
    freeColumns
      .map((index) => readSignColumn(index, entries, names, extraWords))
      .find(({ directions }) => !directions.includes(undefined) && new Set(directions).size === 2);
  if (told) return applySigns(entries, cents, told);
  const [column] = signColumns;
  const isSigned = cents.some((one) => one < 0) || entries.every((entry) => entry.isSigned);
  if (isSigned && (!column || agreesWithAmountSigns(column, cents))) return cents;
  if (column) {
    const unknown = new Set(column.texts.filter((_, index) => column.directions[index] === undefined));
    throw bad(
      `No se sabe si son cargos o abonos los que dicen ${quoteWords(unknown)} en «${column.name}». Escribe esas palabras en Configuración, Archivos de bancos: las de lo que sale en estado.cargos, las de lo que entra en estado.abonos. Si lo dice otra columna, escribe su encabezado en estado.signo.`,
    );
  }
  throw bad(
    `Nada dice cuáles de «${names[others.importe[0]!]}» son cargos y cuáles abonos: ninguno trae signo, y ninguna columna lo dice. ${describeHeader(names)} ${DOWNLOAD_HINT} ${settingsHint('estado.signo')}`,
  );
}

interface SignColumn {
  name: string;
  texts: readonly string[];
  directions: readonly (MoneyDirection | undefined)[];
}

function readSignColumn(
  index: number,
  entries: readonly UnsignedMovement[],
  names: readonly string[],
  extraWords: SignWords | undefined,
): SignColumn {
  const texts = entries.map(({ cells }) => cellTextWithoutApostrophe(cells[index]));
  const directions = findDirections(texts, extraWords);
  return { name: names[index]!, texts, directions: texts.map((text) => directions.get(text)) };
}

/** Some banks write all charges negative, in addition to the word. If only some are, the direction is not clear. */
function applySigns(
  entries: readonly UnsignedMovement[],
  cents: readonly Cents[],
  { texts, directions }: SignColumn,
): Cents[] {
  for (const [index, direction] of directions.entries())
    if (cents[index]! < 0 && cents.some((other, at) => directions[at] === direction && other > 0))
      throw bad(
        `Renglón ${entries[index]!.line}: dice «${texts[index]}» con importe negativo, y otros lo dicen con importe positivo: no se sabe cuáles salieron. ${DOWNLOAD_HINT}`,
      );
  return cents.map((one, index) => (directions[index] === 'out' ? -Math.abs(one) : Math.abs(one)));
}

const DOWNLOAD_HINT = 'Descarga del banco el archivo con cargos y abonos en columnas aparte, o con signo.';

/** A column with unknown words may contain something else; its known words must agree with the amounts' signs. */
function agreesWithAmountSigns({ name, directions }: SignColumn, cents: readonly Cents[]): boolean {
  if (directions.every((direction) => direction === undefined)) return headingKey(name).startsWith('tipo');
  return directions.every(
    (direction, index) => direction === undefined || (direction === 'out') === cents[index]! < 0,
  );
}

/** Inserts separators into dates without them: 02112026 (2112026 where a spreadsheet dropped the zero), 02NOV2026. */
const insertDateSeparators = (text: string): string =>
  text
    .replace(/^(\d{1,2})(\d\d)((?:19|20)\d\d)(?!\d)/, '$1/$2/$3')
    .replace(/^(\d{1,2})(\p{L}{3,10})\.?(\d{4}|\d\d)(?!\d)/u, '$1 $2 $3');

function readMovementDay(text: string, order: DayOrder, line: number): PlainDate {
  const day = readDay(text, order, false);
  if ('value' in day) return day.value;
  throw bad(
    `Renglón ${line}, fecha «${text}»: ${day.problem} Se leen fechas como 02/11/2026, 2026-11-02, 02112026, 20261102 y 02NOV2026.`,
  );
}

function joinCells(columns: readonly number[], cells: readonly RawCell[], field: string): string {
  const text = columns
    .map((index) => oneLine(cellTextWithoutApostrophe(cells[index])))
    .filter(Boolean)
    .join(' ');
  return cleanText([...text].slice(0, MAX_TEXT_LENGTH).join(''), field, field, MAX_TEXT_LENGTH);
}

const describeHeader = (names: readonly string[]): string =>
  `El encabezado dice: ${names.filter(Boolean).slice(0, 12).join(', ').slice(0, 300) || 'nada'}.`;

const quoteWords = (words: ReadonlySet<string>): string =>
  [...words]
    .slice(0, 8)
    .map((word) => `«${word.slice(0, 40) || '(vacío)'}»`)
    .join(', ');

const settingsHint = (settings: string): string =>
  `Si tu banco lo llama de otro modo, escríbelo en Configuración, Archivos de bancos (${settings}).`;
