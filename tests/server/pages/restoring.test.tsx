import { expect, it } from 'vitest';
import { catalogs } from '../../../shared/catalogs/all.ts';
import { createTestApp } from '../../support/app.ts';
import { readPage } from '../../support/page.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import {
  addClient,
  addFundingSource,
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
} from '../../support/rows.ts';

describeOneDatabase('Deshacer', (fresh) => {
  const undoOf = (html: string) => /action="([^"]+\/deshacer)"/.exec(html)?.[1] ?? '';

  it('is offered where an invoice was deleted, and brings it back', async () => {
    const client = await createTestApp({ db: fresh.db }).as(4);
    const id = await addInvoice(fresh.db, { numfactura: 'A-7' });
    const list = await readPage(
      client.follow(
        await client.form(`/editinvoicepage/${id}/eliminar`, { returnTo: '/invoices?status=por-pagar' }),
      ),
    );
    expect(undoOf(list.html)).toBe(`/editinvoicepage/${id}/deshacer`);
    const undone = await client.form(undoOf(list.html), { returnTo: '/invoices?status=por-pagar' });
    expect(undone.headers.get('location')).toBe('/invoices?status=por-pagar');
    const back = await readPage(client.follow(undone));
    expect(back.alerts).toEqual(['success: Se recuperó la factura A-7.']);
    expect(back.links('A-7').length).toBeGreaterThan(0);
    const again = await readPage(client.form(`/editinvoicepage/${id}/deshacer`));
    expect([again.status, again.alerts]).toEqual([
      409,
      [`error: No se pudo deshacer. La factura ${id} no está eliminada.`],
    ]);
  });

  const ADDERS = [addSupplier, addClient, addJob, addRubro, addFundingSource];
  it.each(catalogs.map((catalog, index) => [catalog.noun, catalog, ADDERS[index]!] as const))(
    'is offered where a row of %s was deleted, and brings it back',
    async (_noun, { paths }, add) => {
      const client = await createTestApp({ db: fresh.db }).as(4);
      const id = await add(fresh.db);
      const returnTo = `${paths.list}?sorttype=DESC`;
      const deleted = await client.form(`${paths.edit}/${id}/eliminar`, { returnTo });
      expect(deleted.headers.get('location')).toBe(returnTo);
      const list = await readPage(client.follow(deleted));
      expect(undoOf(list.html)).toBe(`${paths.edit}/${id}/deshacer`);
      const back = await readPage(client.follow(await client.form(undoOf(list.html))));
      expect(back.alerts[0]).toMatch(/^success: Se recuperó (el|la) /);
      expect((await client.get(`${paths.edit}/${id}`)).status).toBe(200);
    },
  );
});
