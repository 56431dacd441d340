import { expect, it } from 'vitest';
import { listAccounts } from '../../../../server/services/supplier-accounts/reading.ts';
import { addAccount } from '../../../support/accounts.ts';
import { createTestApp } from '../../../support/app.ts';
import { readCsv } from '../../../support/csv.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addSupplier } from '../../../support/rows.ts';

const CLABE = '012180004643051249';

describeOneDatabase('the screens of supplier accounts', (fresh) => {
  it('capture, confirm by another user, change and delete with plain forms', async () => {
    const app = createTestApp({ db: fresh.db });
    const [ana, luis] = [await app.as(6), await app.as(2)];
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const screen = `/editsupplierpage/${supplierId}`;
    const empty = await readPage(ana.get(screen));
    expect(empty.decodedHtml).toContain('value="Aceros Tepeyac"');
    const wrong = await readPage(ana.form(`${screen}/cuentas`, { clabe: '012 180', titular: 'Aceros' }));
    expect(wrong.status).toBe(422);
    expect(wrong.decodedHtml).toContain('La CLABE lleva 18 dígitos; tiene 6.');
    expect(wrong.decodedHtml).toContain('value="012 180"');
    const form = { clabe: CLABE, titular: 'Aceros', idempotencyKey: 'una' };
    for (let n = 0; n < 2; n++) {
      const saved = await ana.form(`${screen}/cuentas`, form);
      expect([saved.status, saved.headers.get('location')]).toEqual([303, `${screen}#cuentas`]);
    }
    const [account] = await listAccounts(fresh.db, supplierId);
    const at = `${screen}/cuentas/${account!.id}`;

    const own = await readPage(ana.get(screen));
    expect(own.decodedHtml).toContain('falta que otra persona la confirme');
    expect(own.decodedHtml).toContain('012 180 00464305124 9');
    expect(own.decodedHtml).not.toContain('Confirmar la cuenta');
    expect((await ana.form(`${at}/confianza`, { confiable: 'true', version: 1 })).status).toBe(409);
    expect((await luis.form(`${at}/confianza`, { confiable: 'true' })).status).toBe(422);
    expect((await readPage(luis.get(screen))).decodedHtml).toContain('Confirmar la cuenta ··· 1249');
    expect((await luis.form(`${at}/confianza`, { confiable: 'true', version: 1 })).status).toBe(303);
    const trusted = await readPage(luis.get(screen));
    expect(trusted.decodedHtml).toContain(`La confirmó ${luis.user.username}`);

    const stale = await readPage(ana.form(at, { clabe: CLABE, titular: 'Otra', version: 1 }));
    expect([stale.status, stale.decodedHtml]).toEqual([
      409,
      expect.stringContaining('Otra persona cambió esta cuenta'),
    ]);
    expect(stale.decodedHtml).toContain('value="Otra"');
    expect((await ana.form(at, { clabe: CLABE, titular: 'Otra', version: 2 })).status).toBe(303);
    expect((await listAccounts(fresh.db, supplierId))[0]).toMatchObject({ titular: 'Otra', trustedBy: null });
    expect((await luis.form(`${at}/eliminar`, { version: 3 })).status).toBe(303);
    expect(await listAccounts(fresh.db, supplierId)).toEqual([]);
  });

  it('list all accounts, unconfirmed ones first, without showing a full CLABE', async () => {
    const browser = await createTestApp({ db: fresh.db }).as(2);
    expect((await readPage(browser.get('/cuentas-bancarias'))).decodedHtml).toContain(
      'Todavía no hay cuentas',
    );
    const trusted = await addAccount(fresh.db, { clabe: CLABE });
    const waiting = await addAccount(fresh.db, { truster: false });
    const page = await readPage(browser.get('/cuentas-bancarias?estado=por-confirmar'));
    expect(page.rows).toHaveLength(1);
    expect(page.decodedHtml).toContain(`/editsupplierpage/${waiting.supplierId}#cuentas`);
    const all = await readPage(browser.get('/cuentas-bancarias?sortfield=suppliername&sorttype=DESC'));
    expect(all.rows).toHaveLength(2);
    expect(all.decodedHtml).toContain('··· 1249');
    expect(all.decodedHtml).not.toContain(CLABE);
    const csv = await readCsv(browser.get('/cuentas-bancarias/export.csv?estado=confiable'));
    expect(csv.rows).toMatchObject([{ Proveedor: trusted.suppliername, CLABE, Estado: 'Confirmada' }]);
  });
});
