import { pluralize } from './counts.ts';
import {
  addDays,
  daysBetween,
  formatShortDayMonth,
  type IsoWeek,
  isoWeekOf,
  mondayOfWeek,
  type PlainDate,
} from './dates.ts';
import { DomainError } from './errors.ts';
import { type Cents, toDecimal } from './money.ts';

export interface BalanceColumn {
  /** "ANTERIORES", "SEM 47", "SEM 2 2027", "SEM 7+ 2027" */
  key: string;
  /** "28 dic – 3 ene", "antes del 16 nov", "desde el 15 feb" */
  days: string;
  heading: string;
  /** null where the column is open on that side */
  from: PlainDate | null;
  to: PlainDate | null;
}

export interface BalanceRow {
  isSummary: boolean;
  /** null in the grand total */
  supplierId: number | null;
  suppliername: string;
  jobtitle: string;
  /** null in summaries */
  invoiceId: number | null;
  numfactura: string;
  fechavencimiento: PlainDate | null;
  vencimientoEstimado: boolean;
  /** amounts by column key; a missing key means 0 */
  amounts: Readonly<Record<string, Cents>>;
  estimatedColumns: ReadonlySet<string>;
  totalCents: Cents;
}

export interface CountAndSum {
  count: number;
  sumCents: Cents;
}

export interface UnappliedCredit extends CountAndSum {
  supplierId: number;
  suppliername: string;
}

export type LaterDatedSums = Record<(typeof LATER_DATED_KINDS)[number]['kind'], CountAndSum>;

export const listLaterDatedSums = (laterDated: LaterDatedSums) =>
  LATER_DATED_KINDS.filter(({ kind }) => laterDated[kind].count > 0).map(({ kind, one, many, by }) => {
    const { count, sumCents } = laterDated[kind];
    return { of: kind, description: `${pluralize(count, one, many)} ${by}`, sumCents };
  });

const LATER_DATED_KINDS = [
  { kind: 'payments', one: 'pago', many: 'pagos', by: 'por' },
  { kind: 'credits', one: 'nota de crédito aplicada', many: 'notas de crédito aplicadas', by: 'por' },
  // Invoices count by issue date, or by the day of capture if they have none (`undated`). Their balances are summed.
  { kind: 'invoices', one: 'factura', many: 'facturas', by: 'con saldo de' },
  {
    kind: 'undated',
    one: 'factura sin fecha capturada después',
    many: 'facturas sin fecha capturadas después',
    by: 'con saldo de',
  },
] as const;

export const LATER_DATED_TITLE = 'Con fecha posterior, y por eso sin contar:';

export const GRAND_TOTAL_LABEL = 'Total general';
export const EARLIER_WEEKS_KEY = 'ANTERIORES';

/**
 * Resolves the report's first week: the requested one, by default that of the corte. Old clients send the ISO week with
 * the calendar year, which differs from the ISO year around New Year: where they mean the corte's week, the year is
 * corrected.
 * @throws DomainError malformed where that year has no such week
 */
export function resolveFirstWeek(
  corte: PlainDate,
  requested: { week?: number; year?: number } = {},
): IsoWeek {
  const corteWeek = isoWeekOf(corte);
  const week = requested.week ?? corteWeek.week;
  const year = requested.year ?? corteWeek.year;
  if (week === corteWeek.week && year === Number(corte.slice(0, 4))) return corteWeek;
  if (mondayOfWeek({ year, week }) === undefined) {
    const message = `El año ${year} no tiene una semana ${week}.`;
    throw new DomainError('malformed', message, { code: 'bad_week', fields: { weeknum: message } });
  }
  return { year, week };
}

