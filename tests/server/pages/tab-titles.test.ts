import { expect, it } from 'vitest';
import { routesOf } from '../../security/routes.ts';
import { createTestApp } from '../../support/app.ts';
import { describeOneDatabase } from '../../support/proofs.ts';

const FUND = 'Caja chica de oficina';
const ACCOUNT = 'Cuenta concentradora';
const SUPPLIER = 'Impermeabilizantes Termoseal S. de R.L. de C.V.';

/** The title of the first record's page, by route: each page with an id in its address that answers with HTML. */
const TITLES = {
  '/caja-chica/:id': FUND,
  '/caja-chica/:id/arqueo': `${FUND} · Arqueo`,
  '/caja-chica/:id/cerrar': `${FUND} · Cerrar caja`,
  '/caja-chica/:id/editar': `${FUND} · Editar caja`,
  '/caja-chica/:id/entregar': `${FUND} · Entregar caja`,
  '/caja-chica/:id/nuevo-movimiento': `${FUND} · Nuevo gasto`,
  '/caja-chica/:id/reposicion': `${FUND} · Reponer la caja`,
  '/caja-chica/arqueos/:id': 'Caja Torre Cumbres, etapa 2 · Arqueo 1',
  '/caja-chica/movimientos/:id': `Apertura de la caja, ${FUND} · Editar apertura`,
  '/caja-chica/reposiciones/:id': `${FUND} · Reposición 1`,
  '/editclientpage/:id': 'Inmobiliaria Cumbres del Valle · Editar cliente',
  '/editinvoicepage/:id': 'EB000E49 · Editar factura',
  '/editjobpage/:id': 'Torre Cumbres, etapa 1 · Editar obra',
  '/editorigenderecursopage/:id': `${ACCOUNT} · Editar origen de recurso`,
  '/editpaymentpage/:id': 'B-3822, $168,766.99 · Editar pago',
  '/editpaymentpage/:id/aviso/enviar':
    'Bombeos y Colados Apodaca S. de R.L. de C.V. · Enviar el aviso de pago',
  '/editrubropage/:id': 'Acero · Editar rubro',
  '/editsupplierpage/:id': `${SUPPLIER} · Editar proveedor`,
  '/estado-cuenta/:id': `${SUPPLIER} · Estado de cuenta`,
  '/estado-cuenta/:id/enviar': `${SUPPLIER} · Enviar el estado de cuenta`,
  '/fiscal/rep/:id/enviar': `${SUPPLIER} · Pedir los REP que faltan`,
  '/programaciones/:id': 'Programación 1',
  '/programaciones/:id/avisos/enviar': 'Enviar los avisos de la programación 1',
  '/programaciones/estados-de-cuenta/:id': `${ACCOUNT}, nov 2026 · Estado de cuenta del banco`,
  '/programaciones/estados-de-cuenta/movimientos/:id': '-$42,018.85, vie, 20 nov 2026 · Movimiento del banco',
};

describeOneDatabase('the tab of a page about one record', (fresh) => {
  it('names the record first, and tells it from the page of another', async () => {
    await fresh.fillDemo();
    const server = createTestApp({ db: fresh.db });
    const client = await server.as([1, 2, 3]);
    const read = async (path: string) => {
      const response = await client.get(path);
      if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/html')) return;
      return /<title>(.*?) · Saldo<\/title>/.exec(await response.text())?.[1];
    };
    const titles: Record<string, string> = {};
    for (const { method, pattern } of routesOf(server)) {
      if (method !== 'GET' || !pattern.includes(':') || pattern.startsWith('/api/')) continue;
      const title = await read(pattern.replace(/:\w+/g, '1'));
      if (title === undefined) continue;
      titles[pattern] = title;
      expect(await read(pattern.replace(/:\w+/g, '2')), pattern).not.toBe(title);
    }
    expect(titles).toEqual(TITLES);
  });
});
