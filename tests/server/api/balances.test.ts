import { expect, it } from 'vitest';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addInvoice, addJob, addPayment, addSupplier, addUser } from '../../support/rows.ts';

const PIVOT = '/api/facturaproveedores/reporting/pivot/';

describeOneDatabase('GET reporting/pivot', (fresh) => {
  it('answers the rows with every column as decimals, in the order of the columns', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros', diascredito: 20 });
    const jobId = await addJob(db, { jobtitle: 'Torre' });
    const { id: userId } = await addUser(db);
    const invoice = { supplierId, jobId, fechaemision: '2026-11-10' };
    const id = await addInvoice(db, { ...invoice, numfactura: 'A-1', fechavencimiento: '2026-11-15' });
    const estimated = await addInvoice(db, { ...invoice, numfactura: 'A-2' });
    await addPayment(db, { facturaproveedorId: id, amountCents: 15_950, userId });
    const client = await createTestApp({ db }).as(2);

    const response = await client.get(`${PIVOT}?weeknum=47&yr=2026`);
    expect(response.status).toBe(200);
    const rows = (await response.json()) as Record<string, unknown>[];
    const weeks = (earlier: number, third: number) => ({
      ...{ ANTERIORES: earlier, 'SEM 47': 0, 'SEM 48': 0, 'SEM 49': third },
      total: earlier + third,
    });
    const open = { suppliername: 'Aceros', jobtitle: 'Torre', isSummary: false };
    const sums = { numfactura: '', isSummary: true, ...weeks(1000.5, 1160) };
    const ofEstimated = { numfactura: 'A-2', facturaproveedorId: estimated, fechavencimiento: '2026-11-30' };
    expect(rows).toEqual([
      {
        ...open,
        numfactura: 'A-1',
        facturaproveedorId: id,
        fechavencimiento: '2026-11-15',
        ...weeks(1000.5, 0),
      },
      { ...open, ...ofEstimated, vencimientoEstimado: true, ...weeks(0, 1160) },
      { suppliername: 'Aceros', jobtitle: 'Total Aceros', ...sums },
      { suppliername: 'Total general', jobtitle: '', ...sums },
    ]);
    const dynamic = Object.keys(rows[0]!).filter((key) => /^(SEM|ANTERIORES)/.test(key));
    expect(dynamic).toEqual(['ANTERIORES', 'SEM 47', 'SEM 48', 'SEM 49']);
  });

  it('corrects the year and week that old callers send around New Year', async () => {
    const app = createTestApp({ db: fresh.db, now: '2027-01-01T18:00:00.000Z' });
    const response = await (await app.as(1)).get(`${PIVOT}?weeknum=53&yr=2027`);
    expect(response.status).toBe(200);
    expect(Object.keys(((await response.json()) as object[])[0]!)).toContain('SEM 53');
  });

  it('refuses weeks that do not exist and what cannot be read', async () => {
    const client = await createTestApp({ db: fresh.db }).as(1);
    const refused = [
      'weeknum=53&yr=2025',
      'weeknum=60&yr=2026',
      'weeknum=0',
      'weeknum=-3',
      'weeknum=x',
      'yr=1.5',
      'corte=2026-02-30',
      'supplierId=abc',
      'otro=1',
    ];
    for (const query of refused) {
      const response = await client.get(`${PIVOT}?${query}`);
      expect([query, response.status]).toEqual([query, 400]);
    }
  });

  it('accepts corte, supplier and job, with and without the trailing slash', async () => {
    const { db } = fresh;
    const [one, other] = [await addSupplier(db), await addSupplier(db)];
    const jobId = await addJob(db);
    await addInvoice(db, { supplierId: one, jobId, numfactura: 'old', fechaemision: '2026-01-10' });
    await addInvoice(db, { supplierId: one, jobId, numfactura: 'new', fechaemision: '2026-11-10' });
    await addInvoice(db, { supplierId: other, jobId, numfactura: 'other', fechaemision: '2026-01-10' });
    const client = await createTestApp({ db }).as(6);
    const numbers = async (query: string) => {
      const response = await client.get(`${PIVOT.slice(0, -1)}?${query}`);
      const rows = (await response.json()) as { numfactura: string }[];
      return rows.flatMap((row) => row.numfactura || []).sort();
    };
    expect(await numbers('')).toEqual(['new', 'old', 'other']);
    expect(await numbers('corte=2026-06-30')).toEqual(['old', 'other']);
    expect(await numbers(`corte=2026-06-30&supplierId=${one}`)).toEqual(['old']);
    expect(await numbers(`jobId=${jobId + 1}`)).toEqual([]);
    expect(await numbers('weeknum=&yr=undefined&corte=null')).toEqual(['new', 'old', 'other']);
  });
});
