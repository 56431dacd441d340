import { beforeEach, expect, it } from 'vitest';
import { getRow, searchCatalog } from '../../../../server/services/catalogs/reading.ts';
import { writeEntries } from '../../../../server/services/catalogs/write.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { catalogOf, catalogs } from '../../../../shared/catalogs/all.ts';
import { addAccount } from '../../../support/accounts.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addClient,
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
  createActor,
} from '../../../support/rows.ts';

const suppliers = catalogOf('suppliers');
const clients = catalogOf('clients');
const jobs = catalogOf('jobs');

const html = async (response: Response) =>
  (await response.text()).replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');

const inputOf = (page: string, name: string) =>
  new RegExp(`<input(?=[^>]* name="${name}")[^>]* value="([^"]*)"`).exec(page)?.[1];

const alertsOf = (page: string) =>
  [...page.matchAll(/<div class="alert (\w+)"[^>]*>.*?<strong>(.*?)<\/strong><div>(.*?)<\/div>/g)].map(
    ([, tone, head, text]) => `${tone} ${head}: ${text?.replace(/<[^>]+>/g, '')}`,
  );

const cellsOf = (page: string) =>
  [...(/<tbody>(.*?)<\/tbody>/s.exec(page)?.[1] ?? '').matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell!.replace(/<[^>]+>/g, '')),
  );

