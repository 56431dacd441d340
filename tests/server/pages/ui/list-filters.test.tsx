import { expect, it } from 'vitest';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addInvoice } from '../../../support/rows.ts';

describeOneDatabase('the filter of a list', (fresh) => {
  it.each([
    ['/invoices', 'fechaemision', 'Emisión'],
    ['/invoices', 'vence', 'Vence'],
    ['/pagos-proveedores', 'paymentdate', 'Fecha de pago'],
  ])('of %s says that a period (%s) ends before it begins, and turns it round', async (list, name, label) => {
    await addInvoice(fresh.db);
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const inverted = `${name}Desde=2026-11-30&${name}Hasta=2026-11-01`;
    const page = await readPage(browser.get(`${list}?${inverted}`));
    expect(page.status).toBe(200);
    expect(page.html).toContain('El periodo termina antes de empezar');
    expect(page.html).toContain(`${label}: Mon, 30 Nov 2026 – Sun, 01 Nov 2026`);
    expect([page.value(`${name}Desde`), page.value(`${name}Hasta`)]).toEqual(['2026-11-30', '2026-11-01']);
    const turned = `${list}?${name}Desde=2026-11-01&${name}Hasta=2026-11-30`;
    expect(page.links('Invertir las fechas')).toEqual([turned]);
    const file = await browser.get(`${list}/export.csv?${inverted}`);
    expect(file.status).toBe(400);
    expect(await file.text()).toContain('El periodo termina antes de empezar');
  });

  it('leaves what was just saved tinted, or says that it is not among the rows', async () => {
    const id = await addInvoice(fresh.db, { numfactura: 'A-1' });
    await addInvoice(fresh.db);
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const save = async (returnTo: string) => {
      const { version } = await fresh.db
        .selectFrom('invoices')
        .select('version')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const form = { comments: `de ${returnTo}`, version, returnTo };
      return readPage(browser.follow(await browser.form(`/editinvoicepage/${id}`, form)));
    };
    const seen = await save('/invoices?sortfield=total');
    expect(seen.html.match(/<tr class="saved" data-href="([^"]*)"/)?.[1]).toBe(`/editinvoicepage/${id}`);
    expect(seen.alerts).toEqual(['success: Se guardó la factura A-1.']);
    const hidden = await save('/invoices?numfactura=zzz');
    expect(hidden.html).not.toContain('class="saved"');
    expect(hidden.alerts).toEqual(['success: Se guardó la factura A-1. No está entre las filas de abajo.']);
    expect(hidden.links('Ver factura')).toEqual([`/editinvoicepage/${id}`]);
  });
});
