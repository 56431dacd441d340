import { expect, it } from 'vitest';
import type { Actor } from '../../server/services/audit/audit.ts';
import { updateRow } from '../../server/services/catalogs/catalogs.ts';
import { payBatch, returnBatch } from '../../server/services/payment-batches/paying.ts';
import { updateBatch } from '../../server/services/payment-batches/payment-batches.ts';
import { getBatch } from '../../server/services/payment-batches/reading.ts';
import { authorizeBatch, permitLine, sendBatch } from '../../server/services/payment-batches/stages.ts';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { holdingOf } from '../../shared/payment-batches.ts';
import { addBatch } from '../support/batches.ts';
import { describeEachInLong } from '../support/proofs.ts';
import { addActor, addInvoice, addSupplier } from '../support/rows.ts';

describeEachInLong('what one person does to a batch that two have to want', (fresh) => {
  const three = async (): Promise<[Actor, Actor, Actor]> => [
    await addActor(fresh.db, { roles: [6] }),
    await addActor(fresh.db, { roles: [1] }),
    await addActor(fresh.db, { roles: [2] }),
  ];
  const signed = async (author: Actor, approver: Actor, supplier: object = {}) => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros del Norte', ...supplier });
    const invoiceIds = [await addInvoice(fresh.db, { supplierId }), await addInvoice(fresh.db)];
    const batch = await addBatch(fresh.db, { author, approver, invoiceIds, estado: 'autorizada' });
    return { id: batch.id, supplierId, invoiceId: invoiceIds[0]! };
  };
  const heldIn = async (id: number) =>
    (await getBatch(fresh.db, id)).lines.flatMap((line) =>
      holdingOf(line).map(({ code, reason }) => [line.invoiceId, code, reason]),
    );

  it.each([
    [
      'name',
      {},
      { suppliername: 'Desvíos del Sur' },
      'Se firmó para Aceros del Norte y el proveedor es ahora Desvíos del Sur.',
    ],
    [
      'RFC',
      { rfc: 'EKU9003173C9' },
      { rfc: 'IVD920810GU2' },
      'Se firmó para Aceros del Norte (EKU9003173C9) y el proveedor es ahora Aceros del Norte (IVD920810GU2).',
    ],
  ])(
    'another %s of a supplier than was signed holds its lines until somebody else lets them through',
    async (_, before, after, reason) => {
      const { db } = fresh;
      const [ana, luis, eva] = await three();
      const { id, supplierId, invoiceId } = await signed(ana, luis, before);
      await updateRow(db, ana, suppliers, supplierId, after);
      await sendBatch(db, luis, id);
      expect(await heldIn(id)).toEqual([[invoiceId, 'beneficiario_cambiado', reason]]);
      await permitLine(db, eva, id, { invoiceId, reason: 'Cambió de razón social' });
      expect((await payBatch(db, luis, id)).payments).toHaveLength(2);
    },
  );

  it('another name holds what is left of the batch when it is paid, and is seen by whoever signs anew', async () => {
    const { db } = fresh;
    const [ana, luis, eva] = await three();
    const { id, supplierId, invoiceId } = await signed(ana, luis);
    await updateRow(db, ana, suppliers, supplierId, { suppliername: 'Desvíos del Sur' });
    const { payments, batch } = await payBatch(db, luis, id);
    expect(payments.map((one) => one.facturaproveedorId)).not.toContain(invoiceId);
    await returnBatch(db, { ...eva, motivo: 'no' }, batch.id);
    await returnBatch(db, { ...eva, motivo: 'no' }, batch.id);
    await authorizeBatch(db, eva, id);
    await sendBatch(db, eva, id);
    expect(await heldIn(id)).toEqual([]);
    await updateRow(db, ana, suppliers, supplierId, { suppliername: 'Otros' });
    expect((await payBatch(db, luis, id)).payments).toHaveLength(1);
  });

  it('a name that changes between two signatures is held for the first', async () => {
    const { db } = fresh;
    const [ana, luis, eva] = await three();
    await changeSetting(db, await addActor(db), 'autorizacion.limite', '$100');
    const supplierId = await addSupplier(db);
    const invoiceId = await addInvoice(db, { supplierId });
    const { id } = await addBatch(db, { author: ana, invoiceIds: [invoiceId] });
    await authorizeBatch(db, luis, id);
    await updateRow(db, ana, suppliers, supplierId, { suppliername: 'Desvíos del Sur' });
    const both = await authorizeBatch(db, eva, id);
    expect(both.estado).toBe('autorizada');
    expect(holdingOf((await getBatch(db, id)).lines[0]!).map(({ code }) => code)).toEqual([
      'beneficiario_cambiado',
    ]);
  });

  it('a name that is spelt otherwise, an RFC that is learned, and other fields hold nothing', async () => {
    const { db } = fresh;
    const [ana, luis] = await three();
    const { id, supplierId } = await signed(ana, luis);
    await updateRow(db, ana, suppliers, supplierId, {
      suppliername: 'ACEROS DEL NORTE',
      rfc: 'EKU9003173C9',
      suppliercontactemail: 'x@y.mx',
    });
    await sendBatch(db, luis, id);
    expect(await heldIn(id)).toEqual([]);
  });

  it('whoever let a line through and then puts something into the batch has not let it through', async () => {
    const { db } = fresh;
    const [ana, luis, eva] = await three();
    await changeSetting(db, await addActor(db), 'semaforo.xml', 'impedir');
    const { id, lines } = await addBatch(db, { author: ana });
    const { invoiceId, amountCents } = lines[0]!;
    const permit = (who: Actor) => permitLine(db, who, id, { invoiceId, reason: 'urge' });
    await permit(luis);
    await updateBatch(db, luis, id, { lines: [{ invoiceId, amountCents: amountCents - 1 }] });
    await authorizeBatch(db, eva, id);
    await expect(payBatch(db, eva, id)).rejects.toMatchObject({ code: 'all_held' });
    await permit(eva);
    expect((await payBatch(db, luis, id)).payments).toHaveLength(1);
  });
});
