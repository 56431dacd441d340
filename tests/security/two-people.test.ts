import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../db/open.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { updateRow } from '../../server/services/catalogs/row-changes.ts';
import { backupDatabase } from '../../server/services/database/backup.ts';
import { restoreDatabase } from '../../server/services/database/restore.ts';
import { importTable } from '../../server/services/imports/import.ts';
import { moveBatchBackOneStage, payBatch } from '../../server/services/payment-batches/paying.ts';
import { updateBatch } from '../../server/services/payment-batches/payment-batches.ts';
import { getBatch } from '../../server/services/payment-batches/reading.ts';
import { markBatchSent, permitLine, signBatch } from '../../server/services/payment-batches/stages.ts';
import { updateFund } from '../../server/services/petty-cash/funds.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
} from '../../server/services/petty-cash/replenishing.ts';
import { changeSetting } from '../../server/services/settings/settings.ts';
import {
  createAccount,
  deleteAccount,
  updateAccount,
} from '../../server/services/supplier-accounts/accounts.ts';
import { updateUser } from '../../server/services/users/users.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { listBlockingFindings } from '../../shared/payment-batches.ts';
import { addAccount, clabeOf } from '../support/accounts.ts';
import { createTestApp, type TestClient } from '../support/app.ts';
import { addBatch } from '../support/batches.ts';
import { temporaryFolder } from '../support/folder.ts';
import { addFund } from '../support/petty-cash.ts';
import { describeEachInLongLane, IS_LONG_LANE } from '../support/proofs.ts';
import { addActor, addInvoice, addSupplier, addUser, createActor } from '../support/rows.ts';
import { readLastRow } from '../support/stored.ts';
import { createParsedRows } from '../support/table-rows.ts';

describeEachInLongLane('a batch that needs two people', (fresh) => {
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
      listBlockingFindings(line).map(({ code, reason }) => [line.invoiceId, code, reason]),
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
    'holds the lines of a supplier whose %s has changed since the signature, until somebody else lets them through',
    async (_, before, after, reason) => {
      const { db } = fresh;
      const [ana, luis, eva] = await three();
      const { id, supplierId, invoiceId } = await signed(ana, luis, before);
      await updateRow(db, ana, suppliers, supplierId, after);
      await markBatchSent(db, luis, id);
      expect(await heldIn(id)).toEqual([[invoiceId, 'beneficiario_cambiado', reason]]);
      await permitLine(db, eva, id, { invoiceId, reason: 'Cambió de razón social' });
      expect((await payBatch(db, luis, id)).payments).toHaveLength(2);
    },
  );

  it("holds the remaining lines if the supplier's name has changed when it is paid, and shows the name to whoever signs again", async () => {
    const { db } = fresh;
    const [ana, luis, eva] = await three();
    const { id, supplierId, invoiceId } = await signed(ana, luis);
    await updateRow(db, ana, suppliers, supplierId, { suppliername: 'Desvíos del Sur' });
    const { payments, batch } = await payBatch(db, luis, id);
    expect(payments.map((one) => one.facturaproveedorId)).not.toContain(invoiceId);
    await moveBatchBackOneStage(db, { ...eva, motivo: 'no' }, batch.id);
    await moveBatchBackOneStage(db, { ...eva, motivo: 'no' }, batch.id);
    await signBatch(db, eva, id);
    await markBatchSent(db, eva, id);
    expect(await heldIn(id)).toEqual([]);
    await updateRow(db, ana, suppliers, supplierId, { suppliername: 'Otros' });
    expect((await payBatch(db, luis, id)).payments).toHaveLength(1);
  });

  it('holds a line if the name changes between two signatures', async () => {
    const { db } = fresh;
    const [ana, luis, eva] = await three();
    await changeSetting(db, await addActor(db), 'autorizacion.limite', '$100');
    const supplierId = await addSupplier(db);
    const invoiceId = await addInvoice(db, { supplierId });
    const { id } = await addBatch(db, { author: ana, invoiceIds: [invoiceId] });
    await signBatch(db, luis, id);
    await updateRow(db, ana, suppliers, supplierId, { suppliername: 'Desvíos del Sur' });
    const both = await signBatch(db, eva, id);
    expect(both.estado).toBe('autorizada');
    expect(listBlockingFindings((await getBatch(db, id)).lines[0]!).map(({ code }) => code)).toEqual([
      'beneficiario_cambiado',
    ]);
  });

  it('holds nothing if a name is spelt differently, an RFC is added, or other fields change', async () => {
    const { db } = fresh;
    const [ana, luis] = await three();
    const { id, supplierId } = await signed(ana, luis);
    await updateRow(db, ana, suppliers, supplierId, {
      suppliername: 'ACEROS DEL NORTE',
      rfc: 'EKU9003173C9',
      suppliercontactemail: 'x@y.mx',
    });
    await markBatchSent(db, luis, id);
    expect(await heldIn(id)).toEqual([]);
  });

  it('holds a released line again if more of it is to be paid', async () => {
    const { db } = fresh;
    const [ana, luis, eva] = await three();
    await changeSetting(db, await addActor(db), 'semaforo.xml', 'impedir');
    const invoiceId = await addInvoice(db);
    const { id, fecha } = await addBatch(db, { author: ana, invoiceIds: [invoiceId, await addInvoice(db)] });
    const pay = (amountCents: number) =>
      updateBatch(db, ana, id, { fecha, lines: [{ invoiceId, amountCents }] });
    await pay(50_000);
    await permitLine(db, luis, id, { invoiceId, reason: 'urge' });
    expect((await pay(40_000)).lines[0]!.permit).toMatchObject({ username: luis.username });
    expect((await pay(40_001)).lines[0]!.permit).toBeNull();
    await signBatch(db, eva, id);
    await expect(payBatch(db, luis, id)).rejects.toMatchObject({ code: 'all_held' });
  });

  it('ignores a release by somebody who then puts something into the batch', async () => {
    const { db } = fresh;
    const [ana, luis, eva] = await three();
    await changeSetting(db, await addActor(db), 'semaforo.xml', 'impedir');
    const { id, lines } = await addBatch(db, { author: ana });
    const { invoiceId, amountCents } = lines[0]!;
    const permit = (who: Actor) => permitLine(db, who, id, { invoiceId, reason: 'urge' });
    await permit(luis);
    await updateBatch(db, luis, id, { lines: [{ invoiceId, amountCents: amountCents - 1 }] });
    await signBatch(db, eva, id);
    await expect(payBatch(db, eva, id)).rejects.toMatchObject({ code: 'all_held' });
    await permit(eva);
    expect((await payBatch(db, luis, id)).payments).toHaveLength(1);
  });
});

