import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { findAxeViolations } from '../support/axe.ts';
import { addBatch } from '../support/batches.ts';
import { addActor, addFundingSource, addInvoice, addSupplier, createActor, TODAY } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

describe('the selection in a list', () => {
  const app = useRunningApp(async ({ db }) => {
    for (const suppliername of ['Aceros Tepeyac', 'Cementos del Norte']) {
      const supplierId = await addSupplier(db, { suppliername });
      for (const n of [1, 2, 3])
        await addInvoice(db, { supplierId, numfactura: `${suppliername.slice(0, 1)}-${n}` });
    }
  });

  const sum = (page: Page) => page.locator('.selection output');
  const ticked = async (page: Page) => {
    const boxes = await page.locator('tbody .tick > input[name=facturaproveedorId]:checked').all();
    return Promise.all(boxes.map((box) => box.getAttribute('aria-label')));
  };

  it.each([true, false])(
    'is not programmed by Enter before the code of the keys has arrived, script %s',
    async (script) => {
      const { page } = await app.openSignedIn({ runsScript: script });
      await page.route('**/assets/keys-*.js', () => {}); // never answered
      await page.goto('/programaciones/nueva?marcar=1');
      await page.getByLabel('Pagar la factura C-3').uncheck();
      await page.getByLabel('Fecha de pago').press('Enter');
      await page.waitForTimeout(300);
      expect(await ticked(page)).toHaveLength(5);
      expect(await page.getByRole('heading', { name: 'Programar pagos' }).count()).toBe(1);
      expect(await app.db.selectFrom('payment_batches').select('id').execute()).toEqual([]);
    },
  );

  it('is summed, works with ranges and by keyboard, and survives a search', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/invoices');
    expect(await sum(page).isVisible()).toBe(false);
    await page.getByLabel('Marcar A-1').check();
    await sum(page).getByText('1 factura: $1,160.00').waitFor();
    await page.getByLabel('Marcar A-3').click({ modifiers: ['Shift'] });
    await sum(page).getByText('3 facturas: $3,480.00').waitFor();
    expect(await ticked(page)).toEqual(['Marcar A-1', 'Marcar A-2', 'Marcar A-3']);

    await page.getByRole('link', { name: 'C-1', exact: true }).focus();
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+X');
    await sum(page).getByText('6 facturas').waitFor();
    await page.keyboard.press('x');
    await page.getByLabel('Marcar C-2').focus();
    await page.keyboard.press('Space');
    await sum(page).getByText('4 facturas: $4,640.00').waitFor();

    await page.getByLabel('Número de factura').fill('A-2');
    await sum(page).getByText('4 facturas: $4,640.00 (3 aún no se muestran)').waitFor();
    expect(await ticked(page)).toEqual(['Marcar A-2']);
    await page.getByRole('button', { name: 'Programar pago', exact: true }).click();
    await sum(page).getByText('4 facturas: $4,640.00').waitFor();
    await page.getByLabel(/^Pagar la factura A-1 /).uncheck();
    await sum(page).getByText('3 facturas: $3,480.00').waitFor();
  });

  it('can contain all rows of a supplier, or all of the page', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/reporte-saldos');
    const supplier = page.getByLabel('Marcar todo lo de Aceros Tepeyac');
    await supplier.check();
    await sum(page).getByText('3 facturas: $3,480.00').waitFor();
    await page.getByLabel('Marcar A-2').uncheck();
    await sum(page).getByText('2 facturas').waitFor();
    expect(await supplier.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Todas las de la página' }).click();
    await sum(page).getByText('6 facturas: $6,960.00').waitFor();
    expect(await supplier.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Ninguna' }).click();
    await sum(page).waitFor({ state: 'hidden' });
    expect(await ticked(page)).toEqual([]);

    await page.goto('/invoices');
    const all = page.getByLabel('Marcar todas las de la página');
    await all.check();
    await sum(page).getByText('6 facturas: $6,960.00').waitFor();
    await page.getByLabel('Marcar A-2').uncheck();
    await sum(page).getByText('5 facturas').waitFor();
    expect(await all.isChecked()).toBe(false);
    await all.check();
    await all.uncheck();
    await sum(page).waitFor({ state: 'hidden' });
    expect(await ticked(page)).toEqual([]);
  });
});

