import { fieldsOf } from '../server/formats/tables/fields.ts';
import {
  describeHiddenParts,
  type ReadTable,
  type RefusedRow,
  type TableImport,
  type TableKind,
  type TablePlan,
} from '../server/formats/tables/table.ts';
import { catalogOfCommand } from '../shared/catalogs/all.ts';
import { formatCount, pluralize } from '../shared/counts.ts';
import { MAX_SINGLE, noteOf, type Remark, remarkKind, textWithIds } from '../shared/remarks.ts';
import { formatTable, replaceControls, truncate } from './command.ts';
import { remedyWords } from './remedies.ts';
import type { TableOptions } from './table-plan.ts';

/** `created` counts the rows that were stored or, in a dry run, would be. */
export function tableImportJson(
  file: string,
  table: ReadTable,
  { rows, created, unchanged, refused, warnings, stored }: TableImport,
  { dryRun }: TableOptions,
): string {
  const skipped = skippedBelowHeadings(table).map(({ line, why }) => ({
    row: line,
    reason: SKIPPED_LABELS[why],
  }));
  const hidden = table.rows.filter((row) => row.hidden).length;
  const shown = {
    file,
    rows,
    created: stored || dryRun ? created : 0,
    unchanged,
    refused: [...refused].map(withReasonText),
    warnings: [...warnings].map(withReasonText),
    ...(skipped.length > 0 ? { skipped } : {}),
    ...(hidden > 0 ? { hidden } : {}),
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

const withReasonText = <Reasoned extends { reason: Remark }>(items: Reasoned) => ({
  ...items,
  reason: textWithIds(items.reason),
});

export function describeTableImport(
  file: string,
  table: ReadTable,
  plan: TablePlan,
  result: TableImport,
  options: TableOptions,
): string {
  const parts = [
    `${oneLine(file)}: ${describeFile(table)}`,
    ...describeSkipped(table),
    ...describeHidden(table, plan),
    describeColumns(plan),
    ...(result.warnings.length > 0 ? [describeWarnings(result)] : []),
    ...(result.refused.length > 0 ? [describeRefused(result)] : []),
    describeTotals(result, options),
  ];
  return parts.join('\n');
}

const DELIMITERS = { ',': 'comas', ';': 'punto y coma', '\t': 'tabuladores', '|': 'barras' };

function describeFile({ format, encoding, delimiter, sheet, sheets = [], header, rows }: ReadTable): string {
  const others = sheets
    .filter(({ name, hidden }) => name !== sheet && !hidden)
    .map(({ name }) => `«${name}»`);
  const noun =
    format === 'xlsx'
      ? `libro de Excel, hoja «${sheet ?? ''}»${others.length > 0 ? ` (hay también ${others.join(', ')}: --sheet)` : ''}`
      : `texto ${encoding ?? ''}${delimiter ? `, separado por ${DELIMITERS[delimiter]}` : ''}`;
  return oneLine(
    `${noun}; encabezados en la línea ${header.line}; ${pluralize(rows.length, 'renglón', 'renglones')}.\n`,
  );
}

const skippedBelowHeadings = ({ skipped, header }: ReadTable) =>
  skipped.filter(({ line, why }) => line > header.line && why !== 'blank');

const SKIPPED_LABELS: Readonly<Record<ReadTable['skipped'][number]['why'], string>> = {
  blank: 'renglón en blanco',
  total: 'renglón de totales',
  title: 'título',
  header: 'encabezado repetido',
  note: 'nota al pie',
  hidden: 'renglón oculto',
};

function describeHidden(table: ReadTable, plan: TablePlan): string[] {
  const items = describeHiddenParts(table, plan);
  const advice = table.rows.some(({ hidden }) => hidden)
    ? ' Con --hidden skip se dejan fuera los renglones.'
    : '';
  return items.length > 0 ? [`En la hoja hay ${items.join('; ')}.${advice}\n`] : [];
}

function describeSkipped(table: ReadTable): string[] {
  const all = skippedBelowHeadings(table).filter(({ why }) => why !== 'hidden');
  if (all.length === 0) return [];
  const shown = all.slice(0, MAX_NAMED).map(({ line, why }) => `${line} (${SKIPPED_LABELS[why]})`);
  const rest = all.length > MAX_NAMED ? ` y ${all.length - MAX_NAMED} más` : '';
  return [`No son registros las líneas: ${shown.join(', ')}${rest}.\n`];
}

const MAX_NAMED = 20;

function describeColumns({ kind, columns, set }: TablePlan): string {
  const fieldLabel = (name: string) => fieldsOf(kind).find((field) => field.name === name)?.label ?? name;
  const describeStyles = ({ decimal, dateFormat }: TablePlan['columns'][number]) =>
    [...(decimal ? [`decimal «${decimal}»`] : []), ...(dateFormat ? [dateFormat] : [])].join(', ');
  const rows = columns.map((column) => [
    shortenCell(column.header || `#${column.index + 1}`),
    column.field ? `${fieldLabel(column.field)} (${column.field})` : '—',
    [column.why, describeStyles(column)].filter(Boolean).join('; '),
  ]);
  for (const [name, value] of Object.entries(set))
    rows.push([
      `«${shortenCell(value)}»`,
      `${fieldLabel(name)} (${name})`,
      'el mismo valor para todos: así se pidió',
    ]);
  return formatTable(['Columna', 'Se toma como', 'Por qué'], rows);
}

/** Longer lists are not read, so the rest is only counted; --json and --rejects contain all of it. */
const MAX_SHOWN = 200;

function describeWarnings({ warnings }: TableImport): string {
  const all = warnings.map((one) => ({ ...one, column: '', value: '', code: '' }));
  return describeRows(
    ['Línea', 'Aviso'],
    foldSimilar(all).map(([rows, , , reason]) => [rows!, reason!]),
    'avisos',
  );
}

const describeRefused = ({ refused }: TableImport): string =>
  describeRows(['Línea', 'Columna', 'Valor', 'Motivo del rechazo'], foldSimilar(refused), 'rechazados');

function describeRows(headings: string[], lines: readonly string[][], noun: string): string {
  const more = lines.length - MAX_SHOWN;
  const rest = more > 0 ? `… y ${formatCount(more)} ${noun} más (--json los da todos).\n` : '';
  return formatTable(headings, lines.slice(0, MAX_SHOWN), new Set([0])) + rest;
}

const foldSimilar = (items: readonly RefusedRow[]): string[][] =>
  groupSimilar(items).flatMap((rows) =>
    rows.length > MAX_SINGLE ? [mergedLine(rows)] : rows.map(singleLine),
  );

const groupSimilar = (items: readonly RefusedRow[]): RefusedRow[][] => [
  ...Map.groupBy(items, ({ column, reason }) => JSON.stringify([column, remarkKind(reason)])).values(),
];

const singleLine = ({ row, column, value, reason }: RefusedRow): string[] => [
  String(row),
  shortenCell(column),
  shortenCell(value),
  oneLine(textWithIds(reason)),
];

function mergedLine(rows: readonly RefusedRow[]): string[] {
  const { row, column, value, reason } = rows[0]!;
  const others = new Set(rows.map((one) => one.value)).size - 1;
  const { remedy } = noteOf(reason);
  const why = `${textWithIds(reason)} Son ${pluralize(rows.length, 'renglón', 'renglones')}.`;
  return [
    `${row} y ${formatCount(rows.length - 1)} más`,
    shortenCell(column),
    shortenCell(value) + (others > 0 ? ` y ${pluralize(others, 'otro', 'otros')}` : ''),
    oneLine(remedy ? `${why} ${remedyWords(remedy)}` : why),
  ];
}

function describeCreated(kind: TableKind): string {
  const { one, many } = catalogOfCommand(kind)!.texts;
  return `${many.charAt(0).toUpperCase()}${many.slice(1)} ${one.startsWith('la ') ? 'nuevas' : 'nuevos'}`;
}

function describeTotals(result: TableImport, { dryRun, rejects, onError }: TableOptions): string {
  const { created, unchanged, refused, warnings, missingCreated, stored } = result;
  const rows: [string, number][] = [
    [stored ? 'Guardados' : 'Se guardarían', created],
    ['Sin cambio', unchanged],
    ['Rechazados', refused.length],
    ['Avisos', warnings.length],
  ];
  for (const [kind, number] of Object.entries(missingCreated) as [TableKind, number][])
    rows.push([describeCreated(kind), number]);
  const table = formatTable(
    ['Resultado', 'Cuántos'],
    rows.map(([name, number]) => [name, formatCount(number)]),
    new Set([1]),
  );
  const notes: string[] = [];
  if (dryRun) notes.push('Simulación: no se guardó nada.');
  else if (!stored) notes.push('No se guardó nada, por los renglones rechazados.');
  if (!stored && refused.length > 0 && onError !== 'skip')
    notes.push('Con --on-error skip se guardan los demás.');
  if ([...warnings, ...refused].some(({ reason }) => noteOf(reason).remedy === 'allow-duplicates'))
    notes.push(remedyWords('allow-duplicates'));
  // Refusals shown one by one do not name their remedy, so it is named once below.
  const shown = groupSimilar(refused).filter((rows) => rows.length <= MAX_SINGLE);
  for (const remedy of ['create-missing', 'act-as'] as const)
    if (shown.flat().some(({ reason }) => noteOf(reason).remedy === remedy)) notes.push(remedyWords(remedy));
  if (rejects && refused.length > 0)
    notes.push(`Los rechazados están en ${oneLine(rejects)}, con su motivo.`);
  return table + (notes.length > 0 ? `\n${notes.join(' ')}\n` : '');
}

const MAX_WIDTH = 40;

const shortenCell = (text: string): string => truncate(oneLine(text), MAX_WIDTH);

const oneLine = (text: string): string => replaceControls(text.replace(/\s+/g, ' ').trim());
