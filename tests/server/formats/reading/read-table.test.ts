import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { worksheetChoicesFromError } from '../../../../server/formats/reading/read-table.ts';
import type { RawTable } from '../../../../server/formats/tables/table.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { buildWorkbook, formatSheetRow, readTableBytes } from '../../../support/tables.ts';
import { buildZip } from '../../../support/zip.ts';

const HEAD = ['Proveedor', 'Folio', 'Fecha', 'Subtotal'];
const cellsOf = async (bytes: Uint8Array | string) =>
  (await readTableBytes(bytes)).rows.map(({ cells }) => cells);
const refusal = (bytes: Uint8Array | string, choice = {}) =>
  readTableBytes(bytes, choice).then(
    () => 'it was read',
    (error: Error) => error.message,
  );

describe('a text file', () => {
  const text = 'Proveedor;Importe\r\nPeña y Ñandú;1,50\r\n';

  it.each([
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['Windows-1252', Buffer.from(text, 'latin1'), 'windows-1252'],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 without one', Buffer.from(text, 'utf16le'), 'utf-16le'],
    ['big-endian UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16be'],
    ['big-endian UTF-16 without a mark', Buffer.from(text, 'utf16le').swap16(), 'utf-16be'],
  ])('is read in %s', async (_, bytes, encoding) => {
    const table = await readTableBytes(bytes);
    expect(table).toMatchObject({ format: 'csv', encoding, delimiter: ';' });
    expect(table.header).toEqual({ line: 1, names: ['Proveedor', 'Importe'] });
    expect(table.rows).toEqual([{ line: 2, cells: ['Peña y Ñandú', '1,50'] }]);
  });

  it.each([
    [',', 'Proveedor,Importe\n"Uno, S.A.",5\n"Dos, S.A.",6\n'],
    [';', 'Proveedor;Importe\nUno, S.A. de C.V.;5,00\nDos, S.A. de C.V.;6,00\n'],
    ['\t', 'Proveedor\tImporte\nUno, S.A.\t5\nDos; S.A.\t6\n'],
    ['|', 'Proveedor|Importe\nUno, S.A.|5\nDos, S.A.|6\n'],
    [';', 'sep=;\nProveedor;Importe\nUno,5;3\n'],
  ])('is split at %j', async (delimiter, written) => {
    const table = await readTableBytes(written);
    expect(table.delimiter).toBe(delimiter);
    expect(table.header.names).toEqual(['Proveedor', 'Importe']);
  });

  it('gives each record the line at which it starts, whatever line breaks its cells contain', async () => {
    const table = await readTableBytes(
      'Proveedor,Notas\r\n"Uno","a\r\nb\r\nc"\r\n\r\nDos,"x ""y"""\r\n"Tres",z',
    );
    expect(table.rows).toEqual([
      { line: 2, cells: ['Uno', 'a\nb\nc'] },
      { line: 6, cells: ['Dos', 'x "y"'] },
      { line: 7, cells: ['Tres', 'z'] },
    ]);
    expect(table.skipped).toEqual([{ line: 5, why: 'blank' }]);
  });

  it('yields the same rows however long it is, and wherever its chunks end', async () => {
    const cells = (n: number) => [
      `Peña "${n}", S.A.`,
      n % 7 === 0 ? `uno\r\ndos ${n}` : `á${n}`,
      'x'.repeat(n % 90),
    ];
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = Array.from({ length: 20_000 }, (_, n) => cells(n).map(quoted).join(';'));
    const table = await readTableBytes(`Proveedor;Notas;Obra\r\n${lines.join('\r\n')}\r\n`);
    let line = 2;
    const expected = Array.from({ length: 20_000 }, (_, n) => {
      const [name, notes, job] = cells(n);
      const row = { line, cells: [name, notes!.replace('\r', ''), job || null] };
      line += n % 7 === 0 ? 2 : 1;
      return row;
    });
    expect(table.rows).toEqual(expected);
  });

  it('names the line of a quote that is never closed, however much follows', async () => {
    const rest = 'Uno,1\n'.repeat(300_000);
    expect(await refusal(`Proveedor,Importe\nCero,1\nDos,"2\n${rest}`)).toBe(
      'El registro de la línea 3 abre comillas que no se cierran.',
    );
  });

  it('keeps rows that are wider or narrower than the headings', async () => {
    expect(await cellsOf('Proveedor,Importe,Fecha\nUno\nDos,1,2,3,#N/A\n')).toEqual([
      ['Uno'],
      ['Dos', '1', '2', '3', '#N/A'],
    ]);
  });

  it.each([
    ['an open quote', 'Proveedor,Importe\nUno,1\n"Dos,2\nTres,3\n', /línea 3 abre comillas/],
    [
      'a quote after a quoted cell',
      'Proveedor,Importe\n"Tubo" PVC,1\n',
      /línea 2 tiene comillas mal puestas/,
    ],
    ['nothing', '', 'El archivo está vacío.'],
    ['blanks', ' \n\n', 'El archivo está vacío.'],
    ['a PDF', '%PDF-1.7\n...', /PDF/],
    ['a page', '<!DOCTYPE html><table>', /HTML/],
    ['an XML', '<?xml version="1.0"?><a/>', /^Es un XML, no una tabla/],
    [
      'a sheet of Excel in XML',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet/></Workbook>',
      /^Es una hoja de Excel en XML \(\.xls\): ábrela en Excel y guárdala como \.xlsx\./,
    ],
    ['an image', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /imagen/],
    ['an old workbook', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), /guárdalo como \.xlsx/],
    [
      'a mixture of two encodings',
      Buffer.concat([Buffer.from('á,é\ní,ó\nú,ñ\n'), Buffer.from('Pe\xf1a,1\n', 'latin1')]),
      /línea 4/,
    ],
    ['noise', Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 31)), /no es de texto/],
    ['too many columns', `Proveedor\n${'a,'.repeat(300)}b\n`, /columna 200, el límite \(línea 2\)/],
    ['only figures', '1,2\n3,4\n', /encabezados/],
    [
      'too many rows',
      `Proveedor\n${'Cementos\n'.repeat(100_007)}`,
      /pasa de 100,000 renglones, el límite \(tiene 100,007\)\. Divídela/,
    ],
    [
      'too many rows, each of two lines, below a line that states the delimiter',
      `sep=,\nProveedor\n${'"Cementos\ny ""morteros"""\n'.repeat(100_007)}`,
      /pasa de 100,000 renglones, el límite \(tiene 100,007\)\. Divídela/,
    ],
  ])('with %s is refused in Spanish', async (_, bytes, message) => {
    expect(await refusal(bytes)).toMatch(message);
  });
});