/** Builds ANTERIORES, at most `limit` weeks up to the last in which something is due, and a column for later ones. */
export function buildBalanceColumns(
  firstWeek: IsoWeek,
  lastDue: PlainDate | undefined,
  limit: number,
): BalanceColumn[] {
  const monday = mondayOfWeek(firstWeek)!;
  const needed = lastDue === undefined ? 1 : Math.max(1, countWeeksBetween(monday, lastDue) + 1);
  const shown = Math.min(needed, limit);
  const columns = [
    createColumn(EARLIER_WEEKS_KEY, `antes del ${formatShortDayMonth(monday)}`, null, addDays(monday, -1)),
  ];
  for (let index = 0; index < shown; index++) {
    const from = addDays(monday, 7 * index);
    const to = addDays(from, 6);
    columns.push(createColumn(weekKey(firstWeek, from), formatWeekDays(from, to), from, to));
  }
  if (needed > shown) {
    const from = addDays(monday, 7 * shown);
    columns.push(
      createColumn(weekKey(firstWeek, from, '+'), `desde el ${formatShortDayMonth(from)}`, from, null),
    );
  }
  return columns;
}

export function getColumnOfDay(columns: readonly BalanceColumn[], day: PlainDate): BalanceColumn {
  const monday = columns[1]!.from!;
  return day < monday ? columns[0]! : (columns[countWeeksBetween(monday, day) + 1] ?? columns.at(-1)!);
}

export const toBalanceRecords = (
  rows: readonly BalanceRow[],
  columns: readonly BalanceColumn[],
): Record<string, unknown>[] => JSON.parse([...writeBalanceJson(rows, columns)].join(''));

/**
 * Writes text, which is faster than building objects: an invoice has one amount and zeros in some thirty weeks.
 * Yields a piece for each supplier, because megabytes of text take long to join.
 */
export function* writeBalanceJson(
  rows: Iterable<BalanceRow>,
  columns: readonly BalanceColumn[],
): Generator<string, void> {
  const zerosAround = new Map(
    columns.map(({ key }, index) => [
      key,
      [writeZeros(columns.slice(0, index)), writeZeros(columns.slice(index + 1))],
    ]),
  );
  const quotedNames = new Map<string, string>();
  // A name is missing where its row was deleted after the invoices were read.
  const quoteName = (name = '') => {
    const quoted = quotedNames.get(name) ?? JSON.stringify(name);
    quotedNames.set(name, quoted);
    return quoted;
  };
  let text = '[';
  let comma = '';
  for (const row of rows) {
    const names = `"suppliername":${quoteName(row.suppliername)},"jobtitle":${quoteName(row.jobtitle)}`;
    text += `${comma}{${names},"numfactura":${JSON.stringify(row.numfactura)},"isSummary":${row.isSummary}`;
    if (row.invoiceId !== null)
      text += `,"facturaproveedorId":${row.invoiceId},"fechavencimiento":"${row.fechavencimiento}"`;
    if (row.vencimientoEstimado) text += ',"vencimientoEstimado":true';
    if (row.isSummary) {
      for (const { key } of columns) text += `,"${key}":${toDecimal(row.amounts[key] ?? 0)}`;
    } else {
      for (const key in row.amounts) {
        const [before, after] = zerosAround.get(key)!;
        text += `${before},"${key}":${toDecimal(row.amounts[key]!)}${after}`;
      }
    }
    text += `,"total":${toDecimal(row.totalCents)}}`;
    comma = ',';
    if (row.isSummary) {
      yield text;
      text = '';
    }
  }
  yield `${text}]`;
}

const writeZeros = (columns: readonly BalanceColumn[]): string =>
  columns.map(({ key }) => `,"${key}":0`).join('');

const countWeeksBetween = (monday: PlainDate, day: PlainDate): number =>
  Math.floor(daysBetween(monday, day) / 7);

const createColumn = (
  key: string,
  days: string,
  from: PlainDate | null,
  to: PlainDate | null,
): BalanceColumn => ({
  key,
  days,
  heading: `${key} (${days})`,
  from,
  to,
});

function weekKey(first: IsoWeek, monday: PlainDate, suffix = ''): string {
  const { year, week } = isoWeekOf(monday);
  return `SEM ${week}${suffix}${year > first.year ? ` ${year}` : ''}`;
}

/** Returns "2 – 8 nov", or "28 dic – 3 ene". */
export const formatWeekDays = (from: PlainDate, to: PlainDate): string =>
  from.slice(0, 7) === to.slice(0, 7)
    ? `${Number(from.slice(8))} – ${formatShortDayMonth(to)}`
    : `${formatShortDayMonth(from)} – ${formatShortDayMonth(to)}`;
