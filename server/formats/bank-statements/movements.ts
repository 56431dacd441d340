import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { cleanText, oneLine } from '../../../shared/text.ts';
import { readAmount } from '../tables/amounts.ts';
import { cellText } from '../tables/cell-text.ts';
import { orderEvidence, readDay } from '../tables/days.ts';
import { headingKey } from '../tables/headings.ts';
import type { RawCell, ReadTable } from '../tables/table.ts';
import known from './headings.json' with { type: 'json' };

export interface Movement {
  line: number;
  fecha: PlainDate;
  /** below zero: money that left */
  amountCents: Cents;
  referencia: string;
  descripcion: string;
}

export type StatementField = keyof typeof known;

export type StatementHeadings = Readonly<Record<StatementField, readonly string[]>>;

/** Banks are known to use these headings, the likeliest first. */
export const HEADINGS: StatementHeadings = known;

const FIELDS = Object.keys(HEADINGS) as StatementField[];

const LONGEST = 2000;

/**
 * Reads a bank's statement by the headings that banks use: one amount for each way, or one with its sign.
 * @throws DomainError invalid bad_statement, saying which column is missing, or which line cannot be read
 */
export function movementsOf(
  { header, rows }: Pick<ReadTable, 'header' | 'rows'>,
  headings = HEADINGS,
): Movement[] {
  const columns = columnsOf(header.names, headings);
  const { fecha, cargo, abono, importe } = columns;
  if (fecha.length === 0) throw bad(`Ninguna columna es la fecha. ${sayHeader(header.names)}`);
  if (importe.length === 0 && (cargo.length === 0 || abono.length === 0))
    throw bad(`Faltan las columnas de cargos y abonos, o una de importe. ${sayHeader(header.names)}`);
  const all = [...rows];
  const days = all.map(({ cells }) => cellText(cells[fecha[0]!]));
  // Banks here write the day first; a column that can only be read the other way is not read at all.
  const order = days.some((text) => orderEvidence(text) === 'mdy') ? 'mdy' : 'dmy';
  const movements = all.flatMap(({ line, cells }, index): Movement[] => {
    const amountCents = amountOf(columns, cells, line);
    if (amountCents === undefined) return [];
    const day = readDay(days[index]!, order, false);
    if ('problem' in day) throw bad(`Renglón ${line}, fecha «${days[index]}»: ${day.problem}`);
    const textOf = (field: StatementField) => joined(columns[field], cells, field);
    return [
      {
        line,
        fecha: day.value,
        amountCents,
        referencia: textOf('referencia'),
        descripcion: textOf('descripcion'),
      },
    ];
  });
  if (movements.length === 0) throw bad('El archivo no tiene ningún movimiento con importe.');
  return movements;
}

function columnsOf(names: readonly string[], headings: StatementHeadings): Record<StatementField, number[]> {
  const keys = names.map(headingKey);
  const taken = new Set<number>();
  const entries = FIELDS.map((field) => {
    const wanted = headings[field].map(headingKey);
    const found = keys.flatMap((key, index) => (wanted.includes(key) && !taken.has(index) ? index : []));
    // A date, an amount and its sign stand in one column; of texts all are of use.
    const own = field === 'referencia' || field === 'descripcion' ? found : byLikelihood(found, keys, wanted);
    for (const index of own) taken.add(index);
    return [field, own] as const;
  });
  return Object.fromEntries(entries) as Record<StatementField, number[]>;
}

const byLikelihood = (found: readonly number[], keys: readonly string[], wanted: readonly string[]) =>
  [...found].sort((a, b) => wanted.indexOf(keys[a]!) - wanted.indexOf(keys[b]!)).slice(0, 1);

/** Answers nothing where the line has no amount, as a balance carried forward has none. */
function amountOf(
  columns: Record<StatementField, number[]>,
  cells: readonly RawCell[],
  line: number,
): Cents | undefined {
  const read = (field: 'cargo' | 'abono' | 'importe') => {
    const text = cellText(cells[columns[field][0] ?? -1]).trim();
    if (text === '' || text === '-') return 0;
    const amount = readAmount(text, '.');
    if ('problem' in amount) throw bad(`Renglón ${line}, ${field} «${text}»: ${amount.problem}`);
    return amount.value;
  };
  const [out, into] = [Math.abs(read('cargo')), Math.abs(read('abono'))];
  if (out !== 0 && into !== 0) throw bad(`Renglón ${line}: tiene cargo y abono a la vez.`);
  const one = out === 0 && into === 0 ? signed(read('importe'), columns, cells) : into - out;
  return one === 0 ? undefined : one;
}

function signed(cents: Cents, columns: Record<StatementField, number[]>, cells: readonly RawCell[]): Cents {
  const sign = headingKey(cellText(cells[columns.signo[0] ?? -1]));
  return /^(c|cargo|d|debito|retiro)$/.test(sign) ? -Math.abs(cents) : cents;
}

function joined(columns: readonly number[], cells: readonly RawCell[], field: string): string {
  const text = columns
    .map((index) => oneLine(cellText(cells[index])))
    .filter(Boolean)
    .join(' ');
  return cleanText([...text].slice(0, LONGEST).join(''), field, field, LONGEST);
}

const sayHeader = (names: readonly string[]): string =>
  `El encabezado dice: ${names.filter(Boolean).slice(0, 12).join(', ').slice(0, 300) || 'nada'}.`;

const bad = (message: string) =>
  new DomainError('invalid', message, { code: 'bad_statement', fields: { file: message } });
