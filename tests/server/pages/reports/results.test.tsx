import { beforeEach, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { saveBudgetOfJob } from '../../../../server/services/budgets/write.ts';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import { formatMoney, parseMoney } from '../../../../shared/money.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addClient, addInvoice, addJob, addRubro } from '../../../support/rows.ts';

const html = async (response: Response) => (await response.text()).replaceAll('&amp;', '&');

/** Stores costs of two obras, with two rubros and without, of this year and the last. */
async function addCosts(db: Db) {
  const jobs = [await addJob(db, { jobtitle: 'Torre' }), await addJob(db, { jobtitle: 'Nave' })];
  const rubros = [await addRubro(db, { nombrerubro: 'Acero' }), await addRubro(db), null];
  for (const [index, jobId] of jobs.entries()) {
    for (const rubroId of rubros.slice(index)) {
      for (const fechaemision of ['2025-08-01', '2026-01-01', '2026-10-10', '2026-11-20', '2026-12-24']) {
        const part = { subtotalCents: 90_000 + jobId * 31, otrosimpuestosCents: 250, retencionesCents: 90 };
        await addInvoice(db, { jobId, rubroId, fechaemision, ...part });
      }
    }
  }
  return { jobs: jobs as [number, number], rubros: rubros as [number, number, null] };
}

/** The links of the table of obras, with their figures and labels. */
const figuresOf = (page: string) =>
  [
    ...(/<caption[^>]*>Lo que cuesta cada obra.*?<\/table>/s.exec(page)?.[0] ?? '').matchAll(
      /data-label="([^"]*)"><a href="(\/[^"]*)" class="money"[^>]*>([^<]*)</g,
    ),
  ].map(([, label, href, figure]) => ({ label, href: href!, cents: parseMoney(figure, 'figure') }));

const titlesOf = (page: string) =>
  [...page.matchAll(/<a id="obra-\d+"[^>]*>[▸▾] ([^<]*)<\/a>/g)].map(([, title]) => title);

describeOneDatabase('Resultados', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(1);
  });

  it('passes the whole filter to its files, with both ends of the period', async () => {
    const query = 'desde=2026-10-01&hasta=2026-10-31&base=pagado';
    const page = await html(await browser.get(`/?${query}`));
    expect(page).toContain(`href="/export.csv?${query}"`);
  });

  it('compares, under a rubro, with the budget of that rubro, of each obra and in total', async () => {
    const { db } = fresh;
    const author = await addActor(db, { roles: [1] });
    const jobId = await addJob(db, { jobtitle: 'Torre' });
    const [acero, concreto] = [await addRubro(db), await addRubro(db)];
    for (const [rubroId, subtotalCents] of [
      [acero, 500_000],
      [concreto, 100_000],
      [null, 60_000],
    ] as const)
      await addInvoice(db, { jobId, rubroId, subtotalCents, fechaemision: '2026-11-02' });
    const partidas = [
      { rubroId: acero, presupuestoCents: 200_000 },
      { rubroId: concreto, presupuestoCents: 2_000_000 },
      { rubroId: null, presupuestoCents: 80_000 },
    ];
    await saveBudgetOfJob(db, author, jobId, { motivo: 'Contrato', partidas });
    const budgetUsedUnder = async (query: string) =>
      /data-label="Presupuesto[^"]*">.*?(\d+) %/s.exec(await html(await browser.get(`/?${query}`)))?.[1];
    expect(await budgetUsedUnder('')).toBe('29');
    expect(await budgetUsedUnder(`rubroId=${acero}`)).toBe('250');
    expect(await budgetUsedUnder(`rubroId=${concreto}`)).toBe('5');
    expect(await budgetUsedUnder('rubroId=0')).toBe('75');
    const overUnder = async (query: string) =>
      /<strong class="late">.*?<\/p>/s.exec(await html(await browser.get(`/?${query}`)))?.[0];
    expect(await overUnder('')).toBeUndefined();
    expect(await overUnder(`rubroId=${acero}`)).toBe(
      `<strong class="late">1 sobre presupuesto de este rubro (sin IVA):</strong> <a href="/presupuestos?jobId=${jobId}">Torre, por $3,000.00</a></p>`,
    );
  });

  it('leads to the obras that pass their budget, the largest excess first', async () => {
    const { db } = fresh;
    const author = await addActor(db, { roles: [1] });
    for (const [jobtitle, subtotalCents] of [
      ['Torre', 500_000],
      ['Nave', 900_000],
      ['Puente', 200_000],
    ] as const) {
      const jobId = await addJob(db, { jobtitle });
      await addInvoice(db, { jobId, rubroId: null, subtotalCents, fechaemision: '2026-11-02' });
      const partidas = [{ rubroId: null, presupuestoCents: 200_000 }];
      await saveBudgetOfJob(db, author, jobId, { motivo: 'Contrato', partidas });
    }
    const { decodedHtml: shown, links } = await readPage(browser.get('/'));
    const text = shown.replace(/<[^>]*>/g, '');
    expect(text).toContain('2 sobre presupuesto (sin IVA): Nave, por $7,000.00; Torre, por $3,000.00');
    expect(links('Nave, por $7,000.00')).toEqual(['/presupuestos?jobId=2']);
    for (const base of [
      'Gastado (sin IVA)',
      'Pagado (con IVA)',
      'Pendiente (con IVA)',
      'Presupuesto total (sin IVA)',
    ])
      expect(text).toContain(base);
  });

  it('opens an obra to its rubros, without a script, and closes it', async () => {
    const { jobs } = await addCosts(fresh.db);
    const page = await html(await browser.get('/'));
    expect(page).not.toContain('<tr class="part"');
    const [, open = ''] = /<a id="obra-\d+" href="([^"#]*)#obra-\d+">▸ Torre</.exec(page)!;
    expect(open).toBe(`/?desde=2026-01-01&hasta=2026-11-20&abierta=${jobs[0]}`);
    const opened = await html(await browser.get(open));
    const parts = [...opened.matchAll(/<tr class="part">.*?<\/tr>/gs)].map(([row]) => row);
    expect(parts).toHaveLength(3);
    expect(parts.some((row) => row.includes('Sin rubro') && row.includes('rubroId=0'))).toBe(true);
    const sum = parts.reduce(
      (all, row) => all + parseMoney(/class="money"[^>]*>([^<]*)/.exec(row)![1], 'part'),
      0,
    );
    expect(sum).toBe(figuresOf(opened).find(({ href }) => href.includes(`jobId=${jobs[0]}`))!.cents);
    expect(opened).toContain('▾ Torre');
  });

  it('has a table of rubro by month in whole pesos, with cents in the tooltip, that adds up to the same', async () => {
    await addCosts(fresh.db);
    const page = await html(await browser.get('/?vista=rubros&desde=2025-08-01'));
    const table = /<table class="data report heat">.*?<\/table>/s.exec(page)![0];
    const exact = (part: string) =>
      [...part.matchAll(/title="(-?\$[\d,.]+)">([\d,-]+)</g)].map(([, cents, pesos]) => {
        expect(parseMoney(pesos, 'pesos')).toBe(Math.round(parseMoney(cents, 'cents') / 100) * 100);
        return parseMoney(cents, 'cents');
      });
    const rows = [...table.matchAll(/<tr>.*?<\/tr>/gs)]
      .map(([row]) => exact(row))
      .filter((row) => row.length > 0);
    const totals = rows.at(-1)!;
    for (const row of rows) expect(row.slice(0, -1).reduce((sum, cents) => sum + cents, 0)).toBe(row.at(-1));
    expect(rows.slice(0, -1).reduce((sum, row) => sum + row.at(-1)!, 0)).toBe(totals.at(-1));
    expect(page).toContain(`<span class="money">${formatMoney(totals.at(-1)!)}</span>`);
    // sixteen months: the first four together
    expect(table).toContain('Antes');
    const [, cell = ''] = /<a href="(\/invoices[^"]*rubroId=0[^"]*2026-10-01[^"]*)"/.exec(table)!;
    expect(cell).toContain('fechaemisionHasta=2026-10-31');
  });

  it('includes petty cash, named next to the invoices, with a link; it can be excluded', async () => {
    const { jobs } = await addCosts(fresh.db);
    const ana = await addActor(fresh.db);
    const fund = await addFund(fresh.db, { openedOn: '2025-01-01', aperturaCents: 900_000 });
    const fecha = '2026-10-10';
    const ofJob = createExpenseValues({ fecha, importeCents: 12_345, jobId: jobs[0] });
    await createMovement(fresh.db, ana, fund.id, ofJob);
    await createMovement(fresh.db, ana, fund.id, createExpenseValues({ fecha, importeCents: 55 }));
    const page = await html(await browser.get('/'));
    const [, href = ''] =
      /\+ Caja chica <a href="(\/caja-chica\/gastos[^"]*)" class="money">\$124\.00<\/a>/.exec(page)!;
    const list = await readPage(browser.get(href));
    expect([list.facts['Total de gastos'], list.rows.length]).toEqual(['$124.00', 2]);
    expect(figuresOf(page).find(({ cents }) => cents === 55)!.href).toContain('jobId=0');
    expect(page).toContain('Sin obra');
    const without = await html(await browser.get('/?caja=sin'));
    expect(without).not.toContain('Sin obra');
    const total = (text: string) =>
      parseMoney(/<span class="label">Gastado.*?class="money">([^<]*)/s.exec(text)![1], 'total');
    expect(total(page) - total(without)).toBe(12_400);
    expect((await browser.get('/caja-chica/gastos?desde=2026-02-01&hasta=2026-01-01')).status).toBe(400);
  });

  it('shows, for one client, the obras of that client alone', async () => {
    const clientId = await addClient(fresh.db);
    await addCosts(fresh.db);
    const jobId = await addJob(fresh.db, { jobtitle: 'Puente', clientId });
    await addInvoice(fresh.db, { jobId, fechaemision: '2026-10-10' });
    const page = await html(await browser.get(`/?clientId=${clientId}`));
    expect(titlesOf(page)).toEqual(['Puente']);
    const { href, cents } = figuresOf(page).at(-2)!;
    expect(href).toContain(`clientId=${clientId}`);
    expect((await readPage(browser.get(href))).facts['Costo sin IVA']).toBe(formatMoney(cents));
  });

  it('shows, of many obras, those with the largest cost, and the others in one row that leads to the next ones', async () => {
    for (let n = 0; n < 47; n++) {
      const jobId = await addJob(fresh.db, { jobtitle: `Obra ${String(n).padStart(3, '0')}` });
      // The cheapest obras are not the last ones.
      const subtotalCents = n % 7 === 0 ? 100 + n : 100_000 + n;
      await addInvoice(fresh.db, { jobId, fechaemision: '2026-10-10', subtotalCents });
    }
    const page = await html(await browser.get('/'));
    expect(titlesOf(page)).toHaveLength(40);
    expect(titlesOf(page).slice(0, 2)).toEqual(['Obra 046', 'Obra 045']);
    const cheap = [0, 7, 14, 21, 28, 35, 42].reduce((sum, n) => sum + 100 + n, 0);
    const [, href = '', rest = ''] = /<a href="([^"]*parte=2[^"]*)">▸ Otras 7 obras<\/a>(.*?)<\/tr>/s.exec(
      page,
    )!;
    expect(rest).toContain(`<span class="money">${formatMoney(cheap)}`);
    const next = await html(await browser.get(href));
    expect(titlesOf(next)).toHaveLength(7);
    expect(new Set([...titlesOf(page), ...titlesOf(next)]).size).toBe(47);
    expect(next).toContain('Otras 40 obras');
    const totalOf = (text: string) => /Lo que cuesta cada obra.*?(<tfoot>.*?<\/tfoot>)/s.exec(text)?.[1];
    expect(totalOf(next)?.replaceAll('&amp;parte=2', '')).toBe(totalOf(page));
    expect(next).toContain('Obras de mayor costo: 41 a 47 de 47.');
  });

  it('covers, without parameters, this year until today, and keeps in the address what was chosen', async () => {
    const { jobs, rubros } = await addCosts(fresh.db);
    const page = await html(await browser.get('/'));
    expect(page).toMatch(/<input(?=[^>]*name="desde")[^>]*value="2026-01-01"/);
    expect(page).toMatch(/<input(?=[^>]*name="hasta")[^>]*value="2026-11-20"/);
    expect(page).toContain('del jueves 1 de enero de 2026 al viernes 20 de noviembre de 2026');
    const query = `desde=2025-01-01&hasta=2025-12-31&jobId=${jobs[0]}&rubroId=${rubros[0]}`;
    const chosen = await html(await browser.get(`/?${query}`));
    expect(figuresOf(chosen).map(({ href }) => href)[0]).toBe(
      `/invoices?jobId=${jobs[0]}&rubroId=${rubros[0]}&fechaemisionDesde=2025-01-01&fechaemisionHasta=2025-12-31`,
    );
    expect(titlesOf(chosen)).toEqual(['Torre']);
    const old = await html(await browser.get('/?hasta=2025-12-31'));
    expect(old).toContain('del miércoles 1 de enero de 2025 al miércoles 31 de diciembre de 2025');
  });

  it('opens with the period and the obra; other filters are behind "Más filtros"', async () => {
    await addCosts(fresh.db);
    const page = await html(await browser.get('/?base=pagado'));
    const [inSight, behind] = page.split('Más filtros');
    const controls = (part = '') => [
      ...new Set([...part.matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(([, name]) => name)),
    ];
    expect(controls(inSight).slice(-3)).toEqual(['desde', 'hasta', 'jobId']);
    expect(controls(behind?.split('</form>')[0])).toEqual(['clientId', 'rubroId', 'base', 'iva', 'caja']);
    // Default choices are not counted as filters.
    expect(behind).toMatch(/^ (?:<!-- -->)?\(1\)/);
  });

  it('offers the periods that offices use', async () => {
    await addCosts(fresh.db);
    const page = (await html(await browser.get('/'))).replaceAll('&quot;', '"');
    const [, presets = ''] = /"presets":(\[.*?\])/.exec(page)!;
    expect(JSON.parse(presets)).toEqual([
      { name: 'Esta semana', from: '2026-11-16', to: '2026-11-20' },
      { name: 'Este mes', from: '2026-11-01', to: '2026-11-20' },
      { name: 'Mes pasado', from: '2026-10-01', to: '2026-10-31' },
      { name: 'Este año', from: '2026-01-01', to: '2026-11-20' },
      { name: 'Año pasado', from: '2025-01-01', to: '2025-12-31' },
      // all invoices with an issue date, future ones included
      { name: 'Todo', from: '2025-08-01', to: '2026-12-24' },
    ]);
    const all = await html(await browser.get('/?desde=2025-08-01&hasta=2026-12-24&iva=con'));
    const list = await readPage(browser.get('/invoices'));
    expect(all).toContain(`<span class="money">${list.facts['Total facturas']}</span>`);
  });

  it('shows invoices without an issue date separately, with a way to give them one', async () => {
    const { jobs } = await addCosts(fresh.db);
    expect(await html(await browser.get('/'))).not.toContain('Sin fecha de emisión');
    const id = await addInvoice(fresh.db, { jobId: jobs[0], numfactura: 'S-1', subtotalCents: 12_345 });
    const page = await html(await browser.get('/'));
    expect(page).toContain('<h2>Sin fecha de emisión</h2>');
    const list = '/invoices?emision=sin&capturaDesde=2026-01-01&capturaHasta=2026-11-20';
    expect(page).toContain(`fecha de emisión: <a href="${list}" class="money">$123.45</a> sin IVA`);
    expect((await readPage(browser.get(list))).rows.map((row) => row[1])).toEqual(['S-1']);
    expect(page).toContain(`<a href="/editinvoicepage/${id}">S-1</a>`);
    expect(page).toContain('Fri, 20 Nov 2026');
    expect(await html(await browser.get('/?hasta=2026-11-19'))).not.toContain('Sin fecha de emisión');
  });

  it('says so if a period has no costs, and offers another', async () => {
    const page = await html(await browser.get('/'));
    expect(page).toContain('Sin costos en este periodo');
    expect(page).toContain('href="/?desde=2025-01-01&hasta=2025-12-31"');
    const jobId = await addJob(fresh.db);
    expect(await html(await browser.get(`/?jobId=${jobId}`))).toContain('Quitar filtros');
  });

  it('refuses a period that ends before it begins, and keeps the filter', async () => {
    const response = await browser.get('/?desde=2026-06-01&hasta=2026-05-31');
    expect(response.status).toBe(400);
    const page = await html(response);
    expect(page).toContain('El periodo termina antes de empezar');
    expect(page).toMatch(/href="\/\?desde=2026-05-31&hasta=2026-06-01"[^>]*>Invertir las fechas</);
    expect(page).toMatch(/<input(?=[^>]*name="desde")[^>]*value="2026-06-01"/);
    const fragment = await browser.get('/?desde=2026-06-01&hasta=2026-05-31', {
      headers: { 'X-Fragment': 'results' },
    });
    expect(fragment.status).toBe(200);
    expect(await fragment.text()).toContain('El periodo termina antes de empezar');
    expect((await browser.get('/?desde=ayer')).status).toBe(400);
  });
});
