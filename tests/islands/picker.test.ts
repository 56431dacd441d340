import { afterEach, describe, expect, test, vi } from 'vitest';
import { newIdempotencyKey, sendCreation } from '../../islands/pickers/PickerCreate.tsx';
import { buildSuggestUrl, type PickerSpec, rowName } from '../../islands/pickers/picker.ts';
import { buildSearchUrl, cellText, readPickerPage } from '../../islands/pickers/pickerPage.ts';

const invoices: PickerSpec = {
  title: 'Seleccionar factura',
  searchUrl: '/api/facturaproveedores/search/',
  suggestUrl: '/api/facturaproveedores/suggest/',
  detailColumns: [],
  filterParam: 'numfactura',
  filterLabel: 'Número de factura',
  sortOptions: [{ value: 'id', label: 'ID' }],
  columns: [],
  nameKey: 'numfactura',
};

const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

describe("a picker's search", () => {
  test('asks for what is typed, in the chosen order, a page at a time', () => {
    const form = formOf({ numfactura: ' A 1&b ', sortfield: 'total', sorttype: 'DESC' });
    expect(buildSearchUrl(invoices, form)).toBe(
      '/api/facturaproveedores/search/?numfactura=A+1%26b&sortfield=total&sorttype=DESC&limit=50',
    );
  });

  test('leaves an empty filter out and keeps the parameters of its own address', () => {
    const spec = { ...invoices, searchUrl: '/api/facturaproveedores/search/?supplierId=3' };
    expect(buildSearchUrl(spec, formOf({ numfactura: '', sortfield: 'id' }))).toBe(
      '/api/facturaproveedores/search/?supplierId=3&sortfield=id&sorttype=ASC&limit=50',
    );
  });

  test('reads how many rows there are and where the next ones are', async () => {
    const headers = {
      Link: '</api/suppliers/search/?limit=50&cursor=50>; rel="next"',
      'X-Total-Count': '120',
    };
    expect(await readPickerPage(Response.json([{ id: 1 }], { headers }))).toEqual({
      rows: [{ id: 1 }],
      total: 120,
      next: '/api/suppliers/search/?limit=50&cursor=50',
    });
    expect(await readPickerPage(Response.json([]))).toEqual({ rows: [], total: undefined, next: undefined });
  });
});

test('a picker asks for suggestions with the literal text, and for the first rows if nothing is typed', () => {
  expect(buildSuggestUrl(invoices, ' A 1&b ')).toBe('/api/facturaproveedores/suggest/?text=A+1%26b');
  expect(buildSuggestUrl(invoices, ' ')).toBe('/api/facturaproveedores/suggest/?');
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
    const pending = { key: 'pending', label: '', format: 'pending' } as const;
    expect(cellText({ ...row, totalamountpaid: 160.5 }, pending)).toBe('$1,000.00');
    expect(cellText({ ...row, totalamountpaid: 1160.5 }, pending)).toBe('Pagada');
  });

  test('show a number for a row without a name', () => {
    expect(rowName(row, invoices)).toBe('#7');
    expect(rowName({ ...row, numfactura: 'A-1' }, invoices)).toBe('A-1');
  });
});

describe('the creation form of a picker', () => {
  const ask = vi.fn<typeof fetch>();
  const send = () => sendCreation('/api/suppliers/newsupplier', 'k1', { suppliername: 'Aceros' });

  afterEach(() => {
    vi.unstubAllGlobals();
    ask.mockReset();
  });

  const answering = (answer: () => Response | Promise<never>) => {
    ask.mockImplementation(async () => answer());
    vi.stubGlobal('fetch', ask);
  };

  test.each([
    {
      answer: () => Response.json({ message: 'Falta.', fields: { rfc: 'No.' } }, { status: 422 }),
      refused: { message: 'Falta.', fields: { rfc: 'No.' } },
    },
    {
      answer: () => Response.json({ message: 'Ya sirvió.', code: 'idempotency_key_reused' }, { status: 409 }),
      refused: { message: 'Ya sirvió.', isKeyUsed: true },
    },
    {
      answer: () => Response.json({ message: 'Inicia sesión.' }, { status: 401 }),
      refused: {
        message: 'Tu sesión terminó. Inicia sesión en otra pestaña y guarda de nuevo.',
        needsSignIn: true,
      },
    },
    {
      answer: () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
      refused: { message: 'Ocurrió un error. Intenta de nuevo.', fields: {} },
    },
    {
      answer: () => Promise.reject(new TypeError('Failed to fetch')),
      refused: { message: 'No hay conexión con el servidor. Lo escrito sigue aquí: intenta de nuevo.' },
    },
    {
      answer: () => Promise.reject(new DOMException('signal timed out', 'TimeoutError')),
      refused: { message: 'El servidor tarda demasiado. Lo escrito sigue aquí: intenta de nuevo.' },
    },
  ])('reports a refusal instead of failing: $refused.message', async ({ answer, refused }) => {
    answering(answer);
    expect(await send()).toMatchObject(refused);
  });

  test('creates a key that the API accepts and that no other form has', () => {
    const keys = new Set(Array.from({ length: 100 }, newIdempotencyKey));
    expect(keys.size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});
