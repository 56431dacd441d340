import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ADMIN, useApp } from '../support/running.ts';
import { rowOf } from '../support/stored.ts';

/** An entry of a field with getting to it, a key that sends a form or follows a link: one each. */
const MOST_INTERACTIONS = 20;

describe('the first hour of a firm', () => {
  const app = useApp();

  it('leads by keyboard alone from an empty firm to its first paid invoice', async () => {
    const { page } = await app.open();
    let interactions = 0;
    const { keyboard } = page;
    const type = async (name: string, text: string) => {
      interactions += 1;
      await page.waitForFunction(
        (wanted) => (document.activeElement as HTMLInputElement)?.name === wanted,
        name,
      );
      await keyboard.type(text);
    };
    const press = async (key: string, leadsTo: string, focus: string) => {
      interactions += 1;
      await keyboard.press(key);
      await page.waitForURL(leadsTo);
      await focused(page, focus);
    };
    await page.goto('/login');
    await type('email', ADMIN.login);
    await keyboard.press('Tab');
    await type('password', ADMIN.password);
    await press('Enter', '**/empezar', 'empresa');
    await type('empresa', 'Constructora Roble');
    await keyboard.press('Tab');
    await type('rfc', 'EKU9003173C9');
    await press('Enter', '**/empezar', 'jobtitle');
    await type('jobtitle', 'Torre Roble');
    await keyboard.press('Tab');
    await type('clientname', 'Inmobiliaria del Norte');
    await press('Enter', '**/empezar', 'suppliername');
    await type('suppliername', 'Aceros Ñandú');
    await press('Enter', '**/empezar', 'origenderecursonombre');
    await type('origenderecursonombre', 'Banorte 0123');
    await press('Enter', '**/empezar', 'Nueva factura');
    await press('Enter', '**/new-invoice*', 'numfactura');
    await type('numfactura', 'A-100');
    await tabTo(page, 'subtotal');
    await type('subtotal', '1000.50');
    await press('Control+Enter', '**/empezar', 'Pagar A-100');
    await press('Enter', '**/new-payment*', 'paymentamount');
    await page.locator('is-land[data-state=ready]').first().waitFor({ state: 'attached' });
    await press('Control+Enter', '**/empezar', '');
    await page.getByText('6 de 6').waitFor();
    expect(interactions).toBeLessThanOrEqual(MOST_INTERACTIONS);
    const invoice = await rowOf(app.db, 'invoices', {}, ['totalCents', 'paidCents']);
    expect(invoice).toEqual({ totalCents: 116_058, paidCents: 116_058 });
  });
});

/** The focus stands in a field of this name, or on a link of these words; nothing asked of it where there is nothing to do. */
const focused = (page: Page, wanted: string) =>
  page.waitForFunction((name) => {
    const active = document.activeElement as HTMLInputElement | null;
    return !name || active?.name === name || active?.textContent?.trim() === name;
  }, wanted);

/** By keyboard alone; a field that Tab does not lead to is not reached. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  const name = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name);
  for (let tabs = 0; tabs < 20 && (await name()) !== wanted; tabs += 1) await page.keyboard.press('Tab');
}
