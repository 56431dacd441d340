import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillSignIn, signIn } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { timeLimitFactor } from '../support/patience.ts';
import { openWatchedPage } from '../support/running.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { sharedBrowser } from '../support/shared-browser.ts';

describe('the first administrator', () => {
  const { folder, remove } = temporaryFolder();
  const env = { DATABASE_URL: `file:${folder}/saldo.db`, SALDO_ADMIN_EMAIL: 'jefa@obra.test' };
  let browser: Browser;
  let server: RunningServer;

  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer(env)]);
  });

  afterAll(async () => {
    await server?.stop();
    remove();
  });

  const open = () => openWatchedPage(browser, { baseURL: server.url });
  const passwordsIn = (output: string) => [...output.matchAll(/Contraseña: (\S+)/g)].map(([, text]) => text);
  const OWN = { login: 'jefa@obra.test', password: 'andamio-y-cimbra-7' };

  it('must change the password that the start printed; afterwards neither it nor another session is accepted', async () => {
    const [printed = ''] = passwordsIn(server.output());
    expect(passwordsIn(server.output())).toEqual([expect.stringMatching(/^[a-z0-9]{8}$/)]);
    const { page, allowError } = await open();
    allowError(401);
    await page.goto('/reporte-saldos?corte=2026-01-01');
    expect(new URL(page.url()).pathname).toBe('/login');
    await fillSignIn(page, { ...OWN, password: 'no-es-esta' });
    await page.getByText('Correo o contraseña incorrectos.').waitFor();
    expect(await page.getByLabel('Correo').inputValue()).toBe('jefa@obra.test');
    await signIn(page, { ...OWN, password: printed }, '**/userprofile');
    await page.getByText('Tu contraseña es temporal. Cámbiala para continuar.').waitFor();
    await page.getByRole('link', { name: 'FACTURAS' }).click();
    await page.waitForURL('**/userprofile');

    const other = await open();
    await signIn(other.page, { ...OWN, password: printed }, '**/userprofile');

    await page.getByLabel('Contraseña actual').fill(printed);
    await page.getByLabel('Contraseña nueva').fill(OWN.password);
    await page.getByLabel('Confirmar contraseña').fill(OWN.password);
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await page.getByText('Your password has been updated!').waitFor();
    await page.getByRole('heading', { name: 'Para empezar' }).waitFor();
    await page.getByRole('link', { name: 'FACTURAS' }).click();
    await page.getByRole('heading', { name: 'Facturas', exact: true }).waitFor();

    await other.page.getByRole('link', { name: 'FACTURAS' }).click();
    await other.page.waitForURL('**/login?next=%2Finvoices');
    other.allowError(401);
    await fillSignIn(other.page, { ...OWN, password: printed });
    await other.page.getByText('Correo o contraseña incorrectos.').waitFor();
    await fillSignIn(other.page, OWN);
    await other.page.waitForURL('**/invoices');
  });

  it('stays signed in after a restart, which is graceful and prints no password again', async () => {
    const { page } = await open();
    await signIn(page, OWN);
    await page.waitForLoadState('networkidle'); // the page still asks for its bell
    const { code, ms } = await server.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000 * timeLimitFactor());
    server = await startServer(env);
    expect(passwordsIn(server.output())).toEqual([]);
    await page.goto(`${server.url}/jobs`);
    await page.getByRole('heading', { name: 'Obras', exact: true }).waitFor();
  });
});
