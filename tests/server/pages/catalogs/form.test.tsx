import { expect, it } from 'vitest';
import { catalogOf } from '../../../../shared/catalogs/all.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addClient, addJob, addRubro, addSupplier } from '../../../support/rows.ts';

describeOneDatabase('the forms of the lists', (fresh) => {
  const signedIn = (): Promise<TestClient> => createTestApp({ db: fresh.db }).as(2);

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
      const browser = await signedIn();
      const clientId = await addClient(fresh.db);
      const fields: Record<string, string> = { ...typed, ...(isJob ? { clientId: String(clientId) } : {}) };
      const { html } = await readPage(browser.get(paths.create));
      const [first, second] = html.match(/<button[^>]*>Guardar[^<]*<\/button>/g) ?? [];
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
      expect(page.html).toContain(`<h1>${texts.create}</h1>`);
      expect(page.alerts).toEqual([`success: Se guardó ${texts.one} «Otro».`]);
      expect(page.value(nameField)).toBe('');
      if (isJob) expect(page.value('clientId')).toBe(String(clientId));
    },
  );

  it('a new one begins with its first field; phones, numbers and RFCs get the keyboard that they need', async () => {
    const browser = await signedIn();
    const { focused, html } = await readPage(browser.get('/new-supplier'));
    expect(focused).toBe('suppliername');
    const tag = (name: string) => new RegExp(`<input(?=[^>]* name="${name}")[^>]*>`).exec(html)?.[0];
    expect(tag('suppliercontactphone')).toMatch(/type="tel"/);
    expect(tag('suppliercontactphone')).toMatch(/inputmode="tel"/i);
    expect(tag('diascredito')).toMatch(/inputmode="numeric"/i);
    expect(tag('rfc')).toMatch(/autocapitalize="characters"/i);
    expect((await readPage(browser.get('/new-job'))).focused).toBe('Cliente');
    const given = await addClient(fresh.db);
    expect((await readPage(browser.get(`/new-job?clientId=${given}`))).focused).toBe('jobtitle');
  });

  it('the message of a missing field stands once, in the alert; the fields are only marked', async () => {
    const browser = await signedIn();
    const page = await readPage(browser.form('/new-supplier', { suppliercontactemail: 'x' }));
    expect(page.alerts).toEqual(['error: Fields can not be empty.']);
    expect(page.errors).toEqual(['Falta este dato.', 'Falta este dato.', 'Email is invalid.']);
    expect(page.focused).toBe('suppliername');
    const job = await readPage(browser.form('/new-job', { jobtitle: 'Torre' }));
    expect(job.alerts).toEqual(['error: Se requiere el nombre de la obra y el cliente.']);
    expect([job.focused, job.value('jobtitle')]).toEqual(['Cliente', 'Torre']);
  });

  it('an edit screen leads to what there is for its row, and to what can be made for it', async () => {
    const browser = await signedIn();
    const clientId = await addClient(fresh.db, { clientname: 'Lerma' });
    const jobId = await addJob(fresh.db, { clientId });
    const supplierId = await addSupplier(fresh.db);
    const rubroId = await addRubro(fresh.db);
    const kin = async (path: string) =>
      (await readPage(browser.get(path))).links(/^(Facturas|Nueva obra) de est[ea] /);
    expect(await kin(`/editsupplierpage/${supplierId}`)).toEqual([`/invoices?supplierId=${supplierId}`]);
    expect(await kin(`/editjobpage/${jobId}`)).toEqual([`/invoices?jobId=${jobId}`]);
    expect(await kin(`/editrubropage/${rubroId}`)).toEqual([`/invoices?rubroId=${rubroId}`]);
    const [make] = await kin(`/editclientpage/${clientId}`);
    expect(make).toBe(`/new-job?clientId=${clientId}`);
    const page = await readPage(browser.get(make!));
    expect(page.value('clientId')).toBe(String(clientId));
    expect(page.html).toContain('value="Lerma"');
  });
});
