import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../db/open.ts';
import { createTestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { addFund } from '../../support/petty-cash.ts';
import { addFundingSource, addUser } from '../../support/rows.ts';

/** If every request needed a second connection, concurrent ones would wait for each other forever. */
describe('a request with a key, over a single connection,', () => {
  const fresh = useFreshDatabase('postgres');
  let narrow: OpenDatabase;
  beforeEach(() => {
    narrow = openDatabase(fresh.database.url, { root: '/', createIfMissing: false, connections: 1 });
  });
  afterEach(() => narrow.close());

  const approver = async () => (await createTestApp({ db: narrow.db })).withToken(1);

  it('opens a fund, and answers its balance', async () => {
    const client = await approver();
    const { id: responsableId } = await addUser(fresh.db, { roles: [6] });
    const origenderecursoId = await addFundingSource(fresh.db);
    const answer = await client.post('/api/cajachica', { nombre: 'Obra', responsableId, origenderecursoId });
    expect([answer.status, await answer.json()]).toMatchObject([201, { nombre: 'Obra', saldo: 0 }]);
  });

  it('closes a fund, and answers its balance', async () => {
    const client = await approver();
    const { id } = await addFund(fresh.db, { aperturaCents: 0 });
    const answer = await client.post(`/api/cajachica/${id}/cerrar`, {});
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { id, saldo: 0, closedOn: '2026-11-20' },
    ]);
  });

  it('closes a fund by a count, once for each key, and says what it expects otherwise', async () => {
    const client = await approver();
    const { id } = await addFund(fresh.db, { aperturaCents: 50_000 });
    const path = `/api/cajachica/${id}/cerrar`;
    const refused = async (body: object) => {
      const answer = await client.post(path, body);
      return [answer.status, (await answer.json()).code];
    };
    expect(await refused({ fecha: '2026-11-20' })).toEqual([422, 'invalid']);
    expect(await refused({ denominaciones: { '500': 1 }, esperado: 400 })).toEqual([409, 'fund_moved']);
    expect(await refused({ denominaciones: { '200': 1 } })).toEqual([422, 'invalid']);
    const key = { headers: { 'Idempotency-Key': 'cierre' } };
    for (const _ of ['first', 'again']) {
      const answer = await client.post(path, { denominaciones: { '500': 1 }, esperado: '$500.00' }, key);
      expect([answer.status, await answer.json()]).toMatchObject([200, { saldo: 0, closedOn: '2026-11-20' }]);
    }
  });

  it('hands a fund over, and answers the count with both holders', async () => {
    const client = await approver();
    const fund = await addFund(fresh.db, { aperturaCents: 50_000 });
    const { id: responsableId } = await addUser(fresh.db, { roles: [6] });
    const path = `/api/cajachica/${fund.id}/entregar`;
    const denominaciones = { '500': 1 };
    const stale = await client.post(path, { responsableId, denominaciones, version: 9 });
    expect([stale.status, await stale.json()]).toMatchObject([
      409,
      { code: 'stale', current: { id: fund.id } },
    ]);
    const answer = await client.post(path, { responsableId, denominaciones, version: 1 });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { responsableId: fund.responsableId, recibeId: responsableId, diferencia: 0 },
    ]);
  });
});
