import { expect, it } from 'vitest';
import { deleteRow } from '../../../server/services/catalogs/row-changes.ts';
import { deleteInvoice } from '../../../server/services/invoices/invoices.ts';
import { deleteBatch } from '../../../server/services/payment-batches/payment-batches.ts';
import { deletePayment } from '../../../server/services/payments/payments.ts';
import { deleteFund } from '../../../server/services/petty-cash/funds.ts';
import { createMovement, deleteMovement } from '../../../server/services/petty-cash/movements.ts';
import { deleteAccount } from '../../../server/services/supplier-accounts/accounts.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { addAccount } from '../../support/accounts.ts';
import { addBatch } from '../../support/batches.ts';
import { readAllTables } from '../../support/every-row.ts';
import { addFund, createExpenseValues } from '../../support/petty-cash.ts';
import { describeEachInLongLane } from '../../support/proofs.ts';
import { addActor, addInvoice, addPayment, addSupplier } from '../../support/rows.ts';

/** No row has this version. */
const SEEN = 9;

describeEachInLongLane('a row that somebody else has changed meanwhile', (fresh) => {
  it('is not deleted by a user who saw the previous version', async () => {
    const { db } = fresh;
    const by = await addActor(db);
    const fund = await addFund(db);
    const { movement } = await createMovement(db, by, fund.id, createExpenseValues());
    const facturaproveedorId = await addInvoice(db);
    const payment = await addPayment(db, { facturaproveedorId, amountCents: 1, userId: by.userId });
    const [supplier, invoice] = [await addSupplier(db), await addInvoice(db)];
    const [batch, account] = [await addBatch(db), await addAccount(db)];
    const before = await readAllTables(db);
    for (const [what, deletes] of Object.entries({
      supplier: () => deleteRow(db, by, suppliers, supplier, SEEN),
      invoice: () => deleteInvoice(db, by, invoice, SEEN),
      payment: () => deletePayment(db, by, payment, SEEN),
      fund: () => deleteFund(db, by, fund.id, SEEN),
      movement: () => deleteMovement(db, by, movement.id, SEEN),
      batch: () => deleteBatch(db, by, batch.id, SEEN),
      account: () => deleteAccount(db, by, { ...account, version: SEEN }),
    }))
      await expect(deletes(), what).rejects.toMatchObject({
        kind: 'stale',
        extra: { current: { version: expect.any(Number) } },
      });
    expect(await readAllTables(db)).toEqual(before);
  });
});
