import { expect, it } from 'vitest';
import type { TableKind } from '../../../../server/formats/tables/table.ts';
import { buildWorkbook, formatSheetRow, importText } from '../../../support/tables.ts';

const LOST = /^Excel lo convirtió en número y perdió sus dígitos: escríbelo como texto\. Da a la celda/;

const escaped = (code: string) =>
  code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Other columns that the table needs. */
const OTHERS: Partial<Record<TableKind, string[]>> = {
  payments: ['Proveedor', 'Folio', 'Importe pagado'],
  invoices: ['Proveedor', 'Folio', 'Obra', 'Subtotal'],
  cuentas: ['Proveedor', 'CLABE', 'Titular'],
  suppliers: ['Nombre', 'Contacto', 'Teléfono', 'Correo'],
};

/** Reads one number with this format in a column with this heading. */
async function read(kind: TableKind, heading: string, code: string, value: number | string) {
  const styles = `<numFmts><numFmt numFmtId="164" formatCode="${escaped(code)}"/></numFmts>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>`;
  const headings = [heading, ...OTHERS[kind]!.filter((one) => one !== heading)];
  const rows =
    formatSheetRow(1, headings) +
    formatSheetRow(2, [{ xml: `<c s="1"><v>${value}</v></c>` }, ...headings.slice(1).map(() => 1)]);
  const [row] = await importText(kind, buildWorkbook([{ rows }], { styles }));
  return { values: row!.values, reason: row!.problems[0]?.reason };
}

it.each([
  ['cuentas', 'CLABE', '000000000000000000', '12347816224868400'],
  ['cuentas', 'CLABE', '0', '12347816224868400'],
  ['cuentas', 'CLABE', 'General', '646180157000000000'],
  ['cuentas', 'CLABE', '[Red]000000000000000000', '12347816224868400'],
  ['cuentas', 'CLABE', '000000000000000000_);(000000000000000000)', '12347816224868400'],
  ['cuentas', 'CLABE', '000" "000" "00000000000" "0', '12347816224868400'],
  ['cuentas', 'Titular', '0', '1234567890123456'],
  ['payments', 'Cheque', '#,##0', '1234567890123450'],
  ['payments', 'Clave de rastreo', '"BNET"0', '2026110340014000'],
  ['payments', 'Referencia', '0000000000000000', '1000000000000000'],
  ['payments', 'Observaciones', '0', '4915123456789010'],
  ['invoices', 'Folio', '"F-"0', '1234567890123460'],
  ['invoices', 'Orden de compra', '0', '45000123456789000'],
  ['invoices', 'Proveedor', '@', '1234567890123456'],
] as const)(
  'refuses digits that a spreadsheet has lost: %s, %s as %s',
  async (kind, heading, code, value) => {
    expect((await read(kind, heading, code, value)).reason).toMatch(LOST);
  },
);

it.each([
  ['"A-"0000', 7, 'A-0007'],
  ['\\A\\-0000', 7, 'A-0007'],
  ['"A"-0000', 12, 'A-0012'],
  ['0000-00', 45, '0000-45'],
  ['0000\\-00', 12345, '0123-45'],
  ['00000', 39, '00039'],
  ['00000;-00000;;@', 39, '00039'],
  ['[Blue]000000', 7, '000007'],
  ['[$-80A]00000', 7, '00007'],
  ['0000_ ', 7, '0007'],
  ['#0000', 12, '0012'],
  ['0"-B"', 7, '7-B'],
  ['"FAC "#,##0', 12, 'FAC 12'],
  ['"N° "0', 7, 'N° 7'],
  ['"A-"General', 7, 'A-7'],
  ['0\\/0000', 72026, '7/2026'],
  ['"A-"000', 12345, 'A-12345'],
  ['000000000000000', 123456789012345, '123456789012345'],
  // Grouping and padding do not change the value.
  ['General', 7, '7'],
  ['#,##0', 1234, '1234'],
  ['$#,##0', 1234, '1234'],
  ['_-"$"* #,##0_-', 1234, '1234'],
  ['0.00E+00', 1010000000000, '1010000000000'],
  ['0', 123456789012345, '123456789012345'],
])('reads a folio in format %s as the sheet shows %s', async (code, value, shown) => {
  expect(await read('invoices', 'Folio', code, value)).toMatchObject({
    values: { numfactura: shown },
    reason: undefined,
  });
});

it('refuses a folio whose format depends on the number', async () => {
  const { reason } = await read('invoices', 'Folio', '[>999]"B-"0;"A-"0', 7);
  expect(reason).toBe('La hoja le da un formato que no se puede leer: escríbelo como texto.');
});

it.each([
  ['"A-"0000', 7, 700, null],
  ['00000', 39, 3900, null],
  ['#,##0.00" MXN"', 1160.5, 116050, null],
  ['"día "0.00', 35624.1776, 3562418, null],
  ['[$USD] #,##0.00', 100, 10000, 'USD'],
  ['#,##0.00 [$€-1]', 100.5, 10050, 'EUR'],
  ['"US$"#,##0.00', 100, 10000, 'USD'],
  ['#,##0.00_);(#,##0.00)', 100, 10000, null],
  ['$#,##0.00;-$#,##0.00', 100, 10000, null],
])('reads an amount in format %s as the number that is stored', async (code, value, cents, moneda) => {
  const { values, reason } = await read('invoices', 'Subtotal', code, value);
  expect([values.subtotal, values.moneda, reason]).toEqual([cents, moneda, undefined]);
});

it.each(['-0.00', '"("0.00")"', '0.00"-"'])(
  'refuses an amount whose sign depends on its format: %s',
  async (code) => {
    const { reason } = await read('invoices', 'Subtotal', code, 100);
    expect(reason).toMatch(/^La hoja lo muestra como «.+» y guarda 100: quítale el formato\.$/);
  },
);

it('reads other fields as they are shown', async () => {
  expect(await read('suppliers', 'Días de crédito', '0" días"', 30)).toMatchObject({
    values: { diascredito: 30 },
  });
  expect(await read('invoices', 'Fecha', '0000-00-00', 20261103)).toMatchObject({
    values: { fechaemision: '2026-11-03' },
  });
  expect(await read('suppliers', 'Teléfono', '[<=9999999]###-####;(##) ####-####', 5512345678)).toMatchObject(
    { values: { suppliercontactphone: '5512345678' } },
  );
});
