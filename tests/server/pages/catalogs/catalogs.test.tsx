import { expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import { insertRow } from '../../../../server/services/catalogs/catalogs.ts';
import { getRow, searchCatalog } from '../../../../server/services/catalogs/reading.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { catalogOf, catalogs } from '../../../../shared/catalogs/all.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addClient, addInvoice, addJob, addSupplier, NOW } from '../../../support/rows.ts';

const suppliers = catalogOf('suppliers');
const clients = catalogOf('clients');
const jobs = catalogOf('jobs');

const html = async (response: Response) =>
  (await response.text()).replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');

/** The value of a page's input. */
const inputOf = (page: string, name: string) =>
  new RegExp(`<input(?=[^>]* name="${name}")[^>]* value="([^"]*)"`).exec(page)?.[1];

/** The alerts' texts, without their markup. */
const alertsOf = (page: string) =>
  [...page.matchAll(/<div class="alert (\w+)"[^>]*>.*?<strong>(.*?)<\/strong><div>(.*?)<\/div>/g)].map(
    ([, tone, head, text]) => `${tone} ${head}: ${text?.replace(/<[^>]+>/g, '')}`,
  );

/** The words in the cells of a page's table, row by row. */
const cellsOf = (page: string) =>
  [...(/<tbody>(.*?)<\/tbody>/s.exec(page)?.[1] ?? '').matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell!.replace(/<[^>]+>/g, '')),
  );

