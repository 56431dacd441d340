import { expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import { insertRow } from '../../../../server/services/catalogs/catalogs.ts';
import { getRow, searchCatalog } from '../../../../server/services/catalogs/reading.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { catalogOf, catalogs } from '../../../../shared/catalogs/all.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addClient,
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
  NOW,
} from '../../../support/rows.ts';

const suppliers = catalogOf('suppliers');
const clients = catalogOf('clients');
const jobs = catalogOf('jobs');
const rubros = catalogOf('rubros');

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

  it('a filter that finds nothing says so and leads back', async () => {
    const browser = await signedIn();
    await addRubro(fresh.db);
    const page = await html(await browser.get('/rubros?nombrerubro=%25'));
    expect(page).toContain('Nada coincide con «%».');
    expect(page).toMatch(/<a href="\/rubros"[^>]*>Quitar filtro/);
  });

  it('"Cargar más" is a link to the rest, in the same order', async () => {
    const browser = await signedIn();
    for (let number = 1; number <= 53; number++)
      await addRubro(fresh.db, { nombrerubro: `Rubro ${number % 7}` });
    const first = await html(await browser.get('/rubros?sortfield=nombrerubro'));
    const next = /<a href="([^"]+)"[^>]*>(?:<[^>]+>)*Cargar más/.exec(first)?.[1];
    const second = await html(await browser.get(next!));
    const ids = [...cellsOf(first), ...cellsOf(second)].map(([id]) => Number(id));
    const whole = await searchCatalog(fresh.db, rubros, { sort: 'nombrerubro', limit: 100 });
    expect(ids).toEqual(whole.rows.map((row) => row.id));
    expect(second).not.toContain('Cargar más');
    expect(first).toContain('50 de 53 rubros');
    expect(second).toContain('>53 rubros<');
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

  it('a wrong check digit is saved, and said', async () => {
    const browser = await signedIn();
    const fields = { suppliername: 'A', suppliercontactperson: 'B', rfc: 'ACE010203AB1' };
    const saved = await browser.form('/new-supplier', fields);
    const page = await html(await browser.follow(saved));
    expect(page).toContain('Supplier has been created. Redirecting to supplier list...');
    expect(page).toContain('El dígito verificador del RFC ACE010203AB1 no corresponde.');
  });

  it('a save over a newer one is 409 and shows both values; saved again, it is meant', async () => {
    const browser = await signedIn();
    const id = await addSupplier(fresh.db, { suppliername: 'Uno' });
    const address = `/editsupplierpage/${id}`;
    await browser.form(address, { suppliername: 'Suyo', version: '1' });
    const stale = await browser.form(address, {
      suppliername: 'Mío',
      suppliercontactperson: 'Ana',
      version: '1',
    });
    const page = await html(stale);
    expect(stale.status).toBe(409);
    expect(alertsOf(page).at(-1)).toContain('Otra persona guardó este registro mientras lo editabas.');
    expect(cellsOf(page)).toEqual([['Nombre', 'Suyo', 'Mío']]);
    expect([inputOf(page, 'suppliername'), inputOf(page, 'version')]).toEqual(['Mío', '2']);
    expect((await browser.form(address, { suppliername: 'Mío', version: '2' })).status).toBe(303);
    expect((await getRow(fresh.db, suppliers, id)).suppliername).toBe('Mío');
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

  it('a search that cannot be read is 400 in an alert headed Error, and for script a message', async () => {
    const browser = await signedIn();
    const page = await browser.get('/suppliers?sortfield=color&utm_source=correo');
    expect(page.status).toBe(400);
    expect(alertsOf(await html(page))).toEqual([
      'error Error: sortfield: se espera id, suppliername, suppliercontactperson.',
    ]);
    const init = { headers: { 'x-fragment': 'results' } };
    const fragment = await browser.get('/suppliers?cursor=basura', init);
    expect([fragment.status, await fragment.json()]).toEqual([
      400,
      { message: 'cursor: no es una página de esta lista.', code: 'bad_cursor' },
    ]);
  });

  it('script gets the results alone, people with a bookmark of old parameters the list', async () => {
    const browser = await signedIn();
    await addRubro(fresh.db, { nombrerubro: 'Acero' });
    const fragment = await html(
      await browser.get('/rubros?nombrerubro=ace', { headers: { 'x-fragment': 'results' } }),
    );
    expect(fragment).toMatch(/^<div id="results">/);
    expect(fragment).toContain('>1 rubro<');
    expect((await browser.get('/rubros?utm_source=correo')).status).toBe(200);
  });
});