describeEachInLongLane('petty cash that needs two people', (fresh) => {
  it('is not authorised by a holder who hands the fund over after somebody asked for the money', async () => {
    const { db } = fresh;
    const [ana, bea, carla, dora] = [
      await addActor(db, { roles: [1] }),
      await addActor(db, { roles: [2] }),
      await addActor(db, { roles: [1] }),
      await addActor(db, { roles: [5] }),
    ];
    const fund = await addFund(db, { responsableId: ana.userId });
    const ask = { tipo: 'ajuste', concepto: 'Más', importeCents: 500 } as const;
    const { replenishment } = await requestReplenishment(db, carla, fund.id, ask);
    await updateFund(db, bea, fund.id, { responsableId: dora.userId });
    await expect(authorizeReplenishment(db, ana, replenishment.id)).rejects.toMatchObject({
      code: 'same_author',
    });
    await updateFund(db, bea, fund.id, { responsableId: ana.userId });
    await authorizeReplenishment(db, bea, replenishment.id);
  });
});

describeEachInLongLane('the key of a signature request', (fresh) => {
  it('signs nothing once the batch has changed, and nothing for anybody else', async () => {
    const { db } = fresh;
    const other = fresh.database.openAgain().db;
    const luis = await addUser(db, { roles: [1] });
    const author = await addActor(db, { roles: [2] });
    const { id, version, lines } = await addBatch(db, { author });
    const servers = [await createTestApp({ db }).as(luis), await createTestApp({ db: other }).as(luis)];
    const sign = (client: TestClient, seen = version) =>
      client.post(`/api/programaciones/${id}/autorizar`, { version: seen }, KEY);
    expect((await sign(servers[0]!)).status).toBe(200);
    await updateBatch(db, author, id, { lines: [{ invoiceId: lines[0]!.invoiceId, amountCents: 1 }] });
    const [again, elsewhere] = [await sign(servers[0]!), await sign(servers[1]!)];
    expect([again.status, elsewhere.status]).toEqual([200, 200]);
    const present = await getBatch(db, id);
    expect(present).toMatchObject({ estado: 'borrador', signatures: [] });
    // The author repeats the approver's idempotency key, and still may not sign.
    const his = await createTestApp({ db: other }).as({ ...luis, id: author.userId });
    expect((await sign(his, present.version)).status).toBe(409);
    // A user who lost the right gets the stored answer for the same key, and a refusal for any other.
    await updateUser(db, await addActor(db), luis.id, { roles: [6] });
    const changed = await createTestApp({ db }).as(luis);
    await sign(changed);
    expect(
      (await changed.post(`/api/programaciones/${id}/autorizar`, { version: present.version })).status,
    ).toBe(403);
    expect(await getBatch(db, id)).toMatchObject({ estado: 'borrador', signatures: [] });
  });
});