describeOneDatabase('the screens of the lists', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(2);
  });

  it.each(catalogs)(
    '$noun: an empty list says what it is for and offers the first action',
    async (catalog) => {
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

  it('keep filter, order and direction in the address, as the GET form sends them', async () => {
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

  it('say so if a filter finds nothing, and lead back', async () => {
    await addRubro(fresh.db);
    const page = await readPage(browser.get('/rubros?nombrerubro=%25'));
    expect(page.decodedHtml).toContain('Nada coincide con «%».');
    expect(page.links('Quitar filtro')).toEqual(['/rubros']);
  });

  it('start a new supplier with the credit days of the settings, and refuse emptied ones on an edit', async () => {
    await changeSetting(fresh.db, await addActor(fresh.db), 'diascredito', '15');
    expect(inputOf(await html(await browser.get('/new-supplier')), 'diascredito')).toBe('15');
    const id = await addSupplier(fresh.db, { diascredito: 30 });
    const emptied = await browser.form(`/editsupplierpage/${id}`, { diascredito: '', version: '1' });
    expect(emptied.status).toBe(422);
    expect((await getRow(fresh.db, suppliers, id)).diascredito).toBe(30);
  });

  it('ask on the edit screen before deleting, and say what refers to the row', async () => {
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

  it('match the typed name of a client on the server if there are more than 500', async () => {
    const named = Array.from({ length: 501 }, (_, index) => (index > 498 ? 'Doble' : `Cliente ${index + 1}`));
    await writeEntries(
      fresh.db,
      createActor(),
      clients,
      named.map((clientname) => ({ draft: { clientname, clientcontactperson: 'Ana' } })),
    );
    const page = await html(await browser.get('/new-job'));
    expect(page).not.toContain('<select class="control" aria-labelledby');
    expect(page).toMatch(/<input[^>]*name="clientname"/);
    const post = (clientname: string) => browser.form('/new-job', { jobtitle: 'Torre', clientname });
    expect((await post('CLIENTE 17')).status).toBe(303);
    const [job] = (await searchCatalog(fresh.db, jobs, { today: '2026-11-20', limit: 1 })).rows;
    expect(job?.client).toMatchObject({ clientname: 'Cliente 17' });
    const unknown = await post('Nadie');
    expect(alertsOf(await html(unknown)).at(-1)).toBe('error Error: No existe el cliente «Nadie».');
    expect((await post('doble')).status).toBe(422);
    // An unchanged name keeps the job's client, even if another client has the same name.
    const twin = (await searchCatalog(fresh.db, clients, { today: '2026-11-20', text: 'Doble', limit: 1 }))
      .rows[0]!;
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

describeOneDatabase('the forms of the lists', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(2);
  });

  it.each([
    ['suppliers', 'Guardar', { suppliername: 'Aceros', suppliercontactperson: 'Ana' }],
    ['clients', 'Guardar', { clientname: 'Lerma', clientcontactperson: 'Luis' }],
    ['jobs', 'Guardar obra', { jobtitle: 'Torre' }],
    ['rubros', 'Guardar', { nombrerubro: 'Acero' }],
    ['funding-sources', 'Guardar', { origenderecursonombre: 'Banco' }],
  ] as const)(
    '%s: "%s" leads to the list, its second button to the next new one',
    async (noun, save, typed) => {
      const { paths, texts, nameField } = catalogOf(noun);
      const isJob = noun === 'jobs';
      const clientId = await addClient(fresh.db);
      const fields: Record<string, string> = { ...typed, ...(isJob ? { clientId: String(clientId) } : {}) };
      const { decodedHtml } = await readPage(browser.get(paths.create));
      const [first, second] = decodedHtml.match(/<button[^>]*>Guardar[^<]*<\/button>/g) ?? [];
      expect(first).toContain(`>${save}</button>`);
      expect(second).toContain(isJob ? '>Guardar y nueva</button>' : '>Guardar y nuevo</button>');
      expect(second).toMatch(/<button(?=[^>]* name="next") value="new"/);

      const saved = await browser.form(paths.create, fields);
      expect([saved.status, saved.headers.get('location')]).toEqual([303, paths.list]);
      expect((await readPage(browser.follow(saved))).alerts).toEqual([`success: ${texts.created}`]);
      const returnTo = `${paths.list}?sorttype=DESC`;
      const back = await browser.form(paths.create, { ...fields, returnTo });
      expect(back.headers.get('location')).toBe(returnTo);
      const more = await browser.form(paths.create, { ...fields, [nameField]: 'Otro', next: 'new' });
      const next = isJob ? `/new-job?clientId=${clientId}` : paths.create;
      expect([more.status, more.headers.get('location')]).toEqual([303, next]);
      const page = await readPage(browser.follow(more));
      expect(page.decodedHtml).toContain(`<h1>${texts.create}</h1>`);
      expect(page.alerts).toEqual([`success: Se guardó ${texts.one} «Otro».`]);
      expect(page.value(nameField)).toBe('');
      if (isJob) expect(page.value('clientId')).toBe(String(clientId));
    },
  );

  it('focus the first field of a new row, and give phones, numbers and RFCs the fitting keyboard', async () => {
    const { focusedControlName, decodedHtml } = await readPage(browser.get('/new-supplier'));
    expect(focusedControlName).toBe('suppliername');
    const tag = (name: string) => new RegExp(`<input(?=[^>]* name="${name}")[^>]*>`).exec(decodedHtml)?.[0];
    expect(tag('suppliercontactphone')).toMatch(/type="tel"/);
    expect(tag('suppliercontactphone')).toMatch(/inputmode="tel"/i);
    expect(tag('diascredito')).toMatch(/inputmode="numeric"/i);
    expect(tag('rfc')).toMatch(/autocapitalize="characters"/i);
    expect((await readPage(browser.get('/new-job'))).focusedControlName).toBe('Cliente');
    const given = await addClient(fresh.db);
    expect((await readPage(browser.get(`/new-job?clientId=${given}`))).focusedControlName).toBe('jobtitle');
  });

  it('show the message of a missing field once, in the alert; the fields are only marked', async () => {
    const page = await readPage(browser.form('/new-supplier', { suppliercontactemail: 'x' }));
    expect(page.alerts).toEqual(['error: Fields can not be empty.']);
    expect(page.errors).toEqual(['Falta este dato.', 'Falta este dato.', 'Email is invalid.']);
    expect(page.focusedControlName).toBe('suppliername');
    const job = await readPage(browser.form('/new-job', { jobtitle: 'Torre' }));
    expect(job.alerts).toEqual(['error: Se requiere el nombre de la obra y el cliente.']);
    expect([job.focusedControlName, job.value('jobtitle')]).toEqual(['Cliente', 'Torre']);
  });

  it('lead from an edit screen to what exists for its row, and to what can be created for it', async () => {
    const clientId = await addClient(fresh.db, { clientname: 'Lerma' });
    const jobId = await addJob(fresh.db, { clientId });
    const supplierId = await addSupplier(fresh.db);
    const rubroId = await addRubro(fresh.db);
    const relatedLinks = async (path: string) =>
      (await readPage(browser.get(path))).links(/^(Facturas|Nueva obra) de est[ea] /);
    expect(await relatedLinks(`/editsupplierpage/${supplierId}`)).toEqual([
      `/invoices?supplierId=${supplierId}`,
    ]);
    expect(await relatedLinks(`/editjobpage/${jobId}`)).toEqual([`/invoices?jobId=${jobId}`]);
    expect(await relatedLinks(`/editrubropage/${rubroId}`)).toEqual([`/invoices?rubroId=${rubroId}`]);
    const [make] = await relatedLinks(`/editclientpage/${clientId}`);
    expect(make).toBe(`/new-job?clientId=${clientId}`);
    const page = await readPage(browser.get(make!));
    expect(page.value('clientId')).toBe(String(clientId));
    expect(page.decodedHtml).toContain('value="Lerma"');
  });
});

describeOneDatabase('the lists where the screen is Spanish', (fresh) => {
  const signedIn = async (...roles: number[]) => {
    await changeSetting(fresh.db, createActor(), 'idioma', 'es');
    return createTestApp({ db: fresh.db }).as(roles);
  };
  const headsIn = (html: string) =>
    [...html.matchAll(/<th scope="col"[^>]*>(?:<\w+[^>]*>)?([^<]+)/g)].map(([, label]) => label);

  it('begin a new obra with its name, and have the same save button as all forms', async () => {
    const browser = await signedIn(2);
    const page = await readPage(browser.get('/new-job'));
    expect(page.decodedHtml.indexOf('name="jobtitle"')).toBeLessThan(
      page.decodedHtml.indexOf('name="clientId"'),
    );
    expect(page.focusedControlName).toBe('jobtitle');
    expect(page.decodedHtml).toContain('”columns”:[{”key”:”clientname”');
    expect(page.decodedHtml).toMatch(/<button[^>]*>Guardar<\/button>/);
    expect(page.links('Cancelar')).toEqual(['/jobs']);
    const saved = await browser.form('/new-job', { jobtitle: 'Torre', clientId: await addClient(fresh.db) });
    expect(saved.status).toBe(303);
  });

  it('find an invoice to pay by the day on which it is due, and a supplier by its name', async () => {
    const browser = await signedIn(2);
    const payment = await readPage(browser.get('/new-payment'));
    expect(payment.decodedHtml).toContain(
      '”sortOptions”:[{”value”:”fechavencimiento”,”label”:”Vencimiento”}',
    );
    const invoice = await readPage(browser.get('/new-invoice'));
    expect(invoice.decodedHtml).toContain('”sortOptions”:[{”value”:”suppliername”,”label”:”Nombre”}');
    expect(invoice.decodedHtml).not.toContain('”label”:”ID”');
  });

  it.each([
    ['/new-supplier', 'suppliername', 'suppliercontactperson'],
    ['/new-client', 'clientname', 'clientcontactperson'],
  ])('propose on %s an unknown contact, which is marked and saved', async (path, name, person) => {
    const browser = await signedIn(2);
    const page = await readPage(browser.get(path));
    expect(page.focusedControlName).toBe(name);
    expect(page.value(person)).toBe('(sin contacto)');
    expect(page.decodedHtml).toMatch(
      new RegExp(`<input(?=[^>]* name="${person}")[^>]* class="control proposed"`),
    );
    expect(page.decodedHtml).toContain('Propuesto: escríbelo si lo tienes.');
    expect((await browser.form(path, { [name]: 'Aceros', [person]: '(sin contacto)' })).status).toBe(303);
    const typed = await readPage(browser.form(path, { [name]: '', [person]: 'Ana' }));
    expect(typed.decodedHtml).not.toContain('control proposed');
  });

  it('show no id, and nothing that is cut: the e-mail is below the contact, the description below the obra', async () => {
    const browser = await signedIn(2, 3);
    const { db } = fresh;
    const supplierId = await addSupplier(db);
    await db.updateTable('suppliers').set({ suppliercontactemail: 'ventas@aceros.example' }).execute();
    await addJob(db);
    await db.updateTable('jobs').set({ jobdescription: 'Edificio de doce niveles' }).execute();
    await addAccount(db, { supplierId, titular: 'Otra persona' });
    for (const [path, heads, below] of [
      ['/suppliers', ['Nombre', 'Contacto', 'Teléfono', 'Correo'], 'ventas@aceros.example'],
      ['/jobs', ['Nombre', 'Descripción', 'Inicio'], 'Edificio de doce niveles'],
      ['/cuentas-bancarias', ['Proveedor', 'Estado', 'Banco'], 'Titular: Otra persona'],
      ['/admin-users', ['Usuario', 'Nombre'], ''],
    ] as const) {
      const { decodedHtml } = await readPage(browser.get(path));
      expect([path, headsIn(decodedHtml).slice(0, heads.length)]).toEqual([path, heads]);
      expect(decodedHtml).toContain(below && `<div class="hint">${below.replace('@', '@<wbr/>')}</div>`);
    }
  });
});
