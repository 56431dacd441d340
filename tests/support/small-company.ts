import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { attachFile } from '../../server/services/attachments.ts';
import { saveBudgetOfJob } from '../../server/services/budgets/write.ts';
import { createInvoice, updateInvoice } from '../../server/services/invoices/invoices.ts';
import { createPayment, deletePayment } from '../../server/services/payments/payments.ts';
import { countCash } from '../../server/services/petty-cash/counting.ts';
import { createMovement } from '../../server/services/petty-cash/movements.ts';
import { requestReplenishment } from '../../server/services/petty-cash/replenishing.ts';
import { addAccount } from './accounts.ts';
import { addBatch } from './batches.ts';
import { buildPdf } from './files.ts';
import { addFund, createExpenseValues } from './petty-cash.ts';
import {
  addActor,
  addClient,
  addCreditNote,
  addFundingSource,
  addJob,
  addRubro,
  addSupplier,
} from './rows.ts';

/** Stores some rows of every kind, most with their entries in the audit trail; the demo has thousands of them. */
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
      const pdf = { filename: 'factura.pdf', bytes: buildPdf() };
      await inTransaction(db, (trx) => attachFile(trx, ana, invoice.id, pdf));
    }
  }
  await addCreditNote(db, { supplierId: suppliers[0]!, userId: ana.userId });
  await addAccount(db, { supplierId: suppliers[0]!, author: { ...ana, today: '2026-11-02' } });
  const line = { rubroId, presupuestoCents: 90_000 };
  await saveBudgetOfJob(db, ana, jobs[0]!, {
    motivo: 'Contrato',
    partidas: [line, { ...line, rubroId: null }],
  });
  const holder = await addActor(db, { username: 'eva' });
  const fund = await addFund(db, {
    nombre: 'Caja de la obra',
    responsableId: holder.userId,
    origenderecursoId,
  });
  const spent = await createMovement(db, holder, fund.id, createExpenseValues({ concepto: 'Clavos' }));
  await inTransaction(db, (trx) =>
    attachFile(trx, holder, { movementId: spent.movement.id }, { filename: 'nota.pdf', bytes: buildPdf() }),
  );
  await requestReplenishment(db, ana, fund.id, {});
  await createMovement(
    db,
    holder,
    fund.id,
    createExpenseValues({ comprobante: 'ninguno', importeCents: 1_050 }),
  );
  await countCash(db, ana, fund.id, { denominaciones: { '500': 9 }, motivo: 'Faltó cambio' });
  await addBatch(db, { author: ana, origenderecursoId, estado: 'pagada', invoiceIds: [1] });
  await addBatch(db, { author: ana, origenderecursoId, estado: 'autorizada', invoiceIds: [2, 3] });
}
