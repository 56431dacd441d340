import { beforeEach, expect, it } from 'vitest';
import { pages } from '../../../../shared/urls.ts';
import { createTestApp, type TestApp, type TestClient } from '../../../support/app.ts';
import { readCsv } from '../../../support/csv.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addInvoice, addSupplier } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

describeOneDatabase('the screens of credit notes', (fresh) => {
  let test: TestApp;
  let browser: TestClient;
  beforeEach(async () => {
    test = createTestApp({ db: fresh.db });
    browser = await test.as(2);
  });
  const owing = async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const amounts = { subtotalCents: 100_000, ivaCents: 16_000, totalCents: 116_000 };
    const add = (numfactura: string) => addInvoice(fresh.db, { supplierId, numfactura, ...amounts });
    return { supplierId, first: await add('A-1'), second: await add('A-2') };
  };
  const NOTE = { numero: 'NC-9', fecha: '2026-11-18', subtotal: '500', tasa: '16' };

  it('capture a note on paper and apply it to two invoices without a script; the rest stays in favour', async () => {
    const { supplierId, first, second } = await owing();
    const supplier = await readPage(browser.get(`${pages.editSupplier}/${supplierId}`));
    expect(supplier.links('Nota de crédito')).toEqual([`/new-credit-note?supplierId=${supplierId}`]);
    const form = await readPage(browser.get(`/new-credit-note?supplierId=${supplierId}`));
    expect(form.decodedHtml).toContain('Aplicar a A-1');
    expect(form.decodedHtml).toContain('se deben $1,160.00');
    const parts = { [`aplicar-${first}`]: '400', [`aplicar-${second}`]: '=100+50' };
    const saved = await browser.form('/new-credit-note', {
      ...NOTE,
      supplierId: String(supplierId),
      ...parts,
    });
    const shown = await readPage(browser.follow(saved));
    expect(shown.alerts).toEqual([
      'success: Se guardó la nota de crédito NC-9. Quedan $30.00 como saldo a favor.',
    ]);
    expect(await readRows(fresh.db, 'credit_notes', {}, ['totalCents', 'appliedCents'])).toEqual([
      { totalCents: 58_000, appliedCents: 55_000 },
    ]);
    expect(
      await readRows(fresh.db, 'payments', {}, ['kind', 'facturaproveedorId', 'amountCents', 'paymentdate']),
    ).toEqual([
      { kind: 'credito', facturaproveedorId: first, amountCents: 40_000, paymentdate: '2026-11-18' },
      { kind: 'credito', facturaproveedorId: second, amountCents: 15_000, paymentdate: '2026-11-18' },
    ]);
  });

  it('show with the second button what is owed to the chosen supplier, and keep what was typed', async () => {
    const { supplierId } = await owing();
    expect((await readPage(browser.get('/new-credit-note'))).decodedHtml).not.toContain('Aplicar a');
    const typed = { ...NOTE, supplierId: String(supplierId), another: '1' };
    const { decodedHtml } = await readPage(browser.form('/new-credit-note', typed));
    for (const text of ['Aplicar a A-1', 'Aplicar a A-2', 'value="NC-9"', 'value="500"'])
      expect(decodedHtml).toContain(text);
    expect(await readRows(fresh.db, 'credit_notes')).toEqual([]);
  });

  it('keep everything typed of a refused note, and store one if a form is sent twice', async () => {
    const { supplierId, first } = await owing();
    const typed = { ...NOTE, supplierId: String(supplierId), [`aplicar-${first}`]: 'doce' };
    const refused = await readPage(browser.form('/new-credit-note', typed));
    expect(refused.alerts[0]).toMatch(/^error: /);
    expect(refused.decodedHtml).toContain('value="doce"');
    const once = { ...NOTE, supplierId: String(supplierId), idempotencyKey: 'clave-de-prueba-0001' };
    for (const _time of [1, 2]) expect((await browser.form('/new-credit-note', once)).status).toBe(303);
    expect(await readRows(fresh.db, 'credit_notes')).toHaveLength(1);
  });

  it.each([
    [20, false],
    [21, true],
  ])('say of %i open invoices that more are open than are shown: %s', async (count, isSaid) => {
    const supplierId = await addSupplier(fresh.db);
    for (let place = 0; place < count; place += 1) await addInvoice(fresh.db, { supplierId });
    const { decodedHtml } = await readPage(browser.get(`/new-credit-note?supplierId=${supplierId}`));
    expect(decodedHtml.match(/Aplicar a /g)?.length).toBeGreaterThanOrEqual(20);
    expect(decodedHtml.includes('Se muestran las 20 facturas que vencen primero.')).toBe(isSaid);
  });

  it('refuse, without a script, another supplier than that of the invoices, and show the supplier’s own', async () => {
    const { first } = await owing();
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Cementos del Norte' });
    await addInvoice(fresh.db, { supplierId, numfactura: 'B-1' });
    const typed = { ...NOTE, supplierId: String(supplierId), [`aplicar-${first}`]: '10' };
    const refused = await readPage(browser.form('/new-credit-note', typed));
    expect(refused.alerts).toEqual(['error: La factura es de otro proveedor que la nota de crédito.']);
    expect(refused.decodedHtml).toContain('Aplicar a B-1');
    expect(refused.decodedHtml).not.toContain('Aplicar a A-1');
    expect(await readRows(fresh.db, 'credit_notes')).toEqual([]);
  });

  it.each([
    ['1160.01', 'El total pagado no puede ser mayor que el total de la factura.'],
    ['doce', 'Cantidad que se aplica: no es una cantidad.'],
    ['-3', 'La cantidad debe ser mayor que cero.'],
  ])('show a problem with a part of %s at its own field', async (amount, says) => {
    const { supplierId, first, second } = await owing();
    const parts = { [`aplicar-${first}`]: '1', [`aplicar-${second}`]: amount };
    const typed = { ...NOTE, subtotal: '5000', supplierId: String(supplierId), ...parts };
    const { decodedHtml, alerts } = await readPage(browser.form('/new-credit-note', typed));
    expect(alerts).toEqual([`error: ${says}`]);
    const inputs = decodedHtml.match(/<input[^>]*name="aplicar-[^>]*>/g) ?? [];
    const wrong = inputs.filter((input) => input.includes('aria-invalid="true"'));
    expect(wrong).toEqual([expect.stringContaining(`name="aplicar-${second}"`)]);
    const script = await test.withToken(2);
    const aplicar = [{ facturaproveedorId: second, importe: amount }];
    const sent = await script.post('/api/creditos/', { ...NOTE, subtotal: 5000, supplierId, aplicar });
    expect(Object.keys(((await sent.json()) as { fields: object }).fields)).toEqual(['aplicar']);
  });

  it('restore a deleted note by Deshacer, once', async () => {
    const { supplierId } = await owing();
    const script = await test.withToken(2);
    const posted = await script.post('/api/creditos/', { ...NOTE, supplierId });
    const { id } = (await posted.json()) as { id: number };
    const before = await readRows(fresh.db, 'credit_notes');
    const deleted = await browser.form(pages.deleteCreditNote(id), {});
    const supplier = await readPage(browser.follow(deleted));
    expect(supplier.alerts).toEqual(['success: Se eliminó la nota de crédito NC-9.Deshacer']);
    expect(supplier.decodedHtml).toContain(`action="${pages.restoreCreditNote(id)}"`);
    const back = await readPage(browser.follow(await browser.form(pages.restoreCreditNote(id), {})));
    expect(back.alerts).toEqual(['success: Se recuperó la nota de crédito NC-9.']);
    const [{ updatedAt: _, version, ...row }] = (await readRows(fresh.db, 'credit_notes')) as [
      { updatedAt: string; version: number },
    ];
    expect([before[0], version]).toMatchObject([row, 2]);
    const again = await readPage(browser.form(pages.restoreCreditNote(id), {}));
    expect([again.status, again.alerts[0]]).toEqual([
      409,
      `error: No se pudo deshacer. La nota de crédito ${id} no está eliminada.`,
    ]);
  });

  it('list what is applied of each note, by supplier and state, and export what can be imported again', async () => {
    const { supplierId, first } = await owing();
    const script = await test.withToken(2);
    const post = (numero: string, importe?: number) =>
      script.post('/api/creditos/', {
        ...{ supplierId, numero, fecha: '2026-11-18', subtotal: 100 },
        ...(importe && { aplicar: [{ facturaproveedorId: first, importe }] }),
      });
    expect(await (await post('NC-1', 116)).json()).toMatchObject({ total: 116, aplicado: 116, pendiente: 0 });
    expect((await post('NC-2')).status).toBe(201);
    const open = await readPage(browser.get('/notas-de-credito?estado=con-saldo'));
    expect(open.decodedHtml).toContain('NC-2');
    expect(open.decodedHtml).not.toContain('NC-1');
    const list = await script.get(`/api/creditos/?supplierId=${supplierId}`);
    expect(list.headers.get('x-total-count')).toBe('2');
    const [{ id }] = (await list.json()) as [{ id: number }];
    const applied = await script.delete(`/api/creditos/${id}`);
    expect([applied.status, await applied.json()]).toMatchObject([409, { code: 'in_use' }]);
    expect((await script.delete(`/api/creditos/${id + 1}`)).status).toBe(204);
    const csv = await readCsv(browser.get('/notas-de-credito/export.csv'));
    expect(csv.rows[0]).toMatchObject({ Proveedor: 'Aceros Tepeyac', Total: '116.00', Aplicado: '116.00' });
  });
});