describe('what is offered for a payment batch', () => {
  const app = useRunningApp(async ({ db }) => {
    // Cementos has the oldest invoice, Aceros the most invoices: 21 in all, so that suppliers are folded.
    const cementos = await addSupplier(db, { suppliername: 'Cementos del Norte' });
    const aceros = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
    for (const [n, supplierId] of [aceros, cementos, cementos, cementos].entries())
      await addInvoice(db, { supplierId, numfactura: `V-${n}`, fechavencimiento: `2020-01-${30 - n}` });
    for (let n = 0; n < 17; n++)
      await addInvoice(db, { supplierId: aceros, numfactura: `A-${n}`, fechavencimiento: '2031-01-31' });
  });

  const suppliersOf = (page: Page) => page.locator('tr.summary summary').allTextContents();
  const isInWindow = (field: Locator) =>
    field.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  const visibleRows = (page: Page) => page.locator('.grouped tbody tr:visible').count();

  it('is ticked by supplier, oldest debt first, or by invoice once a supplier is unfolded', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/programaciones/nueva');
    const sum = page.locator('.selection output');
    expect(await suppliersOf(page)).toEqual([
      'Cementos del Norte\u00a03\u00a0facturas\u00a0',
      'Aceros Tepeyac\u00a018\u00a0facturas\u00a0',
    ]);
    expect(await page.locator('tr.summary .num').allTextContents()).toEqual([
      ...['$3,480.00', '$3,480.00'],
      ...['$1,160.00', '$20,880.00'],
    ]);
    expect(await visibleRows(page)).toBe(2);
    const heights = await page
      .locator('tr.summary')
      .evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(Math.max(...heights)).toBeLessThanOrEqual(44);
    const supplier = page.getByLabel('Pagar 3 facturas de Cementos del Norte');
    await supplier.check();
    await sum.getByText('3 facturas').waitFor();
    await page.getByText('Cementos del Norte').click();
    expect(await visibleRows(page)).toBe(5);
    await page.getByLabel('Pagar la factura V-2 de Cementos del Norte').uncheck();
    await sum.getByText('2 facturas').waitFor();
    expect(await supplier.evaluate((box: HTMLInputElement) => [box.checked, box.indeterminate])).toEqual([
      false,
      true,
    ]);
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent);
    await page.getByText('Cementos del Norte').focus();
    for (const text of ['V-3', 'V-2', 'V-1', 'Aceros Tepeyac\u00a018\u00a0facturas\u00a0']) {
      await page.keyboard.press('ArrowDown');
      await expect.poll(focusedText).toBe(text);
    }
    await page.keyboard.press('x');
    await sum.getByText('20 facturas').waitFor();
  });

  it('is listed by supplier without a script, with a tick for each invoice', async () => {
    const { page } = await app.openSignedIn({ runsScript: false });
    await page.goto('/programaciones/nueva?marcar=1');
    expect(await visibleRows(page)).toBe(23);
    expect(await page.getByLabel('Pagar 3 facturas de Cementos del Norte').isVisible()).toBe(false);
    expect(await page.getByLabel('Pagar la factura V-3 de Cementos del Norte').isChecked()).toBe(true);
    // The bar repeats no date and no account, which would be those from before a change.
    const terms = page.locator('.selection output').getByRole('link');
    expect(await terms.innerText()).toBe('Fecha de pago y origen de recurso');
    expect(await isInWindow(page.getByLabel('Fecha de pago'))).toBe(false);
    await terms.click();
    expect(await isInWindow(page.getByLabel('Fecha de pago'))).toBe(true);
  });
});

