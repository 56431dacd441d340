import { expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { readPage } from '../support/page.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import { addActor, addInvoice, addJob, addPayment, addSupplier } from '../support/rows.ts';
import { importRows } from '../support/table-rows.ts';
import { importText } from '../support/tables.ts';

describeOneDatabase('one rule by every door', (fresh) => {
  const prepare = async () => {
    const test = createTestApp({ db: fresh.db });
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre' });
    const draft = { supplierId, jobId, subtotal: '100', tasa: '16' };
    const numbers = async () =>
      (await fresh.db.selectFrom('invoices').select('numfactura').orderBy('id').execute()).map(
        ({ numfactura }) => numfactura,
      );
    return { browser: await test.as([1, 3]), script: await test.withToken([1, 3]), draft, numbers };
  };

  it('of a run of blanks in one line one stays; remarks keep their lines', async () => {
    const { browser, script, draft, numbers } = await prepare();
    const comments = ' una  línea \n  otra ';
    const more = { comments, allowDuplicate: 'true' };
    await browser.form('/new-invoice', { ...draft, ...more, numfactura: '  A  \t 1 ' });
    await script.post('/api/facturaproveedores/newfacturaproveedor', {
      ...draft,
      comments,
      numfactura: ' B \u00a0 1',
    });
    const [row] = await importText(
      'invoices',
      'Proveedor,Obra,Factura,Subtotal,Tasa\r\nAceros,Torre,  C   1 ,100,16\r\n',
    );
    await importRows(fresh.db, await addActor(fresh.db), 'invoices', [
      {
        suppliername: 'Aceros',
        jobtitle: 'Torre',
        numfactura: String(row!.values.numfactura),
        subtotal: '100',
        tasa: '16',
      },
    ]);
    expect(await numbers()).toEqual(['A 1', 'B 1', 'C 1']);
    const stored = await fresh.db.selectFrom('invoices').select('comments').orderBy('id').execute();
    expect(stored.slice(0, 2).map((one) => one.comments)).toEqual([comments.trim(), comments.trim()]);
  });

  it.each(['1926-11-20', '1999-12-31', '2100-01-01', '2206-11-20'])(
    'the day %s is refused, with the years that are stored',
    async (day) => {
      const { browser, script, draft, numbers } = await prepare();
      const said = `${day} está fuera de 2000 a 2099.`;
      const page = await readPage(browser.form('/new-invoice', { ...draft, fechaemision: day }));
      expect([page.status, page.alerts]).toEqual([422, [`error: Fecha de emisión: ${said}`]]);
      const answer = await script.post('/api/facturaproveedores/newfacturaproveedor', {
        ...draft,
        fechaemision: day,
      });
      expect([answer.status, await answer.json()]).toMatchObject([
        422,
        { fields: { fechaemision: `Fecha de emisión: ${said}` } },
      ]);
      const [row] = await importText(
        'invoices',
        `Proveedor,Obra,Factura,Subtotal,Tasa,Emisión\r\nAceros,Torre,A-1,100,16,${day}\r\n`,
      );
      expect(row!.problems).toMatchObject([{ column: 'Emisión', reason: said }]);
      expect(await numbers()).toEqual([]);
      const filtered = await script.get(`/api/facturaproveedores/search/?fechaemisionDesde=${day}`);
      expect(filtered.status).toBe(400);
    },
  );

  it('an invoice without a number is called the same wherever it stands', async () => {
    const { browser, draft } = await prepare();
    const { supplierId, jobId } = draft;
    const id = await addInvoice(fresh.db, { supplierId, jobId, numfactura: '' });
    const { id: userId } = browser.user;
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 100, userId });
    for (const page of ['/invoices', '/pagos-proveedores', `/estado-cuenta/${supplierId}`]) {
      const html = await (await browser.get(page)).text();
      expect([page, html.includes('(sin número)'), html.includes('Sin número')]).toEqual([page, true, false]);
    }
  });
});
