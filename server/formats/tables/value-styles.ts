import { type DecimalMark, detectDecimalMark } from './amounts.ts';
import { cellText, meansEmpty, trimCell } from './cell-text.ts';
import { DAY_ORDER_FORMATS, type DayOrder, detectDayOrder } from './days.ts';
import type { TableField } from './fields.ts';
import type { ColumnPlan, PlanQuestion, RawTable, TableKind } from './table.ts';

export interface UnfinishedColumn {
  index: number;
  header: string;
  field: TableField | null;
  why: string;
  isRequested?: boolean;
}

export interface UnfinishedPlan {
  table: RawTable;
  kind: TableKind;
  columns: readonly UnfinishedColumn[];
  set: Readonly<Record<string, string>>;
  questions: PlanQuestion[];
}

interface RequestedStyle {
  decimal?: DecimalMark;
  order?: DayOrder;
}

/** All cells of a column count, since a single one may be ambiguous. What remains open becomes a question. */
export function decideStyles(
  { table, columns, questions }: UnfinishedPlan,
  requested: RequestedStyle,
): ColumnPlan[] {
  const decimals = new Map(
    columns.flatMap(({ index, field }) =>
      field?.type === 'money' ? [[index, groupTextsByDecimalMark(table, index)] as const] : [],
    ),
  );
  const others = findCommonMark([...decimals.values()]);
  return columns.map((column): ColumnPlan => {
    const { field, isRequested: _isAsked, ...plan } = column;
    const base = { ...plan, field: field?.name ?? null };
    switch (field?.type) {
      case 'money':
        return {
          ...base,
          ...decideDecimalMark(column, decimals.get(column.index)!, others, requested, questions),
        };
      case 'rate':
        return { ...base, ...decideRateFraction(column, table) };
      case 'date':
        return { ...base, ...decideDayOrder(column, table, requested, questions) };
      default:
        return base;
    }
  });
}

/** Lists the column's texts only, because numbers and dates of a workbook are never ambiguous. */
const columnTexts = ({ rows }: RawTable, index: number): IteratorObject<string> =>
  Iterator.from(rows)
    .map(({ cells }) => cells[index])
    .filter((cell) => typeof cell === 'string');

type TextsByDecimalMark = ReadonlyMap<ReturnType<typeof detectDecimalMark>, readonly string[]>;

const groupTextsByDecimalMark = (table: RawTable, index: number): TextsByDecimalMark =>
  Map.groupBy(columnTexts(table, index), (text) => (/\d/.test(text) ? detectDecimalMark(text) : undefined));

/** Cells of the other style up to this share are refused as typing errors; if there are more, the user is asked. */
const MAX_TYPO_SHARE = 0.02;

function findPrevalentMark(found: TextsByDecimalMark): DecimalMark | 'both' | undefined {
  const [points, commas] = [found.get('.')?.length ?? 0, found.get(',')?.length ?? 0];
  if (points + commas === 0) return undefined;
  if (commas <= MAX_TYPO_SHARE * points) return '.';
  return points <= MAX_TYPO_SHARE * commas ? ',' : 'both';
}

function findCommonMark(all: readonly TextsByDecimalMark[]): DecimalMark | undefined {
  const marks = new Set(all.map(findPrevalentMark).filter((mark) => mark !== undefined));
  const [mark] = marks;
  return marks.size === 1 && mark !== 'both' ? mark : undefined;
}

const DECIMAL_MARK_NAMES = { '.': 'punto', ',': 'coma' };

function decideDecimalMark(
  { header, field, why }: UnfinishedColumn,
  found: TextsByDecimalMark,
  others: DecimalMark | undefined,
  requested: RequestedStyle,
  questions: PlanQuestion[],
): Pick<ColumnPlan, 'decimal' | 'why'> {
  const withReason = (decimal: DecimalMark, reason: string) => ({
    decimal,
    why: `${why}; decimales con ${DECIMAL_MARK_NAMES[decimal]}${reason}`,
  });
  if (requested.decimal) return withReason(requested.decimal, ', como se pidió');
  const mark = findPrevalentMark(found);
  const exampleOf = (evidence: DecimalMark | 'ambiguous') => `«${shorten(found.get(evidence)?.[0])}»`;
  if (mark === '.' || mark === ',') return withReason(mark, `, como en ${exampleOf(mark)}`);
  if (mark === undefined && !found.has('ambiguous')) return { decimal: others ?? '.', why };
  if (mark === undefined && others) return withReason(others, ', como en las demás columnas de importes');
  const example = mark === 'both' ? `${exampleOf('.')} y ${exampleOf(',')}` : exampleOf('ambiguous');
  const doubt = mark === 'both' ? 'mezcla dos formas de escribir decimales' : 'puede leerse de dos formas';
  questions.push({
    field: field!.name,
    header,
    question: `La columna «${header}» ${doubt} (${example}): ¿los decimales van con punto o con coma?`,
    answerOption: 'decimal',
    choices: ['.', ','],
  });
  return { decimal: '.', why };
}

/** Values such as 0.16, 0.08 and 0 are fractions, unless a single 16 among them shows percentages. */
function decideRateFraction(
  { index, why }: UnfinishedColumn,
  { rows }: RawTable,
): Pick<ColumnPlan, 'fraction' | 'why'> {
  let [parts, percents] = [0, 0];
  for (const { cells } of rows) {
    const cell = cells[index];
    if (typeof cell !== 'number' && typeof cell !== 'string') continue;
    const text = trimCell(cellText(cell));
    if (text.endsWith('%') || meansEmpty(text)) continue;
    const value = Number(text.replace(',', '.'));
    if (value >= 1) percents += 1;
    else if (value > 0) parts += 1;
  }
  return parts > 0 && percents === 0 ? { fraction: true, why: `${why}; 0.16 es 16 %` } : { why };
}

function decideDayOrder(
  { index, header, field, why }: UnfinishedColumn,
  table: RawTable,
  requested: RequestedStyle,
  questions: PlanQuestion[],
): Pick<ColumnPlan, 'dateFormat' | 'why'> {
  if (requested.order)
    return {
      dateFormat: DAY_ORDER_FORMATS[requested.order],
      why: `${why}; el orden de las fechas, como se pidió`,
    };
  let dayFirst = 0;
  const monthFirst: string[] = [];
  for (const text of columnTexts(table, index)) {
    const evidence = detectDayOrder(trimCell(text));
    if (evidence === 'dmy') dayFirst += 1;
    if (evidence === 'mdy') monthFirst.push(text);
  }
  // In Mexico the day comes first. The user is asked before dates are read with the month first.
  if (monthFirst.length > MAX_TYPO_SHARE * dayFirst) {
    questions.push({
      field: field!.name,
      header,
      question: `La columna «${header}» trae fechas como «${shorten(monthFirst[0])}», que no son día/mes/año: ¿qué orden llevan todas?`,
      answerOption: 'dateFormat',
      choices: [DAY_ORDER_FORMATS.dmy, DAY_ORDER_FORMATS.mdy],
    });
  }
  return { dateFormat: DAY_ORDER_FORMATS.dmy, why };
}

const shorten = (text = ''): string =>
  text.trim().length > 30 ? `${text.trim().slice(0, 29)}…` : text.trim();
