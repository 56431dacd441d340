import { expect, it } from 'vitest';
import type { Db } from '../../db/schema.ts';
import { buildBankOrder } from '../../server/services/bank-files/transfers.ts';
import { importBankStatement } from '../../server/services/bank-statements/import-statement.ts';
import { applyCredit, deleteCreditNote } from '../../server/services/credit-notes/write.ts';
import {
  createInvoice,
  deleteInvoice,
  restoreInvoice,
  unlinkCfdi,
  updateInvoice,
} from '../../server/services/invoices/invoices.ts';
import { moveBatchBackOneStage, payBatch } from '../../server/services/payment-batches/paying.ts';
import { getBatch } from '../../server/services/payment-batches/reading.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
  updatePayment,
} from '../../server/services/payments/payments.ts';
import { createFund, deleteFund, updateFund } from '../../server/services/petty-cash/funds.ts';
import {
  acceptWithoutVoucher,
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../../server/services/petty-cash/movements.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
  undoReplenishment,
} from '../../server/services/petty-cash/replenishing.ts';
import { addAccount } from '../support/accounts.ts';
import { addBatch } from '../support/batches.ts';
import { uuidOfNumber } from '../support/cfdi.ts';
import { readDatedRows, setClosingDate } from '../support/dated-rows.ts';
import { addFund, createExpenseValues } from '../support/petty-cash.ts';
import { describeEachInLongLane } from '../support/proofs.ts';
import {
  addActor,
  addCreditNote,
  addFundingSource,
  addInvoice,
  addPayment,
  addSupplier,
} from '../support/rows.ts';

const CLOSED = '2026-10-15';
const OPEN = '2026-11-10';

/** Stores rows of a closed and an open month, before the closing. */
async function world(db: Db) {
  const [clerk, author] = [
    await addActor(db, { roles: [1, 2] }),
    await addActor(db, { roles: [6], today: '2026-10-01' }),
  ];
  const supplierId = await addSupplier(db);
  await addAccount(db, { author, supplierId });
  const invoiceOn = (fechaemision: string, more = {}) =>
    addInvoice(db, { supplierId, fechaemision, ...more });
  const [closed, open] = [await invoiceOn(CLOSED, { uuid: uuidOfNumber(1) }), await invoiceOn(OPEN)];
  const pay = (paymentdate: string) =>
    addPayment(db, { facturaproveedorId: open, amountCents: 100, userId: clerk.userId, paymentdate });
  const fund = await addFund(db, { openedOn: '2026-10-01' });
  const spend = async (fecha: string, more = {}) =>
    (await createMovement(db, clerk, fund.id, createExpenseValues({ fecha, importeCents: 100, ...more })))
      .movement.id;
  const noteId = await addCreditNote(db, { supplierId, userId: clerk.userId, fecha: CLOSED });
  const gone = {
    invoice: await invoiceOn(CLOSED),
    payment: await pay(CLOSED),
    movement: await spend(CLOSED),
  };
  await deleteInvoice(db, clerk, gone.invoice);
  await deletePayment(db, clerk, gone.payment);
  await deleteMovement(db, clerk, gone.movement);
  const requested = await requestReplenishment(db, clerk, fund.id, { movementIds: [await spend(OPEN)] });
  const given = await requestReplenishment(db, clerk, fund.id, { movementIds: [await spend(OPEN)] });
  const other = await addActor(db, { roles: [1] });
  await authorizeReplenishment(db, other, given.replenishment.id, { fecha: CLOSED });
  const origenderecursoId = await addFundingSource(db);
  const sender = await addActor(db, { roles: [1], today: '2026-10-10' });
  const batchOf = async (fecha: string, estado: 'autorizada' | 'enviada' | 'pagada') =>
    addBatch(db, {
      ...{ fecha, estado, origenderecursoId, approver: sender },
      invoiceIds: [await invoiceOn(OPEN)],
    });
  return {
    ...{ clerk, other, supplierId, origenderecursoId, invoiceOn, noteId, gone, fund },
    ...{ closed, open, requested: requested.replenishment.id, given: given.replenishment.id },
    payments: { closed: await pay(CLOSED), open: await pay(OPEN) },
    movements: {
      closed: await spend(CLOSED),
      open: await spend(OPEN),
      unproved: await spend(CLOSED, { comprobante: 'ninguno', comprobarAntes: OPEN }),
    },
    empty: await addFund(db, { openedOn: CLOSED, aperturaCents: 0 }),
    later: await addFund(db, { openedOn: OPEN, aperturaCents: 0 }),
    signed: await batchOf(CLOSED, 'autorizada'),
    sent: await batchOf(OPEN, 'enviada'),
    paid: await batchOf(CLOSED, 'pagada'),
  };
}

type World = Awaited<ReturnType<typeof world>>;