describe('a payment batch of 112 invoices', () => {
  let batchId: number;
  const app = useRunningApp(async ({ db }) => {
    await changeSetting(db, createActor(), 'semaforo.rfc', 'impedir');
    const author = await addActor(db, { roles: [6] });
    const invoiceIds: number[] = [];
    for (let n = 0; n < 28; n++) {
      const rfc = n === 0 ? 'MALO' : undefined;
      const supplierId = await addSupplier(db, { rfc, suppliername: `Proveedor de materiales ${n}` });
      for (let of = 0; of < 4; of++) invoiceIds.push(await addInvoice(db, { supplierId }));
    }
    batchId = (await addBatch(db, { author, invoiceIds })).id;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
    for (let n = 0; n < 103; n++) await addInvoice(db, { supplierId, numfactura: `A-${n}` });
    await addFundingSource(db, { origenderecursonombre: 'Cheques' });
    await db
      .updateTable('funding_sources')
      .set({ saldobancoCents: 10_000_000, saldobancofecha: TODAY })
      .where('origenderecursonombre', '=', 'Cheques')
      .execute();
  });

  /** The distance from the element to the window's bottom. */
  const distanceToBottom = (page: Page, selector: string) =>
    page
      .locator(selector)
      .last()
      .evaluate((element) => innerHeight - element.getBoundingClientRect().bottom);

  it.each([390, 1280, 1920])(
    'always shows its next step, wherever the page is scrolled, %s px wide',
    async (width) => {
      const { page } = await app.openSignedIn({ width, height: 844 });
      await page.goto(`/programaciones/${batchId}`);
      const bar = page.getByRole('region', { name: /^Siguiente paso/ });
      const next = bar.getByRole('button', { name: /^Autorizar \d+ facturas? por \$/ });
      for (const y of [0, 1500, 1_000_000]) {
        await page.evaluate((to) => scrollTo(0, to), y);
        expect(await distanceToBottom(page, '.step-bar'), `at ${y}`).toBeCloseTo(0, 0);
        expect((await next.boundingBox())!.y).toBeGreaterThan(600);
      }
      // Scrolled to the end, nothing is covered by the bar.
      const end = await page.locator('.stack > :not(.step-bar)').last().boundingBox();
      expect(end!.y + end!.height).toBeLessThanOrEqual((await bar.boundingBox())!.y);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      const ends = await page
        .locator('.payee-head .money, .payees-head .money')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
      expect([ends.length, new Set(ends).size]).toEqual([30, 1]);
      // In a window as high as the page, bars cover nothing.
      await page.setViewportSize({ width, height: 9000 });
      expect(await findAxeViolations(page, `a batch at ${width} px`)).toEqual([]);
      await bar.getByRole('button', { name: 'Más acciones' }).click();
      await page.getByText('Eliminar la programación', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Eliminar la programación', { exact: true }).waitFor({ state: 'hidden' });
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.page-head').getByText('Borrador', { exact: true }).isVisible()).toBe(true);
      expect(await bar.getByRole('button').count()).toBe(0);
    },
  );

  it('is authorised, also without a script, by the first button after its heading', async () => {
    const { page, allowError } = await app.openSignedIn({ runsScript: false });
    // Without script only the page of notices counts the bell.
    const countBell = async () => {
      await page.goto('/notificaciones');
      return page.getByRole('button', { name: /^Ver tus notificaciones, \d/ }).count();
    };
    expect(await countBell()).toBe(1);
    // Bell, list and heading show the sum that the button signs; the four invoices with an invalid RFC are held.
    await page.goto('/programaciones');
    await page.getByText('Por pagar $125,280.00').waitFor();
    for (const path of ['/notificaciones', `/programaciones/${batchId}`]) {
      await page.goto(path);
      const main = page.getByRole('main');
      expect([path, await main.textContent()]).toEqual([path, expect.stringContaining('$125,280.00')]);
      expect([path, await main.textContent()]).toEqual([
        path,
        expect.stringContaining('+ $4,640.00 retenido'),
      ]);
      expect(await page.getByText('$129,920.00').count()).toBe(0);
    }
    await page.getByRole('button', { name: /^Autorizar \d+ facturas? por \$/ }).click();
    await page.getByText('Se autorizó la programación de pagos.').waitFor();
    expect(await countBell()).toBe(0);
    // Reloading a refused form shows its page.
    await page.goto('/admin-settings/bancos');
    allowError(422);
    await page.getByRole('button', { name: 'Subir', exact: false }).first().click();
    await page.waitForURL('**/admin-settings/plantillas');
    await page.goto(page.url());
    await page.waitForURL('**/admin-settings/bancos');
    await page.goto(`/programaciones/${batchId}`);
    await page.getByRole('button', { name: 'Más acciones' }).click();
    await page.getByRole('link', { name: 'Cambiar importes' }).click();
    await page.getByText('Al guardar vuelve a borrador').waitFor();
    expect(await page.getByLabel(/^Importe de la factura/).count()).toBe(40);
  });

  it('is made from everything that is due, in five steps, including rows that are not shown yet', async () => {
    const { page } = await app.openSignedIn({ width: 390, height: 844 });
    await page.goto('/programaciones');
    await page.getByRole('link', { name: 'Programar pagos' }).click();
    await page.getByRole('link', { name: /^Marcar hasta el viernes/ }).click();
    const sum = page.locator('.selection output');
    await expect.poll(() => sum.evaluate((output) => output === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter'); // Enter on the sum submits nothing
    await page.getByLabel('Fecha de pago').press('Enter');
    const source = page.getByRole('combobox', { name: 'Origen de recurso' });
    await expect.poll(() => source.evaluate((field) => field === document.activeElement)).toBe(true);
    await sum.getByText('103 facturas: $119,480.00 (3 aún no se muestran)').waitFor();
    await sum.getByText('Sin saldo del banco: no se sabe si alcanza').waitFor();
    await page.getByLabel(/^Pagar la factura A-7 /).uncheck();
    await page.getByRole('link', { name: 'Cargar más' }).click();
    await sum.getByText('102 facturas: $118,320.00', { exact: true }).waitFor();
    expect(await page.getByLabel(/^Pagar la factura A-102 /).isChecked()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Pagar', { exact: true }).isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    const terms = () => sum.getByRole('link').innerText();
    expect(await terms()).toMatch(/^de Origen \d+ el .+ 20\d\d$/);
    await source.fill('Cheques');
    await page.getByRole('option', { name: 'Cheques', exact: true }).click();
    await expect.poll(terms).toMatch(/^de Cheques el /);
    await source.fill('Cheq');
    await expect.poll(terms).toBe('(falta elegir el origen)');
    await page.keyboard.press('Enter');
    await expect.poll(terms).toMatch(/^de Cheques el /);
    await page.getByLabel('Fecha de pago').fill('2027-03-05');
    await expect.poll(terms).toMatch(/, 05 mar 2027$/i);
    const money = () => sum.locator('.totals > div').allTextContents();
    await expect
      .poll(money)
      .toEqual(['Disponible$100,000.00', '102 facturas$118,320.00', 'Faltan$18,320.00']);
    await page.getByLabel(/^Pagar la factura A-7 /).check();
    await expect.poll(money).toContain('Faltan$19,480.00');
    await page.getByLabel(/^Pagar la factura A-7 /).uncheck();
    await sum.focus();
    await page.keyboard.press('Control+Enter');
    const bar = page.getByRole('region', { name: /^Siguiente paso/ });
    await bar.getByText('102 facturas').waitFor();
    await bar.getByText('Falta autorizar: lo hace otra persona de Dirección o Contabilidad.').waitFor();
    expect(await bar.getByRole('button', { name: 'Autorizar' }).count()).toBe(0);
  });
});

describe("the week's batches", () => {
  const app = useRunningApp(async ({ db }) => {
    for (const n of [1, 2]) {
      const supplierId = await addSupplier(db, { suppliername: `Aceros ${n}` });
      await addBatch(db, { invoiceIds: [await addInvoice(db, { supplierId, numfactura: `S-${n}` })] });
    }
  });

  it('are signed on a phone in two touches each, from the page that follows signing in', async () => {
    const { page } = await app.openSignedIn({ width: 390, height: 844 });
    await page.goto('/dashboard');
    let touches = 0;
    const touch = async (name: RegExp, role: 'link' | 'button') => {
      touches += 1;
      await page.locator('main').getByRole(role, { name }).first().tap();
    };
    await touch(/^\$\S+ Autorizar la programación 1/, 'link');
    await touch(/^Autorizar 1 factura por \$/, 'button');
    await page.getByText('Autorizada', { exact: true }).first().waitFor();
    await touch(/^Sigue: Autorizar la programación 2$/, 'link');
    await touch(/^Autorizar 1 factura por \$/, 'button');
    await page.getByText('Autorizada', { exact: true }).first().waitFor();
    expect(touches).toBe(4);
    const batches = await app.db.selectFrom('payment_batches').select('estado').execute();
    expect(batches.map(({ estado }) => estado)).toEqual(['autorizada', 'autorizada']);
  });
});
