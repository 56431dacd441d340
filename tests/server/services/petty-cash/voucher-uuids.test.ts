import { expect, it } from 'vitest';
import { isTakenUuidError } from '../../../../db/errors.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { deleteInvoice, restoreInvoice } from '../../../../server/services/invoices/invoices.ts';
import {
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../../../../server/services/petty-cash/movements.ts';
import { buildCfdi } from '../../../support/cfdi.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { addActor, addInvoice, addJob } from '../../../support/rows.ts';

const UUID = 'AAAAAAAA-0001-4000-8000-00000000000A';
const receipt = { comprobante: 'cfdi', uuid: UUID.toLowerCase() } as const;

describeEachDatabase('a CFDI of petty cash', (fresh) => {
  it('is the receipt of one expense, and of no invoice', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const fund = await addFund(db, { nombre: 'Caja Norte' });
    const spend = (part = {}) => createMovement(db, actor, fund.id, createExpenseValues(part));
    const { movement } = await spend({ ...receipt, concepto: 'Clavos' });
    expect(movement).toMatchObject({ uuid: UUID, comprobante: 'cfdi' });
    const taken = {
      code: 'uuid_taken',
      message: 'Ese CFDI ya es el comprobante de «Clavos» en la caja «Caja Norte».',
    };
    await expect(spend(receipt)).rejects.toMatchObject(taken);
    const { movement: other, warnings } = await spend({ comprobante: 'cfdi' });
    expect(warnings).toEqual([expect.stringContaining('Sin UUID')]);
    await expect(updateMovement(db, actor, other.id, receipt)).rejects.toMatchObject(taken);
    await expect(addInvoice(db, { uuid: UUID })).rejects.toSatisfy(isTakenUuidError);
    const xml = Buffer.from(buildCfdi({ uuid: UUID }));
    const options = { jobId: await addJob(db), rubroId: null, createSuppliers: true };
    const load = async () =>
      (await importCfdi(db, actor, [{ name: 'a.xml', bytes: xml }], options)).files[0]!;
    expect(await load()).toMatchObject({ outcome: 'refused', reason: taken.message });

    await deleteMovement(db, actor, movement.id);
    const { outcome, invoiceId } = await load();
    expect(outcome).toMatch(/created|warned/);
    const invoice = {
      code: 'uuid_taken',
      message: 'Ese CFDI ya es la factura A-0012.',
      extra: { existingId: invoiceId },
    };
    await expect(restoreMovement(db, actor, movement.id)).rejects.toMatchObject(invoice);
    await expect(spend(receipt)).rejects.toMatchObject(invoice);
    await deleteInvoice(db, actor, invoiceId!);
    await restoreMovement(db, actor, movement.id);
    await expect(restoreInvoice(db, actor, invoiceId!)).rejects.toMatchObject(taken);
  });

  it.each(['\u0000', '\ud800'])('is refused if the database would not store its text (%j)', async (text) => {
    const fund = await addFund(fresh.db);
    const draft = createExpenseValues({ comprobante: 'cfdi', uuid: `${UUID}${text}` });
    const creating = createMovement(fresh.db, await addActor(fresh.db), fund.id, draft);
    await expect(creating).rejects.toMatchObject({ kind: 'invalid', fields: { uuid: expect.any(String) } });
  });

  it('that is captured twice in the same moment belongs to only one of them', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const fund = await addFund(db);
    for (let round = 0; round < 6; round++) {
      const uuid = `AAAAAAAA-0002-4000-8000-00000000000${round}`;
      const done = await Promise.allSettled([
        createMovement(
          db,
          actor,
          fund.id,
          createExpenseValues({ comprobante: 'cfdi', uuid, importeCents: 5 }),
        ),
        addInvoice(db, { uuid }),
        createMovement(
          db,
          actor,
          fund.id,
          createExpenseValues({ comprobante: 'cfdi', uuid, importeCents: 6 }),
        ),
      ]);
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    }
  });
});
