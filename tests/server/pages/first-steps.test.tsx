import { expect, it } from 'vitest';
import { readSettings } from '../../../server/services/settings/settings.ts';
import { createTestApp } from '../../support/app.ts';
import { readPage } from '../../support/page.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addFundingSource, addInvoice, addJob } from '../../support/rows.ts';

describeOneDatabase('Para empezar', (fresh) => {
  const arrange = async (roles: number[] = [1, 3]) => createTestApp({ db: fresh.db }).as(roles);
  const done = (html: string) =>
    [...html.matchAll(/<h2 id="step-([\w-]+)">(.*?)<\/h2>/g)].flatMap(([, step, text]) =>
      text!.includes('Hecho') ? [step] : [],
    );
  const OFFER = 'aria-label="Para empezar"';

  it('is offered where the first sign-in leads, to administrators alone', async () => {
    const admin = await arrange();
    const landing = await readPage(admin.get('/invoices'));
    expect(landing.html).toContain('0 de 6 pasos hechos');
    expect(landing.links('Ver los pasos')).toEqual(['/empezar']);
    expect((await readPage(admin.get('/pagos-proveedores'))).html).not.toContain(OFFER);
    const other = await arrange([4]);
    expect((await readPage(other.get('/invoices'))).html).not.toContain(OFFER);
    expect((await other.get('/empezar')).status).toBe(403);
  });

  it('ticks each step by what there is, and goes away when all are', async () => {
    const admin = await arrange();
    expect(done((await readPage(admin.get('/empezar'))).html)).toEqual([]);
    const wrong = await readPage(admin.form('/empezar/empresa', { empresa: 'Roble', rfc: 'NADA' }));
    expect([wrong.status, wrong.value('empresa'), wrong.errors.length]).toEqual([422, 'Roble', 1]);
    const saved = await admin.form('/empezar/empresa', { empresa: 'Roble', rfc: 'EKU9003173C9' });
    expect(saved.headers.get('location')).toBe('/empezar');
    expect(await readSettings(fresh.db)).toMatchObject({ empresa: 'Roble', rfc: 'EKU9003173C9' });
    const chosen = await admin.form('/admin-settings/idioma', { idioma: 'mixto', next: '/empezar' });
    expect(chosen.headers.get('location')).toBe('/empezar');
    expect(done((await readPage(admin.get('/empezar'))).html)).toEqual(['empresa', 'idioma']);
    await addJob(fresh.db);
    await addFundingSource(fresh.db);
    expect(done((await readPage(admin.get('/empezar'))).html)).toEqual([
      'empresa',
      'idioma',
      'clients',
      'jobs',
      'funding-sources',
    ]);
    expect((await readPage(admin.get('/invoices'))).html).toContain('5 de 6 pasos hechos');
    await addInvoice(fresh.db);
    expect((await readPage(admin.get('/empezar'))).html).toContain('Todo está listo');
    expect((await readPage(admin.get('/invoices'))).html).not.toContain(OFFER);
  });

  it('is shown no more to whoever says so, and to others still', async () => {
    const [one, other] = [await arrange(), await arrange()];
    expect((await one.form('/empezar/ocultar')).headers.get('location')).toBe('/invoices');
    expect((await readPage(one.get('/invoices'))).html).not.toContain(OFFER);
    expect((await readPage(other.get('/invoices'))).html).toContain(OFFER);
    expect((await one.get('/empezar')).status).toBe(200);
  });
});
