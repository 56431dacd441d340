import { expect, it } from 'vitest';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addSupplier } from '../../support/rows.ts';

const CLABE = '032180000118359719';

describeOneDatabase('the API of suppliers’ accounts', (fresh) => {
  it('captures once for its key, confirms by a second person, and takes that back by a change', async () => {
    const app = createTestApp({ db: fresh.db });
    const [ana, luis] = [await app.withToken(6), await app.withToken(2)];
    const list = `/api/suppliers/${await addSupplier(fresh.db)}/cuentas/`;
    const body = JSON.stringify({ clabe: CLABE, titular: 'Aceros SA' });
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['idempotency-key', 'una'],
    ];
    const created = await ana.send(list, { method: 'POST', body, headers });
    expect(created.status).toBe(201);
    const account = await created.json();
    expect(account).toMatchObject({
      clabe: CLABE,
      clavebanco: '032',
      banco: 'Ixe',
      titular: 'Aceros SA',
      confiable: false,
      capturadaPor: ana.user.username,
      confirmadaPor: null,
    });
    const again = await ana.send(list, { method: 'POST', body, headers });
    expect([again.status, await again.json()]).toEqual([201, account]);
    const at = `${list}${account.id}`;
    const own = await ana.put(at, { confiable: true, version: 1 });
    expect([own.status, (await own.json()).code]).toEqual([409, 'same_person']);
    // Nobody confirms what he does not say to have read.
    const unread = await luis.put(at, { confiable: true });
    expect([unread.status, await unread.json()]).toMatchObject([
      422,
      { code: 'invalid', fields: { version: 'Falta la versión que se revisó.' } },
    ]);
    expect(await (await luis.put(at, { confiable: true, version: 1 })).json()).toMatchObject({
      confiable: true,
      confirmadaPor: luis.user.username,
      version: 2,
    });
    const stale = await ana.put(at, { titular: 'Otro', version: 1 });
    expect([stale.status, await stale.json()]).toMatchObject([
      409,
      { code: 'stale', current: { version: 2 } },
    ]);
    expect(await (await ana.put(at, { titular: 'Otro' })).json()).toMatchObject({ confiable: false });
    expect(await (await ana.get(list)).json()).toMatchObject([{ id: account.id, titular: 'Otro' }]);
    expect(await (await ana.get(at)).json()).toMatchObject({ id: account.id });
    expect((await ana.delete(at)).status).toBe(204);
    expect((await ana.get(at)).status).toBe(404);
  });
});
