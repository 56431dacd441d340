import { type DecimalMark, decimalEvidence } from './amounts.ts';
import { cellText, isEmptyWord, trimCell } from './cell-text.ts';
import { type DayOrder, ORDER_FORMATS, orderEvidence } from './days.ts';
import type { TableField } from './fields.ts';
import type { ColumnPlan, PlanQuestion, RawCell, ReadTable } from './table.ts';

export interface DraftColumn {
  index: number;
  header: string;
  field: TableField | null;
  why: string;
  /** somebody said so */
  isAsked?: boolean;
}

interface AskedStyle {
  decimal?: DecimalMark;
  order?: DayOrder;
}

/**
 * Decides how amounts, rates and days are written for each column from all of its cells: one cell alone may mean two
 * things. What stays open comes as a question.
 */
export function decideStyles(
  table: ReadTable,
  columns: readonly DraftColumn[],
  asked: AskedStyle,
  questions: PlanQuestion[],
): ColumnPlan[] {
  const evidence = weighColumns(table, columns);
  const others = settledMark([...evidence.decimals.values()]);
  return columns.map((column): ColumnPlan => {
    const { field, isAsked: _isAsked, ...plan } = column;
    const base = { ...plan, field: field?.name ?? null };
    switch (field?.type) {
      case 'money':
        return {
          ...base,
          ...decideDecimal(column, evidence.decimals.get(column.index)!, others, asked, questions),
        };
      case 'rate':
        return { ...base, ...decideFraction(column, evidence.rates.get(column.index)!) };
      case 'date':
        return { ...base, ...decideOrder(column, evidence.days.get(column.index)!, asked, questions) };
      default:
        return base;
    }
  });
}

function weighColumns({ rows }: ReadTable, columns: readonly DraftColumn[]) {
  const ofType = (type: string) => columns.filter(({ field }) => field?.type === type);
  const each = <T>(type: string, start: () => T) =>
    new Map(ofType(type).map(({ index }) => [index, start()]));
  const decimals = each('money', (): Decimals => ({ points: 0, commas: 0 }));
  const rates = each('rate', (): Rates => ({ parts: 0, percents: 0 }));
  const days = each('date', (): Days => ({ dayFirst: 0, monthFirst: 0 }));
  if (decimals.size + rates.size + days.size === 0) return { decimals, rates, days };
  for (const { cells } of rows) {
    // A workbook's numbers and days mean one thing only.
    for (const [index, found] of decimals) if (isText(cells[index])) weighDecimal(found, cells[index]);
    for (const [index, found] of rates) weighRate(found, cells[index]);
    for (const [index, found] of days) if (isText(cells[index])) weighDay(found, cells[index]);
  }
  return { decimals, rates, days };
}

const isText = (cell: RawCell | undefined): cell is string => typeof cell === 'string';

interface Decimals {
  points: number;
  commas: number;
  /** the first amount that could be read both ways */
  ambiguous?: string;
  point?: string;
  comma?: string;
}

function weighDecimal(found: Decimals, text: string): void {
  const evidence = decimalEvidence(text);
  if (evidence === undefined || !HAS_DIGIT.test(text)) return;
  if (evidence === '.') {
    found.points += 1;
    found.point ??= text;
  } else if (evidence === ',') {
    found.commas += 1;
    found.comma ??= text;
  } else found.ambiguous ??= text;
}

const HAS_DIGIT = /\d/;

/** A few cells of the other style are slips, and are refused one by one; more of them leave it open. */
const SLIPS = 0.02;

function markOf({ points, commas }: Decimals): DecimalMark | 'both' | undefined {
  if (points + commas === 0) return undefined;
  if (commas <= SLIPS * points) return '.';
  return points <= SLIPS * commas ? ',' : 'both';
}

function settledMark(all: readonly Decimals[]): DecimalMark | undefined {
  const marks = new Set(all.map(markOf).filter((mark) => mark !== undefined));
  const [mark] = marks;
  return marks.size === 1 && mark !== 'both' ? mark : undefined;
}

