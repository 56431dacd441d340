/** Columns set side by side for a terminal; `alignEnd` names those of figures. Ends with a line break. */
export function formatTable(
  headings: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  alignEnd: ReadonlySet<number> = new Set(),
): string {
  const all = [headings, ...rows].map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')));
  const widths = headings.map((_, index) => Math.max(...all.map((row) => [...(row[index] ?? '')].length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => pad(cell, widths[index] ?? 0, alignEnd.has(index)))
      .join('  ')
      .trimEnd();
  const [first, ...rest] = all;
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return `${[line(first ?? []), rule, ...rest.map(line)].join('\n')}\n`;
}

function pad(cell: string, width: number, end: boolean): string {
  const blank = ' '.repeat(Math.max(0, width - [...cell].length));
  return end ? blank + cell : cell + blank;
}
