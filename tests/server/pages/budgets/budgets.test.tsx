import { expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import { listBudget } from '../../../../server/services/budgets/reading.ts';
import { saveBudgetOfJob } from '../../../../server/services/budgets/write.ts';
import { applyCredit } from '../../../../server/services/credit-notes/write.ts';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp } from '../../../support/app.ts';
import { buildCfdi, bytesOf } from '../../../support/cfdi.ts';
import { readFigures } from '../../../support/figures.ts';
import { readPage } from '../../../support/page.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addCreditNote,
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
  TODAY,
} from '../../../support/rows.ts';

describeOneDatabase('the page of budgets', (fresh) => {
  async function begin() {
    const { db } = fresh;
    const client = await createTestApp({ db }).as(2);
    const jobId = await addJob(db, { jobtitle: 'Torre' });
    const acero = await addRubro(db, { nombrerubro: 'Acero' });
    const places = { supplierId: await addSupplier(db), jobId, rubroId: acero };
    await addInvoice(db, { ...places, subtotalCents: 43_000_000 });
    await addInvoice(db, { ...places, rubroId: null, subtotalCents: 100 });
    const address = `/presupuestos?jobId=${jobId}`;
    const grid = `${address}&editar=1`;
    const cell = `p.${jobId}.${acero}`;
    const lines = () => listBudget(db, jobId);
    return { db, client, jobId, acero, address, grid, cell, lines };
  }

  it('saves what was typed, with expressions computed, with its reason, and shows it next to what was spent', async () => {
    const { client, address, grid, cell, jobId } = await begin();
    const first = await readPage(client.get(grid));
    expect([first.status, first.value(cell), first.value('visto')]).toEqual([200, '', '']);
    const all = await (await client.get('/presupuestos?editar=1')).text();
    // A page has some two thousand cells and must stay under 300 KB.
    expect(/<td[^>]*><input[^>]*><\/td>/.exec(all)?.[0].length).toBeLessThan(100);
    const form = { [cell]: '$400,000*1.25', [`p.${jobId}.0`]: '', motivo: 'Contrato', visto: '' };
    const saved = await readPage(client.follow(await client.form(address, form)));
    expect(saved.alerts).toEqual(['success: Se guardó el presupuesto: 1 partida cambió.']);
    expect(saved.value(cell)).toBeUndefined();
    expect(saved.rows[0]).toEqual([
      'Acero',
      '$500,000.00',
      '',
      '$500,000.00',
      '$430,000.00',
      '',
      '$70,000.00',
      '86 %',
    ]);
    expect(saved.rows[1]?.at(-1)).toBe('Sin presupuesto');
    const typed = await readPage(client.get(grid));
    expect(typed.value(cell)).toBe('500,000.00');
    const more = { [cell]: '600,000.00', motivo: 'Convenio', visto: typed.value('visto')! };
    const again = await readPage(client.follow(await client.form(address, more)));
    expect(again.rows[0]?.slice(1, 3)).toEqual(['$500,000.00', '$100,000.00']);
    expect(again.decodedHtml).toContain('Convenio');
    expect(again.links(/Todas las obras/)).toEqual(['/presupuestos']);
  });

  it('says first which obras have exceeded their budget, and by how much', async () => {
    const { client, address, jobId, cell } = await begin();
    const budget = { [cell]: '430,001.00', motivo: 'Contrato', visto: '' };
    await client.form(address, budget);
    expect((await readPage(client.get('/presupuestos'))).decodedHtml).not.toContain('rebasada');
    const { value } = await readPage(client.get(address.concat('&editar=1')));
    await client.form(address, { ...budget, [cell]: '430,000.01', visto: value('visto')! });
    const page = await readPage(client.get('/presupuestos'));
    expect(page.decodedHtml).toMatch(/1 obra rebasada por \$0\.99: <a href="[^"]*">Torre<\/a>\./);
    expect(page.links('Torre')[0]).toBe(`/presupuestos?jobId=${jobId}`);
  });

  it('shows a dash in the total row for what is zero', async () => {
    const { client, address } = await begin();
    const { decodedHtml } = await readPage(client.get(address));
    const foot = /<tfoot>.*<\/tfoot>/s.exec(decodedHtml)?.[0] ?? '';
    const cells = foot.split('</td>').map((cell) => cell.replace(/<[^>]*>/g, ''));
    expect(cells.slice(0, 6)).toEqual(['Total', '–', '–', '–', '$430,001.00', '–']);
  });

  it('is readable by everybody, and changed by Dirección and Contabilidad alone', async () => {
    const { client, address, grid, cell, lines } = await begin();
    await client.form(address, { [cell]: '500000', motivo: 'Contrato' });
    for (const roles of [[3], [4], [5], [6]]) {
      const other = await createTestApp({ db: fresh.db }).as(roles);
      for (const path of [address, '/presupuestos', grid, '/presupuestos?editar=1']) {
        const page = await readPage(other.get(path));
        expect([page.status, page.decodedHtml]).toEqual([200, expect.stringContaining('$500,000.00')]);
        expect(page.decodedHtml).not.toMatch(/<form[^>]*method="post"[^>]*action="\/presupuestos/);
        expect(page.decodedHtml).not.toMatch(/name="(p\.|motivo|visto)/);
      }
      expect((await other.form(address, { [cell]: '7', motivo: 'Contrato' })).status).toBe(403);
    }
    expect(await lines()).toMatchObject([{ presupuestoCents: 50_000_000 }, { presupuestoCents: 0 }]);
  });

  it('returns all that was typed if something is wrong with it, and saves nothing', async () => {
    const { client, address, cell, jobId, lines } = await begin();
    const without = await readPage(client.form(address, { [cell]: '7', motivo: '' }));
    expect([without.status, without.focusedControlName, without.value(cell)]).toEqual([422, 'motivo', '7']);
    const wrong = { [cell]: '7', [`p.${jobId}.0`]: 'mucho', motivo: 'Contrato' };
    const page = await readPage(client.form(address, wrong));
    expect([page.status, page.value(cell), page.value(`p.${jobId}.0`), page.value('motivo')]).toEqual([
      422,
      '7',
      'mucho',
      'Contrato',
    ]);
    expect(page.decodedHtml).toContain('Presupuesto: no es una cantidad.');
    expect((await lines()).every(({ version }) => version === 0)).toBe(true);
  });

  it('has every obra with every rubro, saves those of several at once, and leads to each', async () => {
    const { db, client, cell, jobId, acero } = await begin();
    const other = await addJob(db, { jobtitle: 'Casa' });
    const form = { [cell]: '500000', [`p.${other}.${acero}`]: '20', motivo: 'Contrato', visto: '' };
    const page = await readPage(client.follow(await client.form('/presupuestos', form)));
    expect(page.alerts).toEqual(['success: Se guardó el presupuesto: 2 partidas cambiaron.']);
    expect(page.rows.map((row) => row.slice(0, 5))).toEqual([
      ['Casa', '$20.00', '', '$20.00', '0 %'],
      ['Torre', '$500,000.00', '$430,001.00', '$69,999.00', '86 %'],
    ]);
    expect(page.links('Torre')).toEqual([`/presupuestos?jobId=${jobId}`]);
    const grid = await readPage(client.get('/presupuestos?editar=1'));
    expect(grid.value(`p.${other}.${acero}`)).toBe('20.00');
  });

  it('leads from what was spent to its parts, which add up to the cent, and from a budget to its changes', async () => {
    const { db, client, jobId, acero, address, cell } = await begin();
    const ana = await addActor(db);
    const supplierId = await addSupplier(db);
    const invoiceId = await addInvoice(db, { supplierId, jobId, rubroId: acero, fechaemision: TODAY });
    const note = { supplierId, userId: ana.userId, totalCents: 116_00, ivaCents: 16_00 };
    const creditNoteId = await addCreditNote(db, note);
    await inTransaction(db, (trx) => applyCredit(trx, ana, { creditNoteId, invoiceId, amountCents: 116_00 }));
    const fund = await addFund(db, { openedOn: '2026-01-01', aperturaCents: 900_000 });
    const expense = createExpenseValues({ fecha: TODAY, importeCents: 12_345, jobId, rubroId: acero });
    await createMovement(db, ana, fund.id, expense);
    await client.form(address, { [cell]: '500000', motivo: 'Contrato' });
    const page = await readPage(client.get(address));
    const { linkedFigures, sumsWithParts } = readFigures(/<tbody>.*?<\/tbody>/s.exec(page.decodedHtml)![0]);
    const spent = sumsWithParts.find(({ text }) => text === '$431,023.45');
    expect(spent?.parts).toEqual(['$431,000.00', '−$100.00', '$123.45']);
    const sums = [
      ['$431,000.00', 'Costo sin IVA'],
      ['$100.00', 'Notas de crédito, sin IVA'],
      ['$123.45', 'Total de gastos'],
    ];
    for (const [text, fact] of sums) {
      const { href = '' } =
        linkedFigures.find((figure) => figure.text === text && figure.label === 'Facturado') ?? {};
      expect([href, (await readPage(client.get(href))).facts[fact!]]).toEqual([href, text]);
    }
    const [changes = ''] = page.links('$500,000.00');
    const history = await readPage(client.get(changes));
    expect(history.decodedHtml).toMatch(/<details[^>]* open[^>]*>.*Historia.*Contrato/s);
    expect((await readPage(client.get('/presupuestos'))).links('$431,024.45')).toEqual([address]);
  });

  it('can be exported with the same figures', async () => {
    const { client, jobId, cell } = await begin();
    await client.form('/presupuestos', { [cell]: '500000', motivo: 'Contrato' });
    const rows = await (await client.get(`/presupuestos/export.json?jobId=${jobId}`)).json();
    expect(rows).toMatchObject([
      { jobtitle: 'Torre', nombrerubro: 'Acero', presupuesto: 500_000, gastado: 430_000, disponible: 70_000 },
      { jobtitle: 'Torre', nombrerubro: null, presupuesto: 0, gastado: 1 },
    ]);
  });
});

describeOneDatabase('Resultados, where there are budgets', (fresh) => {
  it('shows what may be spent, and how much of it each obra has used, whatever the period', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).as(6);
    const [torre, casa] = [await addJob(db, { jobtitle: 'Torre' }), await addJob(db, { jobtitle: 'Casa' })];
    await addInvoice(db, { jobId: torre, subtotalCents: 10_400, fechaemision: '2026-11-02' });
    await addInvoice(db, { jobId: casa, subtotalCents: 500, fechaemision: '2026-11-02' });
    const before = await readPage(client.get('/?desde=2026-11-01&hasta=2026-11-20'));
    expect(before.decodedHtml).not.toContain('<span class="label">Presupuesto<');
    const partidas = [{ rubroId: null, presupuestoCents: 10_000 }];
    await saveBudgetOfJob(db, await addActor(db), torre, { motivo: 'Contrato', partidas });
    const page = await readPage(client.get('/?desde=2026-11-01&hasta=2026-11-20'));
    expect(page.rows.map((row) => row.includes('104 %'))).toEqual([true, false]);
    expect(page.links('104 %')).toEqual([`/presupuestos?jobId=${torre}`]);
    expect(page.decodedHtml).toMatch(
      /href="\/presupuestos"[^>]*><span class="label">Presupuesto total \(sin IVA\)</,
    );
    const dashboard = await readPage((await createTestApp({ db }).as(1)).get('/dashboard'));
    expect(dashboard.links('104 %')).toEqual([`/presupuestos?jobId=${torre}`]);
  });
});

