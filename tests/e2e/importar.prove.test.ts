import { describe, expect, it } from 'vitest';
import { findAxeViolations } from '../support/axe.ts';
import { addJob, addSupplier } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

const HEADINGS = 'Proveedor,Obra,Folio,Fecha,Importe';
/** Month first, ambiguous decimal marks, and amounts that may include IVA: all of these are asked. */
const american = (folio: string) =>
  [
    HEADINGS,
    `Aceros Tepeyac,Torre Roble,${folio}-1,12/31/2026,"1,234"`,
    `Aceros Tepeyac,Torre Roble,${folio}-2,03/05/2026,"2,345"`,
    `Concretos Ajusco,Torre Roble,${folio}-3,03/06/2026,"3,456"`,
  ].join('\r\n');

const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** From a file to rows of the list, on a desktop and on a phone. */
describe('a table from another system', () => {
  const app = useRunningApp(async ({ db }) => {
    await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
    await addJob(db, { jobtitle: 'Torre Roble' });
  });

  it.each([
    { width: 1280, dark: false, folio: 'A' },
    { width: 360, dark: true, folio: 'C' },
  ])('is asked about, corrected and imported at $width px', async (look) => {
    const { folio } = look;
    const { page, allowError } = await app.openSignedIn(look);
    allowError(422);
    const found: string[] = [];
    const check = async (what: string) => {
      found.push(...(await findAxeViolations(page, what)));
      const overflow = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('main .table-wrap')].reduce(
          (most, { scrollWidth, clientWidth }) => Math.max(most, scrollWidth - clientWidth),
          0,
        ),
      );
      if (overflow > 0) found.push(`${what}: ${overflow} px wider than its place`);
    };
    await page.goto('/importar?kind=invoices');
    await check('the choice');
    await page.getByLabel('Archivo').setInputFiles(file('facturas <b>.csv', american(folio)));
    await page.getByRole('button', { name: 'Revisar archivo' }).click();
    await page.getByText('¿qué orden llevan todas?').first().waitFor();
    expect(await page.getByRole('button', { name: /^Importar/ }).count()).toBe(0);
    await check('the questions');

    await page.getByLabel('El importe es').selectOption('total');
    await page.getByLabel('Tasa', { exact: true }).fill('0');
    await page.getByLabel('Decimales').selectOption('.');
    await page.getByLabel('Fechas').selectOption('mm/dd/yyyy');
    await page.getByRole('button', { name: 'Actualizar vista' }).click();
    // one supplier is new, so its creation has to be allowed
    if (folio === 'A') {
      await page.getByText('No se puede importar: 1 fila tiene errores.').waitFor();
      await page.getByRole('link', { name: 'Dar de alta lo que falte' }).click();
      await page.getByText('Alta', { exact: true }).first().waitFor();
    }
    const button = page.getByRole('button', { name: 'Importar 3 facturas' });
    await button.waitFor();
    await page.getByText('Thu, 05 Mar 2026', { exact: true }).first().waitFor();
    expect(await page.getByText('$1,234.00').count()).toBeGreaterThan(0);
    await check('the preview');
    await button.click();
    await page.getByText('Se importaron 3 facturas.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/invoices');
    for (const number of [1, 2, 3])
      expect(await page.locator('tbody tr', { hasText: `${folio}-${number}` }).count()).toBe(1);
    expect(found).toEqual([]);
  });

  it('is handled by keyboard alone, column by column', async () => {
    const { page } = await app.openSignedIn();
    await page.goto('/importar');
    await page.getByRole('radio', { name: 'Facturas' }).focus();
    const isClients = () => page.getByRole('radio', { name: 'Clientes' }).isChecked();
    for (let kinds = 0; kinds < 10 && !(await isClients()); kinds++) await page.keyboard.press('ArrowDown');
    expect(await isClients()).toBe(true);
    const text = 'Dueño,Persona,Correo,Basura\nInmobiliaria Roble,Luis Peña,obras@roble.test,x\n';
    await page.getByLabel('Archivo').setInputFiles(file('clientes.csv', text));
    await page.getByRole('button', { name: 'Revisar archivo' }).press('Enter');
    await page.getByText('Ninguna columna trae «Nombre»').waitFor();
    const column = page.getByLabel('Se toma como: Dueño');
    await column.focus();
    await page.keyboard.type('Nombre');
    await page.getByLabel('Se toma como: Persona').focus();
    await page.keyboard.type('Contacto');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Actualizar vista' }).press('Enter');
    const button = page.getByRole('button', { name: 'Importar 1 cliente' });
    await button.waitFor();
    expect(await page.getByLabel('Se toma como: Basura').inputValue()).toBe('');
    await button.press('Enter');
    await page.getByText('Se importó 1 cliente.').waitFor();
    await page.getByText('Inmobiliaria Roble').waitFor();
  });
});