const KEY = { headers: { 'idempotency-key': 'firma-del-viernes' } };

describeEachInLongLane('a person who typed in an account', (fresh) => {
  it('does not confirm it, even if a table imported it, or the person deleted and captured it again', async () => {
    const { db } = fresh;
    const [ana, bea] = [await addActor(db, { roles: [1] }), await addActor(db, { roles: [2] })];
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const clabe = clabeOf('072', 77);
    const row = { suppliername: 'Aceros', clabe, titular: 'Aceros SA' };
    const source = { source: 'x.csv', sha256: 'a'.repeat(64) };
    const idOf = async () => (await readLastRow(db, 'supplier_accounts', { supplierId }, ['id'])).id;
    const confirm = async (who: Actor) =>
      updateAccount(db, who, { supplierId, id: await idOf() }, { trusted: true });
    const sees = { code: 'same_person' };
    await importTable(db, ana, 'cuentas', createParsedRows([row]), source);
    await expect(confirm(ana)).rejects.toMatchObject(sees);
    await confirm(bea);
    // Importing a known row neither adds nor removes a confirmation.
    await importTable(db, bea, 'cuentas', createParsedRows([row]), source);
    expect(await readLastRow(db, 'supplier_accounts', { supplierId })).toMatchObject({
      trustedBy: bea.userId,
    });
    await deleteAccount(db, bea, { supplierId, id: await idOf() });
    await createAccount(db, bea, supplierId, { clabe, titular: 'Aceros SA' });
    await expect(confirm(bea)).rejects.toMatchObject(sees);
    await confirm(ana);
  });
});

describeEachInLongLane('a restored database', (fresh) => {
  it.each(IS_LONG_LANE ? ['.db', '.zip'] : ['.db'])(
    'records who put money into a batch, signed it and typed an account (%s)',
    async (end) => {
      const { db, database } = fresh;
      if (fresh.dialect === 'postgres' && end === '.db') return;
      const { folder, remove } = temporaryFolder();
      onTestFinished(remove);
      const [ana, luis] = [await addActor(db, { roles: [1, 3] }), await addActor(db, { roles: [1] })];
      const draft = await addBatch(db, { author: ana });
      await updateBatch(db, luis, draft.id, { fecha: '2026-11-27' });
      const signed = await addBatch(db, { author: ana, approver: luis, estado: 'autorizada' });
      const account = await addAccount(db, { author: ana, truster: false });
      const copy = join(folder, `copia${end}`);
      const portable = end === '.zip';
      await backupDatabase(database, createActor(), copy, { portable });
      const url = `file:${join(folder, 'otra', 'saldo.db')}`;
      mkdirSync(join(folder, 'otra'));
      await restoreDatabase(
        { databaseUrl: url, dataFolder: join(folder, 'otra'), root: '/' },
        createActor(),
        copy,
      );
      const restored = openDatabase(url, { root: '/', createIfMissing: false });
      onTestFinished(() => restored.close());
      for (const who of [ana, luis])
        await expect(signBatch(restored.db, who, draft.id)).rejects.toMatchObject({
          code: 'same_author',
        });
      expect((await getBatch(restored.db, signed.id)).signatures).toMatchObject([{ userId: luis.userId }]);
      const place = { supplierId: account.supplierId, id: account.id };
      const confirm = (who: Actor) => updateAccount(restored.db, who, place, { trusted: true });
      await expect(confirm(ana)).rejects.toMatchObject({ code: 'same_person' });
      await confirm(luis);
    },
  );
});
