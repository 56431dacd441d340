import { expect, it } from 'vitest';
import { suggestRows } from '../../../../server/services/catalogs/suggest-rows.ts';
import { suggestInvoices } from '../../../../server/services/invoices/suggesting.ts';
import { readUsualJobAndRubro } from '../../../../server/services/invoices/usual-job-and-rubro.ts';
import { jobs } from '../../../../shared/catalogs/jobs.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addInvoice, addJob, addPayment, addRubro, addSupplier, addUser } from '../../../support/rows.ts';

describeEachDatabase('the suggestions of a field', (fresh) => {
  it('list names that begin with the text before those that contain it, eight at most', async () => {
    const { db } = fresh;
    for (const jobtitle of ['Nave Ábaco', 'Puente 10%', 'Abasto', 'Gran abadía', 'ÁBSIDE', 'Torre'])
      await addJob(db, { jobtitle });
    const titles = async (text: string) =>
      (await suggestRows(db, jobs, text)).map(({ jobtitle }) => jobtitle);
    expect(await titles('ába')).toEqual(['Abasto', 'Gran abadía', 'Nave Ábaco']);
    expect(await titles('%')).toEqual(['Puente 10%']);
    expect(await titles('zz')).toEqual([]);
    for (let number = 1; number <= 9; number++) await addJob(db, { jobtitle: `Bodega ${number}` });
    expect(await titles('')).toHaveLength(8);
    expect((await titles(''))[0]).toBe('Abasto');
    const [first] = await suggestRows(db, jobs, 'torre');
    expect(first, 'with what it refers to, as the API’s rows').toMatchObject({
      client: { id: expect.any(Number) },
    });
  });

  it('find an invoice by number, supplier or amount, open ones first', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const jobId = await addJob(db);
    const norte = await addSupplier(db, { suppliername: 'Aceros del Norte' });
    const sur = await addSupplier(db, { suppliername: 'Maderas del Sur' });
    const add = async (
      numfactura: string,
      supplierId: number,
      subtotalCents: number,
      vence: string,
      paid = 0,
    ) => {
      const id = await addInvoice(db, {
        numfactura,
        supplierId,
        jobId,
        subtotalCents,
        fechavencimiento: vence,
      });
      if (paid > 0) await addPayment(db, { facturaproveedorId: id, amountCents: paid, userId });
    };
    await add('B-77', sur, 100_000, '2026-12-10');
    await add('AB-77', norte, 200_000, '2026-12-01', 100_000); // 2,320.00, of which 1,320.00 are pending
    await add('77-C', norte, 300_000, '2026-12-20');
    await add('770', norte, 50_000, '2026-01-01', 58_000);
    await add('Z-1', sur, 132_000, '2026-11-01');
    const numbers = async (text: string) =>
      (await suggestInvoices(db, text)).map(({ numfactura }) => numfactura);
    expect(await numbers('77'), 'begins with it, then by due day, then what is paid').toEqual([
      '77-C',
      'AB-77',
      'B-77',
      '770',
    ]);
    expect(await numbers('770')).toEqual(['770']);
    expect(await numbers('nórte')).toEqual(['AB-77', '77-C', '770']);
    expect(await numbers('1320')).toEqual(['AB-77']);
    expect(await numbers('$1,160.00')).toEqual(['B-77']);
    expect(await numbers('580')).toEqual(['770']);
    expect(await numbers('1160.01')).toEqual([]);
    expect(await numbers(''), 'what is due first').toEqual(['Z-1', 'AB-77', 'B-77', '77-C']);
  });

  it('include the usual obra and rubro of a supplier if its last three invoices agree', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db);
    const [roble, nave] = [await addJob(db, { jobtitle: 'Torre Roble' }), await addJob(db)];
    const rubroId = await addRubro(db, { nombrerubro: 'Acero' });
    const add = (jobId: number, rubro: number | null) =>
      addInvoice(db, { supplierId, jobId, rubroId: rubro });
    expect(await readUsualJobAndRubro(db, supplierId)).toEqual({ job: null, rubro: null });
    await add(nave, rubroId);
    await add(roble, rubroId);
    await add(roble, rubroId);
    expect(await readUsualJobAndRubro(db, supplierId)).toEqual({
      job: null,
      rubro: { id: rubroId, nombrerubro: 'Acero' },
    });
    await add(roble, null);
    expect(await readUsualJobAndRubro(db, supplierId)).toEqual({
      job: { id: roble, jobtitle: 'Torre Roble' },
      rubro: null,
    });
    await add(roble, null);
    await add(roble, null);
    expect((await readUsualJobAndRubro(db, supplierId)).rubro, 'none is no rubro to propose').toBeNull();
  });
});
