import { beforeEach, expect, it } from 'vitest';
import { saveBudgetOfJob } from '../../../../server/services/budgets/write.ts';
import { updateInvoice } from '../../../../server/services/invoices/invoices.ts';
import { readInvoices } from '../../../../server/services/invoices/reading.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { type PageContent, readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  createActor,
} from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

const ADDRESS = '/invoices/cambiar';

describeOneDatabase('the change of several ticked invoices', (fresh) => {
  let browser: TestClient;
  let place: { supplierId: number; jobId: number };
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(6);
    place = {
      supplierId: await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' }),
      jobId: await addJob(fresh.db, { jobtitle: 'Nave Lerma' }),
    };
  });
  const add = (numfactura: string, fechaemision = '2026-11-10') =>
    addInvoice(fresh.db, { ...place, numfactura, fechaemision, fechavencimiento: '2026-11-30' });
  const stored = async (ids: readonly number[]) =>
    (await readInvoices(fresh.db, ids)).map(({ fechavencimiento, rubroId, jobId, version }) => [
      fechavencimiento,
      rubroId,
      jobId,
      version,
    ]);
  const post = (ids: readonly number[], paso: string, fields: Record<string, string | number> = {}) =>
    browser.form(ADDRESS, { paso, facturas: ids.join(), ...fields });
  const review = (ids: readonly number[], fields: Record<string, string | number>) =>
    readPage(post(ids, 'revisar', fields));
  const save = (page: PageContent, fields: Record<string, string | number>) =>
    browser.form(ADDRESS, {
      paso: 'guardar',
      ...Object.fromEntries(
        ['facturas', 'versiones', 'idempotencyKey'].map((name) => [name, page.value(name)]),
      ),
      ...fields,
    });
  const entries = () => readRows(fresh.db, 'audit', { entity: 'invoices', action: 'update' }, ['entityId']);

  it('is offered in the list for every row, paid ones too, beside the payment', async () => {
    const id = await add('A-1');
    const { userId } = await addActor(fresh.db);
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 116_000, userId });
    const { decodedHtml } = await readPage(browser.get('/invoices'));
    expect(decodedHtml).toContain('aria-label="Marcar A-1"');
    expect(decodedHtml).toMatch(/formAction="\/invoices\/cambiar">Cambiar</);
    const body = new URLSearchParams([
      ['facturaproveedorId', String(id)],
      ['facturaproveedorId', String(await add('A-2'))],
      ['paso', 'elegir'],
    ]);
    const form = await readPage(browser.send(ADDRESS, { method: 'POST', body }));
    expect(form.decodedHtml).toContain('2 facturas por $2,320.00: A-1 de ');
    expect(form.value('facturas')).toMatch(/^\d+,\d+$/);
  });

  it('shows what each invoice is and becomes, and stores it only when it is confirmed, once', async () => {
    const ids = [await add('A-1'), await add('A-2')];
    const rubroId = await addRubro(fresh.db, { nombrerubro: 'Acero' });
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre Sur' });
    const change = { fechavencimiento: '2026-12-15', rubroId, jobId };
    const before = await stored(ids);
    const page = await review(ids, change);
    expect(page.facts).toEqual({
      'Vencimiento nuevo': 'Tue, 15 Dec 2026',
      'Rubro nuevo': 'Acero',
      'Obra nueva': 'Torre Sur',
    });
    expect(page.rows).toEqual([
      ['A-1', 'Aceros Tepeyac', 'Mon, 30 Nov 2026 · Sin rubro · Nave Lerma', 'Cambia'],
      ['A-2', 'Aceros Tepeyac', 'Mon, 30 Nov 2026 · Sin rubro · Nave Lerma', 'Cambia'],
    ]);
    expect(await stored(ids)).toEqual(before);
    const saved = await save(page, change);
    expect(saved.headers.get('location')).toBe('/invoices');
    expect((await readPage(browser.follow(saved))).alerts).toEqual(['success: Se cambiaron 2 facturas.']);
    const after = ids.map(() => ['2026-12-15', rubroId, jobId, 2]);
    expect(await stored(ids)).toEqual(after);
    expect((await save(page, change)).status).toBe(303);
    expect(await stored(ids)).toEqual(after);
    expect(await entries()).toHaveLength(2);
  });

  it('leaves alone what is left empty, and empties a due day or rubro only where that is ticked', async () => {
    const rubroId = await addRubro(fresh.db);
    const ids = [await add('A-1'), await addInvoice(fresh.db, { ...place, numfactura: 'A-2', rubroId })];
    const change = { sinFecha: 'on', rubroId };
    const page = await review(ids, change);
    expect(page.facts).toMatchObject({ 'Vencimiento nuevo': 'Sin fecha' });
    expect(page.rows.map((row) => row.at(-1))).toEqual(['Cambia', 'Ya está así']);
    await save(page, change);
    expect(await stored(ids)).toEqual([
      [null, rubroId, place.jobId, 2],
      [null, rubroId, place.jobId, 1],
    ]);
    await save(await review(ids, { sinRubro: 'on' }), { sinRubro: 'on' });
    expect((await stored(ids)).map(([, rubro]) => rubro)).toEqual([null, null]);
  });

  it('says which ones the rules refuse and why, and saves the others', async () => {
    await changeSetting(fresh.db, createActor({ roles: [3] }), 'cierre', '2026-10-31');
    const ids = [await add('A-1'), await add('A-2', '2026-10-05')];
    const change = { fechavencimiento: '2026-12-15' };
    const page = await review(ids, change);
    expect(page.rows.map(([number, ...row]) => [number, row.at(-1)])).toEqual([
      ['A-2', 'Periodo cerrado: emitida el Mon, 05 Oct 2026'],
      ['A-1', 'Cambia'],
    ]);
    expect(page.decodedHtml).toContain('1 factura cambia, 1 no se puede cambiar.');
    expect(page.decodedHtml).toMatch(/1 es de un periodo cerrado .*Solo un administrador/);
    expect((await save(page, change)).status).toBe(303);
    expect((await stored(ids)).map(([due]) => due)).toEqual(['2026-12-15', '2026-11-30']);
  });

  it('passes a closed month only by an administrator with a reason, which the trail keeps', async () => {
    await changeSetting(fresh.db, createActor({ roles: [3] }), 'cierre', '2026-10-31');
    const ids = [await add('A-1', '2026-10-05')];
    const change = { fechavencimiento: '2026-12-15' };
    expect((await review(ids, change)).decodedHtml).not.toContain('name="motivo"');
    browser = await createTestApp({ db: fresh.db }).as(3);
    const asked = await review(ids, change);
    expect(asked.decodedHtml).toContain('name="motivo"');
    expect(asked.decodedHtml).toContain('escribe el motivo');
    expect(asked.decodedHtml).toContain('>Revisar con el motivo<');
    const withReason = { ...change, motivo: 'Lo acordó el proveedor' };
    const page = await review(ids, withReason);
    expect(page.rows[0]?.at(-1)).toBe('Cambia');
    expect((await save(page, withReason)).status).toBe(303);
    expect(
      await readRows(fresh.db, 'audit', { entityId: String(ids[0]), action: 'update' }, ['after']),
    ).toEqual([{ after: expect.stringContaining('Lo acordó el proveedor') }]);
  });

  it('counts each invoice against the budget after those before it', async () => {
    const jobId = await addJob(fresh.db);
    await changeSetting(fresh.db, createActor({ roles: [3] }), 'presupuesto', 'impedir');
    await saveBudgetOfJob(fresh.db, await addActor(fresh.db, { roles: [1] }), jobId, {
      motivo: 'Contrato',
      partidas: [{ rubroId: null, presupuestoCents: 150_000 }],
    });
    const ids = [await add('A-1'), await add('A-2')];
    const page = await review(ids, { jobId });
    expect(page.rows.map(([number, ...row]) => [number, row.at(-1)])).toEqual([
      ['A-2', expect.stringContaining('presupuesto')],
      ['A-1', 'Cambia'],
    ]);
    await save(page, { jobId });
    expect((await stored(ids)).map(([, , job]) => job)).toEqual([jobId, place.jobId]);
  });

  it('is refused as a whole where somebody saved one of them after the review, and is reviewed again', async () => {
    const ids = [await add('A-1'), await add('A-2')];
    const change = { fechavencimiento: '2026-12-15' };
    const page = await review(ids, change);
    await updateInvoice(fresh.db, await addActor(fresh.db), ids[1]!, { comments: 'Llamaron' });
    const again = await readPage(save(page, change));
    expect(again.status).toBe(409);
    expect(again.alerts).toEqual(['error: Otra persona guardó esta factura mientras la editabas.']);
    expect((await stored(ids)).map(([due]) => due)).toEqual(['2026-11-30', '2026-11-30']);
    expect((await save(again, change)).status).toBe(303);
    expect((await stored(ids)).map(([due]) => due)).toEqual(['2026-12-15', '2026-12-15']);
  });

  it('refuses what it does not understand', async () => {
    const ids = [await add('A-1')];
    const refused = async (fields: Record<string, string | number>) => {
      const { status, alerts } = await readPage(post(ids, 'revisar', fields));
      return [status, alerts];
    };
    expect(await refused({})).toEqual([
      422,
      ['error: Elige qué cambia: el vencimiento, el rubro o la obra.'],
    ]);
    expect(await refused({ fechavencimiento: '2026-12-15', sinFecha: 'on' })).toEqual([
      422,
      ['error: Elige un valor nuevo o márcalo para quitarlo, no las dos cosas.'],
    ]);
    expect(await refused({ fechavencimiento: '15 de nunca' })).toEqual([400, [expect.anything()]]);
    const unknown = await review(ids, { jobId: 999_999 });
    expect(unknown.rows[0]?.at(-1)).toContain('999999');
    expect(unknown.decodedHtml).not.toContain('value="guardar"');
    expect((await post([], 'elegir')).status).toBe(422);
    const tooMany = await readPage(
      post(
        Array.from({ length: 501 }, (_, at) => at + 1),
        'elegir',
      ),
    );
    expect(tooMany.decodedHtml).toContain('Marcaste 501 facturas');
    expect((await review([ids[0]!, 999_999], { sinFecha: 'on' })).rows[0]).toEqual([
      'id 999999',
      '',
      '',
      'No existe la factura 999999.',
    ]);
    expect((await browser.get(ADDRESS)).headers.get('location')).toBe('/invoices');
    expect(await stored(ids)).toEqual([['2026-11-30', null, place.jobId, 1]]);
  });

  it('reviews 500 invoices on a page within 200 KB', async () => {
    const rubroId = await addRubro(fresh.db, { nombrerubro: 'Acero de refuerzo' });
    const ids: number[] = [];
    for (let n = 0; n < 500; n++) ids.push(await add(`FACT-${10_000 + n}`));
    const page = await review(ids, {
      fechavencimiento: '2026-12-15',
      rubroId,
      jobId: await addJob(fresh.db),
    });
    expect(page.rows).toHaveLength(500);
    expect(Buffer.byteLength(page.decodedHtml)).toBeLessThan(200_000);
    await changeSetting(fresh.db, createActor({ roles: [3] }), 'cierre', '2026-11-19');
    const refused = await review(ids, { fechavencimiento: '2026-12-15', rubroId });
    expect(refused.decodedHtml).toContain('500 no se pueden cambiar');
    expect(Buffer.byteLength(refused.decodedHtml)).toBeLessThan(200_000);
  });
});
