import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { createAccount } from '../../server/services/supplier-accounts/accounts.ts';
import { abbreviateClabe, formatClabe } from '../../shared/banks.ts';
import { HOME_ZONE, plainDateIn } from '../../shared/dates.ts';
import { clabeOf } from '../support/accounts.ts';
import { findAxeViolations } from '../support/axe.ts';
import { addBatch } from '../support/batches.ts';
import { addActor, addFundingSource, addInvoice, addSupplier, createActor } from '../support/rows.ts';
import { addColleague, type RunningApp, startApp } from '../support/running.ts';

const CLABE = clabeOf('072', 464305124);

/** From a captured account to the bank's payment: one user captures, another confirms, signs, sends and reconciles. */
describe('a batch that is sent to the bank', () => {
  let app: RunningApp;
  let luis: { login: string; password: string };
  let batchId: number;
  let supplierId: number;

  beforeAll(async () => {
    app = await startApp(async (database) => {
      const { db } = database;
      luis = await addColleague(database, 'luis.mora', [2]);
      await changeSetting(db, createActor(), 'cuenta.espera', '0');
      await changeSetting(db, createActor(), 'semaforo.xml', 'ignorar');
      const author = await addActor(db, { roles: [6] });
      supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
      const other = await addSupplier(db, { suppliername: 'Bloques' });
      await createAccount(db, author, other, { clabe: clabeOf('012', 9), titular: 'Bloques' });
      const invoiceIds = [
        await addInvoice(db, { supplierId, numfactura: 'A-1' }),
        await addInvoice(db, { supplierId: other, numfactura: 'B-1' }),
      ];
      const origenderecursoId = await addFundingSource(db, { origenderecursonombre: 'Cheques' });
      const clabe = clabeOf('012', 464305124);
      await db.updateTable('funding_sources').set({ clabe }).where('id', '=', origenderecursoId).execute();
      batchId = (await addBatch(db, { author, invoiceIds, origenderecursoId })).id;
    });
  });

  afterAll(() => app?.stop());

  it('is paid by the bank statement, after a second person has confirmed the accounts', async () => {
    const { page: clerk } = await app.openSignedIn();
    await clerk.goto(`/editsupplierpage/${supplierId}`);
    const section = clerk.locator('#cuentas');
    await section.getByLabel('CLABE').fill(formatClabe(CLABE));
    await section.getByRole('button', { name: 'Guardar la cuenta' }).click();
    await clerk.getByText('falta que otra persona la confirme').waitFor();
    expect(await section.getByRole('button', { name: /^Confirmar/ }).count()).toBe(0);
    expect(await findAxeViolations(clerk, 'a supplier with an account')).toEqual([]);

    const { page } = await app.openSignedIn({}, luis);
    await page.goto('/cuentas-bancarias?estado=por-confirmar');
    expect(await findAxeViolations(page, 'accounts to be confirmed')).toEqual([]);
    await page.getByRole('link', { name: 'Aceros Tepeyac' }).click();
    await page.getByRole('button', { name: `Confirmar la cuenta ${abbreviateClabe(CLABE)}` }).click();
    await page.getByText('La cuenta quedó confirmada.').waitFor();

    await page.goto(`/programaciones/${batchId}`);
    await page.getByRole('button', { name: 'Autorizar' }).click();
    await page.getByText('Se autorizó la programación de pagos.').waitFor();
    // The other supplier's account is confirmed by nobody, so its line is held.
    const held = page.getByRole('region', { name: 'Retenidas' });
    await held.getByText(/··· \d{4}, sin confirmar$/).click();
    await held.getByText('está sin confirmar').waitFor();
    const bar = page.getByRole('region', { name: /^Siguiente paso/ });
    await bar.getByRole('button', { name: 'Generar el archivo' }).click();
    await page.getByText('Se generó el archivo para el banco').waitFor();
    expect(await findAxeViolations(page, 'a batch with its file')).toEqual([]);
    const downloading = page.waitForEvent('download');
    await bar.getByRole('button', { name: 'Descargar el archivo' }).click();
    const file = readFileSync(await (await downloading).path(), 'latin1');
    expect(file).toHaveLength(130);
    expect(file.slice(0, 18)).toBe(CLABE);
    expect(file).toContain('ACEROS TEPEYAC');
    await page.reload();
    await bar.getByRole('button', { name: /^Pagar \d+ facturas? por \$/ }).waitFor();
    await page.getByRole('heading', { name: 'Archivos para el banco' }).click();
    await page.getByText('Descargar otra vez').click();
    const warning = page.getByText('Ya lo descargó luis.mora');
    await warning.waitFor();
    // The whole warning about a double payment is visible.
    const frame = (await page.locator('#archivos .table-wrap').boundingBox())!;
    const place = (await warning.boundingBox())!;
    expect(place.x + place.width).toBeLessThanOrEqual(frame.x + frame.width);

    const reference = String(Number(file.slice(120, 127)));
    // The bank pays on the day on which the batch was sent, or later.
    const today = plainDateIn(new Date(), HOME_ZONE).split('-').reverse().join('/');
    const statement = `Fecha,Concepto,Referencia,Cargo,Abono\n${today},SPEI ENVIADO,${reference},"1,160.00",\n`;
    await page.goto('/programaciones/estados-de-cuenta');
    expect(await findAxeViolations(page, 'loading a statement')).toEqual([]);
    await page.getByRole('combobox', { name: 'Origen de recurso' }).fill('Cheques');
    await page.getByRole('option', { name: 'Cheques', exact: true }).click();
    const sent = { name: 'noviembre.csv', mimeType: 'text/csv', buffer: Buffer.from(statement) };
    await page.getByLabel('Archivo del banco').setInputFiles(sent);
    await page.getByRole('button', { name: 'Cargar', exact: true }).click();
    await page.getByRole('table', { name: 'Movimientos' }).getByText('Pagado').waitFor();
    expect(await findAxeViolations(page, 'a statement')).toEqual([]);
    await page.getByRole('link', { name: `Aceros Tepeyac: Programación ${batchId}` }).click();
    await page.getByRole('main').getByText('Pagada en parte', { exact: true }).waitFor();
    const paid = page.getByRole('region', { name: 'Pagado' });
    await paid.getByText('Aceros Tepeyac').click();
    expect(await paid.getByRole('link', { name: reference }).count()).toBe(1);
  });
});
