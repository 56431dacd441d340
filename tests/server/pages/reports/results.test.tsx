import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { formatMoney, parseMoney } from '../../../../shared/money.ts';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addInvoice, addJob, addRubro } from '../../../support/rows.ts';

const html = async (response: Response) => (await response.text()).replaceAll('&amp;', '&');

/** Two obras, two rubros and none, this year and last, with taxes and withholdings. */
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

/** The links of the matrix, each with its figure, and whether the figure is with IVA. */
const figuresOf = (page: string) =>
  [...page.matchAll(/data-label="([^"]*)"><a href="(\/invoices[^"]*)"><span class="money">([^<]*)</g)].map(
    ([, label, href, figure]) => ({ label, href: href!, cents: parseMoney(figure, 'figure') }),
  );

describeOneDatabase('Resultados', (fresh) => {
  it('every figure leads to the invoices that it is the sum of', async () => {
    await addCosts(fresh.db);
    const app = createTestApp({ db: fresh.db });
    const browser = await app.as(4);
    const script = await app.withToken(4);
    const page = await html(await browser.get('/'));
    const figures = figuresOf(page);
    // five cells, two totals for each obra and for all, and one for each rubro
    expect(figures).toHaveLength(5 + 4 + 2 + 3);
    for (const { label, href, cents } of figures) {
      const { search } = new URL(href, 'http://saldo.test');
      const { headers } = await script.get(`/api/facturaproveedores/search/${search}`);
      const sum = headers.get(label === 'Total' ? 'x-sum-total' : 'x-sum-siniva');
      expect([href, parseMoney(sum, 'sum')]).toEqual([href, cents]);
    }
    const none = figures.find(({ href }) => href.includes('rubroId=0'))!;
    const list = await readPage(browser.get(none.href));
    expect(list.facts['Costo sin IVA']).toBe(formatMoney(none.cents));
    expect(list.html).toContain('Sin rubro');
  });

  it('of many obras shows those of the largest cost, and the rest in one row that opens', async () => {
    const rubroId = await addRubro(fresh.db, { nombrerubro: 'Acero' });
    for (let n = 0; n < 340; n++) {
      const jobId = await addJob(fresh.db, { jobtitle: `Obra ${String(n).padStart(3, '0')}` });
      // The cheapest ones stand among the others.
      const subtotalCents = n % 50 === 7 ? 100 + n : 100_000 + n;
      await addInvoice(fresh.db, { jobId, rubroId, fechaemision: '2026-10-10', subtotalCents });
    }
    const browser = await createTestApp({ db: fresh.db }).as(4);
    const page = await html(await browser.get('/'));
    // 333 obras are a thousand figures of cost, total and one rubro.
    expect(page.match(/title="Obra \d+"/g)).toHaveLength(333);
    expect(page).not.toMatch(/title="Obra (007|057|107|157|207|257|307)"/);
    const cheap = [7, 57, 107, 157, 207, 257, 307].reduce((sum, n) => sum + 100 + n, 0);
    const [, rest = ''] = /<tr class="summary">(.*?)<\/tr>/s.exec(page)!;
    expect(rest).toContain('Otras 7 obras</a>');
    expect(rest.match(/<span class="money">[^<]*/g)).toEqual([
      `<span class="money">${formatMoney(cheap)}`,
      expect.anything(),
      `<span class="money">${formatMoney(cheap)}`,
    ]);
    const [, href = ''] = /href="(\/\?[^"]*todo=1[^"]*)"/.exec(rest)!;
    const whole = await html(await browser.get(href));
    expect(whole.match(/title="Obra \d+"/g)).toHaveLength(340);
    expect(whole).not.toContain('Otras 7 obras');
    const totalOf = (text: string) => /<tfoot>.*<\/tfoot>/s.exec(text)?.[0];
    expect(totalOf(whole)).toBe(totalOf(page));
    expect(whole).toContain('Mostrar solo las de mayor costo');
  });

  it('without parameters it is this year until today; the address holds what was chosen', async () => {
    const { jobs, rubros } = await addCosts(fresh.db);
    const browser = await createTestApp({ db: fresh.db }).as(1);
    const page = await html(await browser.get('/'));
    expect(page).toMatch(/<input(?=[^>]*name="desde")[^>]*value="2026-01-01"/);
    expect(page).toMatch(/<input(?=[^>]*name="hasta")[^>]*value="2026-11-20"/);
    expect(page).toContain('del Thu, 01 Jan 2026 al Fri, 20 Nov 2026');
    const query = `desde=2025-01-01&hasta=2025-12-31&jobId=${jobs[0]}&rubroId=${rubros[0]}`;
    const chosen = await html(await browser.get(`/?${query}`));
    expect(figuresOf(chosen).map(({ href }) => href)[0]).toBe(
      `/invoices?jobId=${jobs[0]}&rubroId=${rubros[0]}&fechaemisionDesde=2025-01-01&fechaemisionHasta=2025-12-31`,
    );
    expect(chosen).toMatch(new RegExp(`<a href="/\\?${query}" aria-current="true">Año pasado</a>`));
    expect(chosen).not.toContain('title="Nave"');
    const old = await html(await browser.get('/?hasta=2025-12-31'));
    expect(old).toContain('del Wed, 01 Jan 2025 al Wed, 31 Dec 2025');
  });

  it('offers the periods that an office asks for, each a link under the same filters', async () => {
    const { jobs } = await addCosts(fresh.db);
    const browser = await createTestApp({ db: fresh.db }).as(1);
    const page = await readPage(browser.get(`/?jobId=${jobs[0]}`));
    const links = (label: string) =>
      page.links(label).map((href) => href.replace(`&jobId=${jobs[0]}`, ' (obra)'));
    expect(links('Este mes')).toEqual(['/?desde=2026-11-01&hasta=2026-11-20 (obra)']);
    expect(links('Mes pasado')).toEqual(['/?desde=2026-10-01&hasta=2026-10-31 (obra)']);
    expect(links('Este año')).toEqual(['/?desde=2026-01-01&hasta=2026-11-20 (obra)']);
    expect(links('Año pasado')).toEqual(['/?desde=2025-01-01&hasta=2025-12-31 (obra)']);
    // whatever has an issue date, the ones dated ahead included
    expect(links('Todo')).toEqual(['/?desde=2025-08-01&hasta=2026-12-24 (obra)']);
    const all = await readPage(browser.get('/?desde=2025-08-01&hasta=2026-12-24'));
    const list = await readPage(browser.get('/invoices'));
    expect(all.facts['Total con IVA']).toBe(list.facts['Total facturas']);
    expect(all.html).toContain('la caja chica no entra.');
  });

  it('an invoice without issue date is named apart, with the way to give it one', async () => {
    const { jobs } = await addCosts(fresh.db);
    const browser = await createTestApp({ db: fresh.db }).as(1);
    expect(await html(await browser.get('/'))).not.toContain('Sin fecha de emisión');
    const id = await addInvoice(fresh.db, { jobId: jobs[0], numfactura: 'S-1', subtotalCents: 12_345 });
    const page = await html(await browser.get('/'));
    expect(page).toContain('<h2>Sin fecha de emisión</h2>');
    const list = '/invoices?emision=sin&capturaDesde=2026-01-01&capturaHasta=2026-11-20';
    expect(page).toContain(`fecha de emisión: <a href="${list}">$123.45 sin IVA</a>`);
    expect((await readPage(browser.get(list))).rows.map((row) => row[1])).toEqual(['S-1']);
    expect(page).toContain(`<a href="/editinvoicepage/${id}">S-1</a>`);
    expect(page).toContain('Fri, 20 Nov 2026');
    expect(await html(await browser.get('/?hasta=2026-11-19'))).not.toContain('Sin fecha de emisión');
  });

  it('a period without costs says so, and offers another', async () => {
    const browser = await createTestApp({ db: fresh.db }).as(1);
    const page = await html(await browser.get('/'));
    expect(page).toContain('Sin costos en este periodo');
    expect(page).toContain('href="/?desde=2025-01-01&hasta=2025-12-31"');
    const jobId = await addJob(fresh.db);
    expect(await html(await browser.get(`/?jobId=${jobId}`))).toContain('Quitar filtros');
  });

  it('a period that ends before it begins is refused, with the filter as it stands', async () => {
    const browser = await createTestApp({ db: fresh.db }).as(1);
    const response = await browser.get('/?desde=2026-06-01&hasta=2026-05-31');
    expect(response.status).toBe(400);
    const page = await html(response);
    expect(page).toContain('El periodo termina antes de empezar');
    expect(page).toMatch(/<input(?=[^>]*name="desde")[^>]*value="2026-06-01"/);
    const fragment = await browser.get('/?desde=2026-06-01&hasta=2026-05-31', {
      headers: { 'X-Fragment': 'results' },
    });
    expect(fragment.status).toBe(200);
    expect(await fragment.text()).toContain('El periodo termina antes de empezar');
    expect((await browser.get('/?desde=ayer')).status).toBe(400);
  });

  it('without script a name typed into a picker finds its row, or says that there is none', async () => {
    const { jobs } = await addCosts(fresh.db);
    const browser = await createTestApp({ db: fresh.db }).as(1);
    const page = await html(await browser.get('/?jobtitle=nave'));
    expect(figuresOf(page)[0]!.href).toContain(`jobId=${jobs[1]}`);
    const unknown = await browser.get('/?jobtitle=Nada');
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toContain('No existe la obra «Nada».');
  });
});