describe('the line of headings', () => {
  it.each([
    ['of texts over texts', 'Mat;Kust;Wert\nAcero;Torre;5\n', 1, 1],
    ['under a title', 'Lo de enero\n\nMat,Kust\nAcero,Torre\nCal,Nave\n', 3, 2],
  ])(
    'is recognised even if no heading is known, so that somebody can say what they mean: %s',
    async (_, text, line, rows) => {
      const table = await readTableBytes(text, { kind: 'invoices' });
      expect([table.header.line, table.rows.length]).toEqual([line, rows]);
    },
  );

  it('is not the first line of prose, but may be the only word above a list', async () => {
    expect(await refusal('Estimados señores\nva todo aparte\nsaludos\n')).toMatch(/encabezados/);
    expect((await readTableBytes('Mat\nAcero\nCal\n', { kind: 'rubros' })).rows).toHaveLength(2);
  });

  it('is found below titles and the query that made the file', async () => {
    const table = await readTableBytes(
      `${'sql select a; b from c\n'.repeat(12)}"Constructora, S.A.",,,\n,,,\nProveedor,Folio,Fecha,Importe\nUno,1,01/02/2024,5\n`,
    );
    expect(table.header.line).toBe(15);
    expect(table.skipped.filter(({ why }) => why === 'title')).toHaveLength(13);
    expect(table.rows).toHaveLength(1);
  });

  it('keeps names that repeat or are empty in their places', async () => {
    const { header } = await readTableBytes('Proveedor,,Total,Total,\nUno,x,1,1,2\n');
    expect(header.names).toEqual(['Proveedor', '', 'Total', 'Total', '']);
  });

  it('is distinguished from data under unknown headings by the figures below it', async () => {
    const table = await readTableBytes(
      'Informe anual\nAlfa,Beta,Gama\nuno,12,2024-01-01\ndos,13,2024-01-02\n',
    );
    expect(table.header).toEqual({ line: 2, names: ['Alfa', 'Beta', 'Gama'] });
  });

  it('is recognised above a supplier called Total Gas, whose rows may lack other cells', async () => {
    const { rows, skipped } = await readTableBytes(
      `${HEAD.join(',')}\nTotal Gas,G-1,01/02/2024,10\nTotal Gas,,,20\nTotal Norte,,,30\n`,
      { kind: 'invoices' },
    );
    expect(rows.map(({ line }) => line)).toEqual([2, 3]);
    expect(skipped).toEqual([{ line: 4, why: 'total' }]);
  });

  it('is not read as data if it is repeated, and neither are totals and notes below the table', async () => {
    const table = await readTableBytes(
      [
        'Proveedor,Folio,Fecha,Obra,Importe',
        'Total Play,1,01/02/2024,Torre,5',
        ',,Subtotal Total Play,,"$5.00"',
        'PROVEEDOR,FOLIO,FECHA,OBRA,IMPORTE',
        'Dos,2,02/02/2024,Torre,6',
        'TOTAL GENERAL,,,,"$11.00"',
        ',,,,',
        'Fuente: contabilidad,,,,',
      ].join('\n'),
    );
    expect(table.rows.map(({ line }) => line)).toEqual([2, 5]);
    expect(table.skipped).toEqual([
      { line: 3, why: 'total' },
      { line: 4, why: 'header' },
      { line: 6, why: 'total' },
      { line: 7, why: 'blank' },
      { line: 8, why: 'note' },
    ]);
  });
});

