import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  backUpAndDeleteAllInvoices,
  backUpAndDeleteAllPayments,
} from '../../../server/services/delete-all.ts';
import { createPayment } from '../../../server/services/payments/payments.ts';
import { DomainError } from '../../../shared/errors.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { addActor, addInvoice, addPayment, addSession } from '../../support/rows.ts';
import { readRow } from '../../support/stored.ts';

describeEachDatabase('deleting a whole list', (fresh) => {
  let place = temporaryFolder();
  beforeEach(() => {
    place = temporaryFolder();
  });
  afterEach(() => place.remove());
  const at = () => ({ db: fresh.db, config: { dataFolder: place.folder } });
  const copies = () => readdirSync(join(place.folder, 'backups')).sort();

  it('of payments leaves every invoice unpaid, and the deleted rows in the backups', async () => {
    const actor = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db);
    await addPayment(fresh.db, { facturaproveedorId, amountCents: 500, userId: actor.userId });
    await backUpAndDeleteAllPayments(at(), actor);
    const { paidCents } = await fresh.db.selectFrom('invoices').select('paidCents').executeTakeFirstOrThrow();
    expect(paidCents).toBe(0);
    const lines = copies().find((name) => name.endsWith('.jsonl'))!;
    expect(JSON.parse(readFileSync(join(place.folder, 'backups', lines), 'utf8'))).toMatchObject({
      amountCents: 500,
    });
  });

  it('of payments never loses the sum of one that is being made', async () => {
    const actor = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db, {
      subtotalCents: 100,
      tasa: 0,
      ivaCents: 0,
      totalCents: 100,
    });
    for (let round = 0; round < 3; round++) {
      const stamp = { ...actor, at: new Date(Date.parse(actor.at) + round * 1000).toISOString() };
      await Promise.all([
        backUpAndDeleteAllPayments(at(), stamp),
        ...Array.from({ length: 6 }, () =>
          createPayment(fresh.db, actor, { facturaproveedorId, amountCents: 20 }).catch((error) => {
            if (!(error instanceof DomainError && error.code === 'overpayment')) throw error;
          }),
        ),
      ]);
      const { paidCents } = await readRow(fresh.db, 'invoices', {}, ['paidCents']);
      const { sum } = await fresh.db
        .selectFrom('payments')
        .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amountCents'), eb.lit(0)).as('sum'))
        .executeTakeFirstOrThrow();
      expect(paidCents).toBe(sum);
    }
  });

  it('of invoices is refused as a whole if one is paid, without making a needless copy', async () => {
    const actor = await addActor(fresh.db);
    await addInvoice(fresh.db);
    await addPayment(fresh.db, {
      facturaproveedorId: await addInvoice(fresh.db),
      amountCents: 1,
      userId: actor.userId,
    });
    await expect(backUpAndDeleteAllInvoices(at(), actor)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'in_use',
    });
    expect(existsSync(join(place.folder, 'backups'))).toBe(false);
    expect(await fresh.db.selectFrom('invoices').select('id').execute()).toHaveLength(2);
  });

  it('makes a copy of the database that contains no session', async () => {
    const actor = await addActor(fresh.db);
    await addSession(fresh.db, actor.userId);
    await addInvoice(fresh.db);
    await backUpAndDeleteAllInvoices(at(), actor);
    const file = copies().find((name) => name.endsWith('.db'));
    expect(file !== undefined).toBe(fresh.dialect === 'sqlite');
    if (!file) return;
    const copy = new Database(join(place.folder, 'backups', file), { readonly: true });
    const count = (table: string) => copy.prepare(`select count(*) from ${table}`).pluck().get();
    expect([count('invoices'), count('sessions'), count('users')]).toEqual([1, 0, 1]);
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
  });
});
