import { describe, expect, test } from 'vitest';
import { type PickerSpec, rowName } from '../../islands/pickers/picker.ts';
import { cellText, readPage, searchAddress } from '../../islands/pickers/pickerPage.ts';

const invoices: PickerSpec = {
  title: 'Seleccionar factura',
  searchUrl: '/api/facturaproveedores/search/',
  filterParam: 'numfactura',
  filterLabel: 'Número de factura',
  sortOptions: [{ value: 'id', label: 'ID' }],
  columns: [],
  nameKey: 'numfactura',
};

describe("a picker's search", () => {
  test('asks for what is typed, in the chosen order, a page at a time', () => {
    const query = { text: 'A 1&b', sortfield: 'total', descending: true };
    expect(searchAddress(invoices, query)).toBe(
      '/api/facturaproveedores/search/?numfactura=A+1%26b&sortfield=total&sorttype=DESC&limit=50',
    );
  });

  test('leaves an empty filter out and keeps the parameters of its own address', () => {
    const spec = { ...invoices, searchUrl: '/api/facturaproveedores/search/?supplierId=3' };
    expect(searchAddress(spec, { text: '', sortfield: 'id', descending: false })).toBe(
      '/api/facturaproveedores/search/?supplierId=3&sortfield=id&sorttype=ASC&limit=50',
    );
  });

  test('reads how many there are and where the next ones stand', async () => {
    const headers = {
      Link: '</api/suppliers/search/?limit=50&cursor=50>; rel="next"',
      'X-Total-Count': '120',
    };
    expect(await readPage(Response.json([{ id: 1 }], { headers }))).toEqual({
      rows: [{ id: 1 }],
      total: 120,
      next: '/api/suppliers/search/?limit=50&cursor=50',
    });
    expect(await readPage(Response.json([]))).toEqual({ rows: [], total: undefined, next: undefined });
  });
});

describe("a picker's cells", () => {
  const row = {
    id: 7,
    numfactura: '',
    total: 1160.5,
    fechavencimiento: '2026-11-20T00:00:00.000Z',
    supplier: { suppliername: 'Aceros Tepeyac' },
  };

  test('show money, dates and members inside members', () => {
    expect(cellText(row, { key: 'total', label: '', format: 'money' })).toBe('$1,160.50');
    expect(cellText(row, { key: 'fechavencimiento', label: '', format: 'date' })).toBe('Fri, 20 Nov 2026');
    expect(cellText(row, { key: 'supplier.suppliername', label: '' })).toBe('Aceros Tepeyac');
    expect(cellText(row, { key: 'job.jobtitle', label: '' })).toBe('');
  });

  test('a row without a name goes by its number', () => {
    expect(rowName(row, invoices)).toBe('#7');
    expect(rowName({ ...row, numfactura: 'A-1' }, invoices)).toBe('A-1');
  });
});
