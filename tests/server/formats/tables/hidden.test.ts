import { describe, expect, it } from 'vitest';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import { describeHiddenRowsAndColumns } from '../../../../server/formats/tables/table.ts';
import { buildWorkbook, formatSheetRow, readTableBytes } from '../../../support/tables.ts';

const HEAD = formatSheetRow(1, ['Proveedor', 'Folio', 'Obra', 'Subtotal', 'IVA']);
const row = (line: number, attributes = '') =>
  formatSheetRow(line, ['Aceros', `F-${line}`, 'Torre', 100, 16]).replace('<row', `<row ${attributes}`);

/** Reads a sheet of two rows, the second with these attributes: returns the data lines and the notes. */
async function read(attributes: string, hidden?: 'skip', before?: string) {
  const table = await readTableBytes(buildWorkbook([{ before, rows: HEAD + row(2) + row(3, attributes) }]), {
    kind: 'invoices',
    hidden,
  });
  const plan = planTable(table, 'invoices');
  return {
    lines: table.rows.map(({ line }) => line),
    remarks: describeHiddenRowsAndColumns(table, plan),
    plan,
    table,
  };
}

describe('hidden cells of a sheet', () => {
  it.each([
    'hidden="1"',
    'hidden="true"',
    // LibreOffice
    'hidden="true" customHeight="false" ht="12.8" collapsed="false"',
    // a closed group
    'hidden="1" outlineLevel="1"',
    'hidden="1" outlineLevel="3" collapsed="1"',
    'ht="0" customHeight="1"',
    'spans="1:5" hidden="1"',
  ])('are counted as rows, and left out if asked to: %s', async (attributes) => {
    expect(await read(attributes)).toMatchObject({
      lines: [2, 3],
      remarks: ['1 renglón oculto, que también se importa'],
    });
    const { lines, remarks, table } = await read(attributes, 'skip');
    expect([lines, remarks]).toEqual([[2], ['1 renglón oculto, que se deja fuera']]);
    expect(table.skipped).toEqual([{ line: 3, why: 'hidden' }]);
  });

  it.each(['', 'hidden="0"', 'hidden="false"', 'outlineLevel="1"', 'collapsed="1"', 'ht="15"'])(
    'do not count in a visible row: %s',
    async (attributes) => {
      expect(await read(attributes, 'skip')).toMatchObject({ lines: [2, 3], remarks: [] });
    },
  );

  it.each([
    ['<cols><col min="3" max="3" hidden="1"/></cols>', '1 columna oculta, que también se lee', ['Obra']],
    [
      '<cols><col min="4" max="5" width="0"/></cols>',
      '2 columnas ocultas, que también se leen',
      ['Subtotal', 'IVA'],
    ],
    [
      '<cols><col min="5" max="16384" hidden="true"/></cols>',
      '1 columna oculta, que también se lee',
      ['IVA'],
    ],
  ])('are named as columns: %s', async (before, remarks, headings) => {
    const found = await read('', undefined, before);
    expect(found.remarks).toEqual([remarks]);
    const hidden = found.plan.columns.filter(({ why }) => why.endsWith('; la hoja la oculta'));
    expect(hidden.map(({ header }) => header)).toEqual(headings);
  });

  it('are never a whole sheet that nobody has named', async () => {
    const sheets = [
      { name: 'Facturas', rows: HEAD + row(2) },
      { name: 'Muy oculta', state: 'veryHidden', rows: HEAD + row(2) + row(3) },
    ];
    const table = await readTableBytes(buildWorkbook(sheets), { kind: 'invoices' });
    expect([table.sheet, table.rows.length]).toEqual(['Facturas', 1]);
  });

  it('do not count as rows of data in a total or a blank line', async () => {
    const rows =
      HEAD + row(2) + formatSheetRow(3, ['Total', null, null, 100, 16]).replace('<row', '<row hidden="1"');
    const table = await readTableBytes(buildWorkbook([{ rows }]), { kind: 'invoices', hidden: 'skip' });
    expect(table.skipped).toEqual([{ line: 3, why: 'total' }]);
  });
});
