import { expect, it } from 'vitest';
import { setLogo } from '../../../server/services/settings/logo.ts';
import { isChange, routesOf } from '../../security/routes.ts';
import { createTestApp } from '../../support/app.ts';
import { addBankMovements } from '../../support/bank-movements.ts';
import { buildPng } from '../../support/pictures.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addActor, addCreditNote, addSupplier, createActor } from '../../support/rows.ts';
import { addSmallCompany } from '../../support/small-company.ts';

/** Names for routes whose parameter is not a number. */
const NAMES: Readonly<Record<string, string>> = {
  '/admin-settings/plantillas/1': '/admin-settings/plantillas/csv',
  '/programaciones/plantillas/1': '/programaciones/plantillas/csv',
};

/** Its GET downloads the backup if the password was given within ten minutes. */
const IS_A_FILE = '/admin-settings/respaldos/:name';

describeOneDatabase('the address of a refused form', (fresh) => {
  it('leads a browser that reloads it to the page of the form, never to nothing or to a file', async () => {
    await addSmallCompany(fresh.db);
    await addBankMovements(fresh.db, [{}]);
    const test = createTestApp({ db: fresh.db });
    const user = await test.as([1, 2, 3]);
    const posted = routesOf(test).filter(
      (route) => isChange(route) && !route.path.startsWith('/api/') && route.pattern !== IS_A_FILE,
    );
    expect(posted.length).toBeGreaterThan(70);
    const own = new Set(routesOf(test).flatMap(({ method, pattern }) => (method === 'GET' ? pattern : [])));
    const wrong: string[] = [];
    for (const { path, pattern } of posted) {
      const [from = ''] = Object.keys(NAMES).filter((name) => path.startsWith(name));
      const address = from ? path.replace(from, NAMES[from]!) : path;
      let answer = await user.get(address, { headers: { 'sec-fetch-dest': 'document' } });
      const first = answer.status;
      for (let hops = 0; answer.status === 303 && hops < 3; hops++)
        answer = await user.get(answer.headers.get('location')!);
      const isPage = answer.headers.get('content-type')?.startsWith('text/html');
      // Pages of a missing record are not found, and this server sends no mails.
      const mayBeMissing = pattern.includes(':') || pattern.endsWith('/enviar');
      const isFound = answer.status === 200 || (first !== 303 && own.has(pattern) && mayBeMissing);
      if (!isPage || !isFound) wrong.push(`${pattern}: ${first}, then ${answer.status}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['/admin-settings/plantillas', '/admin-settings/bancos'],
    ['/admin-settings/plantillas/csv/restablecer', '/admin-settings/bancos'],
    ['/admin-settings/logo', '/admin-settings'],
    ['/cierre/reabrir', '/cierre'],
    ['/notificaciones/posponer', '/notificaciones'],
    ['/userprofile/tema', '/userprofile'],
    ['/empezar/obra', '/empezar'],
    ['/editinvoicepage/7/adjuntos/3/quitar', '/editinvoicepage/7'],
    ['/caja-chica/movimientos/7/adjuntos/3/quitar', '/caja-chica/movimientos/7'],
    ['/programaciones/4/autorizar', '/programaciones/4'],
    ['/editsupplierpage/7/saldo-a-favor', '/editsupplierpage/7'],
    ['/programaciones/estados-de-cuenta/cargar', '/programaciones/estados-de-cuenta'],
  ])('is %s, and leads to %s', async (path, page) => {
    const user = await createTestApp({ db: fresh.db }).as([1, 2, 3]);
    const answer = await user.get(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, page]);
  });

  it('of a credit note leads to its supplier', async () => {
    const supplierId = await addSupplier(fresh.db);
    const { userId } = await addActor(fresh.db);
    const id = await addCreditNote(fresh.db, { supplierId, userId });
    const user = await createTestApp({ db: fresh.db }).as([1, 2]);
    const answer = await user.get(`/editsupplierpage/nota-de-credito/${id}/eliminar`);
    expect(answer.headers.get('location')).toBe(`/editsupplierpage/${supplierId}#saldo-a-favor`);
  });

  it('of the logo leads to its form, and is the picture for whoever requests one', async () => {
    await setLogo(fresh.db, createActor(), buildPng(40, 20));
    const user = await createTestApp({ db: fresh.db }).as([3]);
    const requestAs = (dest: string) =>
      user.get('/admin-settings/logo', { headers: { 'sec-fetch-dest': dest } });
    expect((await requestAs('image')).headers.get('content-type')).toBe('image/png');
    expect((await requestAs('document')).headers.get('location')).toBe('/admin-settings');
  });
});
