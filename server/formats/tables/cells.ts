import { catchDomainError } from '../../../shared/errors.ts';
import { MIXED_RATE } from '../../../shared/invoice-form-amounts.ts';
import { formatMoney } from '../../../shared/money.ts';
import { isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { cleanLine, cleanText, fold, isUuid, normalizeUuid, withoutInvisible } from '../../../shared/text.ts';
import { normalizeCurrency } from '../cfdi/attribute-values.ts';
import {
  type DecimalMark,
  findForeignCurrency,
  type ReadingProblem,
  readAmount,
  readNumberAmount,
  readRate,
  toRate,
} from './amounts.ts';
import { cellText, dropTextApostrophe, isErrorText, meansEmpty, trimCell } from './cell-text.ts';
import { parseDayOrder, readDay, readDayOfThisCentury, readSerialDay } from './days.ts';
import type { TableField } from './fields.ts';
import { readWord } from './status-words.ts';
import type { RawCell, TableKind } from './table.ts';
import { type CellReading, refusedReading } from './table.ts';

type CellReader = (cell: RawCell) => CellReading;

export interface FieldColumn {
  index: number;
  header: string;
  field: TableField;
  read: CellReader;
}

interface ReadingStyle {
  decimal?: DecimalMark;
  dateFormat?: string;
  fraction?: boolean;
  uses1904Dates: boolean;
}

/** Names and dates repeat, so the results are cached. */
export function createCellReader(field: TableField, kind: TableKind, style: ReadingStyle): CellReader {
  const readText = createTextReader(field, kind, style);
  const readFieldText = (text: string): CellReading => {
    const trimmed = trimCell(dropTextApostrophe(trimCell(withoutInvisible(text)), field.type === 'number'));
    if (field.type === 'number' && NO_NUMBER_PATTERN.test(keepOnlyLetters(trimmed)) && !/\d/.test(trimmed))
      return EMPTY_READING;
    if (meansEmpty(trimmed))
      return field.type === 'rfc' && trimmed ? createNoRfcReading(trimmed) : EMPTY_READING;
    return isErrorText(trimmed) ? errorCellReading(trimmed) : readText(trimmed);
  };
  const cache = new Map<string, CellReading>();
  return (cell) => {
    if (typeof cell !== 'string') return readTypedCell(cell, field, style, readFieldText);
    if (field.type === 'money' || field.type === 'number') return readFieldText(cell); // amounts hardly repeat
    const cached = cache.get(cell);
    if (cached) return cached;
    const reading = readFieldText(cell);
    if (cache.size < MAX_CACHED_READINGS && cell.length < 300) cache.set(cell, reading);
    return reading;
  };
}

const MAX_CACHED_READINGS = 20_000;

const EMPTY_READING: CellReading = { value: null };

const errorCellReading = (text: string): CellReading =>
  refusedReading(`La hoja muestra un error (${text}) en lugar del dato.`);

function createTextReader(
  field: TableField,
  kind: TableKind,
  style: ReadingStyle,
): (text: string) => CellReading {
  switch (field.type) {
    case 'money':
      return (text) => readMoney(text, style.decimal ?? '.', field);
    case 'rate':
      return (text) => readIvaRate(text, style.fraction ?? false, field);
    case 'date': {
      const order = (style.dateFormat ? parseDayOrder(style.dateFormat) : undefined) ?? 'dmy';
      return (text) => toCellReading(readDay(text, order, style.uses1904Dates), field);
    }
    case 'rfc':
      return (text) => readRfc(text, kind);
    case 'uuid':
      return readUuid;
    case 'whole':
      return readWholeNumber;
    case 'id':
      return (text) => readId(text, field);
    case 'currency':
      return (text) => ({ value: normalizeCurrency(text).slice(0, field.max) });
    case 'exchange':
      return readExchangeRateText;
    case 'word':
      return (text) => readWord(text, kind, field.name);
    case 'long-text':
      return (text) => readCleanText(text.replaceAll('\u00a0', ' '), field, cleanText);
    case 'number':
    case 'text':
      if (field.name === 'kind') return (text) => readWord(text, kind, field.name);
      if (field.name === 'metodopago') return readPaymentMethod;
      return (text) => readCleanText(text, field, cleanLine);
  }
}

/** "SN", "Sin número", "s/folio", "Sin no. de factura", "No hay" */
const NO_NUMBER_PATTERN =
  /^(sn|s(in)?(no|num|numero|nro|n|folio|factura|fact|cheque|ref|referencia)(de(la)?(factura|cheque|folio))?|no(hay|tiene|number))$/;

const keepOnlyLetters = (text: string): string => fold(text).replace(/[^a-z]/g, '');

function readMoney(text: string, decimal: DecimalMark, field: TableField): CellReading {
  const reading = toCellReading(readAmount(text, decimal), field, text);
  const currency = reading.problem === undefined ? findForeignCurrency(text) : undefined;
  return currency === undefined ? reading : { ...reading, currency: normalizeCurrency(currency) };
}

function toCellReading(
  read: { value: string | number; hasNoise?: boolean } | ReadingProblem,
  { label }: TableField,
  text = '',
): CellReading {
  if ('problem' in read)
    return read.code
      ? { ...refusedReading(`${label}: ${read.problem}`), code: read.code }
      : refusedReading(read.problem);
  const { value, hasNoise } = read;
  if (!hasNoise) return { value };
  const notice = `trae restos de cálculo detrás de los centavos (${text}); se toma ${formatMoney(Number(value))}, y así los demás.`;
  return { value, notice };
}

function readTypedCell(
  cell: Exclude<RawCell, string>,
  field: TableField,
  style: ReadingStyle,
  read: (text: string) => CellReading,
): CellReading {
  if (cell === null) return EMPTY_READING;
  if (typeof cell === 'boolean') return read(cellText(cell));
  if (typeof cell === 'number') return readNumeric(cell, field, style, read);
  if ('number' in cell) return readFormattedNumber(cell, field, style, read);
  if ('error' in cell) return meansEmpty(cell.error) ? EMPTY_READING : errorCellReading(cell.error);
  switch (field.type) {
    case 'date':
      return toCellReading(readDayOfThisCentury(cell.date), field);
    case 'number':
      return refusedReading('La hoja lo guarda como fecha: ahí se perdió el número.');
    case 'money':
    case 'rate':
    case 'whole':
    case 'id':
    case 'exchange':
      return refusedReading('Es una fecha, no un número.');
    default:
      return read(cell.date);
  }
}

function readNumeric(
  number: number,
  field: TableField,
  style: ReadingStyle,
  read: (text: string) => CellReading,
): CellReading {
  switch (field.type) {
    case 'money':
      return toCellReading(readNumberAmount(number), field, String(number));
    case 'rate':
      return toCellReading(toRate(style.fraction ? number * 100 : number), field);
    case 'date':
      // Eight digits are a date written as one number; smaller numbers count days.
      return number >= 19_800_101
        ? read(String(number))
        : toCellReading(readSerialDay(number, style.uses1904Dates), field);
    default:
      return Math.abs(number) >= 1e15 ? refusedReading(LOST_DIGITS_TEXT) : read(String(number));
  }
}

/** In a text, characters that the format adds count. In an amount they may name the currency, but not hide the sign. */
function readFormattedNumber(
  { number, shown }: Extract<RawCell, { number: number }>,
  field: TableField,
  style: ReadingStyle,
  read: (text: string) => CellReading,
): CellReading {
  if (shown === undefined)
    return field.type === 'number'
      ? refusedReading(UNREADABLE_FORMAT_TEXT)
      : readNumeric(number, field, style, read);
  if (field.type === 'money') {
    const { value, currency } = readMoney(shown, '.', field);
    return Number(value) * number < 0
      ? refusedReading(`La hoja lo muestra como «${shown}» y guarda ${number}: quítale el formato.`)
      : { ...readNumeric(number, field, style, read), currency };
  }
  return field.type === 'rate' || field.type === 'exchange'
    ? readNumeric(number, field, style, read)
    : read(shown);
}

const LOST_DIGITS_TEXT =
  'Excel lo convirtió en número y perdió sus dígitos: escríbelo como texto. Da a la celda el formato Texto y captúralo completo.';
const UNREADABLE_FORMAT_TEXT = 'La hoja le da un formato que no se puede leer: escríbelo como texto.';

/** A spreadsheet turns a long folio into a number such as "1.01E+12", and its digits are lost. */
const SCIENTIFIC_PATTERN = /^\d+(?:[.,]\d+)?E\+\d+$|^\d+[.,]\d+E\d+$/i;

function readIvaRate(text: string, isRateFraction: boolean, field: TableField): CellReading {
  const word = keepOnlyLetters(text);
  if (word === keepOnlyLetters(MIXED_RATE)) return { value: MIXED_RATE };
  if (/^exent[oa]$|^noobjeto/.test(word)) return { value: 0 };
  return toCellReading(readRate(text, isRateFraction), field);
}

/** Accepts an invalid RFC for suppliers, whose own rules refuse it. Other tables find the supplier by name instead. */
function readRfc(text: string, kind: TableKind): CellReading {
  const rfc = normalizeRfc(text.replaceAll('.', ''));
  if (isRfc(rfc) || kind === 'suppliers') return { value: rfc };
  const problem = `El RFC «${text.slice(0, 30)}» no tiene la forma de un RFC`;
  return { value: null, warning: `${problem}: el proveedor se busca por su nombre.` };
}

const createNoRfcReading = (text: string): CellReading => ({
  value: null,
  warning: `Sin RFC: el archivo dice «${text}».`,
});

function readUuid(text: string): CellReading {
  const uuid = normalizeUuid(text);
  return isUuid(uuid) ? { value: uuid } : refusedReading('No tiene la forma de un UUID (folio fiscal).');
}

function readWholeNumber(text: string): CellReading {
  const days = /^(-?\d{1,15})(?:[.,]0{1,2})?(?:\s*d[ií]as?)?$/i.exec(text)?.[1];
  return days === undefined ? refusedReading('No es un número entero.') : { value: Number(days) };
}

function readId(text: string, field: TableField): CellReading {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= field.max
    ? { value: id }
    : refusedReading('No es un id: un número entero mayor que 0.');
}

/** Both point and comma are read as the decimal mark, because no currency is worth thousands of pesos. */
function readExchangeRateText(text: string): CellReading {
  const rate = /^\$?\s*(\d{1,6}(?:[.,]\d{1,12})?)$/.exec(text)?.[1];
  return rate === undefined ? refusedReading('No es un tipo de cambio.') : { value: rate.replace(',', '.') };
}

function readPaymentMethod(text: string): CellReading {
  const method = /^(PUE|PPD)\b/i.exec(text)?.[1];
  if (method) return { value: method.toUpperCase() };
  return {
    value: null,
    warning: `El método de pago «${text.slice(0, 40)}» no es PUE ni PPD, y no se guarda.`,
  };
}

function readCleanText(text: string, field: TableField, clean: typeof cleanText): CellReading {
  if (SCIENTIFIC_PATTERN.test(text)) return refusedReading(LOST_DIGITS_TEXT);
  if (text.length <= field.max && PLAIN_TEXT_PATTERN.test(text)) return { value: text };
  // U+FFFD stands for bytes that a program could not read.
  if (text.includes('\ufffd')) return refusedReading('Tiene caracteres que no se permiten.');
  return catchDomainError<CellReading, CellReading>(
    () => ({ value: clean(text, field.label, field.name, field.max) }),
    ({ message, code }) => ({ ...refusedReading(message), code }),
  );
}

/** Latin-1 characters and single spaces need no cleaning. */
const PLAIN_TEXT_PATTERN = /^(?:[\x21-\x7e\u00a1-\u00ac\u00ae-\u00ff]| (?! ))*$/;
