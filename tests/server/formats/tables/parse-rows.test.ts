import { describe, expect, it } from 'vitest';
import { writeCsv } from '../../../../server/formats/sheets/csv.ts';
import { parseRows } from '../../../../server/formats/tables/parse-rows.ts';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import type { ParsedRow, PlanOptions, TableKind } from '../../../../server/formats/tables/table.ts';
import { buildWorkbook, formatSheetRow, importText, readTableBytes } from '../../../support/tables.ts';

/** Reads one cell of a valid row; returns its value or the reason of its refusal. */
async function read(kind: TableKind, field: string, cell: string, options: PlanOptions = {}) {
  const quoted = `"${cell.replaceAll('"', '""')}"`;
  const base = BASES[kind]!;
  const headings = [...base.filter(([name]) => name !== field), [field, '']];
  const values = headings.map(([name, value]) => (name === field ? quoted : value));
  const [row] = await importText(
    kind,
    `${headings.map(([name]) => name).join(',')}\n${values.join(',')}\n`,
    options,
  );
  return resultOf(row!, field);
}

const BASES: Partial<Record<TableKind, string[][]>> = {
  invoices: [
    ['suppliername', 'Uno'],
    ['jobtitle', 'Torre'],
    ['subtotal', '100.00'],
  ],
  payments: [
    ['numfactura', 'F-1'],
    ['paymentamount', '1'],
  ],
  suppliers: [
    ['suppliername', 'Uno'],
    ['suppliercontactperson', 'Ana'],
  ],
};

const resultOf = (row: ParsedRow, field: string) =>
  row.problems.length > 0 ? row.problems.map(({ reason }) => reason).join(' ') : row.values[field];

