import Papa from 'papaparse';
import { expect, it } from 'vitest';
import type { ExportFormat } from '../../../shared/urls.ts';
import { routesOf } from '../../security/routes.ts';
import { createTestApp, type TestClient } from '../../support/app.ts';
import { readPdf } from '../../support/pdf.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addInvoice, addSupplier } from '../../support/rows.ts';
import { addSmallCompany } from '../../support/small-company.ts';
import { readXlsx } from '../../support/xlsx.ts';

/** As programs that are not ours take a file; each throws where it is none. */
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

/** Every list and report: the pages' files, and the API's answers that take a `format`. */
async function filesOf(test: ReturnType<typeof createTestApp>, client: TestClient): Promise<string[]> {
  const gets = routesOf(test).filter(({ method }) => method === 'GET');
  const paths = gets.map(({ path }) => path);
  const pages = paths.filter((path) => /\/export\.\w+$/.test(path) && !path.startsWith('/cierre'));
  const { paths: documented } = (await (await client.get('/api/openapi.json')).json()) as {
    paths: Record<string, { get?: { parameters?: { name: string }[] } }>;
  };
  const lists = Object.entries(documented).filter(([, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'format'),
  );
  const answers = lists.map(([path]) => path.replace(/\{\w+\}/g, '1'));
  return [...pages, ...answers.flatMap((path) => FORMATS.map((format) => `${path}?format=${format}`))];
}

/** @returns the addresses that answered, each read */
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

describeOneDatabase('every list and report, as a program that is not ours reads it', (fresh) => {
  it('is a whole file in every format', async () => {
    await addSmallCompany(fresh.db);
    const test = createTestApp({ db: fresh.db });
    const client = await test.as([1, 3]);
    const addresses = await filesOf(test, client);
    expect(addresses.length).toBeGreaterThan(100);
    expect(await readAll(client, addresses)).toEqual(addresses);
  }, 60_000);

  it('is one where there is nothing to list, or an opening balance alone', async () => {
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
  }, 60_000);

  it('has exchange rates and ids as the numbers that they are', async () => {
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
