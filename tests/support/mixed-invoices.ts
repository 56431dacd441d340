import type { Db } from '../../db/schema.ts';
import { createTestApp } from './app.ts';
import { addActor, addFundingSource, addInvoice, addJob, addPayment, addRubro, addSupplier } from './rows.ts';

const day = (month: number, n: number) => `2026-${month}-${String(n).padStart(2, '0')}`;

/** Two suppliers alternate; amounts are odd, and due days missing or equal. */
export async function addMixedInvoices(db: Db, count: number, names: readonly [string, string]) {
  const { userId } = await addActor(db);
  const suppliers = [
    await addSupplier(db, { suppliername: names[0], rfc: 'AAA010101AAA' }),
    await addSupplier(db, { suppliername: names[1] }),
  ];
  const jobId = await addJob(db, { jobtitle: 'Torre Roble; etapa 2' });
  const rubroId = await addRubro(db, { nombrerubro: 'Acero' });
  const origenderecursoId = await addFundingSource(db, { origenderecursonombre: 'BBVA 0102' });
  for (let n = 1; n <= count; n++) {
    const facturaproveedorId = await addInvoice(db, {
      supplierId: suppliers[n % 2],
      jobId,
      rubroId: n % 3 ? rubroId : null,
      numfactura: `F-${String(n).padStart(3, '0')}`,
      subtotalCents: 100_000 + n * 37,
      otrosimpuestosCents: n % 5 ? 0 : 1_234,
      retencionesCents: n % 7 ? 0 : 99,
      fechaemision: day(n % 2 ? 10 : 11, (n % 20) + 1),
      fechavencimiento: n % 4 ? day(12, (n % 9) + 1) : null,
      comments: n === 1 ? 'dos\nlíneas' : '',
      uuid: n === 1 ? '6f1b2c3d-0000-4000-8000-000000000001' : null,
    });
    const payment = { facturaproveedorId, userId, origenderecursoId, amountCents: 1_000 + n };
    if (n % 2)
      await addPayment(db, { ...payment, checknum: `CH-${n % 3}`, paymentdate: day(11, (n % 19) + 1) });
  }
  return { suppliers, jobId, client: await createTestApp({ db }).as([1, 3]) };
}