describe('amounts', () => {
  it.each([
    ['1234.56', 123456],
    ['$1,234.56', 123456],
    [' $ 1,234.56 ', 123456],
    ['\u00a0$\u00a01,234.56\u00a0', 123456],
    ['1,234,567.8', 123456780],
    ['.5', 50],
    ['5.', 500],
    ['12.5000', 1250],
    ['MXN 1,234.50', 123450],
    ['$1,234.50 MN', 123450],
    ["1'234.50", 123450],
    ['0', 0],
    ['9,999,999,999.99', 999_999_999_999],
    ['10,000,000,000.00', 'Subtotal: no puede pasar de $9,999,999,999.99.'],
    ['1,16.00', 'No es una cantidad.'],
    ['12.345', 'Subtotal: máximo dos decimales.'],
    ['#¡VALOR!', 'La hoja muestra un error (#¡VALOR!) en lugar del dato.'],
    ['Nil', 'No es una cantidad.'],
    ['doce', 'No es una cantidad.'],
    ['1 234 567.80', 123456780],
    ['1\u202f234.50', 123450],
    ['1 2 3 4', 'No es una cantidad.'],
    ['1 000 50', 'No es una cantidad.'],
    ['$1,234.50 M.N.', 123450],
    ['1,234.50 pesos', 123450],
    ['--5', -500],
    ['$ -', 0],
    ['', null],
    ['N/A', null],
  ])('%j are read as they are written', async (text, expected) => {
    expect(await read('invoices', 'subtotal', text, { decimal: '.' })).toBe(expected);
  });

  it.each([
    ['1.234,56', 123456],
    ['169779,74', 16977974],
    ['15.808,00€', 1580800],
    ['1.234', 123400],
    ['1,234.56', 'No es una cantidad con coma decimal, como las demás de su columna.'],
  ])('%j are read with a decimal comma', async (text, expected) => {
    expect(await read('invoices', 'subtotal', text, { decimal: ',' })).toBe(expected);
  });

  it.each(['($505,539.04)', '-$505,539.04', '-505539.04', '$-505,539.04', '505,539.04-', '−505,539.04'])(
    'such as %j are negative: the rules of their list decide what that means',
    async (text) => {
      expect(await read('invoices', 'subtotal', text, { decimal: '.' })).toBe(-50_553_904);
    },
  );

  it('in pesos leave no doubt about the decimals, and state the currency of their row', async () => {
    const rows = await importText(
      'invoices',
      'Proveedor,Obra,Subtotal,Moneda\nA,T,1.234 M.N.,M.N.\nB,T,US$ 20.50,\nC,T,30.00 €,Pesos\nD,T,40.00,Dólares\nE,T,50.00 USD,Dlls.\n',
      { decimal: undefined },
    );
    expect(rows.map(({ values }) => [values.subtotal, values.moneda])).toEqual([
      [null, 'MXN'],
      [2050, 'USD'],
      [3000, 'MXN'],
      [4000, 'USD'],
      [5000, 'USD'],
    ]);
    expect(rows[2]?.problems).toEqual([
      { column: 'Subtotal', value: '30.00 €', reason: 'Dice EUR, y el renglón está en MXN.' },
    ]);
    expect(rows.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  it('may have an exchange rate next to them, with either decimal sign', async () => {
    const rows = await importText(
      'invoices',
      'Proveedor;Obra;Subtotal;Moneda;Tipo de cambio\nA;T;1,00;USD;17,1234\nA;T;1,00;USD;$ 18.5\nA;T;1,00;USD;n/a\nA;T;1,00;USD;caro\n',
    );
    expect(rows.map(({ values }) => values.tipocambio)).toEqual(['17.1234', '18.5', null, null]);
    expect(rows[3]?.problems).toMatchObject([{ reason: 'No es un tipo de cambio.' }]);
  });

  it('lose the residue of binary arithmetic, with one remark for the column, but never a third decimal', async () => {
    const rows = await importText(
      'invoices',
      'Proveedor,Obra,Subtotal,IVA\nA,T,36788.399999999994,5886.1439999\nB,T,9366.969999999999,1498.7200000000003\nC,T,-0.30000000000000004,0\nD,T,12.345,0\n',
    );
    expect(rows.map(({ values }) => [values.subtotal, values.iva])).toEqual([
      [3678840, null],
      [936697, 149872],
      [-30, 0],
      [null, 0],
    ]);
    expect(rows.map(({ warnings }) => warnings)).toEqual([
      [
        'La columna «Subtotal» trae restos de cálculo detrás de los centavos (36788.399999999994); se toma $36,788.40, y así los demás.',
      ],
      [
        'La columna «IVA» trae restos de cálculo detrás de los centavos (1498.7200000000003); se toma $1,498.72, y así los demás.',
      ],
      [],
      [],
    ]);
    const problems = rows.flatMap((row) => row.problems.map(({ reason }) => reason));
    expect(problems.filter((reason) => reason.endsWith(': máximo dos decimales.'))).toHaveLength(2);
    expect(await read('invoices', 'subtotal', '99.999999999')).toBe(10000);
    expect(await read('invoices', 'subtotal', '9999999999.999999999')).toMatch(/no puede pasar/);
  });

  it('of a workbook lose the residue of binary arithmetic, but never a third decimal', async () => {
    const read = async (number: number) => {
      const rows =
        formatSheetRow(1, ['Proveedor', 'Obra', 'Subtotal']) + formatSheetRow(2, ['Uno', 'Torre', number]);
      const [row] = await importText('invoices', buildWorkbook([{ rows }]));
      return resultOf(row!, 'subtotal');
    };
    expect(await read(68126.60000000001)).toBe(6812660);
    expect(await read(9366.969999999999)).toBe(936697);
    expect(await read(0.1 + 0.2)).toBe(30);
    expect(await read(12.345)).toBe('Subtotal: máximo dos decimales.');
  });
});

describe('rates', () => {
  it.each([
    ['16', 160000],
    ['16%', 160000],
    ['16.00 %', 160000],
    ['16,00', 160000],
    ['10.6667', 106667],
    ['0', 0],
    ['Exento', 0],
    ['Mixta', 'Mixta'],
    ['0.16', 160000],
    ['0.16%', 1600],
    ['116', 'Tasa: debe estar entre 0 y 100.'],
    ['-16', 'Tasa: debe estar entre 0 y 100.'],
    ['10.66667', 'Tasa: máximo cuatro decimales.'],
  ])('%j are percent', async (text, expected) => {
    expect(await read('invoices', 'tasa', text)).toBe(expected);
  });
});

describe('days', () => {
  it.each([
    ['05/03/2024', '2024-03-05'],
    ['5/3/24', '2024-03-05'],
    ['05-03-2024', '2024-03-05'],
    ['05.03.2024', '2024-03-05'],
    ['2024-03-05', '2024-03-05'],
    ['2024/3/5', '2024-03-05'],
    ['2015-04-08 00:00:00 GMT', '2015-04-08'],
    ['2024-03-05T23:59:59', '2024-03-05'],
    ['2024-03-05T02:30:00Z', '2024-03-04'],
    ['2024-03-05 02:30:00 GMT', '2024-03-04'],
    ['2024-03-05T23:30:00-07:00', '2024-03-06'],
    ['05/03/2024 02:30Z', '2024-03-04'],
    ['Tue, 05 Mar 2024 02:30:00 GMT', '2024-03-04'],
    ['2000-01-01T02:30:00Z', 'Emisión: 1999-12-31 está fuera de 2000 a 2099.'],
    ['05/03/2024 14:30', '2024-03-05'],
    ['05-mar-2024', '2024-03-05'],
    ['5 de marzo de 2024', '2024-03-05'],
    ['01-ene-24', '2024-01-01'],
    ['12-Aug-2024', '2024-08-12'],
    ['Fri, 20 Nov 2026', '2026-11-20'],
    ['March 5, 2024', '2024-03-05'],
    ['45356', '2024-03-05'],
    ['20240305', '2024-03-05'],
    ['5/3/79', '2079-03-05'],
    ['5/3/98', 'Emisión: 1998-03-05 está fuera de 2000 a 2099.'],
    ['s/f', 'No es una fecha.'],
    ['31/02/2024', 'La fecha 31/02/2024 no existe.'],
    ['00:00:00', 'Trae la hora sin fecha: se perdió al exportar.'],
    ['05/03/0024', 'Emisión: 0024-03-05 está fuera de 2000 a 2099.'],
    ['05/03/1924', 'Emisión: 1924-03-05 está fuera de 2000 a 2099.'],
    ['05/03/2206', 'Emisión: 2206-03-05 está fuera de 2000 a 2099.'],
    ['31/12/1999', 'Emisión: 1999-12-31 está fuera de 2000 a 2099.'],
    ['1/1/2000', '2000-01-01'],
    ['31/12/2099', '2099-12-31'],
    ['ayer', 'No es una fecha.'],
    ['05/03', 'No es una fecha.'],
    ['N/A', null],
  ])('%j are read day first', async (text, expected) => {
    expect(await read('invoices', 'fechaemision', text)).toBe(expected);
  });

  it('are read in the requested order', async () => {
    expect(await read('invoices', 'fechaemision', '03/05/2024', { dateFormat: 'mm/dd/yyyy' })).toBe(
      '2024-03-05',
    );
    expect(await read('invoices', 'fechaemision', '24/03/05', { dateFormat: 'yy/mm/dd' })).toBe('2024-03-05');
  });

  it('of a workbook in an impossible year are refused for that year', async () => {
    const day = (serial: number) => ({ xml: `<c s="1"><v>${serial}</v></c>` });
    const read = async (cell: number | { xml: string }) => {
      const rows =
        formatSheetRow(1, ['Proveedor', 'Obra', 'Subtotal', 'Fecha']) +
        formatSheetRow(2, ['Uno', 'Torre', 5, cell]);
      const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
      const [row] = await importText('invoices', buildWorkbook([{ rows }], { styles }));
      return resultOf(row!, 'fechaemision');
    };
    expect(await read(day(407_456))).toBe('Emisión: 3015-07-29 está fuera de 2000 a 2099.');
    expect(await read(day(46_000))).toBe('2025-12-09');
    expect(await read(day(3_000_000))).toBe('La hoja muestra un error (########) en lugar del dato.');
    expect(await read(407_456)).toBe('No es una fecha.');
  });

  it('are counted from 1904 if a workbook of 1904 lost their format', async () => {
    const rows =
      formatSheetRow(1, ['Proveedor', 'Obra', 'Subtotal', 'Fecha']) +
      formatSheetRow(2, ['Uno', 'Torre', 5, 44062]);
    const [row] = await importText(
      'invoices',
      buildWorkbook([{ rows }], { workbookPr: '<workbookPr date1904="1"/>' }),
    );
    expect(row?.values.fechaemision).toBe('2024-08-20');
  });
});

describe('invoice numbers', () => {
  it.each([
    ['0044/11931', '0044/11931'],
    ['1038986 - 2', '1038986 - 2'],
    ["'001 02 001", '001 02 001'],
    ['000123', '000123'],
    ['s/n', null],
    ['SN', null],
    ['Sin número', null],
    ['SIN NO. DE FACTURA', null],
    ['s/folio', null],
    ['no tiene', null],
    ['No number', null],
    ['SN-1', 'SN-1'],
    ['Sinaloa', 'Sinaloa'],
    ['1.01E+12', /perdió sus dígitos/],
    ['1,23E+05', /perdió sus dígitos/],
    ['5E10', '5E10'],
    [' F\u00a0 12 ', 'F 12'],
    ['x'.repeat(101), 'x'.repeat(101)],
  ])('%j lose nothing without a remark', async (text, expected) => {
    const result = await read('invoices', 'numfactura', text);
    if (expected instanceof RegExp) expect(result).toMatch(expected);
    else expect(result).toBe(expected);
  });

  it('from a column for the serie and one for the folio are joined', async () => {
    const rows = await importText(
      'invoices',
      'Proveedor,Obra,Subtotal,Serie,Folio\nA,T,1,A,12\nA,T,1,,12\nA,T,1,FE,\nA,T,1,A,A-12\nA,T,1,a,A 12\nA,T,1,1,123\nA,T,1,A,AB-1\n',
    );
    expect(rows.map(({ values }) => [values.numfactura, values.serie])).toEqual(
      ['A-12', '12', 'FE', 'A-12', 'A 12', '1-123', 'A-AB-1'].map((number) => [number, null]),
    );
    const [paid] = await importText('payments', 'Serie,Folio,Importe pagado\nA,12,5\n');
    expect(paid?.values.numfactura).toBe('A-12');
  });

  it('that a workbook holds as numbers or days become texts, or are refused', async () => {
    const read = async (cell: number | { xml: string }) => {
      const rows =
        formatSheetRow(1, ['Proveedor', 'Obra', 'Subtotal', 'Folio']) +
        formatSheetRow(2, ['Uno', 'Torre', 5, cell]);
      const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
      const [row] = await importText('invoices', buildWorkbook([{ rows }], { styles }));
      return resultOf(row!, 'numfactura');
    };
    expect(await read(21265)).toBe('21265');
    expect(await read(1.01e15)).toMatch(/perdió sus dígitos/);
    expect(await read({ xml: '<c s="1"><v>45356</v></c>' })).toMatch(/se perdió el número/);
  });
});

describe('other cells', () => {
  it.each<[TableKind, string, string, unknown]>([
    ['suppliers', 'rfc', ' ass-990417-ua0 ', 'ASS990417UA0'],
    ['suppliers', 'rfc', 'L&O950913MSA', 'L&O950913MSA'],
    ['suppliers', 'rfc', 'XAXX010101000', 'XAXX010101000'],
    ['suppliers', 'rfc', 'abc.123', 'ABC123'],
    ['suppliers', 'suppliercontactemail', 'ana@ejemplo.test', 'ana@ejemplo.test'],
    ['suppliers', 'suppliercontactphone', '(55) 0000-1001 ext. 12', '(55) 0000-1001 ext. 12'],
    ['suppliers', 'diascredito', '30 días', 30],
    ['suppliers', 'diascredito', 'muchos', 'No es un número entero.'],
    ['suppliers', 'suppliername', 'A\u00a0 &\nB ', 'A & B'],
    ['suppliers', 'suppliername', "'t Hooft", "'t Hooft"],
    ['suppliers', 'suppliername', 'a\u0007b', 'Nombre: tiene caracteres no permitidos.'],
    ['suppliers', 'suppliername', 'TOTAL GENERAL', 'Parece un renglón de totales, no un registro.'],
    ['suppliers', 'suppliercontactperson', '-', null],
    ['invoices', 'uuid', '{aaaaaaaa-1111-4222-8333-bbbbbbbbbbbb}', 'AAAAAAAA-1111-4222-8333-BBBBBBBBBBBB'],
    ['invoices', 'uuid', 'A-1', 'No tiene la forma de un UUID (folio fiscal).'],
    ['invoices', 'metodopago', 'PPD Pago en parcialidades', 'PPD'],
    ['invoices', 'comments', 'línea 1\r\nlínea 2', 'línea 1\nlínea 2'],
    ['invoices', 'nombrerubro', '#REF!', 'La hoja muestra un error (#REF!) en lugar del dato.'],
    ['payments', 'paymentamount', '(50.00)', -5000],
    ['payments', 'kind', 'Nota de crédito', 'credito'],
    ['payments', 'kind', 'Transferencia', 'pago'],
  ])('of %s, %s: %j', async (kind, field, text, expected) => {
    expect(await read(kind, field, text)).toBe(expected);
  });

  it('cause a warning for an invalid RFC if the name is sufficient', async () => {
    const [row] = await importText('invoices', 'Proveedor,RFC,Obra,Subtotal\nUno,ABC123,Torre,5\n');
    expect(row).toMatchObject({
      problems: [],
      values: { rfc: null },
      warnings: [expect.stringContaining('ABC123')],
    });
  });

  it('are null if the row is shorter than the headings', async () => {
    const [row] = await importText('budgets', 'Rubro,Obra,Presupuesto\nAcero\n');
    expect([row?.problems, row?.values.jobtitle, row?.values.presupuesto]).toEqual([[], null, null]);
    expect(row?.raw).toEqual(['Acero']);
  });

  it.each([
    ['Crédito', 'credito'],
    ['Nota de crédito', 'credito'],
    ['NOTA CREDITO', 'credito'],
    ['N. de C.', 'credito'],
    ['N/C', 'credito'],
    ['Pago', 'pago'],
    ['Transferencia', 'pago'],
    ['Anticipo', 'pago'],
  ])('classify %j of a payment as a %s', async (text, kind) => {
    expect(await read('payments', 'kind', text)).toBe(kind);
  });

  it('are the same for every row if --set gives them, and are read like any other', async () => {
    const rows = await importText('invoices', 'Proveedor,Subtotal\nUno,5\nDos,6\n', {
      set: { jobtitle: ' Torre  Norte ', fechaemision: '05/03/2024', tasa: '8' },
    });
    for (const { values } of rows)
      expect(values).toMatchObject({ jobtitle: 'Torre Norte', fechaemision: '2024-03-05', tasa: 80000 });
    const [wrong] = await importText('invoices', 'Proveedor,Subtotal\nUno,5\n', {
      set: { jobtitle: 'Torre', fechaemision: 'ayer' },
    });
    expect(wrong?.problems).toEqual([{ column: 'Emisión', value: 'ayer', reason: 'No es una fecha.' }]);
  });
});

describe('rows whose file can be read again', () => {
  const CSV = 'Rubro,Descripción\nAcero,Varilla\nCemento,\n';
  const parse = async (again: string) => {
    const table = await readTableBytes(CSV);
    const plan = planTable(table, 'rubros');
    return { table, rows: parseRows(table, plan, () => readTableBytes(again)) };
  };

  it('drop their cells once they are parsed, and have them again to say which were refused', async () => {
    const { table, rows } = await parse(CSV);
    const parsed = [...rows];
    expect(table.rows.map(({ cells }) => cells)).toEqual([[], []]);
    await rows.readAgain?.();
    expect([...rows]).toEqual(parsed);
    expect(table.rows.map(({ cells }) => cells[0])).toEqual(['Acero', 'Cemento']);
  });

  it('are refused if the file has changed meanwhile', async () => {
    const { rows } = await parse(CSV.replace('Acero', 'Hierro'));
    expect([...rows]).toHaveLength(2);
    await expect(rows.readAgain?.()).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe('our own exports', () => {
  it('are read back unchanged, with formulas, quotes and line breaks', async () => {
    const names = ['=SUM(A1)', '+52 55', '@uno', '-5', "O'Higgins, S.A.", 'dice "hola"', 'a;b\tc'];
    const columns = [
      { name: 'nombrerubro', heading: 'Nombre', cell: (name: string) => name },
      { name: 'descripcionrubro', heading: 'Descripción', cell: (name: string) => `\t${name}\nmás` },
    ];
    const rows = await importText('rubros', await writeCsv({ columns, pages: [names] }));
    expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
    expect(rows.map(({ values }) => values.nombrerubro)).toEqual(
      names.map((name) => name.replace('\t', ' ')), // a name is one line
    );
    expect(rows[4]?.values.descripcionrubro).toBe("O'Higgins, S.A.\nmás");
  });

  it('are read without any question', async () => {
    const table = await readTableBytes('ID,Nombre,Descripción\r\n1,Acero,\r\n');
    expect(table.rows).toEqual([{ line: 2, cells: ['1', 'Acero', null] }]);
  });
});
