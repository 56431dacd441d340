import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../db/open.ts';
import { createTestApp } from '../../support/app.ts';
import { useFresh } from '../../support/databases.ts';
import { addFund } from '../../support/petty-cash.ts';
import { addFundingSource, addUser } from '../../support/rows.ts';

/** Where each of several requests waited for a second connection, all of them would wait for good. */
describe('a request with a key, over a single connection,', () => {
  const fresh = useFresh('postgres');
  let narrow: OpenDatabase;
  beforeEach(() => {
    narrow = openDatabase(fresh.database.url, { root: '/', create: false, connections: 1 });
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
});
