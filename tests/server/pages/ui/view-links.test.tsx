import { beforeEach, expect, it } from 'vitest';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addCreditNote,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  NOW,
} from '../../../support/rows.ts';

/** Today is Friday, 20 November 2026: the week ends on the 22nd. */
describeOneDatabase('the views of a list', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(2);
  });

  const addInvoices = async () => {
    const supplierId = await addSupplier(fresh.db);
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre Norte' });
    const { userId } = await addActor(fresh.db);
    const add = (fechavencimiento: string | null) =>
      addInvoice(fresh.db, { supplierId, jobId, fechavencimiento });
    const paid = await add('2026-10-01');
    await addPayment(fresh.db, { facturaproveedorId: paid, amountCents: 116_000, userId });
    const partly = await add('2026-10-02');
    await addPayment(fresh.db, { facturaproveedorId: partly, amountCents: 16_000, userId });
    await add('2026-11-22');
    await add('2026-11-23');
    await add(null);
    return { jobId };
  };

  const views = (html: string) =>
    [...html.matchAll(/<nav class="views"[^>]*>(.*?)<\/nav>/gs)].flatMap(([, nav = '']) =>
      [...nav.matchAll(/<a href="([^"]*)"( aria-current="page")?>(.*?)<\/a>/gs)].map(
        ([, href, mark, words]) =>
          [
            href,
            words!
              .replace(/<[^>]+>/g, ' ')
              .replace(/\s+/g, ' ')
              .trim(),
            mark ? '*' : '',
          ]
            .join(' ')
            .trim(),
      ),
    );

  it('of invoices lead to common questions, with count and sum, and the current one is marked', async () => {
    await addInvoices();
    const { decodedHtml } = await readPage(browser.get('/invoices?status=vencida'));
    expect(views(decodedHtml)).toEqual([
      '/invoices?sortfield=id Todas 5 $5,800.00',
      '/invoices?status=por-pagar&sortfield=fechavencimiento Por pagar 4 $4,480.00',
      '/invoices?status=sin-programar&sortfield=fechavencimiento Sin programar 4 $4,480.00',
      '/invoices?status=vencida&sortfield=fechavencimiento Vencidas 1 $1,000.00 *',
      '/invoices?status=por-pagar&venceDesde=2026-11-20&venceHasta=2026-11-22&sortfield=fechavencimiento Esta semana 2 $2,320.00',
      '/invoices?status=sin-vencimiento&sortfield=id Sin fecha 1 $1,160.00',
    ]);
    for (const address of views(decodedHtml).map((view) => view.split(' ')[0]!)) {
      const page = await readPage(browser.get(address));
      const [marked = ''] = views(page.decodedHtml).filter((view) => view.endsWith('*'));
      expect(marked.startsWith(`${address} `)).toBe(true);
      const [, count, sum] = /(\d+) (\$[\d,.]+) \*$/.exec(marked)!;
      expect(page.rows).toHaveLength(Number(count));
      expect([page.facts['Total facturas'], page.facts['Total pendiente']]).toContain(sum);
    }
  });

  it('are as of the same day as the list, also if the script changes that day', async () => {
    const { jobId } = await addInvoices();
    const { decodedHtml } = await readPage(browser.get('/invoices?corte=2026-11-23'));
    expect(views(decodedHtml)).toEqual([
      '/invoices?corte=2026-11-23&sortfield=id Todas 5 $5,800.00 *',
      '/invoices?status=por-pagar&corte=2026-11-23&sortfield=fechavencimiento Por pagar 4 $4,480.00',
      '/invoices?status=vencida&corte=2026-11-23&sortfield=fechavencimiento Vencidas 3 $3,320.00',
      '/invoices?status=por-pagar&venceDesde=2026-11-23&venceHasta=2026-11-29&corte=2026-11-23&sortfield=fechavencimiento Esta semana 1 $1,160.00',
      '/invoices?status=sin-vencimiento&corte=2026-11-23&sortfield=id Sin fecha 1 $1,160.00',
    ]);
    for (const view of views(decodedHtml)) {
      const page = await readPage(browser.get(view.split(' ')[0]!));
      const [, count, sum] = /(\d+) (\$[\d,.]+)( \*)?$/.exec(view)!;
      expect(page.rows).toHaveLength(Number(count));
      expect([page.facts['Total facturas'], page.facts['Total pendiente']]).toContain(sum);
    }
    const narrowed = await readPage(browser.get(`/invoices?corte=2026-11-23&jobId=${jobId}`));
    expect(views(narrowed.decodedHtml).filter((view) => view.endsWith('*'))).toEqual([]);
    const before = await readPage(browser.get('/invoices?corte=2020-01-01'));
    expect(views(before.decodedHtml)[0]).toBe('/invoices?corte=2020-01-01&sortfield=id Todas 0 $0.00 *');
    const fragment = async (what: string) =>
      readPage(browser.get('/invoices?corte=2026-11-23', { headers: { 'x-fragment': what } }));
    expect(views((await fragment('results')).decodedHtml)).toEqual([]);
    expect(views((await fragment('results views')).decodedHtml)).toEqual(views(decodedHtml));
  });

  it('of invoices that no open batch pays tell what is left to be scheduled, now and not as of a day', async () => {
    const { db } = fresh;
    const { id: batchId } = await addBatch(db, { estado: 'enviada' });
    const left = await addInvoice(db, { numfactura: 'Z-9' });
    const address = '/invoices?status=sin-programar&sortfield=fechavencimiento';
    const listed = async () => {
      const page = await readPage(browser.get(address));
      return [views(page.decodedHtml).find((view) => view.startsWith(address)), page.rows.length];
    };
    expect(await listed()).toEqual([`${address} Sin programar 1 $1,160.00 *`, 1]);
    const found = await (await browser.get('/api/facturaproveedores/?status=sin-programar')).json();
    expect(found).toMatchObject([{ id: left }]);
    const line = db.updateTable('payment_batch_lines').where('batchId', '=', batchId);
    await line.set({ amountCents: 100 }).execute();
    expect((await listed())[1]).toBe(1); // partly scheduled counts as scheduled
    await line.set({ refusedAt: NOW }).execute();
    expect((await listed())[1]).toBe(2); // the bank returned it
    await line.set({ refusedAt: null }).execute();
    await db.deleteFrom('payment_batches').where('id', '=', batchId).execute();
    expect(await listed()).toEqual([`${address} Sin programar 2 $2,320.00 *`, 2]);

    const save = '/invoices/vistas?status=sin-programar';
    await browser.form(save, { nombre: 'Me esperan' });
    const asOf = await readPage(browser.get('/invoices?corte=2026-11-23'));
    expect(views(asOf.decodedHtml).filter((view) => /Sin programar|Me esperan/.test(view))).toEqual([]);
    const refused = await browser.get('/invoices?status=sin-programar&corte=2026-11-23');
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('sin programar se sabe solo al día de hoy');
  });

  it('exist for payments too', async () => {
    await addInvoices();
    const { decodedHtml } = await readPage(browser.get('/pagos-proveedores'));
    expect(views(decodedHtml).map((view) => view.replace(/^\S+ /, ''))).toEqual([
      'Todos 2 $1,320.00 *',
      'Este mes 2 $1,320.00',
      'Sin REP 0 $0.00',
    ]);
    expect(decodedHtml).toContain('paymentdateDesde=2026-11-01&paymentdateHasta=2026-11-30');
  });

  it('count what they sum, and name apart the credits that are among their rows', async () => {
    const { userId } = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId });
    const creditNoteId = await addCreditNote(fresh.db, { supplierId, userId });
    const paid = { facturaproveedorId, userId };
    await addPayment(fresh.db, { ...paid, amountCents: 10_000, kind: 'credito', creditNoteId });
    const first = async () => {
      const { decodedHtml } = await readPage(browser.get('/pagos-proveedores'));
      return [
        views(decodedHtml)[0]?.replace(/^\S+ /, ''),
        decodedHtml.includes('2 pagos y notas de crédito'),
      ];
    };
    expect(await first()).toEqual(['Todos 0 $0.00 + 1 nota de crédito *', false]);
    await addPayment(fresh.db, { ...paid, amountCents: 20_000 });
    expect(await first()).toEqual(['Todos 1 $200.00 + 1 nota de crédito *', true]);
  });

  it('are what the menu leads back to, as this user left them, without what was typed', async () => {
    await addInvoices();
    const [ana, luis] = [browser, await createTestApp({ db: fresh.db }).as(2)];
    const menu = async (browser: TestClient) =>
      (await readPage(browser.get('/suppliers'))).links('FACTURAS')[0];
    expect(await menu(ana)).toBe('/invoices');
    await ana.get('/invoices?status=vencida&numfactura=a-1&sortfield=total&sorttype=DESC');
    const left = '/invoices?status=vencida&sortfield=total&sorttype=DESC';
    expect(await menu(ana)).toBe(left);
    expect(await menu(luis)).toBe('/invoices');
    const bare = await readPage(ana.get('/invoices'));
    expect(views(bare.decodedHtml)[0]).toContain('*');
    expect(bare.rows.map(([id]) => Number(id))).toEqual(bare.rows.map(([id]) => Number(id)).toSorted());
    expect(await menu(ana)).toBe(left);
    await ana.get('/invoices?sortfield=id');
    expect(await menu(ana)).toBe('/invoices?sortfield=id');
  });

  it('can also be saved under a name, with their sum, renamed and removed, without a script', async () => {
    const { jobId } = await addInvoices();
    const filter = `jobId=${jobId}&status=por-pagar`;
    const list = await readPage(browser.get(`/invoices?${filter}&sortfield=total`));
    const [save] = list.links('Guardar vista');
    expect(save).toBe(`/invoices/vistas?${filter}&sortfield=total`);
    const form = await readPage(browser.get(save!));
    expect(form.decodedHtml).toContain('Obra: Torre Norte · Estado: Por pagar');
    const saved = await browser.form(save!, { nombre: ' Torre   Norte ' });
    expect(saved.headers.get('location')).toBe(`/invoices?${filter}&sortfield=total`);
    const shown = await readPage(browser.get(saved.headers.get('location')!));
    expect(shown.alerts).toEqual(['success: Se guardó la vista «Torre Norte».']);
    expect(views(shown.decodedHtml)[6]).toBe(`/invoices?${filter}&sortfield=total Torre Norte 4 $4,480.00 *`);
    expect((await readPage(browser.get('/suppliers'))).links('FACTURAS')[0]).toBe(
      `/invoices?${filter}&sortfield=total`,
    );
    const taken = await readPage(browser.form(save!, { nombre: 'torre norte' }));
    expect([taken.status, taken.errors]).toEqual([409, ['Ya hay una vista «torre norte».']]);
    const common = await readPage(browser.form(save!, { nombre: 'Vencidas' }));
    expect(common.errors).toEqual(['Ya hay una vista «Vencidas».']);
    const empty = await readPage(browser.form(save!, { nombre: ' ' }));
    expect([empty.status, empty.errors]).toEqual([422, ['Ponle un nombre a la vista.']]);
    await browser.form('/invoices/vistas', { vista: 'Torre Norte', nombre: 'La torre' });
    const renamed = await readPage(browser.get('/invoices/vistas'));
    expect(renamed.alerts).toEqual(['success: La vista «Torre Norte» ahora se llama «La torre».']);
    await browser.form('/invoices/vistas', { vista: 'La torre', nombre: 'La torre', quitar: '1' });
    expect(views((await readPage(browser.get('/invoices'))).decodedHtml)).toHaveLength(6);
    expect(await fresh.db.selectFrom('user_preferences').select('name').execute()).toEqual([
      { name: 'left /invoices' },
    ]);
  });

  it('are eight at most for a user, and none is the whole list', async () => {
    await addInvoices();
    for (let n = 1; n <= 8; n++)
      expect((await browser.form(`/invoices/vistas?numfactura=${n}`, { nombre: `V ${n}` })).status).toBe(303);
    const ninth = await readPage(browser.form('/invoices/vistas?numfactura=9', { nombre: 'V 9' }));
    expect([ninth.status, ninth.alerts.at(-1)]).toEqual([
      409,
      'error: Puedes guardar hasta 8 vistas: quita una para guardar otra.',
    ]);
    const whole = await readPage(browser.form('/invoices/vistas', { nombre: 'Todo' }));
    expect([whole.status, whole.alerts.at(-1)]).toEqual([
      422,
      'error: No hay ningún filtro puesto: filtra la lista, y guárdalo como vista.',
    ]);
  });
});

