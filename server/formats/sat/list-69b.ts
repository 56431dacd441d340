import { addDays, isPlainDate, monthName, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { fold } from '../../../shared/text.ts';
import { cleanValue } from '../cfdi/attribute-values.ts';
import { readCsv } from '../tables/csv.ts';
import { decodeText } from '../tables/decode.ts';
import { getTableLimits } from '../tables/limits.ts';

/** The situations of the list (CFF 69-B), the worst first. */
export const SITUATION_LABELS = {
  definitivo: 'Definitivo',
  presunto: 'Presunto',
  desvirtuado: 'Desvirtuado',
  favorable: 'Sentencia favorable',
} as const;
export type Situation = keyof typeof SITUATION_LABELS;
export const SITUATIONS = keysOf(SITUATION_LABELS);

export interface ListedTaxpayer {
  rfc: string;
  nombre: string;
  situacion: Situation;
  /** the first day on which the taxpayer was published in this situation; null: the list states no day */
  presunto: PlainDate | null;
  definitivo: PlainDate | null;
}

export interface List69b {
  corte: PlainDate;
  /** number of taxpayers, including those whose RFC is suppressed */
  filas: number;
  rows: ListedTaxpayer[];
  /** the lines whose RFC cannot be read */
  unreadLines: number[];
}

export const MAX_LIST_MB = 20;
const MAX_NAME_LENGTH = 300;
const MONTH_NAMES = Array.from({ length: 12 }, (_, month) => monthName(addDays('2026-01-15', month * 30)));
const SITUATION_WORD_STEMS: Readonly<Record<Situation, string>> = {
  ...{ definitivo: 'definitiv', presunto: 'presunt', desvirtuado: 'desvirtu', favorable: 'sentencia' },
};

export const badListError = (message: string): DomainError =>
  new DomainError('invalid', message, { code: 'bad_list', fields: { file: message } });

/** @throws DomainError invalid (bad_list, or not a text), too-large */
export function readList69b(bytes: Uint8Array): List69b {
  const { rows: lines } = readCsv(decodeText(bytes).text, getTableLimits('upload'));
  const texts = lines.map(({ line, cells }) => ({
    line,
    cells: cells.map((cell) => cleanValue(String(cell ?? ''))),
  }));
  const at = texts.findIndex(
    ({ cells }) => cells.some((cell) => fold(cell) === 'rfc') && findColumnIndex(cells, 'situacion') >= 0,
  );
  const header = texts[at]?.cells ?? [];
  const columns = {
    rfc: header.findIndex((cell) => fold(cell) === 'rfc'),
    nombre: findColumnIndex(header, 'nombre'),
  };
  const situationColumn = findColumnIndex(header, 'situacion');
  const findPublicationColumns = (situacion: Situation) =>
    header.flatMap((cell, index) =>
      fold(cell).startsWith('publicacion') && fold(cell).includes(SITUATION_WORD_STEMS[situacion])
        ? index
        : [],
    );
  if (at < 0 || columns.nombre < 0 || SITUATIONS.some((one) => findPublicationColumns(one).length === 0))
    throw badListError(
      'No es la lista 69-B del SAT: le falta el encabezado con RFC, nombre, situación y publicaciones.',
    );
  const corte = readCutDate(texts.slice(0, at).flatMap(({ cells }) => cells));
  const places = SITUATIONS.map((one) => [one, findPublicationColumns(one)] as const);
  const list: List69b = { corte, filas: 0, rows: [], unreadLines: [] };
  const byRfc = new Map<string, ListedTaxpayer & { latest: PlainDate | null }>();
  for (const { line, cells } of texts.slice(at + 1)) {
    const said = fold(cells[situationColumn] ?? '');
    const rfc = normalizeRfc(cells[columns.rfc] ?? '');
    if (said === '' && rfc === '') continue; // a note below the list
    const situacion = SITUATIONS.find((one) => said.startsWith(SITUATION_WORD_STEMS[one]));
    if (!situacion)
      throw badListError(`Línea ${line}: «${said.slice(0, 40)}» no es una situación que se conozca.`);
    list.filas += 1;
    if (/^X+$/.test(rfc)) continue;
    if (!RFC_PATTERN.test(rfc)) {
      list.unreadLines.push(line);
      continue;
    }
    const days = new Map(
      places.map(([one, indices]) => [one, indices.flatMap((index) => readDays(cells[index]))]),
    );
    const earliestDayOf = (one: Situation) => days.get(one)!.sort()[0] ?? null;
    const nombre = cells[columns.nombre]!.slice(0, MAX_NAME_LENGTH);
    const row = {
      rfc,
      nombre,
      situacion,
      presunto: earliestDayOf('presunto'),
      definitivo: earliestDayOf('definitivo'),
    };
    const other = byRfc.get(rfc);
    const one = { ...row, latest: days.get(situacion)!.sort().at(-1) ?? null };
    byRfc.set(rfc, other ? pickWorseOrLater(one, other) : one);
  }
  list.rows = [...byRfc.values()].map(({ latest: _latest, ...row }) => row);
  return list;
}

/** The date within the RFC need not exist, because the SAT lists such RFCs, too. */
const RFC_PATTERN = /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/;

const findColumnIndex = (cells: readonly string[], start: string) =>
  cells.findIndex((cell) => fold(cell).startsWith(start));

function readCutDate(titles: readonly string[]): PlainDate {
  for (const title of titles) {
    const [, day, month, year] = /actualizada al (\d{1,2}) de ([a-z]+) del? (\d{4})/.exec(fold(title)) ?? [];
    const corte = month && toDay(day!, MONTH_NAMES.indexOf(month) + 1, year!);
    if (corte) return corte;
  }
  throw badListError(
    'La lista no dice su fecha de corte: «Información actualizada al …», en sus primeras líneas.',
  );
}

const toDay = (day: string, month: number | string, year: string): PlainDate | undefined => {
  const date = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isPlainDate(date) ? date : undefined;
};

const readDays = (cell = ''): PlainDate[] =>
  [...cell.matchAll(/(\d{1,2})\/(\d{1,2})\/(\d{4})/g)].flatMap(
    ([, day, month, year]) => toDay(day!, month!, year!) ?? [],
  );

/** Of two rows with the same RFC, picks the worse situation, unless the other one was published later. */
function pickWorseOrLater<Row extends { situacion: Situation; latest: PlainDate | null }>(
  one: Row,
  other: Row,
): Row {
  const severityOf = ({ situacion }: Row) => SITUATIONS.indexOf(situacion);
  const [worse, better] = severityOf(one) < severityOf(other) ? [one, other] : [other, one];
  return worse.latest && better.latest && better.latest > worse.latest ? better : worse;
}
