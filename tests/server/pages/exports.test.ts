import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { catalogs } from '../../../shared/catalogs/all.ts';
import { formatMoney, parseMoney } from '../../../shared/money.ts';
import { type ExportFormat, exportPath, pages } from '../../../shared/urls.ts';
import { createPlaceholderEmail } from '../../../shared/users.ts';
import { routesOf } from '../../security/routes.ts';
import { createTestApp, type TestClient } from '../../support/app.ts';
import { readCsv } from '../../support/csv.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { addMixedInvoices } from '../../support/mixed-invoices.ts';
import { readPage } from '../../support/page.ts';
import { readPdf } from '../../support/pdf.ts';
import { describeOneDatabase, IS_LONG_LANE } from '../../support/proofs.ts';
import { addClient, addInvoice, addSupplier, addUser } from '../../support/rows.ts';
import { addSmallCompany } from '../../support/small-company.ts';
import { readXlsx } from '../../support/xlsx.ts';

const LISTS = [
  pages.results,
  pages.invoices,
  pages.payments,
  pages.balances,
  pages.users,
  ...catalogs.map(({ paths }) => paths.list),
];

const csvOf = (client: TestClient, list: string, query = '') =>
  readCsv(client.get(exportPath(list, 'csv') + query));

describeOneDatabase('the exports', (fresh) => {
  const fill = () => addMixedInvoices(fresh.db, 60, ['Ñandú, "Aceros" & Cía', '=cmd']);

  it('of invoices contain supplier, RFC, obra, rubro and UUID, with plain dates and amounts', async () => {
    const { client } = await fill();
    const response = await client.get('/invoices/export.csv?numfactura=F-001');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Facturas 2026-11-20.csv"; filename*=UTF-8''Facturas%202026-11-20.csv`,
    );
    const { rows } = await readCsv(response);
    expect(rows).toEqual([
      {
        ID: rows[0]?.ID,
        Factura: 'F-001',
        Contrato: '',
        UUID: '6f1b2c3d-0000-4000-8000-000000000001',
        Proveedor: "'=cmd",
        RFC: '',
        Obra: 'Torre Roble; etapa 2',
        Rubro: 'Acero',
        Emisión: '2026-10-02',
        Recepción: '',
        Vencimiento: '2026-12-02',
        'Método de pago': '',
        Subtotal: '1000.37',
        Tasa: '16',
        IVA: '160.06',
        'Otros impuestos': '0.00',
        Retenciones: '0.00',
        Total: '1160.43',
        'Moneda del CFDI': '',
        'Tipo de cambio del CFDI': '',
        Pagado: '10.01',
        Pendiente: '1150.42',
        Estado: 'Parcial',
        Observaciones: 'dos\nlíneas',
      },
    ]);
  });

  it('contain all rows, not only those of the page: the position of the page does not count', async () => {
    const { client } = await fill();
    const more = /href="[^"]*(cursor=[^"]+)"/.exec(
      (await readPage(client.get('/invoices'))).decodedHtml,
    )?.[1];
    expect((await csvOf(client, pages.invoices, `?${more}`)).rows).toHaveLength(60);
    const { links } = await readPage(client.get(`/invoices?sortfield=total&sorttype=DESC`));
    expect(links(/^Exportar (PDF|Excel)$/)).toEqual(['/invoices/export.pdf?sortfield=total&sorttype=DESC']);
    expect(links('CSV')).toEqual(['/invoices/export.csv?sortfield=total&sorttype=DESC']);
    const later = await readPage(client.get(`/invoices?${more}`));
    expect(later.links(/^Exportar (PDF|Excel)$/)).toEqual(['/invoices/export.pdf']);
  });

  it.each(catalogs.map((catalog) => [catalog.texts.list, catalog] as const))(
    'of %s contain every field of what the filter finds, in the order of the list',
    async (_, catalog) => {
      const { db } = fresh;
      const names = ['Ñandú', 'ábaco', 'Zeta', '+52', 'Ábside, B'];
      const client = await createTestApp({ db }).as(2);
      if (catalog.fields.some(({ ref }) => ref)) await addClient(db); // whom the example refers to
      const { schema, nameField, paths } = catalog;
      for (const name of names) {
        const row = { ...schema.example, [nameField]: name };
        expect((await client.post(paths.api + paths.apiCreate, row)).status).toBe(201);
      }
      const nameLabel = catalog.fields.find(({ name }) => name === catalog.nameField)?.label ?? '';
      for (const query of [
        '',
        '?sorttype=DESC',
        `?sortfield=${catalog.nameField}`,
        `?${catalog.nameField}=a`,
      ]) {
        const { headings, rows } = await csvOf(client, catalog.paths.list, query);
        const list = await readPage(client.get(catalog.paths.list + query));
        expect(new Set(headings)).toEqual(new Set(['ID', ...catalog.fields.map(({ label }) => label)]));
        expect(
          rows.map((row) => row.ID),
          query,
        ).toEqual(list.rows.map((cells) => cells[0]));
        expect(rows.map((row) => row[nameLabel]?.replace(/^'/, ''))).toEqual(
          list.rows.map((cells) => cells[1]),
        );
      }
      const answer = await client.get(exportPath(catalog.paths.list, 'csv'));
      expect(answer.headers.get('content-disposition')).toContain(`"${catalog.texts.list} 2026-11-20.csv"`);
    },
  );

  it('of users contain names and roles, and neither passwords nor internal addresses', async () => {
    const { db } = fresh;
    await addUser(db, { username: 'ana', roles: [1, 3], password: 'hash-secreto' });
    await addUser(db, { username: 'beto', roles: [2], email: createPlaceholderEmail('beto'), active: false });
    const client = await createTestApp({ db }).as({
      ...(await addUser(db, { username: 'caro', roles: [3] })),
    });
    const text = await (await client.get('/admin-users/export.csv')).text();
    expect(text).not.toMatch(/invalid|hash-secreto|password|contraseña/i);
    const { rows } = await csvOf(client, pages.users, '?sortfield=username&sorttype=DESC');
    expect(rows.map((row) => [row.Usuario, row.Correo, row['Números de rol'], row.Acceso])).toEqual([
      ['caro', 'caro@saldo.test', '3', 'Activo'],
      ['beto', '', '2', 'Desactivado'],
      ['ana', 'ana@saldo.test', '1 3', 'Activo'],
    ]);
    expect((await csvOf(client, pages.users, '?username=BET')).rows).toHaveLength(1);
  });

  it('of the results have the figures of the page, by rubro, with their total', async () => {
    const { client, jobId } = await fill();
    for (const query of ['?desde=2026-11-01&hasta=2026-11-30', '?rubroId=0', '', `?jobId=${jobId}`]) {
      const { headings, rows } = await csvOf(client, pages.results, query);
      const spent = async (iva: string) => {
        const { decodedHtml } = await readPage(client.get(`/?${query.slice(1)}&iva=${iva}`));
        return /<span class="label">Gastado.*?class="money">([^<]*)/s.exec(decodedHtml)?.[1];
      };
      const total = rows.find((row) => row.Obra === 'Total');
      expect(formatMoney(parseMoney(total?.['Costo sin IVA'], ''))).toBe(await spent('sin'));
      expect(formatMoney(parseMoney(total?.['Total con IVA'], ''))).toBe(await spent('con'));
      const rubros = headings.slice(3);
      for (const row of rows) {
        const cents = rubros.reduce((all, name) => all + parseMoney(row[name], name), 0);
        expect(cents).toBe(parseMoney(row['Costo sin IVA'], ''));
      }
    }
    const answer = await client.get('/export.csv?desde=2026-11-01&hasta=2026-11-30');
    expect(answer.headers.get('content-disposition')).toContain('Resultados 2026-11-01 a 2026-11-30.csv');
  });

  it('of the results state next to the total what has no issue date', async () => {
    await addInvoice(fresh.db, { fechaemision: '2026-11-10' });
    await addInvoice(fresh.db, { subtotalCents: 5_000 });
    const { rows } = await csvOf(await createTestApp({ db: fresh.db }).as(1), pages.results);
    expect(rows.slice(-2)).toMatchObject([
      { Obra: 'Total', 'Costo sin IVA': '1000.00' },
      { Obra: 'Sin fecha de emisión, fuera del total (1)', 'Costo sin IVA': '50.00' },
    ]);
  });
});

describe('an export', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is linked from its list, even from an empty one', async () => {
    const client = await createTestApp({ db: fresh.db }).as([1, 3]);
    for (const list of LISTS) {
      const page = await readPage(client.get(list));
      const [link, ...others] = page.links(/^Exportar (PDF|Excel)$/);
      expect(others, list).toEqual([]);
      expect(link, list).toBe(
        exportPath(list, list === pages.invoices || list === pages.balances ? 'pdf' : 'xlsx'),
      );
      expect(page.decodedHtml, list).toMatch(
        /<a(?=[^>]*data-follow-filter)[^>]*>(?:<svg.*?<\/svg>)?(?:<span[^>]*>)*Exportar </,
      );
    }
  });

  it('with an unreadable filter is a page that says so and leads back, not half a file', async () => {
    const client = await createTestApp({ db: fresh.db }).as([1, 3]);
    const wrong: [path: string, status: number, message: string][] = [
      ['/invoices/export.csv?status=pagadas', 400, 'Estado'],
      ['/invoices/export.pdf?corte=ayer', 400, 'Corte: no es una fecha (AAAA-MM-DD).'],
      ['/invoices/export.csv?suppliername=nadie', 422, 'No existe el proveedor «nadie».'],
      ['/pagos-proveedores/export.csv?sortfield=nada', 400, 'sortfield'],
      ['/suppliers/export.csv?sorttype=arriba', 400, 'sorttype'],
      ['/admin-users/export.csv?sortfield=password', 400, 'sortfield'],
      ['/export.csv?desde=2026-12-01&hasta=2026-01-01', 400, 'El periodo termina antes de empezar'],
      ['/reporte-saldos/export.csv?weeknum=53&yr=2025', 400, 'El año 2025 no tiene una semana 53.'],
    ];
    for (const [path, status, message] of wrong) {
      const response = await client.get(path);
      expect(response.headers.get('content-disposition'), path).toBeNull();
      const page = await readPage(response);
      expect(page.status, path).toBe(status);
      expect(page.alerts.join(), path).toContain(message);
      const list = path.replace(/\/export\.\w+/, '').replace(/^\?/, '/?');
      expect(page.links('Regresar'), path).toEqual([list]);
      const asProgram = await client.get(path, { headers: { accept: 'application/json' } });
      expect(asProgram.status, path).toBe(status);
      expect((await asProgram.json()).message, path).toContain(message);
    }
  });
});

