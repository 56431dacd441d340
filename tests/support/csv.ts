/** Reads a CSV file as a strict reader does (RFC 4180, byte order mark, CRLF); returns the rows by heading. */
export async function readCsv(response: Response | Promise<Response>): Promise<{
  headings: string[];
  rows: Record<string, string>[];
}> {
  const bytes = new Uint8Array(await (await response).arrayBuffer());
  return parseCsv(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}

export function parseCsv(text: string): { headings: string[]; rows: Record<string, string>[] } {
  if (!text.startsWith('\ufeff')) throw new Error('no byte order mark');
  if (!text.endsWith('\r\n')) throw new Error('the last line does not end');
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  for (cell.lastIndex = 1; cell.lastIndex < text.length; ) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) throw new Error(`not a cell: ${JSON.stringify(text.slice(at, at + 60))}`);
    line.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    lines.push(line);
    line = [];
  }
  const [headings = [], ...rows] = lines;
  for (const row of rows)
    if (row.length !== headings.length) throw new Error(`not ${headings.length} cells: ${row}`);
  return {
    headings,
    rows: rows.map((row) => Object.fromEntries(headings.map((name, index) => [name, row[index] ?? '']))),
  };
}
