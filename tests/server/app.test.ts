import { expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { describeEachDatabase } from '../support/databases.ts';
import { addActor, addInvoice, addPayment } from '../support/rows.ts';

describeEachDatabase('the application', (fresh) => {
  it('answers a signed-in user and a token', async () => {
    const { as, withToken, visitor } = createTestApp({ db: fresh.db });
    const ana = await as([1, 3]);
    const answer = await ana.get('/api/test/user');
    expect(await answer.json()).toEqual({
      id: ana.user.id,
      username: ana.user.username,
      email: ana.user.email,
      roles: [1, 3],
    });
    const bot = await withToken(2);
    expect((await (await bot.get('/api/test/user/')).json()).accessToken).toBe(bot.token);
    expect((await visitor().get('/api/test/user')).status).toBe(401);
    expect((await ana.form('/logout')).status).toBe(303);
    expect((await ana.get('/api/test/user')).status).toBe(401);
    expect((await bot.post('/api/auth/signout')).status).toBe(204);
    const actor = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db);
    await addPayment(fresh.db, { facturaproveedorId, amountCents: 500, userId: actor.userId });
    expect(await fresh.db.selectFrom('invoices').select('paidCents').executeTakeFirstOrThrow()).toEqual({
      paidCents: 500,
    });
  });
});