/** Readers from other projects; each throws if the file is invalid. */
const READERS: Record<ExportFormat, (answer: Response) => Promise<unknown>> = {
  json: async (answer) => {
    const records = JSON.parse(await answer.text());
    expect(Array.isArray(records)).toBe(true);
  },
  csv: async (answer) => {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await answer.arrayBuffer());
    const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', skipEmptyLines: true });
    expect(errors).toEqual([]);
    expect(new Set(data.map((cells) => cells.length)).size).toBe(1);
  },
  xlsx: readXlsx,
  pdf: readPdf,
};

const FORMATS = Object.keys(READERS) as ExportFormat[];

/** Addresses of all exports, on pages and in the API. */
async function filesOf(test: ReturnType<typeof createTestApp>, client: TestClient): Promise<string[]> {
  const gets = routesOf(test).filter(({ method }) => method === 'GET');
  const paths = gets.map(({ path }) => path);
  const pages = paths.filter(
    (path) => FORMATS.some((one) => path.endsWith(`/export.${one}`)) && !path.startsWith('/cierre'),
  );
  const { paths: documented } = (await (await client.get('/api/openapi.json')).json()) as {
    paths: Record<string, { get?: { parameters?: { name: string }[] } }>;
  };
  const lists = Object.entries(documented).filter(([, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'format'),
  );
  const answers = lists.map(([path]) => path.replace(/\{\w+\}/g, '1'));
  return [...pages, ...answers.flatMap((path) => FORMATS.map((format) => `${path}?format=${format}`))];
}

const isTurn = (_: string, n: number) =>
  n % FORMATS.length === Math.floor(n / FORMATS.length) % FORMATS.length;

/** @returns the addresses whose files could be read */
async function readAll(client: TestClient, addresses: string[]): Promise<string[]> {
  const read: string[] = [];
  for (const address of addresses) {
    const answer = await client.get(address);
    if (answer.status === 404) continue;
    const format = FORMATS.find((one) => address.includes(`.${one}`) || address.includes(`format=${one}`))!;
    await READERS[format](answer).catch((error) => {
      throw new Error(`${address}: ${error}`);
    });
    read.push(address);
  }
  return read;
}

describeOneDatabase('every list and report, as read by another program,', (fresh) => {
  it('is a complete file in every format', async () => {
    await addSmallCompany(fresh.db);
    const test = createTestApp({ db: fresh.db });
    const client = await test.as([1, 3]);
    const addresses = await filesOf(test, client);
    expect(addresses.length).toBeGreaterThan(100);
    // `npm test` reads one format for each list, in turn.
    const read = IS_LONG_LANE ? addresses : addresses.filter(isTurn);
    expect(await readAll(client, read)).toEqual(read);
  });

  it('is a complete file if there is nothing to list, or only an opening balance', async () => {
    await addSupplier(fresh.db);
    const test = createTestApp({ db: fresh.db });
    const client = await test.as([1, 3]);
    const files = await filesOf(test, client);
    const read = await readAll(
      client,
      files.filter((address) => !address.startsWith('/api/')),
    );
    expect(read).toContain('/estado-cuenta/1/export.json');
    expect(read).toContain('/invoices/export.json');
  });

  it('has exchange rates and ids as numbers', async () => {
    const { db } = fresh;
    const id = await addInvoice(db, { moneda: 'USD', tipocambio: '17.5' });
    const client = await createTestApp({ db }).as([1, 3]);
    await client.put(`/api/facturaproveedores/${id}`, { comments: 'x' });
    const { rows } = await readXlsx(await client.get('/invoices/export.xlsx'));
    expect(rows).toMatchObject([{ ID: id, 'Tipo de cambio del CFDI': 17.5 }]);
    const trail = await readXlsx(await client.get('/bitacora/export.xlsx?entity=invoices'));
    expect(trail.rows).toMatchObject([{ Registro: id }]);
  });
});
