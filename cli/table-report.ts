import { fieldsOf } from '../server/formats/tables/fields.ts';
import {
  describeHiddenRowsAndColumns,
  type RawTable,
  type RefusedRow,
  type TableImportResult,
  type TableKind,
  type TablePlan,
} from '../server/formats/tables/table.ts';
import { catalogOfCommand } from '../shared/catalogs/all.ts';
import { formatCount, pluralize } from '../shared/counts.ts';
import {
  formatWithIds,
  MAX_UNGROUPED_REMARKS,
  type Remark,
  remarkKindKey,
  toStructuredRemark,
} from '../shared/remarks.ts';
import { formatTable, replaceControlCharacters, truncate } from './command.ts';
import { formatRemedy } from './remedies.ts';
import type { TableImportFlags } from './table-plan.ts';

/** `created` counts the rows that were stored or, in a dry run, would be. */
export function tableImportJson(
  file: string,
  table: RawTable,
  { rows, created, unchanged, refused, warnings, stored }: TableImportResult,
  { dryRun }: TableImportFlags,
): string {
  const skipped = listSkippedBelowHeadings(table).map(({ line, why }) => ({
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
  reason: formatWithIds(items.reason),
});

export function describeTableImport(
  file: string,
  table: RawTable,
  plan: TablePlan,
  result: TableImportResult,
  options: TableImportFlags,
): string {
  const parts = [
    `${collapseToOneLine(file)}: ${describeFile(table)}`,
    ...describeSkipped(table),
    ...describeHidden(table, plan),
    describeColumns(plan),
    ...(result.warnings.length > 0 ? [describeWarnings(result)] : []),
    ...(result.refused.length > 0 ? [describeRefused(result)] : []),
    describeTotals(result, options),
  ];
  return parts.join('\n');
}

const DELIMITER_NAMES = { ',': 'comas', ';': 'punto y coma', '\t': 'tabuladores', '|': 'barras' };

function describeFile({ format, encoding, delimiter, sheet, sheets = [], header, rows }: RawTable): string {
  const others = sheets
    .filter(({ name, hidden }) => name !== sheet && !hidden)
    .map(({ name }) => `«${name}»`);
  const noun =
    format === 'xlsx'
      ? `libro de Excel, hoja «${sheet ?? ''}»${others.length > 0 ? ` (hay también ${others.join(', ')}: --sheet)` : ''}`
      : `texto ${encoding ?? ''}${delimiter ? `, separado por ${DELIMITER_NAMES[delimiter]}` : ''}`;
  return collapseToOneLine(
    `${noun}; encabezados en la línea ${header.line}; ${pluralize(rows.length, 'renglón', 'renglones')}.\n`,
  );
}

const listSkippedBelowHeadings = ({ skipped, header }: RawTable) =>
  skipped.filter(({ line, why }) => line > header.line && why !== 'blank');

const SKIPPED_LABELS: Readonly<Record<RawTable['skipped'][number]['why'], string>> = {
  blank: 'renglón en blanco',
  total: 'renglón de totales',
  title: 'título',
  header: 'encabezado repetido',
  note: 'nota al pie',
  hidden: 'renglón oculto',
};

function describeHidden(table: RawTable, plan: TablePlan): string[] {
  const items = describeHiddenRowsAndColumns(table, plan);
  const advice = table.rows.some(({ hidden }) => hidden)
    ? ' Con --hidden skip se dejan fuera los renglones.'
    : '';
  return items.length > 0 ? [`En la hoja hay ${items.join('; ')}.${advice}\n`] : [];
}

function describeSkipped(table: RawTable): string[] {
  const all = listSkippedBelowHeadings(table).filter(({ why }) => why !== 'hidden');
  if (all.length === 0) return [];
  const shown = all.slice(0, MAX_SKIPPED_LISTED).map(({ line, why }) => `${line} (${SKIPPED_LABELS[why]})`);
  const rest = all.length > MAX_SKIPPED_LISTED ? ` y ${all.length - MAX_SKIPPED_LISTED} más` : '';
  return [`No son registros las líneas: ${shown.join(', ')}${rest}.\n`];
}

const MAX_SKIPPED_LISTED = 20;

function describeColumns({ kind, columns, set }: TablePlan): string {
  const fieldLabel = (name: string) => fieldsOf(kind).find((field) => field.name === name)?.label ?? name;
  const describeValueFormats = ({ decimal, dateFormat }: TablePlan['columns'][number]) =>
    [...(decimal ? [`decimal «${decimal}»`] : []), ...(dateFormat ? [dateFormat] : [])].join(', ');
  const rows = columns.map((column) => [
    shortenCell(column.header || `#${column.index + 1}`),
    column.field ? `${fieldLabel(column.field)} (${column.field})` : '—',
    [column.why, describeValueFormats(column)].filter(Boolean).join('; '),
  ]);
  for (const [name, value] of Object.entries(set))
    rows.push([
      `«${shortenCell(value)}»`,
      `${fieldLabel(name)} (${name})`,
      'el mismo valor para todos: así se pidió',
    ]);
  return formatTable(['Columna', 'Se toma como', 'Por qué'], rows);
}

/** Nobody reads a longer list, so the rest is only counted; --json contains all rows, --rejects all refused ones. */
const MAX_SHOWN_ROWS = 200;

function describeWarnings({ warnings }: TableImportResult): string {
  const all = warnings.map((one) => ({ ...one, column: '', value: '', code: '' }));
  return formatLimitedTable(
    ['Línea', 'Aviso'],
    mergeSimilarRows(all).map(([rows, , , reason]) => [rows!, reason!]),
    'avisos',
  );
}

const describeRefused = ({ refused }: TableImportResult): string =>
  formatLimitedTable(
    ['Línea', 'Columna', 'Valor', 'Motivo del rechazo'],
    mergeSimilarRows(refused),
    'rechazados',
  );

function formatLimitedTable(headings: string[], lines: readonly string[][], noun: string): string {
  const more = lines.length - MAX_SHOWN_ROWS;
  const rest = more > 0 ? `… y ${formatCount(more)} ${noun} más (--json los da todos).\n` : '';
  return formatTable(headings, lines.slice(0, MAX_SHOWN_ROWS), new Set([0])) + rest;
}

const mergeSimilarRows = (items: readonly RefusedRow[]): string[][] =>
  groupSimilarRows(items).flatMap((rows) =>
    rows.length > MAX_UNGROUPED_REMARKS ? [formatMergedRows(rows)] : rows.map(formatSingleRow),
  );

const groupSimilarRows = (items: readonly RefusedRow[]): RefusedRow[][] => [
  ...Map.groupBy(items, ({ column, reason }) => JSON.stringify([column, remarkKindKey(reason)])).values(),
];

const formatSingleRow = ({ row, column, value, reason }: RefusedRow): string[] => [
  String(row),
  shortenCell(column),
  shortenCell(value),
  collapseToOneLine(formatWithIds(reason)),
];

function formatMergedRows(rows: readonly RefusedRow[]): string[] {
  const { row, column, value, reason } = rows[0]!;
  const others = new Set(rows.map((one) => one.value)).size - 1;
  const { remedy } = toStructuredRemark(reason);
  const why = `${formatWithIds(reason)} Son ${pluralize(rows.length, 'renglón', 'renglones')}.`;
  return [
    `${row} y ${formatCount(rows.length - 1)} más`,
    shortenCell(column),
    shortenCell(value) + (others > 0 ? ` y ${pluralize(others, 'otro', 'otros')}` : ''),
    collapseToOneLine(remedy ? `${why} ${formatRemedy(remedy)}` : why),
  ];
}

function describeCreatedRows(kind: TableKind): string {
  const { one, many } = catalogOfCommand(kind)!.texts;
  return `${many.charAt(0).toUpperCase()}${many.slice(1)} ${one.startsWith('la ') ? 'nuevas' : 'nuevos'}`;
}

function describeTotals(result: TableImportResult, { dryRun, rejects, onError }: TableImportFlags): string {
  const { created, unchanged, refused, warnings, missingCreated, stored } = result;
  const rows: [string, number][] = [
    [stored ? 'Guardados' : 'Se guardarían', created],
    ['Sin cambio', unchanged],
    ['Rechazados', refused.length],
    ['Avisos', warnings.length],
  ];
  for (const [kind, number] of Object.entries(missingCreated) as [TableKind, number][])
    rows.push([describeCreatedRows(kind), number]);
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
  if (
    [...warnings, ...refused].some(({ reason }) => toStructuredRemark(reason).remedy === 'allow-duplicates')
  )
    notes.push(formatRemedy('allow-duplicates'));
  // In the table, only merged rows state their remedy. The remedies of all other rows are stated once, below the table.
  const shown = groupSimilarRows(refused).filter((rows) => rows.length <= MAX_UNGROUPED_REMARKS);
  for (const remedy of ['create-missing', 'act-as'] as const)
    if (shown.flat().some(({ reason }) => toStructuredRemark(reason).remedy === remedy))
      notes.push(formatRemedy(remedy));
  if (rejects && refused.length > 0)
    notes.push(`Los rechazados están en ${collapseToOneLine(rejects)}, con su motivo.`);
  return table + (notes.length > 0 ? `\n${notes.join(' ')}\n` : '');
}

const MAX_CELL_WIDTH = 40;

const shortenCell = (text: string): string => truncate(collapseToOneLine(text), MAX_CELL_WIDTH);

const collapseToOneLine = (text: string): string =>
  replaceControlCharacters(text.replace(/\s+/g, ' ').trim());
