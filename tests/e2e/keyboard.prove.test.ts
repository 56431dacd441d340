import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addDays, formatDayFirst } from '../../shared/dates.ts';
import { addJob, addSupplier } from '../support/rows.ts';
import { ADMIN_LOGIN, useRunningApp } from '../support/running.ts';

const MOST_STEPS = 60;

/** A pointer event on any page fails the test. */
describe('by keyboard alone', () => {
  const app = useRunningApp(async ({ db }) => {
    await addSupplier(db, { suppliername: 'Aceros Ñandú', diascredito: 30 });
    await addSupplier(db, { suppliername: 'Cementos del Norte' });
    await addJob(db, { jobtitle: 'Torre Roble' });
  });

  it('a user signs in, goes through the menu to a new invoice, saves it and pays it', async () => {
    const { page } = await app.open();
    await page.addInitScript(() => {
      for (const type of ['pointerdown', 'mousedown', 'touchstart']) {
        addEventListener(type, () => console.error(`${type} on ${location.pathname}`), { capture: true });
      }
    });
    const { keyboard } = page;
    await page.goto('/login?next=%2Finvoices');
    await page.locator('input:focus').waitFor();
    await keyboard.type(ADMIN_LOGIN.login);
    await tabTo(page, 'Contraseña');
    await keyboard.type(ADMIN_LOGIN.password);
    await keyboard.press('Enter');
    await page.waitForURL('**/invoices');

    await keyboard.press('Tab');
    expect(await focused(page)).toBe('Saltar al contenido');
    await tabTo(page, 'LISTAS');
    await keyboard.press('Enter');
    await tabTo(page, 'Proveedores');
    await keyboard.press('Enter');
    await page.waitForURL('**/suppliers');
    await tabTo(page, 'FACTURAS');
    await keyboard.press('Enter');
    await page.waitForURL('**/invoices');
    await tabTo(page, 'Nueva factura');
    await keyboard.press('Enter');
    await page.waitForURL('**/new-invoice');

    await pick(page, 'Proveedor', 'nandu', 'Aceros Ñandú');
    await pick(page, 'Obra', 'roble', 'Torre Roble');
    await tabTo(page, 'Número de factura');
    await keyboard.type('K-1');
    await tabTo(page, 'Subtotal');
    await keyboard.type('1000');
    await page.locator('output[name=total]', { hasText: '$1,160.00' }).waitFor();
    await tabTo(page, 'Otros impuestos y retenciones');
    await keyboard.press('Enter');
    await tabTo(page, 'Retenciones');
    await keyboard.type('60');
    await page.locator('output[name=total]', { hasText: '$1,100.00' }).waitFor();
    await tabTo(page, 'Guardar');
    await keyboard.press('Enter');
    await page.getByText('Se guardó la factura K-1.').waitFor();

    expect(await focused(page)).toMatch(/^Hecho.*Se guardó la factura K-1/);
    await keyboard.press('j');
    await expect.poll(() => focused(page)).toBe('K-1');
    await tabTo(page, 'Pagar K-1');
    await keyboard.press('Enter');
    await page.waitForURL('**/new-payment?facturaproveedorId=1');
    await expect.poll(() => focused(page)).toBe('Cantidad pagada');
    await keyboard.press('Backspace');
    await tabTo(page, 'Pagar todo');
    await keyboard.press('Enter');
    expect(await focused(page)).toBe('Cantidad pagada');
    await keyboard.press('Enter');
    expect(await focused(page)).toBe('Origen de recurso');
    await keyboard.press('Control+Enter');
    await page.getByText('Se registró el pago.').waitFor();
    expect(await page.locator('tbody tr').innerText()).toContain('$1,100.00');
  });

  it('five invoices are captured one after the other, each with Enter alone', async () => {
    const { page } = await app.openSignedIn();
    const { keyboard } = page;
    await page.goto('/new-invoice');
    await pick(page, 'Proveedor', 'nandu', 'Aceros Ñandú');
    await pick(page, 'Obra', 'roble', 'Torre Roble');
    await keyboard.press('Enter'); // past the rubro
    for (let number = 1; number <= 5; number++) {
      expect(await focused(page)).toBe('Número de factura');
      await keyboard.type(`H-${number}`);
      await page.locator('html[data-dates]').waitFor();
      await keyboard.press('Enter');
      await keyboard.type('hoy');
      await keyboard.press('Enter');
      expect(await focused(page)).toBe('Subtotal');
      await keyboard.type(`${number}00`);
      await keyboard.press('Control+Shift+Enter');
      await page.getByText(`Se guardó la factura H-${number}.`).waitFor();
    }
    await page.goto('/invoices?numfactura=H-');
    const rows = await page.locator('main tbody tr').allInnerTexts();
    expect(rows.map((row) => /H-\d/.exec(row)?.[0]).sort()).toEqual(['H-1', 'H-2', 'H-3', 'H-4', 'H-5']);
  });

  it('Enter on the checkbox of a row ticks the row, and presses no button', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/invoices');
    const box = page.locator('tbody .tick > input').first();
    for (const isTicked of [true, false]) {
      await box.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => box.isChecked()).toBe(isTicked);
      expect(new URL(page.url()).pathname).toBe('/invoices');
    }
  });

  it('Enter leads through the lines of an invoice to its saving, and two Tabs from its number to its subtotal', async () => {
    const { page } = await app.openSignedIn();
    const { keyboard } = page;
    await page.goto('/new-invoice');
    await pick(page, 'Proveedor', 'cementos', 'Cementos del Norte');
    await pick(page, 'Obra', 'roble', 'Torre Roble');
    await tabTo(page, 'Número de factura');
    await keyboard.type('L-1');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    expect(await focused(page)).toBe('Subtotal');
    await keyboard.type('250');
    for (const line of ['Tasa de IVA (1-100)', 'Fecha de recepción', 'Fecha de vencimiento']) {
      await keyboard.press('Enter');
      expect(await focused(page)).toBe(line);
    }
    await keyboard.press('Enter');
    await page.getByText('Se guardó la factura L-1.').waitFor();
    await keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).not.toMatch(/^Hecho/);
    await keyboard.press('k');
    expect(await focused(page)).toBe('Número de factura'); // the filter before the table
    await keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.closest('tbody tr') !== null)).toBe(true);
  });

  it('Enter moves on in every form of data, and a refusal leads to each wrong field', async () => {
    const { page, allowError } = await app.openSignedIn();
    const { keyboard } = page;
    for (const [path, first, second] of [
      [
        '/admin-settings/facturas',
        'Tasa de IVA de una factura nueva',
        'Días de crédito de un proveedor nuevo',
      ],
      ['/new-user', 'Nombre', 'Apellido'],
      ['/new-rubro', 'Nombre', 'Descripción'],
      ['/userprofile', 'Contraseña actual', 'Contraseña nueva'],
    ] as const) {
      await page.goto(path);
      await page.getByLabel(first, { exact: true }).focus();
      await keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe(second);
      expect(new URL(page.url()).pathname).toBe(path);
    }
    allowError(422);
    await page.goto('/new-invoice');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByRole('alert').getByRole('link', { name: 'Obra' }).press('Enter');
    await keyboard.press('Tab');
    expect(await focused(page)).toBe('Obra');
  });

  it('a date is one stop that takes what people write, and says what it does not understand', async () => {
    const { page } = await app.openSignedIn();
    const { keyboard } = page;
    const today = (await page.locator('.who time').getAttribute('datetime'))!;
    await page.goto('/new-invoice');
    const date = page.getByLabel('Fecha de emisión');
    const posted = () => page.locator('[name=fechaemision]').inputValue();
    await keyboard.press('Tab'); // with the first key dates become text
    await page.locator('html[data-dates]').waitFor();
    await date.focus();
    for (const [typed, day] of [
      ['hoy', today],
      ['+30', addDays(today, 30)],
      ['3/2/26', '2026-02-03'],
    ] as const) {
      await date.fill('');
      await keyboard.type(typed);
      await keyboard.press('Enter');
      await expect.poll(posted).toBe(day);
      expect(await date.inputValue()).toBe(formatDayFirst(day).replaceAll('-', '/'));
      await date.focus();
    }
    await keyboard.press('ArrowUp');
    expect(await posted()).toBe('2026-02-04');
    await keyboard.type('31/2');
    await keyboard.press('Enter');
    await page.getByText('No se entiende «31/2».').waitFor();
    const note = await date.getAttribute('aria-describedby');
    expect(await page.locator(`#${note}`).textContent()).toMatch(/^No se entiende «31\/2»/);
    await keyboard.press('Control+Enter');
    expect([await focused(page), await posted(), page.url()]).toEqual([
      'Fecha de emisión',
      '2026-02-04',
      expect.stringMatching(/new-invoice$/),
    ]);
  });

  it('a phone keeps its own dates until somebody presses Tab, and then has one stop for a date, too', async () => {
    const { page } = await app.openSignedIn({ width: 390 });
    await page.addInitScript(() => {
      const real = window.matchMedia;
      window.matchMedia = (query) => real(query.replace('(pointer: fine)', 'not all')); // a finger points
    });
    const { keyboard } = page;
    await page.goto('/new-invoice');
    const native = page.locator('[type=date][name=fechaemision]');
    await page.getByLabel('Número de factura').tap();
    await keyboard.type('T-1');
    await page.waitForFunction(
      () => document.querySelector('.date [type=text]')?.checkVisibility() === false,
    );
    await page.waitForLoadState('networkidle'); // the code of the keys has arrived
    expect(await page.getByLabel('Fecha de emisión').getAttribute('type')).toBe('date');
    await keyboard.press('Tab');
    expect(await focused(page)).toBe('Fecha de emisión');
    await keyboard.type('3/2/26');
    await keyboard.press('Tab');
    expect([await focused(page), await native.inputValue()]).toEqual(['Subtotal', '2026-02-03']);
    const { x, y, width, height } = (await native.boundingBox())!;
    const onTop = await page.evaluate(
      ([left, top]) => (document.elementFromPoint(left!, top!) as HTMLInputElement).type,
      [x + width - 12, y + height / 2],
    );
    expect(onTop).toBe('date'); // a finger still opens the phone's own calendar
  });

  it('what is saved or refused is announced where the focus is on a field', async () => {
    const { page, allowError } = await app.openSignedIn();
    await page.addInitScript(() => {
      const announced: string[] = [];
      Object.assign(window, { announced });
      const note = ({ target }: MutationRecord) => {
        const region = (target as Element).closest?.('[role=status], [role=alert]');
        if (document.readyState === 'complete' && region) announced.push(region.textContent);
      };
      new MutationObserver((records) => records.forEach(note)).observe(document, {
        childList: true,
        subtree: true,
      });
    });
    const announced = () =>
      page.evaluate(() => (window as unknown as { announced: string[] }).announced.join());
    await page.goto('/new-invoice');
    await pick(page, 'Proveedor', 'nandu', 'Aceros Ñandú');
    await pick(page, 'Obra', 'roble', 'Torre Roble');
    await page.getByLabel('Número de factura').fill('V-1');
    await page.getByLabel('Subtotal').fill('250');
    await page.keyboard.press('Control+Shift+Enter');
    await expect.poll(announced).toContain('Se guardó la factura V-1.');
    expect(await focused(page)).toBe('Número de factura');
    allowError(409);
    await page.keyboard.type('V-1');
    await page.getByLabel('Subtotal').fill('250');
    await page.keyboard.press('Control+Enter');
    await expect.poll(announced).toContain('Ya existe la factura V-1 de Aceros Ñandú.');
    expect(await focused(page)).toBe('Guardar de todos modos');
  });

  it('a dialog takes the focus, keeps it, and returns it to its field on Escape', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/new-invoice');
    await tabTo(page, 'Proveedor');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Nuevo proveedor' }).waitFor();
    await page.keyboard.press('ArrowUp'); // round to the last, a new one
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Seleccionar proveedor' });
    await dialog.getByRole('button', { name: 'Seleccionar Aceros Ñandú' }).waitFor();
    const inside = () =>
      page.evaluate(() => Boolean(document.activeElement?.closest('[role=dialog], dialog')));
    for (let step = 0; step < 12; step++) {
      expect(await inside()).toBe(true);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Proveedor');
  });
});

/** Steps on until the focus is on what has this name; every stop on the way can be seen. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  while (passed.length < MOST_STEPS) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    expect(now).not.toMatch(/\((out of sight|no ring)\)/);
    if (now === name) return;
    passed.push(now);
  }
  throw new Error(`no ${name} after ${passed.join(' → ')}`);
}

/** Types into the field, waits for the row and takes it by Enter, also ahead of the last answer; that leads on. */
async function pick(page: Page, label: string, typed: string, name: string): Promise<void> {
  if ((await focused(page)) !== label) await tabTo(page, label);
  await page.keyboard.type(typed);
  await page.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(name);
}

/** The name of what has the focus; a stop without a visible ring or outside the window is named so. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    if (!element || element === document.body) return '(page)';
    const name =
      element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
    const box = element.getBoundingClientRect();
    const isInside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    // a date field's calendar button is a stop of its own with the browser's own ring
    const hasRing =
      element.type === 'date' ||
      (element.matches(':focus-visible') && getComputedStyle(element).outlineStyle !== 'none');
    return name.replace('*', '').trim() + (isInside ? '' : ' (out of sight)') + (hasRing ? '' : ' (no ring)');
  });
}
