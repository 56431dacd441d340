import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { IS_LONG_LANE } from '../support/proofs.ts';
import { addInvoice, addJob, addRubro, addSupplier } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

/** The moments of typing, by the state of the island. */
const MOMENTS = {
  'before the loader has come': 'markup',
  'while its code is on its way': 'loading',
  'before React draws it': 'root',
  'before its effects have run': 'drawn',
  'when it is ready': 'ready',
} as const;

type Moment = (typeof MOMENTS)[keyof typeof MOMENTS];

/** Texts by the name of the control, or of a picker's hidden field. */
type Texts = Record<string, string>;

/** The order of input and hydration is forced, not left to chance. */
describe('what somebody does to a form while it hydrates', () => {
  const app = useRunningApp(async ({ db }) => {
    const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
    const jobId = await addJob(db, { jobtitle: 'Torre Roble' });
    await addRubro(db, { nombrerubro: 'Acero' });
    await addInvoice(db, { supplierId, jobId, numfactura: 'A-1', comments: 'Entregado' });
  });

  const ready = (page: Page) =>
    page.locator('main is-land[data-state=ready]').first().waitFor({ state: 'attached' });

  it.each(
    Object.entries(MOMENTS).filter(([, moment]) => IS_LONG_LANE || !['root', 'drawn'].includes(moment)),
  )('takes effect and remains: %s', async (_, moment) => {
    const { page } = await app.openSignedIn();
    await page.addInitScript(typeAt, {
      moment,
      texts: { comments: ' ayer', subtotal: '9', rubroId: 'ace' },
    });
    await page.goto('/editinvoicepage/1');
    await page.locator('html[data-typed]').waitFor();
    await ready(page);
    // 1,000.00 and a digit more is no amount
    await page.locator('output[name=total]', { hasText: '–' }).waitFor();
    expect(await page.getByLabel('Subtotal').inputValue()).toBe('1,000.009');
    expect(await page.getByLabel('Observaciones').inputValue()).toBe('Entregado ayer');
    await page.getByLabel('Rubro', { exact: true }).press('Enter');
    await expect.poll(() => page.locator('input[name=rubroId]').inputValue()).toBe('1');
  });

  it.each([
    ['/editinvoicepage/1', 'Subtotal'],
    ['/editinvoicepage/1', 'Observaciones'],
    ['/new-payment?facturaproveedorId=1', 'Cantidad pagada'],
  ])('keeps the selection that is typed over: in %s %s', async (address, label) => {
    const { page } = await app.openSignedIn();
    const releaseCode = await holdCode(page);
    await page.goto(address);
    const field = page.getByLabel(label, { exact: true });
    await field.selectText();
    releaseCode();
    await ready(page);
    await page.keyboard.insertText('5');
    expect(await field.inputValue()).toBe('5');
  });

  it('keeps the selection of text that was typed before, too', async () => {
    const { page } = await app.openSignedIn();
    const releaseCode = await holdCode(page);
    await page.goto('/new-payment?facturaproveedorId=1');
    const field = page.getByLabel('Cantidad pagada', { exact: true });
    await field.fill('12');
    await field.selectText();
    releaseCode();
    await ready(page);
    await page.keyboard.insertText('5');
    expect(await field.inputValue()).toBe('5');
  });

  it('starts in the first field, which has the focus before anything is visible', async () => {
    const { page } = await app.openSignedIn();
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        Object.assign(globalThis, { focused: document.activeElement?.role });
      });
    });
    await page.goto('/new-invoice');
    expect(await page.evaluate('focused')).toBe('combobox');
  });

  it('opens the list when a picker is clicked', async () => {
    const { page } = await app.openSignedIn();
    const releaseCode = await holdCode(page);
    await page.goto('/new-invoice');
    await page.getByLabel('Obra', { exact: true }).click();
    releaseCode();
    await page.getByRole('option', { name: 'Torre Roble' }).waitFor();
  });

  it('saves text typed into a picker as the row that it means', async () => {
    const { page } = await app.openSignedIn();
    const releaseCode = await holdCode(page);
    await page.goto('/new-invoice');
    await page.getByLabel('Obra', { exact: true }).fill('roble');
    await page.getByLabel('Proveedor', { exact: true }).fill('tepe');
    await page.getByLabel('Número de factura').fill('H-1');
    await page.getByLabel('Subtotal').fill('7');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    releaseCode();
    await page.getByText('Se guardó la factura H-1.').waitFor();
  });
});

/** Delays the island's code until the returned function is called. */
async function holdCode(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/(Invoice|Payment)Form-[^/]*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Runs in the page: types into controls at this moment, with the browser's events. */
function typeAt({ moment, texts }: { moment: Moment; texts: Texts }): void {
  const control = (name: string) => {
    const field = document.querySelector<HTMLInputElement>(`main form [name="${name}"]`);
    return field?.type === 'hidden' ? field.parentElement!.querySelector('input[role=combobox]') : field;
  };
  const type = () => {
    const { dataset } = document.documentElement;
    if (dataset.typed === '') return;
    dataset.typed = '';
    for (const [name, text] of Object.entries(texts)) {
      const field = control(name) as HTMLInputElement;
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
      document.execCommand('insertText', false, text);
    }
  };
  // A message runs before the work that React has scheduled.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = type;
  const isIsland = (target: unknown): target is HTMLElement =>
    target instanceof HTMLElement && target.localName === 'is-land' && target.contains(control('subtotal'));

  if (moment === 'root') {
    const { addEventListener } = EventTarget.prototype;
    EventTarget.prototype.addEventListener = function (...rest) {
      if (isIsland(this) && rest[0] === 'keydown') port2.postMessage('');
      addEventListener.apply(this, rest);
    };
  } else if (moment === 'drawn') {
    const { defineProperty } = Object;
    Object.defineProperty = (target, name, property) => {
      if (name === 'value' && target === control('subtotal')) port2.postMessage('');
      return defineProperty(target, name, property);
    };
  } else {
    const isNow = () =>
      moment === 'markup'
        ? document.querySelector('main .form-actions')
        : isIsland(control('subtotal')?.closest(`is-land[data-state=${moment}]`));
    new MutationObserver(() => isNow() && type()).observe(document, {
      childList: true,
      subtree: true,
      attributes: true,
    });
  }
}