const SAID = 'Presupuesto 500 · Gastado 0 · Esta 1,000 → excede 500';

describeOneDatabase('an invoice beyond the budget', (fresh) => {
  async function begin(rule: string) {
    const { db } = fresh;
    const actor = await addActor(db);
    const jobId = await addJob(db);
    await saveBudgetOfJob(db, actor, jobId, {
      motivo: 'Contrato',
      partidas: [{ rubroId: null, presupuestoCents: 50_000 }],
    });
    await changeSetting(db, actor, 'presupuesto', rule);
    const supplierId = await addSupplier(db, { rfc: 'EKU9003173C9' });
    const form = { supplierId, jobId, numfactura: 'A-9', subtotal: '1000', tasa: '16' };
    const clients = { app: createTestApp({ db }), form };
    return { ...clients, director: await clients.app.as(1), other: await clients.app.as(4) };
  }
  const invoices = () => fresh.db.selectFrom('invoices').select('numfactura').execute();

  it('is returned with all that was typed, and saved once Dirección gives a reason', async () => {
    const { director, other, form } = await begin('impedir');
    const refused = await readPage(other.form('/new-invoice', { ...form, motivo: 'Urge' }));
    expect([refused.status, refused.alerts]).toEqual([
      422,
      [`error: La factura excede el presupuesto. ${SAID}. Solo Dirección puede guardarla, con un motivo.`],
    ]);
    const response = await readPage(director.form('/new-invoice', form));
    expect([response.status, response.focusedControlName, response.value('subtotal')]).toEqual([
      422,
      'motivo',
      '1,000',
    ]);
    expect(await invoices()).toEqual([]);
    expect((await director.form('/new-invoice', { ...form, motivo: 'Urge' })).status).toBe(303);
    expect(await invoices()).toHaveLength(1);
  });

  it('that is also in a closed period needs one reason for both, and the audit trail says so', async () => {
    const { app, form } = await begin('impedir');
    await changeSetting(fresh.db, await addActor(fresh.db), 'cierre', '2026-10-31');
    const both = await app.as([1, 3]);
    const typed = { ...form, fechaemision: '2026-10-05', motivo: 'Llegó tarde' };
    expect((await both.form('/new-invoice', typed)).status).toBe(303);
    expect((await readPage(both.get('/bitacora'))).decodedHtml).toContain(
      'Motivo (periodo cerrado y presupuesto excedido): Llegó tarde',
    );
  });

  it('from an XML keeps its form and asks Dirección for the reason too', async () => {
    const { director, form } = await begin('impedir');
    const sent = await director.files('/new-invoice/xml', { xml: ['a.xml', bytesOf(buildCfdi())] });
    const address = sent.headers.get('location')!;
    const save = { jobId: form.jobId, numfactura: 'A-0012' };
    const response = await readPage(director.form(address, save));
    expect([response.status, response.value('jobId'), response.value('motivo')]).toEqual([
      422,
      String(form.jobId),
      '',
    ]);
    expect(response.alerts[0]).toContain(`La factura excede el presupuesto. ${SAID}.`);
    expect((await director.form(address, { ...save, motivo: 'Urge' })).status).toBe(303);
    expect(await invoices()).toHaveLength(1);
  });

  it('causes a remark in the form only if budgets are used', async () => {
    const { other } = await begin('avisar');
    expect((await readPage(other.get('/new-invoice'))).decodedHtml).toMatch(/\bbudget\W/);
    await changeSetting(fresh.db, await addActor(fresh.db), 'presupuesto', 'ignorar');
    const again = await createTestApp({ db: fresh.db }).as(4);
    expect((await readPage(again.get('/new-invoice'))).decodedHtml).not.toMatch(/\bbudget\W/);
  });
});