const MARK_NAMES = { '.': 'punto', ',': 'coma' };

function decideDecimal(
  { header, field, why }: DraftColumn,
  found: Decimals,
  others: DecimalMark | undefined,
  asked: AskedStyle,
  questions: PlanQuestion[],
): Pick<ColumnPlan, 'decimal' | 'why'> {
  const say = (decimal: DecimalMark, reason: string) => ({
    decimal,
    why: `${why}; decimales con ${MARK_NAMES[decimal]}${reason}`,
  });
  if (asked.decimal) return say(asked.decimal, ', como se pidió');
  const mark = markOf(found);
  if (mark === '.' || mark === ',')
    return say(mark, `, como en «${shorten(mark === '.' ? found.point : found.comma)}»`);
  if (mark === undefined && found.ambiguous === undefined) return { decimal: others ?? '.', why };
  if (mark === undefined && others) return say(others, ', como en las demás columnas de importes');
  const example =
    mark === 'both'
      ? `«${shorten(found.point)}» y «${shorten(found.comma)}»`
      : `«${shorten(found.ambiguous)}»`;
  const doubt = mark === 'both' ? 'mezcla dos formas de escribir decimales' : 'puede leerse de dos formas';
  questions.push({
    field: field!.name,
    header,
    question: `La columna «${header}» ${doubt} (${example}): ¿los decimales van con punto o con coma?`,
    answer: 'decimal',
    choices: ['.', ','],
  });
  return { decimal: '.', why };
}

interface Rates {
  /** above 0 and below 1; from 1 on */
  parts: number;
  percents: number;
}

function weighRate(found: Rates, cell: RawCell | undefined): void {
  if (typeof cell !== 'number' && typeof cell !== 'string') return;
  const text = trimCell(cellText(cell));
  if (text.endsWith('%') || isEmptyWord(text)) return;
  const value = Number(text.replace(',', '.'));
  if (value >= 1) found.percents += 1;
  else if (value > 0) found.parts += 1;
}

/** 0.16, 0.08 and 0 alone are parts of one; a single 16 among them, and they are percent. */
const decideFraction = (
  { why }: DraftColumn,
  { parts, percents }: Rates,
): Pick<ColumnPlan, 'fraction' | 'why'> =>
  parts > 0 && percents === 0 ? { fraction: true, why: `${why}; 0.16 es 16 %` } : { why };

interface Days {
  dayFirst: number;
  monthFirst: number;
  /** the first one with the month first */
  example?: string;
}

function weighDay(found: Days, text: string): void {
  const evidence = orderEvidence(trimCell(text));
  if (evidence === 'dmy') found.dayFirst += 1;
  if (evidence === 'mdy') {
    found.monthFirst += 1;
    found.example ??= text;
  }
}

function decideOrder(
  { header, field, why }: DraftColumn,
  { dayFirst, monthFirst, example }: Days,
  asked: AskedStyle,
  questions: PlanQuestion[],
): Pick<ColumnPlan, 'dateFormat' | 'why'> {
  if (asked.order)
    return { dateFormat: ORDER_FORMATS[asked.order], why: `${why}; el orden de las fechas, como se pidió` };
  // Day first is the order here; month first is never guessed, only asked about.
  if (monthFirst > SLIPS * dayFirst) {
    questions.push({
      field: field!.name,
      header,
      question: `La columna «${header}» trae fechas como «${shorten(example)}», que no son día/mes/año: ¿qué orden llevan todas?`,
      answer: 'dateFormat',
      choices: [ORDER_FORMATS.dmy, ORDER_FORMATS.mdy],
    });
  }
  return { dateFormat: ORDER_FORMATS.dmy, why };
}

const shorten = (text = ''): string =>
  text.trim().length > 30 ? `${text.trim().slice(0, 29)}…` : text.trim();