const ACTS: Record<string, (db: Db, world: World) => Promise<unknown>> = {
  'an invoice that is captured': (db, { clerk, supplierId, ...w }) =>
    db
      .selectFrom('invoices')
      .select('jobId')
      .where('id', '=', w.open)
      .executeTakeFirstOrThrow()
      .then(({ jobId }) =>
        createInvoice(db, clerk, { supplierId, jobId, subtotalCents: 100, fechaemision: CLOSED }),
      ),
  'an invoice that is moved out': (db, { clerk, closed }) =>
    updateInvoice(db, clerk, closed, { fechaemision: OPEN }),
  'an invoice that is moved in': (db, { clerk, open }) =>
    updateInvoice(db, clerk, open, { fechaemision: CLOSED }),
  'an invoice that is deleted': (db, { clerk, closed }) => deleteInvoice(db, clerk, closed),
  'an invoice that is brought back': (db, { clerk, gone }) => restoreInvoice(db, clerk, gone.invoice),
  'an invoice that is unlinked from its CFDI': (db, { clerk, closed }) => unlinkCfdi(db, clerk, closed),
  'a payment that is made': (db, { clerk, open: facturaproveedorId }) =>
    createPayment(db, clerk, { facturaproveedorId, amountCents: 1, paymentdate: CLOSED }),
  'a payment that is moved out': (db, { clerk, payments }) =>
    updatePayment(db, clerk, payments.closed, { paymentdate: OPEN }),
  'a payment that is moved in': (db, { clerk, payments }) =>
    updatePayment(db, clerk, payments.open, { paymentdate: CLOSED }),
  'a payment that is deleted': (db, { clerk, payments }) => deletePayment(db, clerk, payments.closed),
  'a payment that is brought back': (db, { clerk, gone }) => restorePayment(db, clerk, gone.payment),
  'a credit note that is applied': (db, { clerk, noteId: creditNoteId, open: invoiceId }) =>
    applyCredit(db, clerk, { creditNoteId, invoiceId, amountCents: 1 }),
  'a credit note that is deleted': (db, { clerk, noteId }) => deleteCreditNote(db, clerk, noteId),
  'an expense that is captured': (db, { clerk, fund }) =>
    createMovement(db, clerk, fund.id, createExpenseValues({ fecha: CLOSED })),
  'an expense that is moved out': (db, { clerk, movements }) =>
    updateMovement(db, clerk, movements.closed, { fecha: OPEN }),
  'an expense that is moved in': (db, { clerk, movements }) =>
    updateMovement(db, clerk, movements.open, { fecha: CLOSED }),
  'an expense that is deleted': (db, { clerk, movements }) => deleteMovement(db, clerk, movements.closed),
  'an expense that is brought back': (db, { clerk, gone }) => restoreMovement(db, clerk, gone.movement),
  'an expense that is accepted without a receipt': (db, { clerk, movements }) =>
    acceptWithoutVoucher(db, clerk, movements.unproved),
  'money that is put into a box': (db, { other, requested }) =>
    authorizeReplenishment(db, other, requested, { fecha: CLOSED }),
  'money that is taken out of a box again': (db, { other, given }) => undoReplenishment(db, other, given),
  'a box that is opened': (db, { clerk, origenderecursoId }) =>
    createFund(db, clerk, { nombre: 'N', responsableId: clerk.userId, origenderecursoId, openedOn: CLOSED }),
  'a box whose first day is moved out': (db, { clerk, empty }) =>
    updateFund(db, clerk, empty.id, { openedOn: OPEN }),
  'a box whose first day is moved in': (db, { clerk, later }) =>
    updateFund(db, clerk, later.id, { openedOn: CLOSED }),
  'a box that payments leave from now on': (db, { clerk, empty, origenderecursoId: pagosOrigenId }) =>
    updateFund(db, clerk, empty.id, { pagosOrigenId }),
  'a box that is deleted': (db, { clerk, empty }) => deleteFund(db, clerk, empty.id),
  'a batch that is paid': (db, { clerk, signed }) => payBatch(db, clerk, signed.id),
  'a batch that is taken back': (db, { clerk, paid }) =>
    moveBatchBackOneStage(db, { ...clerk, motivo: 'no' }, paid.id),
  'a movement of the bank': async (db, { clerk, sent, origenderecursoId }) => {
    const [transfer] = (await buildBankOrder(db, await getBatch(db, sent.id))).transfers;
    const { referencia, amountCents } = transfer!;
    const movement = { line: 2, fecha: CLOSED, amountCents: -amountCents, referencia, descripcion: '' };
    const file = { origenderecursoId, filename: 'x.csv', sha256: 'a'.repeat(64) };
    return importBankStatement(db, clerk, { ...file, movements: [movement] });
  },
};

describeEachInLongLane('a closed period', (fresh) => {
  it('is changed by no writer of money, whatever it is given', async () => {
    const { db } = fresh;
    const rows = await world(db);
    await setClosingDate(db, '2026-10-31');
    const before = await readDatedRows(db);
    for (const [what, act] of Object.entries(ACTS)) {
      await expect(act(db, rows), what).rejects.toMatchObject({ code: 'closed_period' });
      expect(await readDatedRows(db), what).toEqual(before);
    }
  });
});
