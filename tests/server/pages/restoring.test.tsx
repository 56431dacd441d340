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

  const ADDERS = [addSupplier, addClient, addJob, addRubro, addFundingSource];
  it.each([
    ...catalogs.map(({ noun, paths }, index) => [noun, paths, ADDERS[index]!] as const),
    ['invoices', { list: '/invoices', edit: '/editinvoicepage' }, addInvoice] as const,
  ])('is offered where a row of %s was deleted, and restores it once', async (_noun, paths, add) => {
    const client = await createTestApp({ db: fresh.db }).as(4);
    const id = await add(fresh.db);
    const returnTo = `${paths.list}?sorttype=DESC`;
    const deleted = await client.form(`${paths.edit}/${id}/eliminar`, { returnTo });
    expect(deleted.headers.get('location')).toBe(returnTo);
    const list = await readPage(client.follow(deleted));
    expect(undoOf(list.decodedHtml)).toBe(`${paths.edit}/${id}/deshacer`);
    const back = await readPage(client.follow(await client.form(undoOf(list.decodedHtml))));
    expect(back.alerts[0]).toMatch(/^success: Se recuperó (el|la) /);
    expect((await client.get(`${paths.edit}/${id}`)).status).toBe(200);
    const again = await readPage(client.form(`${paths.edit}/${id}/deshacer`));
    expect([again.status, again.alerts[0]]).toEqual([
      409,
      expect.stringMatching(/^error: No se pudo deshacer\. /),
    ]);
  });
});
