import { getMigrations } from 'better-auth/db/migration';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { isViolation } from '../../db/errors.ts';
import { createBetterAuth } from '../../server/services/session/better-auth.ts';
import { describeEachDatabase } from '../support/databases.ts';
import {
  addActor,
  addClient,
  addInvoice,
  addPayment,
  addSupplier,
  addUser,
  type InvoiceOverrides,
  NOW,
} from '../support/rows.ts';

const UNPAYABLE: [string, InvoiceOverrides][] = [
  ['more paid than its total', { paidCents: 116_001 }],
  ['a negative paid sum', { paidCents: -1 }],
  ['a total that is not the sum of its parts', { totalCents: 116_001 }],
  ['a total from which withholdings were not deducted', { retencionesCents: 100, totalCents: 116_000 }],
  ['a negative subtotal', { subtotalCents: -1, ivaCents: 0 }],
  ['a negative tax', { ivaCents: -1 }],
  ['a negative total', { retencionesCents: 116_001 }],
  ['a rate over 100 %', { tasa: 1_000_001, ivaCents: 0 }],
  ['a negative rate', { tasa: -1, ivaCents: 0 }],
  ['an amount beyond the maximum', { subtotalCents: 1_000_000_000_000, ivaCents: 0 }],
];

const NO_DATES = ['2026-02-30', '2026-13-01', 'mañana', '2026-1-5x', '2026-11-20 10:00:00x'];

describeEachDatabase('the database itself', (fresh) => {
  it.each(UNPAYABLE)('refuses an invoice with %s', async (_, parts) => {
    await expect(addInvoice(fresh.db, parts)).rejects.toSatisfy((error) => isViolation(error, 'check'));
  });

  it('keeps the paid sum within the total when either one changes', async () => {
    const { userId } = await addActor(fresh.db);
    const id = await addInvoice(fresh.db);
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 116_000, userId });
    const pay = addPayment(fresh.db, { facturaproveedorId: id, amountCents: 1, userId });
    await expect(pay).rejects.toSatisfy((error) => isViolation(error, 'check'));
    const lower = { subtotalCents: 99_999, ivaCents: 16_000, totalCents: 115_999 };
    const change = fresh.db.updateTable('invoices').set(lower).where('id', '=', id).execute();
    await expect(change).rejects.toSatisfy((error) => isViolation(error, 'check'));
  });

  it.each([0, -1])('refuses a payment of %i cents', async (amountCents) => {
    const { userId } = await addActor(fresh.db);
    const id = await addInvoice(fresh.db);
    const pay = addPayment(fresh.db, { facturaproveedorId: id, amountCents, userId });
    await expect(pay).rejects.toSatisfy((error) => isViolation(error, 'check'));
  });

  it.each(NO_DATES)('refuses «%s» as a date', async (fechavencimiento) => {
    await expect(addInvoice(fresh.db, { fechavencimiento })).rejects.toThrow();
  });

  it('refuses a job that ends before it starts', async () => {
    const clientId = await addClient(fresh.db);
    const job = { jobtitle: 'Obra', jobtitleFold: 'obra', jobdescription: '', clientId, importId: null };
    const dates = { jobstartdate: '2026-02-02', jobduedate: '2026-02-01', createdAt: NOW, updatedAt: NOW };
    const insert = fresh.db
      .insertInto('jobs')
      .values({ ...job, ...dates })
      .execute();
    await expect(insert).rejects.toSatisfy((error) => isViolation(error, 'check'));
  });

  it('lets only one supplier have an RFC, except for the two generic ones', async () => {
    await addSupplier(fresh.db, { rfc: 'CVI100512AB1' });
    const again = addSupplier(fresh.db, { rfc: 'CVI100512AB1' });
    await expect(again).rejects.toSatisfy((error) => isViolation(error, 'unique'));
    for (const rfc of ['XAXX010101000', 'XAXX010101000', 'XEXX010101000', 'XEXX010101000']) {
      await addSupplier(fresh.db, { rfc });
    }
  });

  it('lets only one invoice have a UUID, and any number have none', async () => {
    const uuid = '5fb21b2c-51c2-43a7-8b61-52c7e1c3a0ab';
    await addInvoice(fresh.db, { uuid });
    await expect(addInvoice(fresh.db, { uuid })).rejects.toSatisfy((error) => isViolation(error, 'unique'));
    await addInvoice(fresh.db);
    await addInvoice(fresh.db);
  });

  it.each(['users', 'username', 'email'])('has one user for each username and e-mail (%s)', async (which) => {
    await addUser(fresh.db, { username: 'ana', email: 'ana@saldo.test' });
    const other = {
      username: which === 'email' ? 'eva' : 'ana',
      email: which === 'username' ? 'e@x.mx' : 'ana@saldo.test',
    };
    await expect(addUser(fresh.db, other)).rejects.toSatisfy((error) => isViolation(error, 'unique'));
  });

  it('neither changes nor deletes an entry of the audit trail', async () => {
    const entry = { at: NOW, userId: null, username: 'x', origin: 'api', action: 'create', entity: 'users' };
    const rest = { entityId: null, before: null, after: null, prevHash: '', hash: 'h' };
    await fresh.db
      .insertInto('audit')
      .values({ id: 1, ...entry, ...rest })
      .execute();
    const attempts = [
      "UPDATE audit SET username = 'y'",
      'DELETE FROM audit',
      'DELETE FROM audit WHERE id = 1',
    ];
    if (fresh.dialect === 'postgres') attempts.push('TRUNCATE audit');
    else
      attempts.push(
        'INSERT OR REPLACE INTO audit SELECT * FROM audit',
        'REPLACE INTO audit SELECT * FROM audit',
      );
    for (const statement of attempts) {
      await expect(sql.raw(statement).execute(fresh.db), statement).rejects.toThrow('append-only');
    }
    expect(await fresh.db.selectFrom('audit').select('username').execute()).toEqual([{ username: 'x' }]);
  });

  it('has every table and column that better-auth needs', async () => {
    const auth = createBetterAuth(fresh.db, { secret: 'x'.repeat(40), baseURL: 'http://saldo.test' });
    const { toBeCreated, toBeAdded } = await getMigrations(auth.options);
    expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
  });
});
