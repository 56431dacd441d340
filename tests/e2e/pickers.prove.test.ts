import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PageAppearance } from '../support/browser.ts';
import { addClient, addFundingSource, addInvoice, addJob, addRubro, addSupplier } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

/** The six selection dialogs, and creating rows in them. */
describe('a selection dialog', () => {
  const app = useRunningApp(async ({ db }) => {
    const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
    for (let number = 1; number <= 60; number++)
      await addSupplier(db, { suppliername: `Proveedor ${number}` });
    const clientId = await addClient(db, { clientname: 'Inmobiliaria Lerma' });
    const jobId = await addJob(db, { jobtitle: 'Torre Roble', clientId });
    await addRubro(db, { nombrerubro: 'Concreto' });
    await addFundingSource(db, { origenderecursonombre: 'Banco del Bajío' });
    await addInvoice(db, { supplierId, jobId, numfactura: 'A-1' });
  });

  /** The dialog is opened by the button beside the field; the field has the focus when it closes. */
  const openerOf = (page: Page) => async (title: string) => {
    const button = page.getByRole('button', { name: title });
    const opener = page.locator('.picker', { has: button }).getByRole('combobox');
    await button.click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.locator('tbody tr').first().waitFor();
    return { opener, dialog };
  };
  const enter = async (look: PageAppearance = {}) => {
    const watched = await app.openSignedIn(look);
    return { ...watched, open: openerOf(watched.page) };
  };

  const focused = (wanted: Locator) => wanted.evaluate((element) => element === document.activeElement);

  it.each([
    ['/new-invoice', 'Seleccionar proveedor', 'Proveedor', 'tepe', 'Aceros Tepeyac'],
    ['/new-invoice', 'Seleccionar obra', 'Obra', 'roble', 'Torre Roble'],
    ['/new-invoice', 'Seleccionar rubro', 'Rubro', 'conc', 'Concreto'],
    ['/new-job', 'Seleccionar cliente', 'Cliente', 'lerma', 'Inmobiliaria Lerma'],
    ['/new-payment', 'Seleccionar el origen de recurso', 'Origen de recurso', 'bajio', 'Banco del Bajío'],
    ['/new-payment', 'Seleccionar factura', 'Factura', 'a1', 'A-1'],
  ])('on %s: %s is operated by the keyboard alone', async (path, title, label, typed, name) => {
    const { page, open } = await enter();
    await page.goto(path);
    const { opener, dialog } = await open(title);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(opener)).toBe(true);

    // by the keyboard alone it is a line of the list that the field suggests
    await page.keyboard.press('ArrowDown');
    const all = page.getByRole('option', { name: 'Ver la lista completa…' });
    await all.waitFor();
    while ((await all.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const filter = dialog.getByRole('searchbox');
    await filter.waitFor();
    await expect.poll(() => focused(filter)).toBe(true);
    await page.keyboard.type(typed === 'a1' ? 'A-1' : typed);
    await dialog.getByRole('status').getByText('1 resultado', { exact: true }).waitFor();
    const row = dialog.getByRole('button', { name: `Seleccionar ${name}` });
    await page.keyboard.press('ArrowDown');
    expect(await focused(row)).toBe(true);
    await page.keyboard.press('ArrowUp');
    expect(await focused(filter)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await opener.inputValue()).toBe(name);
    expect(await focused(opener), `${label}: the focus has gone on`).toBe(false);
  });

  it('is rarely needed: the field itself suggests, Enter takes the first suggestion and moves on', async () => {
    const { page } = await enter();
    await page.goto('/new-invoice');
    const [supplier, job] = [
      page.getByLabel('Proveedor', { exact: true }),
      page.getByLabel('Obra', { exact: true }),
    ];
    const id = page.locator('input[name=supplierId]');
    await expect.poll(() => focused(supplier)).toBe(true);
    await page.keyboard.type('veedor 1');
    const option = (name: string) => page.getByRole('option', { name, exact: true });
    await option('Proveedor 1').waitFor();
    // the first suggestions may belong to the shorter text
    await option('Nuevo proveedor «veedor 1»').waitFor();
    expect(await page.getByRole('option').allTextContents()).toEqual([
      ...[1, 10, 11, 12, 13, 14, 15, 16].map((number) => `Proveedor ${number}`),
      'Ver la lista completa…',
      'Nuevo proveedor «veedor 1»',
    ]);
    expect(await option('Proveedor 1').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await supplier.getAttribute('aria-activedescendant')).toBe(
      await option('Proveedor 10').getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    expect([await supplier.inputValue(), await focused(job)]).toEqual(['Proveedor 10', true]);
    const chosen = await id.inputValue();
    expect(chosen).not.toBe('');

    // Tab before the answer takes the first match, too
    await page.keyboard.type('roble');
    await page.keyboard.press('Tab');
    await expect.poll(() => job.inputValue()).toBe('Torre Roble');
    expect(await focused(page.getByLabel('Rubro', { exact: true }))).toBe(true);

    // Esc restores the previous choice
    await supplier.click();
    await option('Aceros Tepeyac').waitFor();
    await page.keyboard.type('otro');
    expect(await id.inputValue()).toBe('');
    await page.keyboard.press('Escape');
    expect([await supplier.inputValue(), await id.inputValue()]).toEqual(['Proveedor 10', chosen]);
    expect(await page.getByRole('option').count()).toBe(0);

    // a click chooses; × or an emptied field clears
    await supplier.fill('tepe');
    await option('Aceros Tepeyac').click();
    expect(await supplier.inputValue()).toBe('Aceros Tepeyac');
    await page.getByRole('button', { name: 'Quitar proveedor' }).click();
    expect([await supplier.inputValue(), await id.inputValue(), await focused(supplier)]).toEqual([
      '',
      '',
      true,
    ]);
    await job.fill('');
    await page.keyboard.press('Tab');
    expect(await page.locator('input[name=jobId]').inputValue()).toBe('');
  });

  it('is one Tab stop together with its field; text that matches nothing stays, is marked, and is never saved silently', async () => {
    const { page, allowError } = await enter();
    allowError(422);
    await page.goto('/new-invoice');
    const supplier = page.getByLabel('Proveedor', { exact: true });
    await expect.poll(() => focused(supplier)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await focused(page.getByLabel('Obra', { exact: true }))).toBe(true);
    await supplier.fill('Nadie así');
    await page.getByRole('option', { name: 'Nuevo proveedor «Nadie así»' }).waitFor();
    expect(await page.getByText('Nada coincide').count()).toBe(0);
    await page.getByLabel('Número de factura').click();
    await page.getByText('Elige uno de la lista; lo escrito no coincide con ninguno.').waitFor();
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('No existe el proveedor «Nadie así».').first().waitFor();
    expect(await supplier.inputValue()).toBe('Nadie así');
    // whole names need no list: the server knows them, as without script
    await supplier.fill('aceros  TEPEYAC');
    await page.getByLabel('Subtotal').fill('100');
    await page.getByLabel('Obra', { exact: true }).fill('Torre Roble');
    await page.getByLabel('Subtotal').press('Control+Enter');
    await page.getByText('Se guardó la factura').waitFor();
  });

  it('delays saving until what Enter or Tab asked for has arrived, for at most five seconds', async () => {
    const { page, allowError } = await enter();
    allowError(/ERR_FAILED/);
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/api/suppliers/suggest/*', async (route) => {
      await promise;
      await route.continue().catch(() => {}); // asked anew meanwhile
    });
    await page.goto('/new-invoice');
    const supplier = page.getByLabel('Proveedor', { exact: true });
    const [number, subtotal] = [page.getByLabel('Número de factura'), page.getByLabel('Subtotal')];
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData() ?? ''));
    const capture = async (name: string, text: string) => {
      await supplier.fill(text);
      await supplier.press('Enter');
      await page.getByLabel('Obra', { exact: true }).fill('roble');
      await page.getByRole('option', { name: 'Torre Roble' }).click();
      await number.fill(name);
      await subtotal.fill('100');
      await subtotal.press('Control+Enter');
      await page.locator('.picker [aria-busy=true]').waitFor();
    };
    await capture('W-1', 'tepe');
    expect(posts).toEqual([]);
    answer();
    await page.getByText('Se guardó la factura W-1.').waitFor();
    expect(posts).toHaveLength(1);

    // nothing like it: the field says so, and nothing is sent
    await page.goto('/new-invoice');
    const requests: string[] = [];
    page.on('request', (request) => request.url().includes('/suggest/') && requests.push(request.url()));
    await supplier.fill('nadie así');
    await supplier.press('Tab');
    await page.getByText('Elige uno de la lista; lo escrito no coincide con ninguno.').waitFor();
    expect(requests).toHaveLength(1); // what was on its way was waited for

    // nobody answers: the field says that instead
    await page.route('**/api/suppliers/suggest/*', (route) => route.abort());
    await supplier.fill('nadie más');
    await supplier.press('Tab');
    await page.locator('.field-error', { hasText: 'No hay conexión con el servidor.' }).waitFor();

    // no answer at all: the server knows whole names by itself
    await page.route('**/api/suppliers/suggest/*', () => {});
    await page.goto('/new-invoice');
    await capture('W-2', 'aceros tepeyac');
    expect(posts).toHaveLength(1);
    await page.getByText('Se guardó la factura W-2.').waitFor({ timeout: 20_000 });
  });

  it('leads back to the field if nothing matches, and offers to create exactly that', async () => {
    const { page } = await enter();
    await page.goto('/new-invoice');
    const supplier = page.getByLabel('Proveedor', { exact: true });
    await supplier.fill('vee');
    await page.getByRole('option', { name: 'Nuevo proveedor «vee»' }).waitFor();
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/api/suppliers/suggest/*', async (route) => {
      await promise;
      await route.continue().catch(() => {});
    });
    await supplier.fill('veedores');
    // the entry for a new row has the typed text at once, before the answer
    expect(await page.getByRole('option', { name: /^Nuevo proveedor/ }).allTextContents()).toEqual([
      'Nuevo proveedor «veedores»',
    ]);
    await supplier.press('Enter');
    await page.getByLabel('Subtotal').press('Control+Enter');
    await page.locator('.picker [aria-busy=true]').waitFor();
    answer();
    await page.getByText('Elige uno de la lista; lo escrito no coincide con ninguno.').waitFor();
    expect(await focused(supplier)).toBe(true);
    expect([new URL(page.url()).pathname, await supplier.inputValue()]).toEqual(['/new-invoice', 'veedores']);
  });

  it('offers what sounds alike first, and creates nothing that was not chosen by an arrow or a click', async () => {
    const { page, allowError } = await enter();
    allowError(422);
    await page.goto('/new-invoice');
    const supplier = page.getByLabel('Proveedor', { exact: true });
    const marked = page.locator('[role=option][aria-selected=true]');
    await supplier.fill('asero tepeyac');
    await page.getByRole('option', { name: 'Aceros Tepeyac' }).waitFor();
    expect(await page.getByRole('option').allTextContents()).toEqual([
      'Aceros Tepeyac',
      'Ver la lista completa…',
      'Nuevo proveedor «asero tepeyac»',
    ]);
    expect(await marked.count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByText('Elige uno de la lista; lo escrito no coincide con ninguno.').waitFor();
    expect(await focused(page.getByLabel('Obra', { exact: true }))).toBe(true);
    await supplier.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Aceros Tepeyac' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await supplier.inputValue()).toBe('Aceros Tepeyac');

    await page.goto('/new-payment');
    const origin = page.getByLabel('Origen de recurso', { exact: true });
    await origin.fill('bbva');
    await page.getByRole('option', { name: 'Nuevo origen de recurso «bbva»' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('TR-77');
    await page.keyboard.press('Control+Enter');
    await page.getByText('No existe el origen de recurso «bbva».').first().waitFor();
    expect([await origin.inputValue(), await page.getByLabel('Número de cheque').inputValue()]).toEqual([
      'bbva',
      'TR-77',
    ]);
    await page.locator('is-land[name=PaymentForm][data-state=ready]').waitFor({ state: 'attached' });
    await origin.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Nuevo origen de recurso «bbva»' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Nuevo origen de recurso' }).waitFor();
  });

  it('offers to create what is missing at once, under the name that was typed', async () => {
    const { page } = await enter();
    await page.goto('/new-invoice');
    await page.getByLabel('Rubro', { exact: true }).fill('Impermeabilizante');
    await page.getByRole('option', { name: 'Nuevo rubro «Impermeabilizante»' }).click();
    const making = page.getByRole('dialog', { name: 'Nuevo rubro' });
    expect(await making.getByLabel('Nombre').inputValue()).toBe('Impermeabilizante');
    await making.getByRole('button', { name: 'Guardar', exact: true }).click();
    await making.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Rubro', { exact: true }).inputValue()).toBe('Impermeabilizante');
  });

  it('is navigated by Home, End and letters, keeps the focus inside, and loads more rows', async () => {
    const { page, open } = await enter();
    await page.goto('/new-invoice');
    const { dialog } = await open('Seleccionar proveedor');
    const status = dialog.getByRole('status');
    await status.getByText('50 de 61').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    const more = dialog.getByRole('button', { name: 'Cargar más' });
    expect(await focused(more)).toBe(true);
    await page.keyboard.press('Enter');
    await status.getByText('61 resultados').waitFor();
    expect(await focused(dialog.getByRole('button', { name: 'Seleccionar Proveedor 50' }))).toBe(true);
    await page.keyboard.press('Home');
    expect(await focused(dialog.getByRole('button', { name: 'Seleccionar Aceros Tepeyac' }))).toBe(true);
    const visited: string[] = [];
    for (let stop = 0; stop < 7; stop++) {
      visited.push(await page.evaluate(() => document.activeElement?.textContent || 'control'));
      await page.keyboard.press('Tab');
    }
    expect(visited).toEqual([
      'Seleccionar',
      'Nuevo proveedor',
      'Cerrar',
      'control', // the filter
      'IDNombreContacto',
      'control', // the direction
      'Seleccionar',
    ]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('17'); // on a row, letters go on in the filter
    expect(await dialog.getByRole('searchbox').inputValue()).toBe('17');
    await dialog.getByRole('button', { name: 'Seleccionar Proveedor 17' }).waitFor();
  });

  it('shows what went wrong, marks the old rows, and asks again', async () => {
    const { page, open, allowError } = await enter();
    allowError(500);
    allowError(/ERR_FAILED/);
    await page.goto('/new-invoice');
    const { dialog } = await open('Seleccionar proveedor');
    const message = 'Ocurrió un error. Intenta de nuevo. (id 0a1b2c3d)';
    await page.route('**/api/suppliers/search/*', (route) =>
      route.fulfill({ status: 500, json: { message, code: 'internal_error' } }),
    );
    await dialog.getByRole('searchbox').fill('tepeyac');
    await dialog.getByRole('alert').getByText(message).waitFor();
    await dialog.getByRole('alert').getByText('Lo que se ve es de la búsqueda anterior.').waitFor();
    expect(await dialog.getByRole('table').getAttribute('class')).toContain('stale-rows');
    expect(await dialog.locator('tbody tr').count()).toBe(50);
    await page.unrouteAll();
    await page.route('**/api/suppliers/search/*', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Reintentar' }).click();
    await dialog.getByText('No hay conexión con el servidor. Intenta de nuevo.').waitFor();
    await page.unrouteAll();
    await dialog.getByRole('button', { name: 'Reintentar' }).click();
    await dialog.getByRole('status').getByText('1 resultado', { exact: true }).waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
    expect(await dialog.getByRole('table').getAttribute('class')).not.toContain('stale-rows');
  });

  it('creates a supplier for a half-typed invoice without losing any of it', async () => {
    const { page, open, allowError } = await enter();
    allowError(422);
    allowError(/ERR_FAILED/);
    await page.goto('/new-invoice');
    await page.getByLabel('Número de factura').fill('B-77');
    await page.getByLabel('Subtotal').fill('1,234.50');
    const { opener, dialog } = await open('Seleccionar proveedor');
    await dialog.getByRole('searchbox').fill('Maderas Ñandú');
    await dialog.getByText('Nada coincide con la búsqueda.').waitFor();
    await dialog.getByRole('button', { name: 'Nuevo proveedor' }).click();
    const making = page.getByRole('dialog', { name: 'Nuevo proveedor' });
    await making.waitFor();
    const name = making.getByLabel('Nombre');
    expect(await name.inputValue()).toBe('Maderas Ñandú');
    expect(await focused(name)).toBe(true);

    // refused by the API: the message once, the first wrong field marked and focused, everything kept
    await making.getByLabel('Correo').fill('ventas@');
    await making.getByRole('button', { name: 'Guardar', exact: true }).click();
    await making.getByRole('alert').getByText('Fields can not be empty.').waitFor();
    expect(await focused(making.getByLabel('Contacto'))).toBe(true);
    expect(await making.getByText('Fields can not be empty.').count()).toBe(1);
    await making.getByText('Email is invalid.').waitFor();

    // the typed values survive a visit to the search
    await making.getByLabel('Contacto').fill('Ana Ruiz');
    await page.keyboard.press('Escape');
    await dialog.getByRole('searchbox').waitFor();
    expect(await focused(dialog.getByRole('searchbox'))).toBe(true);
    expect(await dialog.getByRole('searchbox').inputValue()).toBe('Maderas Ñandú');
    await dialog.getByRole('button', { name: 'Nuevo proveedor' }).click();
    expect(await making.getByLabel('Contacto').inputValue()).toBe('Ana Ruiz');
    await making.getByLabel('Correo').fill('ventas@nandu.test');

    // without a connection they stay, too; a lost answer creates no second row
    let lost = 0;
    await page.route('**/api/suppliers/newsupplier', async (route) => {
      lost = (await route.fetch()).status();
      await route.abort();
    });
    await making.getByRole('button', { name: 'Guardar', exact: true }).click();
    await making
      .getByRole('alert')
      .getByText('No hay conexión con el servidor. Lo escrito sigue aquí: intenta de nuevo.')
      .waitFor();
    expect(lost).toBe(201);
    await page.unrouteAll();
    await making.getByRole('button', { name: 'Guardar', exact: true }).click();
    await making.waitFor({ state: 'detached' });
    expect(await opener.inputValue()).toBe('Maderas Ñandú');
    expect(await page.getByLabel('Número de factura').inputValue()).toBe('B-77');
    expect(await page.getByLabel('Subtotal').inputValue()).toBe('1,234.50');
    const found = await page.evaluate(async () =>
      (await fetch('/api/suppliers/search/?suppliername=Maderas')).json(),
    );
    expect(found).toMatchObject([{ suppliername: 'Maderas Ñandú', suppliercontactperson: 'Ana Ruiz' }]);
  });

  it('creates an obra with a new client inside, and returns to what was typed', async () => {
    const { page, open } = await enter();
    await page.goto('/new-invoice');
    const { opener, dialog } = await open('Seleccionar obra');
    await dialog.getByRole('searchbox').fill('Nave Apodaca');
    await dialog.getByRole('button', { name: 'Nueva obra' }).click();
    const job = page.getByRole('dialog', { name: 'Nueva obra' });
    await job.getByLabel('Descripción').fill('Bodega de 4,000 m²');
    const field = job.getByRole('combobox', { name: 'Cliente' });
    await job.getByRole('button', { name: 'Seleccionar cliente' }).click();
    const search = page.getByRole('dialog', { name: 'Seleccionar cliente' });
    await search.getByRole('button', { name: 'Seleccionar Inmobiliaria Lerma' }).waitFor();
    await page.keyboard.press('Escape');
    // A picker in a dialog works as on a page: its field gets the focus back.
    expect(await focused(field)).toBe(true);
    await page.keyboard.type('lerma');
    await job.getByRole('option', { name: 'Inmobiliaria Lerma' }).click();
    expect(await field.inputValue()).toBe('Inmobiliaria Lerma');
    await job.getByRole('button', { name: 'Seleccionar cliente' }).click();
    await search.getByRole('searchbox').fill('Grupo Norte');
    await search.getByRole('button', { name: 'Nuevo cliente' }).click();
    const client = page.getByRole('dialog', { name: 'Nuevo cliente' });
    await client.getByLabel('Contacto').fill('Luis Soto');
    await client.getByRole('button', { name: 'Guardar', exact: true }).click();
    await expect.poll(() => field.inputValue()).toBe('Grupo Norte');
    expect(await job.getByLabel('Nombre de la obra').inputValue()).toBe('Nave Apodaca');
    expect(await job.getByLabel('Descripción').inputValue()).toBe('Bodega de 4,000 m²');
    await job.getByRole('button', { name: 'Guardar obra' }).click();
    await job.waitFor({ state: 'detached' });
    expect(await opener.inputValue()).toBe('Nave Apodaca');
  });

  it('saves what only causes a warning, and shows the warning', async () => {
    const { page, open } = await enter();
    await page.goto('/new-invoice');
    const { opener, dialog } = await open('Seleccionar proveedor');
    await dialog.getByRole('searchbox').fill('Cal del Sur');
    await dialog.getByRole('button', { name: 'Nuevo proveedor' }).click();
    const making = page.getByRole('dialog', { name: 'Nuevo proveedor' });
    await making.getByLabel('Contacto').fill('Eva');
    await making.getByLabel('RFC').fill('ace010203ab1');
    await page.keyboard.press('Enter');
    await making.getByText('El dígito verificador del RFC ACE010203AB1 no corresponde.').waitFor();
    await page.keyboard.press('Enter'); // on "Continuar"
    await making.waitFor({ state: 'detached' });
    expect(await opener.inputValue()).toBe('Cal del Sur');
  });

  it('of invoices leads to the creation screen in a new tab, and searches again afterwards', async () => {
    const { page, open, context } = await enter();
    await page.goto('/new-payment');
    const { dialog } = await open('Seleccionar factura');
    const link = dialog.getByRole('link', { name: 'Nueva factura' });
    expect(await link.evaluate(({ attributes }) => [attributes.getNamedItem('rel')?.value])).toEqual([
      'noopener',
    ]);
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await tab.waitForURL('**/new-invoice');
    await tab.close();
    const again = page.waitForRequest(/facturaproveedores\/search/);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await again;
  });

  it('closes by a click outside it, but not while a new row is typed or text is selected', async () => {
    const { page, open } = await enter();
    await page.goto('/new-invoice');
    const { opener, dialog } = await open('Seleccionar proveedor');
    const box = await dialog.boundingBox();
    const [left, top] = [box!.x, box!.y];
    await page.mouse.move(left + 60, top + 20);
    await page.mouse.down();
    await page.mouse.move(left - 40, top + 20);
    await page.mouse.up();
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole('button', { name: 'Nuevo proveedor' }).click();
    const form = page.getByRole('dialog', { name: 'Nuevo proveedor' });
    await page.mouse.click(left - 40, top + 20);
    await form.locator(':focus').waitFor(); // the click took it for a moment
    await page.keyboard.press('Escape');
    await dialog.waitFor();
    await page.mouse.click(left - 40, top + 20);
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(opener)).toBe(true);
  });

  it('fills the window on a phone, with rows that a finger can hit and that the keyboard does not cover', async () => {
    const { page, open } = await enter({ width: 390 });
    await page.goto('/new-invoice');
    const { dialog } = await open('Seleccionar proveedor');
    const size = await dialog.evaluate((element) => {
      const { width, height } = element.getBoundingClientRect();
      return { width, height };
    });
    expect(size).toEqual({ width: 390, height: 844 });
    const heights = await dialog
      .locator('tbody button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    expect(Math.max(...heights)).toBeLessThanOrEqual(64);
    // The window shrinks when an on-screen keyboard opens.
    await page.setViewportSize({ width: 390, height: 420 });
    await expect.poll(() => dialog.evaluate((element) => element.clientHeight)).toBe(420);
    const seen = await dialog
      .locator('tbody tr')
      .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom < 360).length);
    expect(seen).toBeGreaterThanOrEqual(4);
  });
});
