import { expect, it } from 'vitest';
import { BUILT_IN_LAYOUTS, formatLayout } from '../../../../server/formats/bank-files/layout.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { generateFileAndMarkSent } from '../../../../server/services/bank-files/files.ts';
import { saveLayout } from '../../../../server/services/bank-files/layouts.ts';
import { saveBudgetOfJob } from '../../../../server/services/budgets/write.ts';
import { updateRow } from '../../../../server/services/catalogs/row-changes.ts';
import { updateInvoice } from '../../../../server/services/invoices/invoices.ts';
import { createPayment, updatePayment } from '../../../../server/services/payments/payments.ts';
import { updateFund } from '../../../../server/services/petty-cash/funds.ts';
import { createMovement, updateMovement } from '../../../../server/services/petty-cash/movements.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { updateAccount } from '../../../../server/services/supplier-accounts/accounts.ts';
import { updateUser } from '../../../../server/services/users/users.ts';
import { jobs } from '../../../../shared/catalogs/jobs.ts';
import { addAccount } from '../../../support/accounts.ts';
import { addBatch } from '../../../support/batches.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addInvoice, addJob, addUser } from '../../../support/rows.ts';

type Save = () => Promise<unknown>;

describeEachInLongLane('a save that changes nothing', (fresh) => {
  /** Saves of unchanged rows, by a user who has not saved them before. */
  const savesOf: Record<string, (actor: Actor) => Promise<Save[]>> = {
    'of an invoice': async (actor) => {
      const { db } = fresh;
      const id = await addInvoice(db, { numfactura: 'A-1', fechaemision: '2026-11-02' });
      const same = { numfactura: 'A-1', subtotalCents: 100_000, tasa: 160_000 };
      return [{}, same].map((draft) => () => updateInvoice(db, actor, id, draft));
    },
    'of a payment': async (actor) => {
      const { db } = fresh;
      const facturaproveedorId = await addInvoice(db);
      const { payment } = await createPayment(db, await addActor(db), { facturaproveedorId, amountCents: 5 });
      return [{}, { amountCents: 5, checknum: '' }].map(
        (draft) => () => updatePayment(db, actor, payment.id, draft),
      );
    },
    'of a row of a list': async (actor) => {
      const id = await addJob(fresh.db, { jobtitle: 'Torre' });
      return [() => updateRow(fresh.db, actor, jobs, id, { jobtitle: ' Torre ' })];
    },
    'of a user': async (actor) => {
      const { id, username, email } = await addUser(fresh.db, { roles: [2, 4] });
      return [{}, { username, email, roles: [4, 2], active: true }].map(
        (change) => () => updateUser(fresh.db, actor, id, change),
      );
    },
    'of a fund': async (actor) => {
      const { id, nombre, montofijoCents } = await addFund(fresh.db);
      return [{}, { nombre, montofijoCents }].map((draft) => () => updateFund(fresh.db, actor, id, draft));
    },
    'of a movement of petty cash': async (actor) => {
      const { db } = fresh;
      const fund = await addFund(db);
      const draft = createExpenseValues({ jobId: await addJob(db) });
      const { movement } = await createMovement(db, await addActor(db), fund.id, draft);
      return [{}, draft].map((same) => () => updateMovement(db, actor, movement.id, same));
    },
    'of an account': async (actor) => {
      const { id, supplierId, titular } = await addAccount(fresh.db);
      return [() => updateAccount(fresh.db, actor, { id, supplierId }, { titular, trusted: true })];
    },
    'of a setting': async (actor) => {
      await changeSetting(fresh.db, actor, 'empresa', 'Constructora');
      return [() => changeSetting(fresh.db, actor, 'empresa', 'Constructora')];
    },
    'of a layout': async (actor) => {
      const text = formatLayout(BUILT_IN_LAYOUTS[0]!);
      const save = () => saveLayout(fresh.db, actor, text);
      await save();
      return [save];
    },
    'of a budget': async (actor) => {
      const [jobId, motivo] = [await addJob(fresh.db), 'Contrato'];
      const partidas = [{ rubroId: null, presupuestoCents: 5 }];
      const save = () => saveBudgetOfJob(fresh.db, actor, jobId, { motivo, partidas });
      await save();
      return [save];
    },
    'of a batch’s file': async () => {
      const { db } = fresh;
      const approver = await addActor(db, { roles: [1] });
      const author = await addActor(db, { roles: [6], today: '2026-11-02' });
      const { supplierId } = await addAccount(db, { author });
      const { id } = await addBatch(db, {
        estado: 'autorizada',
        invoiceIds: [await addInvoice(db, { supplierId })],
      });
      const make = () => generateFileAndMarkSent(db, approver, id, { layout: 'csv' });
      await make();
      return [make];
    },
  };

  it.each(Object.entries(savesOf))('%s writes no entry', async (_of, prepare) => {
    const saves = await prepare(await addActor(fresh.db));
    const entries = () => fresh.db.selectFrom('audit').select(['id', 'entity']).execute();
    const before = await entries();
    for (const save of saves) await save();
    expect(await entries()).toEqual(before);
  });
});
