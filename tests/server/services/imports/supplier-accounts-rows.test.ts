import { expect, it } from 'vitest';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { listAccounts } from '../../../../server/services/supplier-accounts/reading.ts';
import { addAccount, clabeOf } from '../../../support/accounts.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addSupplier } from '../../../support/rows.ts';
import { importRows } from '../../../support/table-rows.ts';
import { importText } from '../../../support/tables.ts';

const CLABE = '012180004643051249';
const row = (suppliername: string, clabe: string, titular = '') => ({ suppliername, clabe, titular });

describeEachInLongLane('a table of bank accounts', (fresh) => {
  type Options = Parameters<typeof importRows>[4];
  const run = async (rows: Parameters<typeof importRows>[3], options?: Options) =>
    importRows(fresh.db, await addActor(fresh.db), 'cuentas', rows, options);

  it('creates each account once, unconfirmed, and leaves those on file unchanged', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const known = await addAccount(fresh.db, { supplierId, clabe: CLABE, titular: 'Aceros SA' });
    const rows = [
      row('aceros', CLABE, 'Aceros SA'),
      row('Aceros', '032 180 0001 1835 9719', 'Aceros'),
      row('Aceros', '032180000118359719', 'Aceros'),
    ];
    expect(await run(rows)).toMatchObject({ created: 1, unchanged: 2, refused: [], stored: true });
    expect(await listAccounts(fresh.db, supplierId)).toMatchObject([
      { id: known.id, truster: known.truster },
      { clabe: '032180000118359719', titular: 'Aceros', trustedBy: null },
    ]);
    expect(await run(rows)).toMatchObject({ created: 0, unchanged: 3 });
    expect((await checkDatabase(fresh.db)).ok).toBe(true);
  });

  it('adds missing suppliers if permitted, also in many short transactions', async () => {
    const rows = Array.from({ length: 250 }, (_, n) => row(`Proveedor ${n % 50} SA`, clabeOf('072', n), 'X'));
    const { created, missingCreated } = await run(rows, { createMissing: true });
    expect([created, missingCreated]).toEqual([250, { suppliers: 50 }]);
    expect((await checkDatabase(fresh.db)).ok).toBe(true);
  });

  it('is read by the headings that people use, and by those of our own export', async () => {
    const own =
      'Proveedor,RFC,Banco,CLABE,Termina en,Titular,Estado\nAceros,,BBVA,012180004643051249,··· 1249,Aceros SA,Confirmada\n';
    const [first] = await importText('cuentas', own);
    expect(first?.values).toMatchObject({ suppliername: 'Aceros', clabe: CLABE, titular: 'Aceros SA' });
    const [other] = await importText(
      'cuentas',
      'Razón social;Clabe interbancaria\nAceros;012180004643051249\n',
    );
    expect(other?.values).toMatchObject({ suppliername: 'Aceros', clabe: CLABE });
  });
});
