import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildPdf } from '../support/files.ts';
import { addFund } from '../support/petty-cash.ts';
import { buildPng, buildPngOfQrCode } from '../support/pictures.ts';
import { addInvoice } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

/** EXIF data of a photo turned by 90° (orientation 6). */
const TURNED = Buffer.from('ffe1002245786966000049492a0008000000010012010300010000000600000000000000', 'hex');

describe('a photo that is attached', () => {
  let invoiceId = 0;
  let fundId = 0;
  const app = useRunningApp(async ({ db }) => {
    invoiceId = await addInvoice(db);
    fundId = (await addFund(db, { nombre: 'Caja Norte' })).id;
  });

  /** Makes a photo that is red above and blue below when upright (2700 × 3600), stored rotated. */
  async function takePhoto(page: Page) {
    const base64 = await page.evaluate(() => {
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: 3600, height: 2700 });
      const context = canvas.getContext('2d')!;
      const noise = context.createImageData(3600, 2700);
      noise.data.forEach((_, at) => {
        const isRed = (at >> 2) % 3600 < 1800;
        const strong = at % 4 === 3 || at % 4 === (isRed ? 0 : 2);
        noise.data[at] = strong ? 255 : Math.random() * 120;
      });
      context.putImageData(noise, 0, 0);
      return canvas.toDataURL('image/jpeg', 0.95).split(',')[1]!;
    });
    const plain = Buffer.from(base64, 'base64');
    const buffer = Buffer.concat([plain.subarray(0, 2), TURNED, plain.subarray(2)]);
    expect(buffer.length).toBeGreaterThan(5 * 1024 * 1024);
    return { name: 'foto grande.jpeg', mimeType: 'image/jpeg', buffer };
  }

  const attached = async () =>
    app.db
      .selectFrom('attachments')
      .innerJoin('files', 'files.sha256', 'attachments.sha256')
      .select(['filename', 'invoiceId', 'movementId', 'bytes'])
      .orderBy('attachments.id', 'desc')
      .executeTakeFirstOrThrow();

  /** @returns the size, and the strongest of red, green and blue near the upper and the lower edge */
  const look = (page: Page, bytes: Uint8Array) =>
    page.evaluate(async (base64) => {
      const raw = new Blob([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))]);
      const picture = await createImageBitmap(raw);
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: picture.width, height: picture.height });
      const context = canvas.getContext('2d', { willReadFrequently: true })!;
      context.drawImage(picture, 0, 0);
      const strongest = (y: number) => {
        const [red, green, blue] = context.getImageData(picture.width / 2, y, 1, 1).data;
        return red! > green! && red! > blue! ? 'red' : blue! > green! ? 'blue' : 'green';
      };
      return [picture.width, picture.height, strongest(40), strongest(picture.height - 40)];
    }, Buffer.from(bytes).toString('base64'));

  async function expectSmall(page: Page, { filename, bytes }: Awaited<ReturnType<typeof attached>>) {
    expect(filename).toBe('foto grande.jpg');
    expect(Buffer.from(bytes).subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(bytes.length).toBeLessThanOrEqual(600_000);
    const [width, height, above, below] = await look(page, bytes);
    expect(Math.max(Number(width), Number(height))).toBeLessThanOrEqual(2000);
    expect(Number(height) / Number(width)).toBeCloseTo(4 / 3, 2);
    expect([above, below]).toEqual(['red', 'blue']);
  }

  it('arrives small and upright, even if it is sent at once, and says its new size', async () => {
    const { page } = await app.openSignedIn();
    await page.goto(`/editinvoicepage/${invoiceId}`);
    const photo = await takePhoto(page);
    const input = page.getByLabel('Agregar un archivo');
    await input.setInputFiles(photo);
    await page.getByRole('button', { name: 'Adjuntar', exact: true }).click();
    await page.getByText('Se adjuntó foto grande.jpg.').waitFor();
    await expectSmall(page, await attached());
    await page.getByLabel('Agregar un archivo').setInputFiles(photo);
    await page.getByText(/^\d+\.\d MB → \d+ KB$/).waitFor();
  });

  it('arrives small with an expense, by its form and by the camera of the list', async () => {
    const { page } = await app.openSignedIn({ width: 390, height: 844 });
    await page.goto('/caja-chica');
    const photo = await takePhoto(page);
    await page.getByLabel('Foto del ticket de un gasto en Caja Norte').setInputFiles(photo);
    await page.getByText('Se guardará foto grande.jpg.').waitFor();
    expect(await page.locator('.file img').count()).toBe(1);
    await page.goto(`/caja-chica/${fundId}/nuevo-movimiento`);
    await page.getByLabel('Importe', { exact: true }).fill('120');
    await page.getByLabel('Concepto').fill('Cal');
    await page.getByLabel('Foto del ticket').setInputFiles(photo);
    await page.getByText(/ MB → \d/).waitFor();
    await expect.poll(() => page.locator('.file img').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Quitar foto grande.jpg' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se registró el movimiento.').waitFor();
    await expectSmall(page, await attached());
  });

  it('shows its printed code as it was taken', async () => {
    const { page } = await app.openSignedIn();
    await page.goto(`/caja-chica/${fundId}/nuevo-movimiento`);
    const code =
      'https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=AAAAAAAA-0002-4000-8000-00000000000A&re=EKU9003173C9&rr=CACX7605101P8&tt=580.000000&fe=5tSZhA==';
    const png = buildPngOfQrCode(code).toString('base64');
    const large = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: 3000, height: 3000 });
      const context = canvas.getContext('2d')!;
      context.imageSmoothingEnabled = false;
      context.fillStyle = '#fff';
      context.fillRect(0, 0, 3000, 3000);
      context.drawImage(picture, 200, 200, 1200, (1200 * picture.height) / picture.width);
      return canvas.toDataURL('image/png').split(',')[1]!;
    }, png);
    const paper = { name: 'papel.png', mimeType: 'image/png', buffer: Buffer.from(large, 'base64') };
    await page.getByLabel('Foto del ticket').setInputFiles(paper);
    await page.getByText(/(K|M)B → \d/).waitFor();
    await page.getByRole('button', { name: 'Leer el QR' }).click();
    await page.getByText('Se guardará papel.jpg.').waitFor();
    expect(await page.getByRole('status').first().textContent()).toBe(
      'Se leyó el CFDI: $580.00 de EKU9003173C9.',
    );
    expect(await page.getByLabel('Importe', { exact: true }).inputValue()).toBe('580.00');
  });

  it('is sent as it is where it is small, no photo, or one that the browser cannot read', async () => {
    const { page, allowError } = await app.openSignedIn();
    allowError(422);
    await page.goto(`/editinvoicepage/${invoiceId}`);
    const send = async (name: string, mimeType: string, buffer: Buffer) => {
      await page.getByLabel('Agregar un archivo').setInputFiles({ name, mimeType, buffer });
      await page.getByRole('button', { name: 'Adjuntar', exact: true }).click();
    };
    const small = buildPng(40, 40);
    await send('chica.png', 'image/png', small);
    await page.getByText('Se adjuntó chica.png.').waitFor();
    expect(Buffer.from((await attached()).bytes).equals(small)).toBe(true);
    await send('hoja.pdf', 'application/pdf', Buffer.from(buildPdf()));
    await page.getByText('Se adjuntó hoja.pdf.').waitFor();
    await send('foto.heic', 'image/heic', Buffer.from(`\0\0\0\x18ftypheic${'x'.repeat(700_000)}`, 'latin1'));
    await page.locator('.alert.error').first().waitFor();
    expect(await page.locator('.alert.error').first().innerText()).toContain('imagen');
  });
});