describeOneDatabase('the screens of the lists', (fresh) => {
  const signedIn = (): Promise<TestClient> => createTestApp({ db: fresh.db }).as(2);

  it.each(catalogs)(
    '$noun: an empty list says what it is for and offers the first action',
    async (catalog) => {
      const browser = await signedIn();
      const response = await browser.get(catalog.paths.list);
      const page = await html(response);
      expect(response.status).toBe(200);
      expect(page).toContain(`<h1>${catalog.texts.list}</h1>`);
      expect(page).toContain(`Todavía no hay ${catalog.texts.many}`);
      expect(page).toContain(catalog.texts.emptyHint);
      expect(page).toMatch(new RegExp(`href="${catalog.paths.create}"[^>]*data-new`));
      expect(page).toMatch(/<input[^>]*data-filter/);
    },
  );

  it('the list shows the columns of the specification and an edit link for each row', async () => {
    const browser = await signedIn();
    const clientId = await addClient(fresh.db);
    const id = await addJob(fresh.db, { jobtitle: 'Torre <b>', clientId });
    const page = await html(await browser.get('/jobs'));
    expect(
      [...page.matchAll(/<th [^>]*>(.*?)<\/th>/g)].map(([, head]) => head!.replace(/<[^>]+>/g, '')),
    ).toEqual(['ID', 'Nombre', 'Descripción', 'Inicio', 'Término', 'Costo sin IVA', 'Por pagar', 'Editar']);
    expect(cellsOf(page)).toEqual([
      [String(id), 'Torre &lt;b&gt;', '', 'Thu, 01 Jan 2026', 'Fri, 31 Dec 2027', '–', '–', ''],
    ]);
    expect(page).toContain(`href="/editjobpage/${id}"`);
    expect(page).toContain('aria-label="Editar Torre &lt;b&gt;"');
  });

  it('filter, order and direction are in the address, as the GET form sends them', async () => {
    const browser = await signedIn();
    for (const suppliername of ['Peña', 'PENA Sur', 'Otro']) await addSupplier(fresh.db, { suppliername });
    const address = '/suppliers?suppliername=%C3%91A&sortfield=suppliername&sorttype=DESC';
    const page = await html(await browser.get(address));
    expect(cellsOf(page).map((cells) => cells[1])).toEqual(['PENA Sur', 'Peña']);
    expect(inputOf(page, 'suppliername')).toBe('ÑA');
    expect(page).toContain('>2 proveedores<');
    expect(page).toMatch(
      /<th[^>]*aria-sort="descending"[^>]*><a href="\/suppliers\?suppliername=%C3%91A&sortfield=suppliername">/,
    );
    expect(page).toMatch(/<a href="\/suppliers\?suppliername=%C3%91A&sortfield=id">/);
  });

  it('a new supplier starts with the credit days of the settings; emptied on an edit they are refused', async () => {
    const browser = await signedIn();
    await changeSetting(fresh.db, await addActor(fresh.db), 'diascredito', '15');
    expect(inputOf(await html(await browser.get('/new-supplier')), 'diascredito')).toBe('15');
    const id = await addSupplier(fresh.db, { diascredito: 30 });
    const emptied = await browser.form(`/editsupplierpage/${id}`, { diascredito: '', version: '1' });
    expect(emptied.status).toBe(422);
    expect((await getRow(fresh.db, suppliers, id)).diascredito).toBe(30);
  });

  it('the edit screen asks before it deletes, and says what refers to the row', async () => {
    const browser = await signedIn();
    const free = await addSupplier(fresh.db, { suppliername: 'Libre' });
    const used = await addSupplier(fresh.db, { suppliername: 'Ocupado' });
    await addInvoice(fresh.db, { supplierId: used });
    const page = await html(await browser.get(`/editsupplierpage/${free}`));
    expect(page).toContain('¿Eliminar el proveedor «Libre»?');
    const deleted = await browser.form(`/editsupplierpage/${free}/eliminar`, { version: 1 });
    expect(alertsOf(await html(await browser.follow(deleted)))).toEqual([
      'success Hecho: Se eliminó el proveedor «Libre».Deshacer',
    ]);
    const refused = await browser.form(`/editsupplierpage/${used}/eliminar`, { version: 1 });
    expect(refused.status).toBe(409);
    expect(alertsOf(await html(refused))).toEqual([
      'error Error: No se puede eliminar el proveedor «Ocupado»: una factura lo usa.',
    ]);
    await browser.form(`/editsupplierpage/${used}`, { suppliername: 'Ocupado siempre', version: '1' });
    const stale = await browser.form(`/editsupplierpage/${used}/eliminar`, { version: 1 });
    expect(stale.status).toBe(409);
    expect(await html(stale), 'nothing was typed that could differ').not.toContain('Lo que cambió');
  });

  it('beyond 500 clients their name is typed and matched on the server', async () => {
    const browser = await signedIn();
    await inTransaction(fresh.db, async (trx) => {
      for (let number = 1; number <= 501; number++) {
        await insertRow(
          trx,
          clients,
          { clientname: number > 499 ? 'Doble' : `Cliente ${number}` },
          { at: NOW },
        );
      }
    });
    const page = await html(await browser.get('/new-job'));
    expect(page).not.toContain('<select class="control" aria-labelledby');
    expect(page).toMatch(/<input[^>]*name="clientname"/);
    const post = (clientname: string) => browser.form('/new-job', { jobtitle: 'Torre', clientname });
    expect((await post('CLIENTE 17')).status).toBe(303);
    const [job] = (await searchCatalog(fresh.db, jobs, { limit: 1 })).rows;
    expect(job?.client).toMatchObject({ clientname: 'Cliente 17' });
    const unknown = await post('Nadie');
    expect(alertsOf(await html(unknown)).at(-1)).toBe('error Error: No existe el cliente «Nadie».');
    expect((await post('doble')).status).toBe(422);
    // Left as it was, a name stands for the client that the job has, whoever else shares it.
    const twin = (await searchCatalog(fresh.db, clients, { text: 'Doble', limit: 1 })).rows[0]!;
    const id = await addJob(fresh.db, { jobtitle: 'Nave', clientId: twin.id });
    const edited = await browser.form(`/editjobpage/${id}`, {
      jobtitle: 'Nave 2',
      clientname: 'Doble',
      version: '1',
    });
    expect(edited.status).toBe(303);
    expect((await getRow(fresh.db, jobs, id)).clientId).toBe(twin.id);
  });
});
