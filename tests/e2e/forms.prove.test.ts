import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addFundingSource, addInvoice, addJob, addRubro, addSupplier } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

describe('while a form is filled in', () => {
  const app = useRunningApp(async ({ db }) => {
    const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac', diascredito: 30 });
    const jobId = await addJob(db, { jobtitle: 'Torre Roble' });
    await addJob(db, { jobtitle: 'Nave Lerma' });
    await addRubro(db, { nombrerubro: 'Acero' });
    await addFundingSource(db, { origenderecursonombre: 'Banco del Bajío' });
    await addInvoice(db, { supplierId, jobId, numfactura: 'A-1' });
    for (const numfactura of ['P-1', 'PESOS-1', 'ENTER-1', 'ENTER-2'])
      await addInvoice(db, { supplierId, jobId, numfactura });
    const inDollars = { numfactura: 'USD-1', moneda: 'USD', tipocambio: '17.1234' };
    await addInvoice(db, { supplierId, jobId, ...inDollars });
  });

  it('IVA, total and due date follow what is typed, even what was typed before the script arrived', async () => {
    const { page } = await app.openSignedIn();
    // the arithmetic's code is delayed until the test releases it
    const { promise: typed, resolve: come } = Promise.withResolvers<void>();
    await page.route('**/assets/InvoiceForm-*.js', async (route) => {
      await typed;
      await route.continue();
    });
    await page.goto('/new-invoice');
    await page.getByLabel('Subtotal').fill('1,000.00');
    await page.getByLabel('Fecha de emisión').fill('2026-11-18');
    expect(await page.getByLabel('Total', { exact: true }).textContent()).toBe('$0.00');
    come();
    const total = (text: string) => page.locator('output[name=total]', { hasText: text }).waitFor();
    await total('$1,160.00');
    expect(await page.getByLabel('Subtotal').inputValue()).toBe('1,000.00');
    await page.getByLabel('Tasa de IVA (1-100)').fill('8');
    await total('$1,080.00');
    await page.getByText('Otros impuestos y retenciones').click();
    await page.getByLabel('Retenciones', { exact: true }).fill('40.005');
    await total('–');
    await page.getByLabel('Retenciones', { exact: true }).fill('40');
    await total('$1,040.00');

    await page.getByRole('button', { name: 'Seleccionar proveedor' }).click();
    await page.getByRole('button', { name: 'Seleccionar Aceros Tepeyac' }).click();
    const due = page.getByLabel('Fecha de vencimiento');
    await page.getByText('Vence el vie 18 dic 2026: 30 días de crédito.').waitFor();
    await page.getByLabel('Fecha de recepción').fill('2026-11-20');
    await page.getByText('Vence el dom 20 dic 2026: 30 días de crédito.').waitFor();
    expect(await due.inputValue()).toBe('');
    await due.fill('2026-12-01');
    await page.getByText('Vence el ').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Seleccionar obra' }).click();
    await page.getByRole('button', { name: 'Seleccionar Torre Roble' }).click();
    await page.getByLabel('Número de factura').fill('A-2');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se guardó la factura A-2.').waitFor();
    expect(await page.locator('tbody tr', { hasText: 'A-2' }).textContent()).toContain('$1,040.00');
  });

  it('an expression shows its result, and turns into it when the field loses the focus', async () => {
    const { page } = await app.openSignedIn();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const arithmetic = () => requests.filter((path) => path.includes('/arithmetic'));
    await page.goto('/new-invoice');
    const subtotal = page.getByLabel('Subtotal');
    const total = (text: string) => page.locator('output[name=total]', { hasText: text }).waitFor();
    await subtotal.fill('-1,000.50');
    await total('-$1,160.58');
    expect(arithmetic()).toEqual([]);
    await subtotal.fill('');
    await subtotal.pressSequentially('1,200*3+50');
    await page.getByText('= $3,650.00', { exact: true }).waitFor();
    await total('$4,234.00');
    expect(arithmetic()).toHaveLength(1);
    expect(await subtotal.inputValue()).toBe('1,200*3+50');
    await subtotal.press('Tab');
    expect(await subtotal.inputValue()).toBe('3,650.00');
    const rate = page.getByLabel('Tasa de IVA (1-100)');
    await rate.fill('32/4');
    await page.getByText('= 8 %').waitFor();
    await rate.press('Tab');
    expect(await rate.inputValue()).toBe('8');
    await total('$3,942.00');
    await subtotal.fill('10/0');
    await total('–');
    await subtotal.press('Tab');
    await page.getByText('Subtotal: no se puede dividir entre cero.').waitFor();
    expect(await subtotal.getAttribute('aria-invalid')).toBe('true');
    await subtotal.fill('10');
    await total('$10.80');
    expect(await page.getByText('dividir entre cero').count()).toBe(0);
    expect(await subtotal.getAttribute('aria-invalid')).toBeNull();
  });

  it('a phone, whose numeric keyboard lacks operators, shows them below the field', async () => {
    const { page } = await app.openSignedIn({ width: 390 });
    await page.addInitScript(() => {
      const real = window.matchMedia;
      window.matchMedia = (query) => real(query.replace('(pointer: coarse)', 'all')); // a finger points
    });
    await page.goto('/new-payment');
    const amount = page.getByLabel('Cantidad pagada');
    const times = page.getByRole('button', { name: 'por', exact: true });
    await page.locator('.amount-keys').first().waitFor({ state: 'attached' });
    expect(await times.count()).toBe(0);
    await amount.pressSequentially('25');
    await times.tap();
    await page.keyboard.type('4');
    await page.getByText('= $100.00', { exact: true }).waitFor();
    expect(await amount.inputValue()).toBe('25×4');
  });

  it('an edited invoice has its form below its heading, as wide as the page, until a window has room for two columns', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/editinvoicepage/1');
    for (const width of [1024, 1280, 1790]) {
      await page.setViewportSize({ width, height: 900 });
      const [head, form] = await page.evaluate(() =>
        ['.document', 'form.with-amounts'].map((part) => {
          const { left, width } = document.querySelector(part)!.getBoundingClientRect();
          return { left, isWide: width > 700 };
        }),
      );
      expect(form, `at ${width} px`).toEqual({ left: head!.left, isWide: true });
    }
  });

  it('an amount has thousands separators until somebody types, and is sent as shown', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/new-payment?facturaproveedorId=1');
    const amount = page.getByLabel('Cantidad pagada');
    const sent = () =>
      page.evaluate(() =>
        new FormData(document.querySelector<HTMLFormElement>('#payment-form')!).get('paymentamount'),
      );
    // The proposal has the focus and is selected, so that typing replaces it.
    await expect.poll(() => amount.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await amount.inputValue()).toBe('1,160.00');
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('1,160.00');
    expect(await sent()).toBe('1,160.00');
    await amount.press('Home');
    await page.keyboard.type('2');
    expect(await amount.inputValue()).toBe('21160.00');
    await page.keyboard.press('Tab');
    expect(await amount.inputValue()).toBe('21,160.00');
    expect(await sent()).toBe('21,160.00');
    await amount.fill('1,16');
    await page.keyboard.press('Tab');
    expect(await amount.inputValue(), 'which is refused rather than guessed at').toBe('1,16');
  });

  it('Enter goes from picker to picker and on to the number, even past values that are proposed or left empty', async () => {
    const { page } = await app.openSignedIn();
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).name);
    await page.goto('/new-invoice');
    await page.keyboard.type('tepe');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Obra', { exact: true }).inputValue()).toBe('Torre Roble');
    await page.keyboard.press('Enter');
    expect(
      await page.getByLabel('Rubro', { exact: true }).evaluate((field) => field === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('numfactura');
    expect(await page.getByLabel('Obra', { exact: true }).inputValue()).toBe('Torre Roble');
  });

  it('an invoice takes eleven steps by hand, a wrong obra two more, and proposals are marked', async () => {
    const { page } = await app.openSignedIn();
    const { steps, key, text, click } = counted(page);
    const field = (label: string) => page.getByLabel(label, { exact: true });
    const proposals = page.locator('.proposal');
    await page.goto('/invoices');
    await key('n');
    await page.waitForURL('**/new-invoice');
    await text('tepe');
    await key('Enter');
    await expect.poll(() => field('Obra').inputValue()).toBe('Torre Roble'); // its last three invoices were for it
    expect(await proposals.count()).toBe(1);
    expect(await field('Rubro').inputValue(), 'they had none').toBe('');
    await text('lerma');
    await key('Enter');
    await expect.poll(() => field('Obra').inputValue()).toBe('Nave Lerma');
    expect(await proposals.count()).toBe(0);
    await text('ace');
    await key('Enter');
    await text('H-1');
    await click(field('Subtotal'));
    await text('1000');
    await key('Control+Enter');
    await page.getByText('Se guardó la factura H-1.').waitFor();
    expect(await page.locator('tbody tr', { hasText: 'H-1' }).textContent()).toContain('Nave Lerma');
    expect(steps()).toBe(11);

    await page.goto('/new-invoice');
    await field('Proveedor').fill('tepe');
    const answer = page.waitForResponse(/usual/);
    await page.keyboard.press('Enter');
    await answer;
    expect(await field('Obra').inputValue(), 'the last three were for two obras').toBe('');
  });

  it('Cancelar throws away what was typed, and leaving by another link keeps it', async () => {
    const { page } = await app.openSignedIn();
    const number = page.getByLabel('Número de factura');
    const type = async (text: string) => {
      await page.goto('/new-invoice');
      await number.fill(text);
      await page.waitForFunction((value) => (sessionStorage.drafts ?? '').includes(value), text);
    };
    await type('GONE-1');
    await page.getByRole('link', { name: /^(Cancelar|Regresar)$/ }).click();
    await page.waitForURL('**/invoices');
    expect(await page.evaluate(() => sessionStorage.drafts ?? '')).not.toContain('GONE-1');
    await type('KEPT-1');
    await page.goto('/suppliers');
    await page.goto('/new-invoice');
    await page.getByText('Se recuperó lo que habías escrito.').waitFor();
    expect(await number.inputValue()).toBe('KEPT-1');
  });

  it.each([
    ['moves', false],
    ['is still', true],
  ])(
    'on a phone that %s the button that saves stays where it is while a finger leaves an amount for it',
    async (_, still) => {
      const { page } = await app.openSignedIn({ width: 390, reducesMotion: still });
      await page.goto('/new-payment?facturaproveedorId=4');
      await page.getByLabel('Cantidad pagada').focus();
      await page.getByRole('button', { name: 'más', exact: true }).waitFor();
      const save = page.getByRole('button', { name: 'Guardar', exact: true });
      const moved = await save.evaluate((button) => {
        scrollTo(0, document.documentElement.scrollHeight);
        const before = button.getBoundingClientRect().y;
        button.focus({ preventScroll: true });
        return button.getBoundingClientRect().y - before;
      });
      expect(moved).toBe(0);
      // Later the keys make room.
      await page.getByRole('button', { name: 'más', exact: true }).waitFor({ state: 'hidden' });
    },
  );

  it('on a phone a payment shows whom and how much is paid, when, and the button that saves, without scrolling', async () => {
    const { page } = await app.openSignedIn({ width: 390 });
    await page.goto('/new-payment?facturaproveedorId=1');
    await page.locator('is-land[data-state=ready]').first().waitFor({ state: 'attached' });
    expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'BODY']);
    const parts = [
      page.getByText('Aceros Tepeyac'),
      page.locator('[name=pending]'),
      page.getByLabel('Cantidad pagada'),
      page.getByLabel('Origen de recurso', { exact: true }),
      page.getByLabel('Fecha de pago').first(),
      page.locator('.form-actions').getByRole('button', { name: 'Guardar', exact: true }),
    ];
    const boxes = (await Promise.all(parts.map((part) => part.boundingBox()))).map((box) => box!);
    for (const [index, { y, height }] of boxes.entries())
      expect(y + height, `${parts[index]}`).toBeLessThanOrEqual(boxes[index + 1]?.y ?? 844);
  });

  it('a payment of an invoice begins at its amount, and Enter leads through its fields before it is saved', async () => {
    const { page } = await app.openSignedIn();
    const focused = () =>
      page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent ?? '');
    await page.goto('/new-payment?facturaproveedorId=4');
    await page.keyboard.press('Shift'); // the first key pressed turns date fields into text fields
    await page.locator('html[data-dates]').waitFor();
    for (const label of ['Cantidad pagada', 'Origen de recurso', 'Número de cheque', 'Fecha de pago']) {
      await expect.poll(focused).toBe(label);
      await page.keyboard.press('Enter');
    }
    await page.getByText('Se registró el pago.').waitFor();
    await page.goto('/new-payment?facturaproveedorId=5');
    await expect.poll(focused).toBe('Cantidad pagada');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Se registró el pago.').waitFor();
  });

  it('a payment from the menu takes eight steps, proposes what is owed, and says what is too much', async () => {
    const { page } = await app.openSignedIn();
    const { steps, key, text } = counted(page);
    await page.goto('/pagos-proveedores');
    await key('n');
    await page.waitForURL('**/new-payment');
    await text('P-1');
    await page.getByRole('option', { name: 'P-1 Aceros Tepeyac · $1,160.00 por pagar' }).waitFor();
    await key('Enter');
    const amount = page.getByLabel('Cantidad pagada');
    expect(await amount.inputValue()).toBe('1,160.00');
    await page.getByText('Propuesta: todo lo que se debe.').waitFor();
    await key('Enter'); // past the amount
    await text('baj');
    await key('Enter');
    await text('CH-77');
    await expect.poll(() => page.locator('input[name=origenderecursoId]').inputValue()).not.toBe('');
    await key('Control+Enter');
    await page.getByText('Se registró el pago.').waitFor();
    const row = await page.locator('tbody tr', { hasText: 'CH-77' }).textContent();
    expect(row).toContain('$1,160.00');
    expect(steps()).toBe(8);

    await page.goto('/new-payment');
    await page.locator('is-land[data-state=ready]').first().waitFor({ state: 'attached' });
    await page.getByLabel('Factura', { exact: true }).fill('tepeyac');
    await page.getByRole('option', { name: /^P-1 .*Pagada$/ }).waitFor();
    await page.getByRole('option').first().click();
    await amount.fill('2000');
    await page.getByText('A lo más $1,160.00.').waitFor();
    expect(await amount.getAttribute('aria-invalid')).toBe('true');
    await amount.fill('500');
    expect(await page.getByText('A lo más').count()).toBe(0);
  });

  it('an invoice in dollars asks for the amount at the bank and shows the difference, one in pesos does not', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/new-payment');
    const bank = page.locator('input[name=importebanco]');
    const pick = async (number: string) => {
      await page.getByRole('button', { name: 'Seleccionar factura' }).click();
      await page.getByRole('button', { name: `Seleccionar ${number}`, exact: true }).click();
    };
    expect(await bank.isVisible()).toBe(false);
    await pick('USD-1');
    await bank.waitFor();
    await page.getByText('17.1234', { exact: true }).waitFor();
    await page.getByLabel('Importe en USD').fill('5*2');
    await bank.fill('10*18');
    await page.locator('output[name=exchange]', { hasText: '$8.77' }).waitFor();
    await pick('PESOS-1');
    await bank.waitFor({ state: 'hidden' });
    expect(await bank.inputValue(), 'it is not the other invoice’s').toBe('');
    await pick('USD-1');
    await page.getByLabel('Importe en USD').fill('10');
    await bank.fill('180');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se registró el pago.').waitFor();
    await page.getByRole('cell', { name: '$180.00' }).waitFor();
  });

  it('a refusal disappears when the last of its fields is corrected, and returns when one is emptied', async () => {
    const { page, allowError } = await app.openSignedIn();
    allowError(422);
    await page.goto('/new-supplier');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    const refusal = page.getByRole('alert').filter({ hasText: 'Fields can not be empty.' });
    await refusal.waitFor();
    const [name, contact] = [page.getByLabel('Nombre'), page.getByLabel('Contacto')];
    await name.fill('Aceros del Norte');
    expect(await refusal.isVisible()).toBe(true);
    await contact.fill('Iván');
    await refusal.waitFor({ state: 'hidden' });
    await contact.fill('');
    await refusal.waitFor();
    expect(await contact.getAttribute('aria-invalid')).toBe('true');
    await refusal.getByRole('button', { name: 'Cerrar' }).click();
    await name.fill('');
    expect(await refusal.isVisible()).toBe(false);
  });

  it('a refusal disappears even if its field was corrected before the script arrived', async () => {
    const { page, allowError } = await app.openSignedIn();
    allowError(422);
    let come = () => {};
    const isTyped = new Promise<void>((resolve) => {
      come = resolve;
    });
    await page.route('**/assets/revalidation-*.js', async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.goto('/new-supplier');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    const refusal = page.getByRole('alert').filter({ hasText: 'Fields can not be empty.' });
    await refusal.waitFor();
    await page.getByLabel('Nombre').fill('Aceros del Norte');
    await page.getByLabel('Contacto').fill('Iván');
    expect(await refusal.isVisible()).toBe(true);
    come();
    await refusal.waitFor({ state: 'hidden' });
  });
});

/** Counts user actions: a key, a click, or a typed text. */
function counted(page: Page) {
  let steps = 0;
  const count = async (step: Promise<unknown>) => {
    steps += 1;
    await step;
  };
  return {
    steps: () => steps,
    key: (name: string) => count(page.keyboard.press(name)),
    text: (typed: string) => count(page.keyboard.type(typed)),
    click: (target: Locator) => count(target.click()),
  };
}
