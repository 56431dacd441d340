import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { findAxeViolations } from '../support/axe.ts';
import { buildCfdi, bytesOf } from '../support/cfdi.ts';
import { buildPng, buildPngOfQrCode } from '../support/pictures.ts';
import { addActor, addFundingSource, addJob, createActor } from '../support/rows.ts';
import { addColleague, type RunningApp, startApp, useRunningApp } from '../support/running.ts';

/** A fund from its opening to its count, on a phone. */
describe('petty cash on a phone', () => {
  let app: RunningApp;
  let luis: { login: string; password: string };
  const found: string[] = [];
  const look = async (page: Page, screen: string) => {
    found.push(...(await findAxeViolations(page, screen)));
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    if (isWide) found.push(`${screen}: wider than the screen`);
  };

  beforeAll(async () => {
    app = await startApp(async (database) => {
      luis = await addColleague(database, 'luis.mora', [2]);
      await addColleague(database, 'eva.luna', [5]);
      await addActor(database.db, { roles: [6] });
      await addJob(database.db, { jobtitle: 'Torre Roble' });
      await addFundingSource(database.db, { origenderecursonombre: 'Banco' });
    });
  });

  afterAll(() => app?.stop());

  it('works from opening a fund to counting it', async () => {
    const size = { width: 390, height: 844 };
    const { page } = await app.openSignedIn(size);
    await page.goto('/caja-chica/nuevo-fondo');
    await look(page, 'a new box');
    await page.getByLabel('Nombre').fill('Caja Norte');
    await page.getByLabel('Responsable').selectOption({ index: 1 });
    await page.getByRole('combobox', { name: 'Origen de recurso' }).fill('Banco');
    await page.locator('[role=option]', { hasText: 'Banco' }).first().click();
    await page.getByLabel('Monto fijo').fill('5000');
    await page.getByLabel('Apertura', { exact: true }).fill('5000');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se abrió la caja chica «Caja Norte».').waitFor();
    const fund = new URL(page.url()).pathname;
    const { page: approver } = await app.openSignedIn(size, luis);
    await approver.goto(`${fund}/reposicion`);
    await look(approver, 'what was asked for');
    await approver.getByRole('link', { name: /^Apertura \d+$/ }).click();
    await look(approver, 'an opening');
    await approver.getByRole('button', { name: 'Autorizar' }).click();
    await approver.getByText('Entraron $5,000.00 a la caja.').waitFor();

    await page.getByRole('link', { name: 'Nuevo gasto' }).first().click();
    await look(page, 'an expense');
    await page.getByLabel('Importe', { exact: true }).fill('350.50');
    await page.getByLabel('Concepto').fill('Clavos y alambre');
    const ticket = { name: 'ticket.png', mimeType: 'image/png', buffer: buildPng(4, 4) };
    await page.getByLabel('Foto del ticket').setInputFiles(ticket);
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se registró el movimiento.').waitFor();

    await page.goto(`${fund}/nuevo-movimiento`);
    const code =
      'https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=AAAAAAAA-0002-4000-8000-00000000000A&re=EKU9003173C9&rr=CACX7605101P8&tt=580.000000&fe=5tSZhA==';
    const paper = { name: 'papel.png', mimeType: 'image/png', buffer: buildPngOfQrCode(code) };
    await page.getByLabel('Concepto').fill('Cal');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Leer el QR' }).click();
    await (await choosing).setFiles(paper);
    await page.getByText('Se guardará papel.png.').waitFor();
    expect(await page.locator(':focus').getAttribute('name'), 'it is filled in already').not.toBe('importe');
    const read = ['Importe', 'UUID del CFDI', 'Concepto'].map((label) =>
      page.getByLabel(label, { exact: true }).inputValue(),
    );
    expect(await Promise.all(read)).toEqual(['580.00', 'AAAAAAAA-0002-4000-8000-00000000000A', 'Cal']);
    await look(page, 'an expense from its code');

    await page.goto(`${fund}/nuevo-movimiento`);
    const today = await page.getByLabel('Fecha', { exact: true }).inputValue();
    const uuid = 'AAAAAAAA-0001-4000-8000-00000000000A';
    const document = buildCfdi({ uuid, root: { Fecha: `${today}T00:00:00` } });
    const xml = { name: 'cfdi.xml', mimeType: 'text/xml', buffer: bytesOf(document) };
    await page.getByText('Factura y observaciones').click();
    await page.getByLabel('XML del CFDI').setInputFiles(xml);
    await page.getByText('Se guardará cfdi.xml.').waitFor();
    expect(await page.getByLabel('Importe', { exact: true }).inputValue()).toBe('1,160.00');
    expect(await page.getByLabel('UUID del CFDI').inputValue()).toBe(uuid);
    await page.getByLabel('Concepto').fill('Cemento');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se registró el movimiento.').waitFor();
    await look(page, 'a box');
    await page.getByRole('link', { name: 'Clavos y alambre' }).first().click();
    await page.getByRole('link', { name: 'ticket.png' }).waitFor();
    await look(page, 'a movement');

    await page.goto(`${fund}/reposicion`);
    await look(page, 'what is to be replenished');
    await page.getByRole('button', { name: 'Reponer', exact: true }).click();
    await page.getByText('Se pidieron $1,510.50').waitFor();
    const request = new URL(page.url()).pathname;
    await approver.goto(request);
    await look(approver, 'a replenishment');
    await approver.getByRole('button', { name: 'Autorizar' }).click();
    await approver.getByText('Entraron $1,510.50 a la caja.').waitFor();

    await page.goto(`${fund}/arqueo`);
    await look(page, 'a sheet to count on');
    expect(await page.getByText('$5,000.00').count()).toBe(0);
    expect(await columnsOf(page, '.pieces .field')).toBe(2);
    await page.getByLabel('$500.00', { exact: true }).fill('9');
    await page.getByLabel('$200.00', { exact: true }).fill('2');
    await expect.poll(() => page.locator('[data-sum]').innerText()).toBe('$4,900.00');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Se guardó el arqueo.').waitFor();
    await look(page, 'a count');
    await page.getByLabel('Motivo de la diferencia').fill('Faltó cobrar un cambio');
    await page.getByRole('button', { name: 'Ajustar la diferencia' }).click();
    await page.getByText('Se ajustó la diferencia de -$100.00.').waitFor();
    const figures = await page.locator('.totals').first().locator('dd').allInnerTexts();
    expect(figures).toEqual(['$4,900.00', '$0.00', '$0.00']);
    expect(found).toEqual([]);
  });
});

