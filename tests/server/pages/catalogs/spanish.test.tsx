import { expect, it } from 'vitest';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { addAccount } from '../../../support/accounts.ts';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { actor, addClient, addJob, addSupplier } from '../../../support/rows.ts';

describeOneDatabase('the lists where the screen is Spanish', (fresh) => {
  const signedIn = async (...roles: number[]) => {
    await changeSetting(fresh.db, actor(), 'idioma', 'es');
    return createTestApp({ db: fresh.db }).as(roles);
  };
  const headsIn = (html: string) =>
    [...html.matchAll(/<th scope="col"[^>]*>(?:<\w+[^>]*>)?([^<]+)/g)].map(([, label]) => label);

  it('begin a new obra with its name, and save it with the word of all forms', async () => {
    const browser = await signedIn(2);
    const page = await readPage(browser.get('/new-job'));
    expect(page.html.indexOf('name="jobtitle"')).toBeLessThan(page.html.indexOf('name="clientId"'));
    expect(page.focused).toBe('jobtitle');
    expect(page.html).toContain('”columns”:[{”key”:”clientname”');
    expect(page.html).toMatch(/<button[^>]*>Guardar<\/button>/);
    expect(page.links('Cancelar')).toEqual(['/jobs']);
    const saved = await browser.form('/new-job', { jobtitle: 'Torre', clientId: await addClient(fresh.db) });
    expect(saved.status).toBe(303);
  });

  it('find an invoice to pay by the day on which it is due, and a supplier by its name', async () => {
    const browser = await signedIn(2);
    const payment = await readPage(browser.get('/new-payment'));
    expect(payment.html).toContain('”sortOptions”:[{”value”:”fechavencimiento”,”label”:”Vencimiento”}');
    const invoice = await readPage(browser.get('/new-invoice'));
    expect(invoice.html).toContain('”sortOptions”:[{”value”:”suppliername”,”label”:”Nombre”}');
    expect(invoice.html).not.toContain('”label”:”ID”');
  });

  it.each([
    ['/new-supplier', 'suppliername', 'suppliercontactperson'],
    ['/new-client', 'clientname', 'clientcontactperson'],
  ])(
    'propose on %s that nobody is known to talk to, which is marked and saved',
    async (path, name, person) => {
      const browser = await signedIn(2);
      const page = await readPage(browser.get(path));
      expect(page.focused).toBe(name);
      expect(page.value(person)).toBe('(sin contacto)');
      expect(page.html).toMatch(new RegExp(`<input(?=[^>]* name="${person}")[^>]* class="control proposed"`));
      expect(page.html).toContain('Propuesto: escríbelo si lo tienes.');
      expect((await browser.form(path, { [name]: 'Aceros', [person]: '(sin contacto)' })).status).toBe(303);
      const typed = await readPage(browser.form(path, { [name]: '', [person]: 'Ana' }));
      expect(typed.html).not.toContain('control proposed');
    },
  );

  it('show no id, and nothing that is cut: the e-mail stands below the contact, the description below the obra', async () => {
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
      const { html } = await readPage(browser.get(path));
      expect([path, headsIn(html).slice(0, heads.length)]).toEqual([path, heads]);
      expect(html).toContain(below && `<div class="hint">${below}</div>`);
    }
  });
});
