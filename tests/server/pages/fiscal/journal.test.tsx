import { expect, it } from 'vitest';
import { withQuery } from '../../../../shared/urls.ts';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addPayment, addSupplier } from '../../../support/rows.ts';

const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describeOneDatabase('the page of the journal', (fresh) => {
  const prepare = async () => {
    const { userId } = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const facturaproveedorId = await addInvoice(fresh.db, {
      ...{ supplierId, numfactura: 'A-1', fechaemision: '2026-11-03' },
    });
    const paymentId = await addPayment(fresh.db, { facturaproveedorId, amountCents: 58_000, userId });
    return { facturaproveedorId, paymentId, browser: await createTestApp({ db: fresh.db }).as(2) };
  };

  it('sums each account, lists the entries with their documents, and offers the files', async () => {
    const { facturaproveedorId, paymentId, browser } = await prepare();
    const page = await readPage(browser.get('/fiscal/polizas?mes=2026-11'));
    expect(page.decodedHtml).toContain('2 pólizas por');
    expect(page.rows.map((row) => Object.values(row).join(' '))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/201\.01 Proveedores nacionales.*\$580\.00.*\$1,160\.00/),
        expect.stringMatching(/118\.01 IVA acreditable pagado.*\$80\.00/),
      ]),
    );
    const entries = await readPage(browser.get(page.links('Pólizas').at(-1)!));
    const text = textOf(entries.decodedHtml);
    expect(text).toContain('Pago de la factura A-1 Aceros Tepeyac');
    expect(text).toMatch(
      /2 pólizas por \$1,820\.00 Sumas iguales .* Sumas iguales \$1,160\.00 \$1,160\.00 P-/,
    );
    expect(text).toMatch(/Abono \$80\.00 Sumas iguales \$660\.00 \$660\.00/);
    expect(entries.decodedHtml).toContain(`href="/editinvoicepage/${facturaproveedorId}"`);
    expect(entries.decodedHtml).toContain(`href="/editpaymentpage/${paymentId}"`);
    expect(page.links(/Excel|PDF/)).toContain('/fiscal/polizas/export.xlsx?mes=2026-11');
    const csv = await (await browser.get('/fiscal/polizas/export.csv?mes=2026-11')).text();
    expect(csv.split('\r\n')).toEqual([
      'Fecha,Póliza,Nombre,Concepto,Cuenta,Cargo,Abono,UUID',
      `2026-11-03,F-${facturaproveedorId},Aceros Tepeyac,Factura A-1,501.01 Costo de obra,1000.00,,`,
      `2026-11-03,F-${facturaproveedorId},Aceros Tepeyac,Factura A-1,119.01 IVA pendiente de pago,160.00,,`,
      `2026-11-03,F-${facturaproveedorId},Aceros Tepeyac,Factura A-1,201.01 Proveedores nacionales,,1160.00,`,
      `2026-11-20,P-${paymentId},Aceros Tepeyac,Pago de la factura A-1,201.01 Proveedores nacionales,580.00,,`,
      `2026-11-20,P-${paymentId},Aceros Tepeyac,Pago de la factura A-1,102.01 Bancos nacionales:Sin origen de recurso,,580.00,`,
      `2026-11-20,P-${paymentId},Aceros Tepeyac,Pago de la factura A-1,118.01 IVA acreditable pagado,80.00,,`,
      `2026-11-20,P-${paymentId},Aceros Tepeyac,Pago de la factura A-1,119.01 IVA pendiente de pago,,80.00,`,
      '',
    ]);
    const month = await readPage(browser.get('/fiscal?mes=2026-11'));
    expect([month.links('‹ octubre'), month.links('diciembre ›')]).toEqual([['/fiscal?mes=2026-10'], []]);
    expect(month.links('Pólizas')).toEqual(['/fiscal/polizas?mes=2026-11']);
    expect(month.decodedHtml.replace(/<[^>]*>/g, ' ')).toMatch(
      /Pólizas\s+Cuadrado\s+2 pólizas\s+\$1,820\.00/,
    );
    const empty = await readPage(browser.get('/fiscal/polizas?mes=2026-10'));
    expect(empty.decodedHtml).toContain('Ninguna póliza de octubre de 2026');
  });

  it('shows whole entries, and says on paper how many of the lines it has', async () => {
    const supplierId = await addSupplier(fresh.db);
    for (let number = 0; number < 35; number++)
      await addInvoice(fresh.db, { supplierId, numfactura: `A-${number}`, fechaemision: '2026-11-03' });
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const { decodedHtml } = await readPage(browser.get('/fiscal/polizas?mes=2026-11&que=polizas'));
    expect(decodedHtml).toContain('Se imprimieron 42 de 105 renglones.');
    expect(decodedHtml).toContain('/fiscal/polizas?mes=2026-11&que=polizas&desde=42');
  });

  it('leads from the sums of an account to its postings, which add up to them', async () => {
    const { browser } = await prepare();
    const page = await readPage(browser.get('/fiscal/polizas?mes=2026-11'));
    const [href] = page.links('$1,160.00');
    expect(page.links('$580.00')).toContain(href);
    const account = await readPage(browser.get(href!));
    const text = textOf(account.decodedHtml);
    expect(text).toMatch(/Factura A-1 Aceros Tepeyac Abono \$1,160\.00 P-/);
    expect(text).toMatch(
      /Pago de la factura A-1 Aceros Tepeyac Cargo \$580\.00 Total Cargo \$580\.00 Abono \$1,160\.00/,
    );
    expect(text).not.toContain('$660.00');
    const [file] = account.links(/Excel|PDF/);
    const csv = await (await browser.get(file!.replace(/export\.\w+/, 'export.csv'))).text();
    expect(csv.trim().split('\r\n')).toHaveLength(3);
  });

  it('finds whole entries by kind, text or amount', async () => {
    const { paymentId, facturaproveedorId, browser } = await prepare();
    const codesOf = async (filter: object) => {
      const { decodedHtml } = await readPage(
        browser.get(withQuery('/fiscal/polizas', { mes: '2026-11', que: 'polizas', ...filter })),
      );
      return [...decodedHtml.matchAll(/>([FPNC]-\d+)</g)].map(([, code]) => code);
    };
    const [invoice, payment] = [`F-${facturaproveedorId}`, `P-${paymentId}`];
    expect(await codesOf({})).toEqual([invoice, payment]);
    expect(await codesOf({ tipo: 'P' })).toEqual([payment]);
    expect(await codesOf({ q: 'TEPEYAC' })).toEqual([invoice, payment]);
    expect(await codesOf({ q: 'pago de' })).toEqual([payment]);
    expect(await codesOf({ q: '1160' })).toEqual([invoice]);
    expect(await codesOf({ q: '$1,160.00', tipo: 'P' })).toEqual([]);
    expect((await browser.get('/fiscal/polizas?que=polizas&tipo=X')).status).toBe(400);
  });

  it('has the same rows in the API', async () => {
    const { paymentId, browser } = await prepare();
    const answer = await (await browser.get('/api/fiscal/polizas/?mes=2026-11')).json();
    expect(answer).toMatchObject({
      ...{ mes: '2026-11', cuenta: 2, total: 1820, cuadra: true },
      cuentas: expect.arrayContaining([{ cuenta: '501.01 Costo de obra', cargo: 1000, abono: 0 }]),
    });
    expect((answer as { filas: object[] }).filas).toHaveLength(7);
    expect((answer as { filas: object[] }).filas.at(-1)).toEqual({
      ...{ poliza: `P-${paymentId}`, fecha: '2026-11-20', nombre: 'Aceros Tepeyac', uuid: null },
      ...{ concepto: 'Pago de la factura A-1', cuenta: '119.01 IVA pendiente de pago', cargo: 0, abono: 80 },
    });
    expect((await browser.get('/api/fiscal/polizas/?mes=2026')).status).toBe(400);
  });

  it('has the same filters in the API', async () => {
    const { paymentId, browser } = await prepare();
    const ask = (filter: object) =>
      browser.get(withQuery('/api/fiscal/polizas/', { mes: '2026-11', ...filter }));
    const payments = { cuenta: 1, total: 660, cuadra: true };
    for (const filter of [{ tipo: 'P' }, { q: 'pago de' }, { q: '$580.00' }])
      expect(await (await ask(filter)).json()).toMatchObject(payments);
    const cuenta = '118.01 IVA acreditable pagado';
    expect(await (await ask({ cuenta })).json()).toMatchObject({
      ...payments,
      filas: [{ poliza: `P-${paymentId}`, cuenta, cargo: 80, abono: 0 }],
    });
    const csv = await (await ask({ cuenta, format: 'csv' })).text();
    expect(csv.trim().split('\r\n')).toHaveLength(2);
    for (const refused of [{ tipo: 'X' }, { que: 'polizas' }, { clase: 'P' }])
      expect((await ask(refused)).status).toBe(400);
  });
});
