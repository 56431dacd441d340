import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAxeViolations } from '../support/axe.ts';
import { addBankMovements } from '../support/bank-movements.ts';
import { addInvoice, addSupplier } from '../support/rows.ts';
import { addColleague, type RunningApp, startApp } from '../support/running.ts';

/** By keyboard only, at a phone's width. */
describe('movements of the bank', () => {
  let app: RunningApp;
  let luis: { login: string; password: string };
  let ids: number[];

  beforeAll(async () => {
    app = await startApp(async (database) => {
      const { db } = database;
      luis = await addColleague(database, 'luis.mora', [2]);
      const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
      await addInvoice(db, { supplierId, numfactura: 'A-1', subtotalCents: 30_000, tasa: 0 });
      ({ ids } = await addBankMovements(db, [
        { amountCents: -30_000, descripcion: 'SPEI ACEROS TEPEYAC' },
        { amountCents: 48_500, descripcion: 'SPEI RECIBIDO ESTIMACION' },
        { amountCents: -700, descripcion: 'RETIRO' },
        { amountCents: -900, descripcion: 'OTRO RETIRO' },
      ]));
    });
  });
  afterAll(() => app?.stop());

  it('are settled by Enter where one thing fits, and by nothing but a chosen class where none does', async () => {
    const { page, allowError } = await app.openSignedIn({ width: 390, height: 844 }, luis);
    const address = (index: number) => `/programaciones/estados-de-cuenta/movimientos/${ids[index]}`;
    await page.goto('/programaciones/estados-de-cuenta');
    await page.locator('tbody a').first().click();
    const act = page.getByRole('link', { name: 'Resolver los abiertos' });
    expect((await act.boundingBox())!.y).toBeLessThan((await page.locator('.totals').boundingBox())!.y);
    await act.click();
    await page.waitForURL(`**${address(0)}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${address(1)}`);
    expect(await findAxeViolations(page, 'a movement that nothing fits')).toEqual([]);
    allowError(422);
    await page.keyboard.press('Enter');
    await page.getByText('Clasificar igual todo lo que diga…').click();
    await page.getByLabel('Siempre que diga').fill('estimacion');
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Se clasifica como').evaluate((one) => one.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByLabel('Siempre que diga').inputValue()).toBe('estimacion');
    await page.goto(address(1));
    const heading = page.getByRole('heading', { name: 'No es un pago: clasificarlo' });
    expect(
      await heading.evaluate((one) => [one.matches(':focus'), getComputedStyle(one).outlineStyle]),
    ).toEqual([true, 'none']);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Depósito');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${address(2)}`);
    await page.goto(address(1));
    expect(await page.locator('main').textContent()).toContain('Depósito');
  });

  it('are settled once where two people settle one, and the other reads by what', async () => {
    const address = `/programaciones/estados-de-cuenta/movimientos/${ids[3]}`;
    const [one, other] = [await app.openSignedIn({}, luis), await app.openSignedIn()];
    for (const { page } of [one, other]) await page.goto(address);
    await one.page.getByRole('button', { name: 'Comisión', exact: true }).click();
    await one.page.getByText('Resuelto: Comisión.').waitFor();
    other.allowError(409);
    await other.page.getByText('Clasificar igual todo lo que diga…').click();
    await other.page.getByLabel('Siempre que diga').fill('otro retiro');
    await other.page.getByLabel('Se clasifica como').selectOption('Traspaso');
    await other.page.getByRole('button', { name: 'Clasificar todo' }).click();
    await other.page.getByText('Este movimiento ya está resuelto: Comisión.').waitFor();
    expect(await findAxeViolations(other.page, 'a movement that somebody else settled')).toEqual([]);
    expect(await app.db.selectFrom('bank_rules').selectAll().execute(), 'the loser named nothing').toEqual(
      [],
    );
    await other.page.getByRole('link', { name: 'Siguiente abierto' }).click();
    await other.page.getByText('Abierto', { exact: true }).waitFor();
  });
});
