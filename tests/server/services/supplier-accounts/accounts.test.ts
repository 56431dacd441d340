import { expect, it } from 'vitest';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { createAccount, updateAccount } from '../../../../server/services/supplier-accounts/accounts.ts';
import { getAccount } from '../../../../server/services/supplier-accounts/reading.ts';
import { addAccount } from '../../../support/accounts.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addActor, addSupplier, TODAY } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

const CLABE = '032180000118359719';
const OTHER = '012180004643051249';

describeEachDatabase('supplier accounts', (fresh) => {
  it('are confirmed by a person who neither captured nor changed them, and a change removes the confirmation', async () => {
    const [ana, luis, eva] = [
      await addActor(fresh.db, { roles: [6] }),
      await addActor(fresh.db, { roles: [2] }),
      await addActor(fresh.db, { roles: [1, 3] }),
    ];
    const supplierId = await addSupplier(fresh.db);
    const draft = { clabe: '032 180 0001 1835 9719', titular: '  Aceros   SA ' };
    const { account, warnings } = await createAccount(fresh.db, ana, supplierId, draft);
    expect(account).toMatchObject({ clabe: CLABE, titular: 'Aceros SA', trustedBy: null, changedOn: TODAY });
    expect(warnings).toEqual([]);
    const place = { supplierId, id: account.id };
    const trust = (who: typeof ana, trusted = true, version?: number) =>
      updateAccount(fresh.db, who, { ...place, version }, { trusted });

    await expect(trust(ana)).rejects.toMatchObject({ code: 'same_person' });
    const buyer = await addActor(fresh.db, { roles: [4, 5, 6] });
    await expect(trust(buyer)).rejects.toMatchObject({ kind: 'forbidden' });
    expect((await trust(luis)).account).toMatchObject({ truster: luis.username, version: 2 });
    expect((await trust(eva)).account).toMatchObject({ truster: luis.username, version: 2 });

    const later = { ...luis, today: '2026-11-23' };
    const changed = await updateAccount(fresh.db, later, place, { clabe: OTHER });
    expect(changed.account).toMatchObject({ trustedBy: null, trustedAt: null, changedOn: '2026-11-23' });
    expect(changed.account).toMatchObject({ author: ana.username, editor: luis.username });
    for (const one of [ana, luis]) await expect(trust(one)).rejects.toMatchObject({ code: 'same_person' });
    // A user who saw the account before it changed cannot confirm the change.
    await expect(trust(eva, true, 2)).rejects.toMatchObject({ kind: 'stale' });
    expect((await trust(eva, true, 3)).account.truster).toBe(eva.username);
    // Nor can a user change an account and confirm it in the same call.
    await expect(
      updateAccount(fresh.db, eva, place, { titular: 'Otra', trusted: true }),
    ).rejects.toMatchObject({ code: 'same_person' });
    expect((await trust(ana, false)).account.trustedBy).toBeNull();
    expect(await checkDatabase(fresh.db)).toMatchObject({ ok: true });
    const entries = await readRows(fresh.db, 'audit', { entity: 'supplier-accounts' }, ['action']);
    expect(entries.map(({ action }) => action)).toEqual(['create', 'update', 'update', 'update', 'update']);
  });

  it('are refused if their CLABE contains what the database would not store', async () => {
    const supplierId = await addSupplier(fresh.db);
    const draft = { clabe: '0321\u00008', titular: 'Aceros' };
    const creating = createAccount(fresh.db, await addActor(fresh.db), supplierId, draft);
    await expect(creating).rejects.toMatchObject({ kind: 'invalid', fields: { clabe: expect.any(String) } });
  });

  it('are never confirmed by a user who typed a part of them, whoever typed the rest', async () => {
    const [ana, luis, eva, noe] = [
      await addActor(fresh.db, { roles: [6] }),
      await addActor(fresh.db, { roles: [2] }),
      await addActor(fresh.db, { roles: [1, 3] }),
      await addActor(fresh.db, { roles: [1] }),
    ];
    const { supplierId, id } = await addAccount(fresh.db, { author: ana, truster: noe, clabe: CLABE });
    const change = (who: typeof ana, what: object) => updateAccount(fresh.db, who, { supplierId, id }, what);
    const trust = (who: typeof ana, trusted = true) => change(who, { trusted });
    await change(luis, { clabe: OTHER });
    await change(eva, { titular: 'Aceros SA de CV' });
    for (const one of [ana, luis, eva])
      await expect(trust(one)).rejects.toMatchObject({
        code: 'same_person',
        message:
          'La confirma otra persona: ni quien la capturó ni quien la ha cambiado desde que se confirmó.',
      });
    await trust(noe);
    // After the confirmation is withdrawn, it no longer covers anything.
    await trust(ana, false);
    await change(eva, { titular: 'Aceros' });
    await expect(trust(luis)).rejects.toMatchObject({ code: 'same_person' });
    await trust(noe);
    // While a confirmation is in force, those who edited before it may confirm what others change after it.
    await change(eva, { titular: 'Aceros SA' });
    await expect(trust(eva)).rejects.toMatchObject({ code: 'same_person' });
    expect((await trust(luis)).account.truster).toBe(luis.username);
    expect(await checkDatabase(fresh.db)).toMatchObject({ ok: true });
    await fresh.db
      .updateTable('supplier_account_editors')
      .set({ confirmed: 0 })
      .where('accountId', '=', id)
      .execute();
    const { checks } = await checkDatabase(fresh.db);
    expect(checks.filter(({ problems }) => problems.length > 0).map(({ name }) => name)).toEqual([
      'account-trust',
    ]);
  });

  it('end either confirmed or changed if one user confirms what another changes at that moment', async () => {
    const other = fresh.database.openAgain().db;
    const [ana, luis] = [await addActor(fresh.db, { roles: [6] }), await addActor(fresh.db, { roles: [2] })];
    for (let round = 0; round < 15; round++) {
      const { supplierId, id, version } = await addAccount(fresh.db, { author: ana, truster: false });
      await Promise.allSettled([
        updateAccount(other, ana, { supplierId, id }, { clabe: CLABE }),
        updateAccount(fresh.db, luis, { supplierId, id, version }, { trusted: true }),
      ]);
      expect(await getAccount(fresh.db, supplierId, id)).toMatchObject({ clabe: CLABE, trustedBy: null });
    }
  });

  it('are confirmed by nobody else, whatever writes to the database', async () => {
    const { id, createdBy, trustedAt } = await addAccount(fresh.db);
    const forged = fresh.db
      .updateTable('supplier_accounts')
      .set({ trustedBy: createdBy, trustedAt })
      .where('id', '=', id)
      .execute();
    await expect(forged).rejects.toThrow(/account_trust/);
  });
});
