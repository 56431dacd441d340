import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addDays, formatShortDate } from '../../shared/dates.ts';
import type { WatchedPage } from '../support/browser.ts';
import { IS_LONG_LANE } from '../support/proofs.ts';
import { useRunningApp } from '../support/running.ts';

const ALL = [
  { way: 'with a mouse', look: { width: 1280, reducesMotion: false } },
  { way: 'with a finger on a phone', look: { width: 390 } },
  { way: 'without script', look: { width: 1280, runsScript: false } },
];
const WAYS = IS_LONG_LANE ? ALL : ALL.slice(0, 1);

/**
 * A clerk's first day, from an empty database to a paid invoice, in a real browser. Later steps run in the long lane
 * only, since page tests cover them.
 */
describe.each(WAYS)('$way', ({ look }) => {
  const hasScript = !('runsScript' in look);
  const isPhone = look.width < 640;
  const app = useRunningApp();

  it('supplier, client, obra and invoice are captured, and the invoice is paid, not a cent more than is owed', async () => {
    const watched = await app.openSignedIn(look);
    const { page } = watched;
    const today = (await page.locator('time').first().getAttribute('datetime')) ?? '';
    await captureLists(watched);

    await page.goto('/new-invoice');
    await choose(page, 'Seleccionar proveedor', 'nandu', 'Aceros Ñandú');
    await choose(page, 'Seleccionar obra', 'roble', 'Torre Roble');
    await page.getByLabel('Número de factura').fill('A-100');
    await page.getByLabel('Fecha de emisión').fill(today);
    await page.getByLabel('Subtotal').fill('1,000.50');
    if (hasScript) {
      await page.getByText('$1,160.58').waitFor();
      await page.getByText(`Vence el ${formatShortDate(addDays(today, 30))}: 30 días de crédito.`).waitFor();
    }
    await press(save(page));
    await page.getByText('Se guardó la factura A-100.').waitFor();
    expect(await totals(page)).toEqual(['$1,160.58', '$0.00', '$1,160.58']);
    expect(await rowOf(page, 'A-100').textContent()).toContain('Vence en 30 días');

    await press(page.getByRole('link', { name: 'Pagar A-100' }));
    await page.getByLabel('Cantidad pagada').fill('1000');
    await press(save(page));
    await page.getByText('Se registró el pago.').waitFor();

    watched.allowError(422);
    await page.goto('/new-payment?facturaproveedorId=1');
    expect(await page.getByLabel('Total pendiente').textContent()).toBe('$160.58');
    await page.getByLabel('Cantidad pagada').fill('160.59');
    await page.getByLabel('Número de cheque').fill('CH-77');
    await press(save(page));
    const refused = page.getByRole('alert').filter({ visible: true });
    await refused.waitFor();
    expect(await refused.innerText()).toContain(
      'El total pagado no puede ser mayor que el total de la factura.',
    );
    expect(await page.getByLabel('Cantidad pagada').inputValue()).toBe('160.59');
    expect(await page.getByLabel('Número de cheque').inputValue()).toBe('CH-77');
    expect(await page.getByLabel('Total pendiente').textContent()).toBe('$160.58');
  });

  it.runIf(IS_LONG_LANE)(
    'a payment is corrected, deleted and restored, and list, report and dashboard agree',
    async () => {
      const { page } = await app.openSignedIn(look);
      await follow(page, 'PAGOS A PROV.');
      await press(page.getByRole('link', { name: 'Editar el pago 1' }));
      await page.getByText('El total pendiente ya incluye este pago.').waitFor();
      expect(await page.getByLabel('Cantidad pagada').inputValue()).toBe('1,000.00');
      await page.getByLabel('Cantidad pagada').fill('600');
      await press(save(page));
      await page.getByText('Se actualizó el pago.').waitFor();
      expect(await totals(page)).toEqual(['$600.00']);

      await press(page.getByRole('link', { name: 'Eliminar el pago 1' }));
      await page.getByText('Lo pagado vuelve a quedar pendiente.').waitFor();
      await press(page.getByRole('button', { name: 'Eliminar', exact: true }));
      await page.getByText('Se eliminó el pago.').waitFor();
      expect(await totals(page)).toEqual(['$0.00']);
      await press(page.getByRole('button', { name: 'Deshacer' }));
      await page.getByText('Se recuperó el pago.').waitFor();
      expect(await totals(page)).toEqual(['$600.00']);

      await follow(page, 'FACTURAS');
      expect(await totals(page)).toEqual(['$1,160.58', '$600.00', '$560.58']);
      await follow(page, 'Saldo por proveedor', 'REPORTES');
      await page.getByText('Total Aceros Ñandú').first().waitFor();
      expect(await page.getByRole('row', { name: /Total general/ }).textContent()).toContain('$560.58');
      await follow(page, 'DASHBOARD');
      const figure = (label: string) => page.getByRole('listitem').filter({ hasText: label }).first();
      expect(await figure('Por pagar').textContent()).toContain('$560.58');
      expect(await figure('Pagado en').textContent()).toContain('$600.00');
    },
  );

  it.runIf(IS_LONG_LANE)(
    'the rest is paid, and the list is filtered by what was typed and chosen',
    async () => {
      const { page } = await app.openSignedIn(look);
      await page.goto('/new-payment?facturaproveedorId=1');
      await page.getByLabel('Cantidad pagada').fill('560.58');
      await press(save(page));
      await page.getByText('Se registró el pago.').waitFor();

      await follow(page, 'FACTURAS');
      const filter = page.getByLabel('Número de factura');
      await filter.fill('zzz');
      if (!hasScript) await press(page.getByRole('button', { name: 'Buscar' }));
      await page.waitForURL('**/invoices?*numfactura=zzz*');
      await page.getByRole('heading', { name: 'Ninguna factura con este filtro' }).waitFor();
      await filter.fill('a-1');
      if (!hasScript) await press(page.getByRole('button', { name: 'Buscar' }));
      await page.waitForURL('**/invoices?*numfactura=a-1*');
      await page.reload();
      expect(await filter.inputValue()).toBe('a-1');
      expect(await rowOf(page, 'A-100').textContent()).toContain('Pagada');
      expect(await page.getByRole('link', { name: 'Pagar A-100' }).count()).toBe(0);
      await page.goto('/invoices?status=por-pagar');
      await page.getByRole('heading', { name: 'No debes nada' }).waitFor();
    },
  );

  async function captureLists({ page, allowError }: WatchedPage): Promise<void> {
    await page.goto('/new-client');
    await page.getByLabel('Nombre').fill('Inmobiliaria Cumbres');
    await page.getByLabel('Contacto').fill('Laura Peña');
    await press(save(page));
    await page.getByText('Client has been created. Redirecting to client list...').waitFor();

    await page.goto('/new-job');
    await choose(page, 'Seleccionar cliente', 'cumbres', 'Inmobiliaria Cumbres');
    await page.getByLabel('Nombre de la obra').fill('Torre Roble');
    await press(page.getByRole('button', { name: 'Guardar obra', exact: true }));
    await page.getByText('Job has been created. Redirecting to job list...').waitFor();

    allowError(422);
    await page.goto('/new-supplier');
    await press(save(page));
    await page.getByText('Fields can not be empty.').first().waitFor();
    await page.getByLabel('Nombre').fill('Aceros Ñandú');
    await page.getByLabel('Contacto').fill('Íñigo Ruiz');
    await page.getByLabel('Días de crédito').fill('30');
    await press(save(page));
    await page.getByText('Supplier has been created. Redirecting to supplier list...').waitFor();
  }

  const press = (target: Locator) => (isPhone ? target.tap() : target.click());
  const save = (page: Page) => page.getByRole('button', { name: 'Guardar', exact: true });
  const rowOf = (page: Page, text: string) => page.locator('tbody tr', { hasText: text });

  /** Through the menu, which a phone opens first. */
  async function follow(page: Page, entry: string, group?: string): Promise<void> {
    if (isPhone) await press(page.getByRole('button', { name: 'Menú', exact: true }));
    const menu = page.getByRole('navigation', { name: 'Menú principal' });
    const link = menu.getByRole('link', { name: entry, exact: true });
    if (group && !(await link.isVisible())) await press(menu.getByText(group, { exact: true }));
    const address = await link.getAttribute('href');
    await press(link);
    await page.waitForURL(`**${address}`);
  }

  /** Chooses in the dialog or, without script, in the select. */
  async function choose(page: Page, title: string, typed: string, name: string): Promise<void> {
    if (!hasScript) {
      const label = { proveedor: 'Proveedor', obra: 'Obra', cliente: 'Cliente' }[title.split(' ')[1] ?? ''];
      return void (await page.getByRole('combobox', { name: label }).selectOption({ label: name }));
    }
    const button = page.getByRole('button', { name: title });
    await press(button);
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByRole('searchbox').fill(typed);
    await press(dialog.getByRole('button', { name: `Seleccionar ${name}` }));
    await dialog.waitFor({ state: 'detached' });
    const field = page.locator('.picker', { has: button }).getByRole('combobox');
    expect(await field.inputValue()).toBe(name);
  }

  const totals = (page: Page) => page.locator('dl.totals dd').allInnerTexts();
});
