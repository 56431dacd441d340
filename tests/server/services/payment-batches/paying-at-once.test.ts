import { describe, expect, it } from 'vitest';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { createBatch } from '../../../../server/services/payment-batches/payment-batches.ts';
import { startChild } from '../../../support/children.ts';
import { DIALECTS, useFresh } from '../../../support/databases.ts';
import { howMany, IS_LONG } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice, addUser, TODAY } from '../../../support/rows.ts';

describe.each(IS_LONG ? DIALECTS : ['sqlite' as const])('batches that two servers pay (%s)', (dialect) => {
  const fresh = useFresh(dialect);

  it('are signed and paid once each', { timeout: 600_000 }, async () => {
    const author = await addActor(fresh.db);
    const approver = await addUser(fresh.db, { roles: [1] });
    const origenderecursoId = await addFundingSource(fresh.db);
    const ids: number[] = [];
    for (let n = 0; n < howMany(20, 1000); n++) {
      const lines = [{ invoiceId: await addInvoice(fresh.db) }, { invoiceId: await addInvoice(fresh.db) }];
      ids.push((await createBatch(fresh.db, author, { fecha: TODAY, origenderecursoId, lines })).id);
    }
    const children = await Promise.all([startChild(), startChild()]);
    const paid = await Promise.all(
      children.map((child) => child.run('payBatches', fresh.database.url, approver.id, ids)),
    );
    expect(paid.flat().sort((a, b) => a - b)).toEqual(ids);
    const { payments } = await fresh.db
      .selectFrom('payments')
      .select((eb) => eb.fn.countAll<number>().as('payments'))
      .executeTakeFirstOrThrow();
    expect(payments).toBe(2 * ids.length);
    const { checks } = await checkDatabase(fresh.db);
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