describe('a fund on a phone', () => {
  const app = useRunningApp(async (database) => {
    await fillDemo(database, createActor());
  });

  it('shows its newest movement on the first screen, complete, and an expense with a photo takes six steps', async () => {
    const { page } = await app.openSignedIn({ width: 390, height: 844 });
    await page.goto('/caja-chica/1');
    const first = page.locator('main tbody tr').first();
    expect((await first.boundingBox())!.y).toBeLessThan(450);
    const heights = await page
      .locator('main tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height).sort((a, b) => a - b));
    expect(heights[Math.floor(heights.length / 2)]).toBeLessThanOrEqual(75); // three lines
    expect(heights.reduce((sum, height) => sum + height, 0) / heights.length).toBeLessThanOrEqual(90);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main tbody :is(td, .hint, .chip)')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
        .map((one) => one.innerText),
    );
    expect(cut).toEqual([]);
    await page.goto('/invoices');
    let steps = 0;
    const step = async (done: Promise<unknown>) => {
      await done;
      steps++;
    };
    await step(page.getByRole('button', { name: /men/i }).click());
    await step(page.getByRole('link', { name: 'CAJA CHICA' }).click());
    const ticket = { name: 'ticket.png', mimeType: 'image/png', buffer: buildPng(4, 4) };
    await step(page.getByLabel('Foto del ticket de un gasto en Caja chica de oficina').setInputFiles(ticket));
    await page.getByText('Se guardará ticket.png.').waitFor();
    await step(page.keyboard.type('120.50'));
    await step(page.getByLabel('Concepto').fill('Pintura de señales'));
    await step(page.getByRole('button', { name: 'Guardar', exact: true }).click());
    await page.getByText('Se registró el movimiento.').waitFor();
    expect(steps).toBeLessThanOrEqual(6);
    expect(await first.innerText()).toContain('Pintura de señales');
    await first.getByRole('link', { name: 'Pintura de señales' }).click();
    await page.getByRole('link', { name: 'ticket.png' }).waitFor();
  });
});

/** Side by side on the first line. */
const columnsOf = (page: Page, parts: string) =>
  page.locator(parts).evaluateAll((all) => {
    const [first, ...others] = all.map((one) => one.getBoundingClientRect().top);
    return 1 + others.filter((top) => top === first).length;
  });
