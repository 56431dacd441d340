/**
 * Sets columns side by side for a terminal; `alignEnd` names those of figures, `notes` stand under the
 * headings.
 */
export function formatTable(
  headings: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  alignEnd: ReadonlySet<number> = new Set(),
  notes: readonly string[] = [],
): string {
  const heads = notes.some(Boolean) ? [headings, notes] : [headings];
  const body = rows.map((row) => row.map(onOneLine));
  const all = [...heads, ...body];
  const widths = headings.map((_, index) => Math.max(...all.map((row) => [...(row[index] ?? '')].length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => pad(cell, widths[index] ?? 0, alignEnd.has(index)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return `${[...heads.map(line), rule, ...body.map(line)].join('\n')}\n`;
}

/** Leading blanks may be meant. */
const onOneLine = (cell: string): string => cell.replace(/(?<=\S)\s+(?=\S)/g, ' ').replace(/[\r\n\t]/g, ' ');

function pad(cell: string, width: number, end: boolean): string {
  const blank = ' '.repeat(Math.max(0, width - [...cell].length));
  return end ? blank + cell : cell + blank;
}