describe('a workbook', () => {
  it('yields days, texts, numbers and errors of its first sheet with their row numbers', async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Facturas');
    sheet.addRow(['Constructora']);
    sheet.mergeCells('A1:D1');
    sheet.addRow([]);
    sheet.addRow(HEAD);
    sheet.addRow([
      { richText: [{ text: 'Acero ' }, { text: 'y más', font: { bold: true } }] },
      12345,
      new Date(Date.UTC(2024, 1, 29)),
      68126.60000000001,
    ]);
    sheet.addRow([
      { text: 'Cemento', hyperlink: 'https://ejemplo.test' },
      '001',
      '31/01/2024',
      { error: '#VALUE!' },
    ]);
    sheet.addRow(['Cal', '3', new Date(Date.UTC(2024, 11, 31)), { formula: 'A1', result: 7 }]);
    sheet.getCell('D6').numFmt = '0.00';
    sheet.addRow(['Uno', null, null, { formula: 'SUM(D4:D6)' }]);
    const table = await readTableBytes(Buffer.from(await book.xlsx.writeBuffer()));
    expect(table).toMatchObject({ format: 'xlsx', sheet: 'Facturas', header: { line: 3, names: HEAD } });
    expect(table.rows).toEqual([
      { line: 4, cells: ['Acero y más', 12345, { date: '2024-02-29' }, 68126.6] },
      { line: 5, cells: ['Cemento', '001', '31/01/2024', { error: '#VALUE!' }] },
      { line: 6, cells: ['Cal', '3', { date: '2024-12-31' }, 7] },
      { line: 7, cells: ['Uno', null, null, { error: 'fórmula sin valor guardado' }] },
    ]);
  });

  const STYLES = `<numFmts><numFmt numFmtId="164" formatCode="[$-80A]dd/mm/yyyy;@"/><numFmt numFmtId="165" formatCode="00000"/><numFmt numFmtId="166" formatCode="&quot;día &quot;0.00"/></numFmts>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="9"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="21"/></cellXfs>`;
  const styled = (style: number, value: number) => ({ xml: `<c s="${style}"><v>${value}</v></c>` });

  it.each([
    ['a day', styled(1, 45356), { date: '2024-03-05' }],
    ['the first possible day', styled(1, 1), { date: '1900-01-01' }],
    ['the day after 29 February 1900, which never existed', styled(1, 61), { date: '1900-03-01' }],
    ['a day with its time', styled(1, 45356.75), { date: '2024-03-05' }],
    ['a day whose day was lost', styled(1, 0), '00:00:00'],
    ['a time', styled(5, 0.5), '12:00:00'],
    ['a percentage', styled(2, 0.16), '16%'],
    ['a percentage with a binary residue', styled(2, 0.07), '7%'],
    ['leading zeros that only the format has', styled(3, 39), { number: 39, shown: '00039' }],
    ['an amount shown with cents', styled(4, 35624.1776), { number: 35624.18, shown: 'día 35624.18' }],
    ['a number as it is', styled(0, 35624.1776), 35624.1776],
  ])('yields %s as its format shows it', async (_, cell, shown) => {
    const rows = formatSheetRow(1, HEAD) + formatSheetRow(2, ['Uno', 'F-1', null, cell]);
    const table = await readTableBytes(buildWorkbook([{ rows }], { styles: STYLES }));
    expect(table.rows[0]?.cells[3]).toEqual(shown);
  });

  it('counts days from 1904 if it says so', async () => {
    const rows = formatSheetRow(1, HEAD) + formatSheetRow(2, ['Uno', 'F-1', styled(1, 44062), 5]);
    const table = await readTableBytes(
      buildWorkbook([{ rows }], { styles: STYLES, workbookPr: '<workbookPr date1904="1"/>' }),
    );
    expect(table).toMatchObject({
      uses1904Dates: true,
      rows: [{ cells: ['Uno', 'F-1', { date: '2024-08-20' }, 5] }],
    });
  });

  it('is read with namespace prefixes, shared texts of several runs, and cells without an address', async () => {
    const data =
      '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c></x:row><x:row><x:c t="s"><x:v>2</x:v></x:c><x:c><x:v>1E3</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    const table = await readTableBytes(prefixedWorkbook(data));
    expect(table.header.names).toEqual(['Proveedor', 'Importe']);
    expect(table.rows).toEqual([{ line: 2, cells: ['A\nB', 1000] }]);
  });

  it('is read by its row numbers if its rows are in another order', async () => {
    const rows = [
      formatSheetRow(1, ['Proveedor', 'Folio']),
      formatSheetRow(4, ['Tres', '3']),
      formatSheetRow(2, ['Uno', '1']),
      formatSheetRow(3, ['Dos', '2']),
    ];
    expect(await cellsOf(buildWorkbook([{ rows: rows.join('') }]))).toEqual([
      ['Uno', '1'],
      ['Dos', '2'],
      ['Tres', '3'],
    ]);
  });

  it('repeats a name that is merged over rows, but never an amount', async () => {
    const rows =
      formatSheetRow(1, HEAD) +
      formatSheetRow(2, ['Uno', 'F-1', null, 100]) +
      formatSheetRow(3, [null, 'F-2']) +
      formatSheetRow(4, [null, 'F-3']);
    const after = '<mergeCells><mergeCell ref="A2:A4"/><mergeCell ref="D2:D4"/></mergeCells>';
    const table = await readTableBytes(buildWorkbook([{ rows, after }]));
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ['Uno', 'F-1', null, 100],
      ['Uno', 'F-2'],
      ['Uno', 'F-3'],
    ]);
  });

  const invoices = {
    name: 'Facturas',
    rows: formatSheetRow(1, [...HEAD, 'Obra', 'Total']) + formatSheetRow(2, ['Uno', 'F-1']),
  };
  const payments = {
    name: 'Pagos',
    rows:
      formatSheetRow(1, ['Cheque', 'Folio', 'Proveedor', 'Fecha de pago', 'Importe pagado']) +
      formatSheetRow(2, ['1', 'F-1']),
  };
  const decoy = {
    name: 'Catálogo',
    state: 'hidden',
    rows: formatSheetRow(1, [...HEAD, 'Obra']) + formatSheetRow(2, ['Señuelo', 'X']),
  };
  const book = buildWorkbook([decoy, invoices, payments]);

  it('is read at the visible sheet whose headings match', async () => {
    expect((await readTableBytes(book, { kind: 'invoices' })).sheet).toBe('Facturas');
    expect((await readTableBytes(book, { kind: 'payments' })).sheet).toBe('Pagos');
    const asked = await readTableBytes(book, { sheet: 'pagos' });
    expect(asked.sheet).toBe('Pagos');
    expect(asked.sheets?.map(({ name, hidden }) => [name, hidden])).toEqual([
      ['Catálogo', true],
      ['Facturas', false],
      ['Pagos', false],
    ]);
    expect((await readTableBytes(book, { sheet: 'Catálogo' })).rows[0]?.cells[0]).toBe('Señuelo');
  });

  it('asks which sheet is meant if two match equally, and names them', async () => {
    const months = buildWorkbook([{ ...invoices, name: 'Enero' }, { ...invoices, name: 'Febrero' }, decoy]);
    expect(await refusal(months, { kind: 'invoices' })).toBe(
      'El libro tiene varias hojas con datos: di cuál se importa. Tiene: «Enero», «Febrero».',
    );
    expect(await refusal(months, { sheet: 'Marzo' })).toBe(
      'El libro no tiene una hoja «Marzo». Tiene: «Enero», «Febrero», «Catálogo» (oculta).',
    );
    expect(await refusal('Proveedor,Importe\nUno,1\n', { sheet: 'Enero' })).toMatch(/no tiene hojas/);
  });

  it('lists the sheets to choose from, in their order', async () => {
    const many =
      formatSheetRow(1, [...HEAD, 'Obra', 'Total']) +
      formatSheetRow(2, ['Uno', 'F-1']) +
      formatSheetRow(5, ['Dos', 'F-2']);
    const sheets = [
      decoy,
      { name: 'Marzo', rows: many },
      { name: 'Vacía', rows: '' },
      { name: 'Abril', rows: many },
    ];
    const months = buildWorkbook(sheets);
    const choices = async (choice: Parameters<typeof readTableBytes>[1]) => {
      const error = await readTableBytes(months, choice).catch((one: unknown) => one);
      return error instanceof DomainError ? [error.code, worksheetChoicesFromError(error)] : [];
    };
    expect(await choices({ kind: 'invoices' })).toEqual([
      'ambiguous_sheet',
      [
        { name: 'Marzo', hidden: false, rows: 3 },
        { name: 'Abril', hidden: false, rows: 3 },
      ],
    ]);
    const [code, all] = await choices({ kind: 'invoices', sheet: 'Mayo' });
    expect(code).toBe('unknown_sheet');
    expect((all as NonNullable<RawTable['sheets']>).map(({ name, hidden }) => [name, hidden])).toEqual([
      ['Catálogo', true],
      ['Marzo', false],
      ['Vacía', false],
      ['Abril', false],
    ]);
  });

  it.each([
    ['a document of Word', [{ name: 'word/document.xml' }], /documento de Word/],
    ['a document of OpenDocument', [{ name: 'mimetype', data: 'x' }], /OpenDocument/],
    ['a binary workbook', [{ name: 'xl/workbook.bin' }], /\.xlsb/],
    ['any zip', [{ name: 'a.xml' }], /Es un zip/],
  ])('is distinguished from %s', async (_, entries, message) => {
    expect(await refusal(buildZip(entries))).toMatch(message);
  });
});

/** As programs other than Excel write it: prefixes, absolute targets. */
function prefixedWorkbook(sheet: string): Buffer {
  const shared =
    '<sst><si><t>Proveedor</t></si><si><r><t>Impor</t></r><r><t xml:space="preserve">te </t></r><rPh><t>x</t></rPh></si><si><t>A_x000D_\nB</t></si></sst>';
  return buildZip([
    {
      name: 'xl/workbook.xml',
      data: '<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet name="A" sheetId="1" r:id="rId1"/></x:sheets></x:workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: '<Relationships><Relationship Id="rId1" Type="http://a/worksheet" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://a/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
    },
    { name: 'xl/sharedStrings.xml', data: shared },
    { name: 'xl/worksheets/sheet1.xml', data: sheet },
  ]);
}
