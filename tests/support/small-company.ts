import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { attachFile } from '../../server/services/attachments.ts';
import { saveBudget } from '../../server/services/budgets/budgets.ts';
import { createInvoice, updateInvoice } from '../../server/services/invoices/invoices.ts';
import { createPayment, deletePayment } from '../../server/services/payments/payments.ts';
import { createMovement } from '../../server/services/petty-cash/movements.ts';
import { createFund } from '../../server/services/petty-cash/petty-cash.ts';
import { addBatch } from './batches.ts';
import { aPdf } from './files.ts';
import {
  addActor,
  addClient,
  addCreditNote,
  addFundingSource,
  addJob,
  addRubro,
  addSupplier,
  TODAY,
} from './rows.ts';

/** Some rows of every kind, most with their entries in the audit trail: what the demo has thousands of. */
export async function addSmallCompany(db: Db): Promise<void> {
  const ana = await addActor(db);
  const clientId = await addClient(db, { clientname: 'Inmobiliaria Cumbres' });
  const jobs = [await addJob(db, { jobtitle: 'Torre Roble', clientId }), await addJob(db)];
  const rubroId = await addRubro(db, { nombrerubro: 'Acero' });
  const origenderecursoId = await addFundingSource(db, { origenderecursonombre: 'Banco del Bajío' });
  const suppliers = [await addSupplier(db, { suppliername: 'Aceros Ñandú' }), await addSupplier(db)];
  for (let n = 0; n < 8; n++) {
    const draft = { supplierId: suppliers[n % 2]!, jobId: jobs[n % 2]!, rubroId: n % 3 ? rubroId : null };
    const { invoice } = await createInvoice(db, ana, {
      ...draft,
      numfactura: `A-${n}`,
      subtotalCents: 10_001 + 777 * n,
      fechaemision: '2026-11-02',
    });
    await updateInvoice(db, ana, invoice.id, { comments: `Línea uno\n«dos» ${n} 🧱` });
    const payment = { facturaproveedorId: invoice.id, origenderecursoId, amountCents: 5_000 + n };
    if (n % 4 > 0) await createPayment(db, ana, { ...payment, checknum: `CH-${n}` });
    if (n === 7) {
      const { payment: second } = await createPayment(db, ana, payment);
      await deletePayment(db, ana, second.id);
      const pdf = { filename: 'factura.pdf', bytes: aPdf() };
      await inTransaction(db, (trx) => attachFile(trx, ana, invoice.id, pdf));
    }
  }
  await addCreditNote(db, { supplierId: suppliers[0]!, userId: ana.userId });
  const line = { rubroId, presupuestoCents: 90_000 };
  await saveBudget(db, ana, jobs[0]!, { motivo: 'Contrato', partidas: [line, { ...line, rubroId: null }] });
  const fundingSourceId = await addFundingSource(db, { origenderecursonombre: 'Caja de la obra' });
  const fund = await createFund(db, ana, { fundingSourceId, responsable: 'Eva Íñiguez', openedOn: TODAY });
  await createMovement(db, ana, fund.id, { movementdate: TODAY, concept: 'Clavos', amountCents: 1_050 });
  await addBatch(db, { author: ana, origenderecursoId, estado: 'pagada', invoiceIds: [1] });
  await addBatch(db, { author: ana, origenderecursoId, estado: 'autorizada', invoiceIds: [2, 3] });
}
