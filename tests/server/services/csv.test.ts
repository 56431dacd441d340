import { expect, it } from 'vitest';
import { neutralizeFormula, writeCsv } from '../../../server/services/csv.ts';

it('a sheet is RFC 4180 with a byte order mark, figures plain', () => {
  expect(
    writeCsv(
      ['Proveedor', 'Total'],
      [
        ['a "b", c', { cents: -116_050 }],
        ['línea\n2', 7],
        ['', null],
      ],
    ),
  ).toBe('\ufeffProveedor,Total\r\n"a ""b"", c",-1160.50\r\n"línea\n2",7\r\n,\r\n');
});

it('text that a spreadsheet would run as a formula is defused', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\rx', '＝1', '＋1', '－1', '＠x', ' =1']) {
    expect(neutralizeFormula(text)).toBe(`'${text}`);
  }
  for (const text of ['A-1', '1160.50', '', 'Torre = 2', "'x"]) expect(neutralizeFormula(text)).toBe(text);
});
