import { expect, it } from 'vitest';
import { FIRST_STEPS_HIDDEN_PREFERENCE } from '../../../../server/services/first-steps/first-steps.ts';
import { setPreference } from '../../../../server/services/preferences/preferences.ts';
import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { createTestApp } from '../../../support/app.ts';
import { type PageContent, readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  addUser,
  createActor,
} from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

describeOneDatabase('Para empezar', (fresh) => {
  const arrange = async (roles: number[] = [1, 3]) => createTestApp({ db: fresh.db }).as(roles);
  const done = (html: string) =>
    [...html.matchAll(/<li class="done"[^>]*><h2>(.*?)<\/h2>/g)].map(([, title]) => title);
  const current = (html: string) => /aria-current="step"[^>]*><h2>(.*?)<\/h2>/.exec(html)?.[1];
  const OFFER = 'aria-label="Para empezar"';
  const FIRM = { empresa: 'Roble', rfc: 'EKU9003173C9', idioma: 'es' };
  const OBRA = {
    jobtitle: 'Torre Roble',
    clientname: 'Inmobiliaria del Norte',
    clientcontactperson: '(sin contacto)',
  };

  it('is offered above the invoices, to administrators alone', async () => {
    const admin = await arrange();
    const list = await readPage(admin.get('/invoices'));
    expect(list.decodedHtml).toContain('0 de 6 pasos hechos');
    expect(list.links('Ver los pasos')).toEqual(['/empezar']);
    expect((await readPage(admin.get('/pagos-proveedores'))).decodedHtml).not.toContain(OFFER);
    const other = await arrange([4]);
    expect((await readPage(other.get('/invoices'))).decodedHtml).not.toContain(OFFER);
    expect((await other.get('/empezar')).status).toBe(403);
  });

  it('leads from the name of the firm to the first payment, one step after the other', async () => {
    const admin = await arrange();
    const after = async (step: string, form: Record<string, string>) => {
      const saved = await admin.form(`/empezar/${step}`, form);
      expect([saved.status, saved.headers.get('location')]).toEqual([303, '/empezar']);
      return stepOf(await readPage(admin.get('/empezar')));
    };
    /** The current step, and the field that has the focus. */
    const stepOf = ({ decodedHtml, focusedControlName }: PageContent) => [
      current(decodedHtml),
      focusedControlName,
    ];
    expect(stepOf(await readPage(admin.get('/empezar')))).toEqual(['Tu empresa', 'empresa']);
    expect(await after('empresa', FIRM)).toEqual(['La primera obra', 'jobtitle']);
    expect(await readSettings(fresh.db)).toMatchObject(FIRM);
    // The proposed contact is folded, so that the client's name is the last field and Enter there saves.
    const { decodedHtml } = await readPage(admin.get('/empezar'));
    expect(
      /<details[^>]*>(?=<summary[^>]*>.*?Contacto: \(sin contacto\))/.exec(decodedHtml)?.[0],
    ).not.toContain('open');
    expect(await after('obra', OBRA)).toEqual(['El primer proveedor', 'suppliername']);
    expect(await fresh.db.selectFrom('clients').select('clientname').execute()).toEqual([
      { clientname: 'Inmobiliaria del Norte' },
    ]);
    const supplier = { suppliername: 'Aceros', suppliercontactperson: '(sin contacto)' };
    const source = ['De dónde salen los pagos', 'origenderecursonombre'];
    expect(await after('proveedor', supplier)).toEqual(source);
    const [ready] = await after('origen', { origenderecursonombre: 'Banorte 0123' });
    expect(ready).toBe('La primera factura');

    const [toInvoice] = (await readPage(admin.get('/empezar'))).links('Nueva factura');
    expect(toInvoice).toBe('/new-invoice?supplierId=1&jobId=1&back=%2Fempezar');
    const form = await readPage(admin.get(toInvoice!));
    expect(form.focusedControlName).toBe('numfactura');
    const captured = await admin.form('/new-invoice', {
      ...{ supplierId: '1', jobId: '1', numfactura: 'A-100', subtotal: '1000', tasa: '16' },
      back: form.value('back')!,
    });
    expect(captured.headers.get('location')).toBe('/empezar');

    const [toPayment] = (await readPage(admin.get('/empezar'))).links('Pagar A-100');
    expect(toPayment).toBe('/new-payment?facturaproveedorId=1&origenderecursoId=1&back=%2Fempezar');
    const paid = await admin.form('/new-payment', {
      ...{
        facturaproveedorId: '1',
        origenderecursoId: '1',
        paymentdate: '2026-11-20',
        paymentamount: '1160',
      },
      back: (await readPage(admin.get(toPayment!))).value('back')!,
    });
    expect(paid.headers.get('location')).toBe('/empezar');
    const last = await readPage(admin.get('/empezar'));
    expect([done(last.decodedHtml).length, current(last.decodedHtml)]).toEqual([6, undefined]);
    expect(last.links('Ir a Facturas')).toEqual(['/invoices']);
    expect((await readPage(admin.get('/invoices'))).decodedHtml).not.toContain(OFFER);
  });

  it('keeps what was typed into a refused step', async () => {
    const admin = await arrange();
    const wrong = await readPage(admin.form('/empezar/empresa', { empresa: 'Roble', rfc: 'NADA' }));
    expect([wrong.status, wrong.value('empresa'), wrong.errors.length]).toEqual([422, 'Roble', 1]);
    const unnamed = await readPage(admin.form('/empezar/empresa', { ...FIRM, empresa: ' ' }));
    expect(unnamed.errors).toContain('Escribe el nombre de la empresa.');
    const nobodys = await readPage(admin.form('/empezar/obra', { ...OBRA, clientname: '' }));
    expect([nobodys.status, current(nobodys.decodedHtml)]).toEqual([422, 'La primera obra']);
    expect(nobodys.value('jobtitle')).toBe('Torre Roble');
    expect(await fresh.db.selectFrom('jobs').select('id').execute()).toEqual([]);
  });

  it('is in Spanish, and proposes Spanish, until the firm has chosen a language', async () => {
    const admin = await arrange();
    const first = await readPage(admin.get('/empezar'));
    expect(first.decodedHtml).toContain('data-idioma="es"');
    expect(first.decodedHtml).toContain('TABLERO');
    expect(first.value('idioma')).toBe('es');
    expect((await readPage(admin.get('/invoices'))).decodedHtml).toContain('DASHBOARD');
    await admin.form('/empezar/empresa', { ...FIRM, idioma: 'mixto' });
    expect((await readPage(admin.get('/empezar'))).decodedHtml).toContain('DASHBOARD');
  });

  it('accepts an existing client, and any step in any order', async () => {
    const admin = await arrange();
    await addJob(fresh.db);
    await fresh.db.deleteFrom('jobs').execute();
    const { clientname } = await readRow(fresh.db, 'clients', {}, ['clientname']);
    const html = (await readPage(admin.get('/empezar?paso=obra'))).decodedHtml;
    expect(current(html)).toBe('La primera obra');
    await admin.form('/empezar/obra', { ...OBRA, clientname: clientname.toUpperCase() });
    expect((await fresh.db.selectFrom('clients').select('id').execute()).length).toBe(1);
    expect(done((await readPage(admin.get('/empezar'))).decodedHtml)).toEqual(['La primera obra']);
  });

  it('ticks what a firm already has', async () => {
    const admin = await arrange();
    await changeSetting(fresh.db, createActor(), 'empresa', 'Roble');
    const [jobId, supplierId] = [await addJob(fresh.db), await addSupplier(fresh.db)];
    const origenderecursoId = await addFundingSource(fresh.db);
    expect((await readPage(admin.get('/invoices'))).decodedHtml).toContain('4 de 6 pasos hechos');
    const facturaproveedorId = await addInvoice(fresh.db, { jobId, supplierId });
    const { id: userId } = await addUser(fresh.db);
    await addPayment(fresh.db, { facturaproveedorId, userId, origenderecursoId, amountCents: 100 });
    expect((await readPage(admin.get('/invoices'))).decodedHtml).not.toContain(OFFER);
  });

  it('is where a sign-in leads an administrator of a firm without invoices, unless the steps were skipped', async () => {
    const app = createTestApp({ db: fresh.db });
    const [admin, clerk] = [await app.as([1, 3]), await app.as([4])];
    const start = async (client: typeof admin) => (await client.get('/login')).headers.get('location');
    expect([await start(admin), await start(clerk)]).toEqual(['/empezar', '/invoices']);
    expect((await admin.get('/login?next=%2Fjobs')).headers.get('location')).toBe('/jobs');
    await setPreference(fresh.db, admin.user.id, FIRST_STEPS_HIDDEN_PREFERENCE, true);
    expect(await start(admin)).toBe('/invoices');
    await setPreference(fresh.db, admin.user.id, FIRST_STEPS_HIDDEN_PREFERENCE, undefined);
    await addInvoice(fresh.db);
    expect(await start(admin)).toBe('/invoices');
  });

  it('is no longer shown to a user who hides it, and still to others', async () => {
    const [one, other] = [await arrange(), await arrange()];
    expect((await one.form('/empezar/ocultar')).headers.get('location')).toBe('/invoices');
    expect((await readPage(one.get('/invoices'))).decodedHtml).not.toContain(OFFER);
    expect((await readPage(other.get('/invoices'))).decodedHtml).toContain(OFFER);
    expect((await one.get('/empezar')).status).toBe(200);
  });
});