/** Today is Friday, 20 November 2026. */
describeOneDatabase('a list whose screen is Spanish', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(2);
  });
  const speakSpanish = async () =>
    changeSetting(fresh.db, await addActor(fresh.db, { roles: [3] }), 'idioma', 'es');

  const addInvoices = async () => {
    const { userId } = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { diascredito: 30 });
    const add = (numfactura: string, dates: object) =>
      addInvoice(fresh.db, { supplierId, numfactura, ...dates });
    await add('PRIMERA', { fechavencimiento: '2026-12-20' });
    // It states no due day; the estimate is 10 December.
    await add('ESTIMADA', { fechaemision: '2026-11-10' });
    await add('VENCIDA', { fechavencimiento: '2026-11-02' });
    const paid = await add('PAGADA', { fechavencimiento: '2026-01-02' });
    const payments = [];
    for (const paymentdate of ['2026-11-18', '2026-11-19', '2026-11-17'])
      payments.push(
        await addPayment(fresh.db, {
          facturaproveedorId: paid,
          amountCents: 116_000 / 4,
          paymentdate,
          userId,
        }),
      );
    await addPayment(fresh.db, { facturaproveedorId: paid, amountCents: 116_000 / 4, userId });
    return payments;
  };
  const numbers = (rows: string[][]) => rows.map((row) => row[0]);

  it('has no filter, sum or export while it is empty, and shows the first action once', async () => {
    await speakSpanish();
    for (const [address, create] of [
      ['/invoices', 'Nueva factura'],
      ['/pagos-proveedores', 'Nuevo pago'],
      ['/rubros', 'Nuevo rubro'],
    ] as const) {
      const page = await readPage(browser.get(address));
      expect([page.links(create).length, page.links(/^Exportar (PDF|Excel)$/)], address).toEqual([1, []]);
      expect(page.decodedHtml).not.toMatch(/<form[^>]*class="filters|Total pendiente/);
      expect(page.decodedHtml).toMatch(/<a[^>]*data-new/);
    }
    expect((await readPage(browser.get('/invoices'))).links('Cargar XML')).toHaveLength(1);
    await addInvoices();
    const paid = await readPage(browser.get('/invoices?status=pagada&numfactura=zzz'));
    expect(paid.decodedHtml).toContain('Ninguna factura con este filtro');
    expect(paid.decodedHtml).toMatch(/<form[^>]*class="filters/);
  });

  it('explains a view without rows, and links to all rows with their number', async () => {
    const paid = await addInvoice(fresh.db, { numfactura: 'PAGADA' });
    const { userId } = await addActor(fresh.db);
    await addPayment(fresh.db, { facturaproveedorId: paid, amountCents: 116_000, userId });
    for (const language of ['mixto', 'es']) {
      if (language === 'es') await speakSpanish();
      const page = await readPage(browser.get('/invoices?status=por-pagar'));
      expect(page.decodedHtml).toMatch(/<h2>No debes nada<.*Todas las facturas están pagadas\./);
      expect(page.links('Ver todas las facturas (1)')).toHaveLength(1);
      expect((await readPage(browser.get('/invoices?status=vencida'))).decodedHtml).toContain(
        'Nada está vencido',
      );
      const narrowed = await readPage(browser.get('/invoices?status=por-pagar&numfactura=zzz'));
      expect(narrowed.decodedHtml).toContain('Ninguna factura con este filtro');
    }
    const payments = await readPage(browser.get('/pagos-proveedores?rep=sin'));
    expect(payments.decodedHtml).toContain('A ningún pago le falta su REP');
    expect(payments.decodedHtml).toMatch(/Ver todos los pagos \(1\)/);
  });

  it('opens invoices on what is to be paid, by due day, and in the mixed language on all of them, by id', async () => {
    await addInvoices();
    const mixed = await readPage(browser.get('/invoices'));
    expect(mixed.rows.map((row) => row[1])).toEqual(['PRIMERA', 'ESTIMADA', 'VENCIDA', 'PAGADA']);
    await speakSpanish();
    const page = await readPage(browser.get('/invoices'));
    expect(numbers(page.rows)).toEqual(['VENCIDA', 'ESTIMADA', 'PRIMERA']);
    expect(page.decodedHtml).toMatch(/aria-current="page"><span>Por pagar/);
    expect(page.links('Vencimiento')).toEqual([
      '/invoices?status=por-pagar&sortfield=fechavencimiento&sorttype=DESC',
    ]);
    const whole = await readPage(browser.get('/invoices?sortfield=id&sorttype=DESC'));
    expect(numbers(whole.rows)).toEqual(['PAGADA', 'VENCIDA', 'ESTIMADA', 'PRIMERA']);
    const found = await readPage(browser.get('/invoices?numfactura=a'));
    expect(numbers(found.rows)).toEqual(['PAGADA', 'VENCIDA', 'ESTIMADA', 'PRIMERA']);
  });

  it('leads from a filter that finds nothing to the whole list', async () => {
    await addInvoices();
    await speakSpanish();
    const page = await readPage(browser.get('/invoices?numfactura=zzz'));
    expect(page.links('Quitar filtros')).toEqual(['/invoices?sortfield=id&sorttype=DESC']);
  });

  it('opens payments newest first, and exports them in that order', async () => {
    const [first, second, third] = await addInvoices();
    await speakSpanish();
    const { decodedHtml } = await readPage(browser.get('/pagos-proveedores'));
    const shown = [...decodedHtml.matchAll(/<tr data-href="\/editpaymentpage\/(\d+)"/g)].map(([, id]) =>
      Number(id),
    );
    expect(shown.slice(-3)).toEqual([second, first, third]);
    expect(decodedHtml).toContain('aria-sort="descending"');
    const csv = await (await browser.get('/invoices/export.csv')).text();
    expect(csv.indexOf('PRIMERA')).toBeLessThan(csv.indexOf('PAGADA'));
  });

  it('shows no ids, no bank amount if no payment has one, and the pay link as a word', async () => {
    await addInvoices();
    await speakSpanish();
    const invoices = await readPage(browser.get('/invoices'));
    expect(invoices.decodedHtml).not.toMatch(/<th[^>]*>(<a[^>]*>)?ID/);
    expect(invoices.rows[0]?.at(-1)).toBe('Pagar');
    const payments = await readPage(browser.get('/pagos-proveedores'));
    expect(payments.decodedHtml).not.toContain('ID de factura');
    expect(payments.decodedHtml).not.toContain('Importe del banco');
  });

  it('opens catalogs by name', async () => {
    await addSupplier(fresh.db, { suppliername: 'Zapata' });
    await addSupplier(fresh.db, { suppliername: 'Aceros' });
    await speakSpanish();
    const { decodedHtml } = await readPage(browser.get('/suppliers'));
    expect(decodedHtml.indexOf('Aceros')).toBeLessThan(decodedHtml.indexOf('Zapata'));
  });
});
