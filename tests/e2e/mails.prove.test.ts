import { expect, it } from 'vitest';
import { findAxeViolations } from '../support/axe.ts';
import { startMailServer } from '../support/mail-server.ts';
import { addInvoice, addSupplier } from '../support/rows.ts';
import { startApp } from '../support/running.ts';

it('a statement is sent from its supplier by keyboard, and Correos tells that it went', async () => {
  const { port, received } = await startMailServer();
  let supplierId = 0;
  const app = await startApp(
    async ({ db }) => {
      supplierId = await addSupplier(db, {
        suppliername: 'Aceros Tepeyac',
        suppliercontactemail: 'cobranza@aceros.test',
      });
      await addInvoice(db, { supplierId, numfactura: 'A-1' });
    },
    { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'pagos@constructora.test' },
  );
  try {
    const { page } = await app.openSignedIn({ width: 390 });
    await page.goto(`/editsupplierpage/${supplierId}`);
    await page.getByRole('link', { name: 'Estado de cuenta', exact: true }).click();
    await page.getByRole('link', { name: 'Enviar por correo' }).click();
    expect(await page.getByRole('textbox', { name: 'Para' }).inputValue()).toBe('cobranza@aceros.test');
    expect(await findAxeViolations(page, 'a letter before it is sent')).toEqual([]);
    await page.getByRole('button', { name: 'Enviar', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('El correo quedó en la bandeja de salida.').waitFor();
    await page.getByRole('link', { name: 'Ver los correos' }).click();
    await page.waitForURL('**/correos');
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1);
    expect(received[0]!.to).toEqual(['cobranza@aceros.test']);
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator('tbody tr').first().innerText();
      })
      .toMatch(/Aceros Tepeyac[\s\S]*Enviado/);
    expect(await findAxeViolations(page, 'Correos')).toEqual([]);
  } finally {
    await app.stop();
  }
});
