import { expect, it } from 'vitest';
import { formatMoney, parseMoney, toDecimalText } from '../../../../shared/money.ts';
import { exportPath, pages } from '../../../../shared/urls.ts';
import type { TestClient } from '../../../support/app.ts';
import { runSaldo } from '../../../support/cli.ts';
import { readCsv } from '../../../support/csv.ts';
import { addMixedInvoices } from '../../../support/mixed-invoices.ts';
import { readPage } from '../../../support/page.ts';
import { readPdf } from '../../../support/pdf.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { readXlsx } from '../../../support/xlsx.ts';

/** Keeps the byte order mark, which Response.text() removes. */
const textOf = async (answer: Response) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());

const cents = (value: unknown) => parseMoney(value, 'cantidad');

/** The filters as options of the command line. */
const WORDS = {
  invoices: '--sort total --desc --from 2026-11-05',
  payments: '--sort paymentdate --desc --number ch-1',
};

describeOneDatabase('a list under one filter', (fresh) => {
  const fill = () => addMixedInvoices(fresh.db, 24, ['Ñandú & Cía', '＝cmd 漢字']);

  /** Exports the list from its page and from the API, in the three table formats. */
  async function tables(client: TestClient, list: string, api: string, query: string) {
    const ask = async (format: string) => {
      const page = await client.get(exportPath(list, format as 'csv') + query);
      const call = await client.get(`${api}${query}${query ? '&' : '?'}format=${format}`);
      expect([page.status, call.status], `${list} ${format}`).toEqual([200, 200]);
      expect(call.headers.get('content-disposition')).toBe(page.headers.get('content-disposition'));
      return { page, call };
    };
    const csv = await ask('csv');
    const json = await ask('json');
    const xlsx = await ask('xlsx');
    const pdf = await ask('pdf');
    const text = await textOf(csv.page);
    expect(await textOf(csv.call)).toBe(text);
    const records = (await json.page.json()) as Record<string, unknown>[];
    expect(await json.call.json()).toEqual(records);
    const workbook = await readXlsx(xlsx.page);
    expect((await readXlsx(xlsx.call)).rows).toEqual(workbook.rows);
    const document = await readPdf(pdf.page);
    expect((await readPdf(pdf.call)).pages).toEqual(document.pages);
    const texts = document.pages.flatMap((page) => page.texts);
    return { csv: await readCsv(new Response(text)), text, records, workbook, texts, pages: document.pages };
  }

  // filters.test.ts compares the files with the page's totals for any filter.
  it.each([
    [
      'invoices',
      '/api/facturaproveedores/search/',
      'invoices',
      'sortfield=total&fechaemisionDesde=2026-11-05',
    ],
    ['payments', '/api/payments/search/', 'payments', 'sortfield=paymentdate&checknum=ch-1'],
  ] as const)(
    'of %s is the same in every format, from page, API and command line',
    async (command, api, list, query) => {
      const { client } = await fill();
      const all = await tables(client, pages[list], api, `?${query}&sorttype=DESC`);
      expect(all.records.length).toBeGreaterThan(3);
      const words = ['export', command, ...WORDS[command].split(' ')];
      const runAs = (format: string) => runSaldo(fresh, [...words, '--format', format]);
      expect((await runSaldo(fresh, words)).out).toBe(all.text);
      expect(JSON.parse((await runAs('json')).out)).toEqual(all.records);
      expect((await readXlsx((await runAs('xlsx')).bytes)).rows).toEqual(all.workbook.rows);
      expect((await readPdf((await runAs('pdf')).bytes)).pages[0]?.texts).toEqual(all.texts);
    },
  );

  it('of suppliers has the same rows in every format', async () => {
    const { client } = await fill();
    const { csv, text, records, workbook, texts } = await tables(
      client,
      '/suppliers',
      '/api/suppliers/search/',
      '?suppliername=and',
    );
    expect(records.map((row) => row.suppliername)).toEqual(['Ñandú & Cía']);
    expect([csv.rows[0]?.Nombre, workbook.rows[0]?.Nombre]).toEqual(['Ñandú & Cía', 'Ñandú & Cía']);
    expect(texts).toEqual(expect.arrayContaining(['Ñandú & Cía', 'AAA010101AAA', '1 proveedor']));
    expect((await runSaldo(fresh, ['export', 'suppliers', '--name', 'and'])).out).toBe(text);
  });

  it('of balances has the page’s total general in every format, supplier by supplier', async () => {
    const { client, jobId } = await fill();
    const query = `?jobId=${jobId}&corte=2026-11-18`;
    const { csv, text, records, workbook, texts } = await tables(
      client,
      pages.balances,
      '/api/facturaproveedores/reporting/pivot/',
      query,
    );
    const { decodedHtml } = await readPage(client.get(`${pages.balances}${query}`));
    const total = cents(records.at(-1)?.total);
    // The asterisk says that the due day of some invoice is estimated.
    expect(decodedHtml.replaceAll(/<[^>]*>/g, '')).toContain(`Total general ${formatMoney(total)}* =`);
    expect(csv.rows.at(-1)).toMatchObject({ Proveedor: 'Total general', Total: toDecimalText(total) });
    expect(cents(workbook.totals.Total?.result)).toBe(total);
    expect(workbook.totals.Total?.formula).toMatch(/^SUBTOTAL\(9,/);
    expect(texts).toEqual(expect.arrayContaining(['Total general', 'Total Ñandú & Cía', formatMoney(total)]));
    // The PDF keeps the columns of weeks without a balance.
    const weeks = Object.keys(records[0] ?? {}).filter((name) => /^(SEM|ANTERIORES)/.test(name));
    expect(texts.filter((text) => /^(SEM \d+\+?|ANTERIORES)$/.test(text))).toEqual(weeks);
    const words = ['--job', 'Torre Roble; etapa 2', '--corte', '2026-11-18'];
    expect((await runSaldo(fresh, ['export', 'balances', ...words])).out).toBe(text);
    const report = ['report', 'balances', ...words, '--format'];
    expect((await runSaldo(fresh, [...report, 'csv'])).out).toBe(text);
    expect((await readXlsx((await runSaldo(fresh, [...report, 'xlsx'])).bytes)).totals).toEqual(
      workbook.totals,
    );
    expect((await readPdf((await runSaldo(fresh, [...report, 'pdf'])).bytes)).pages[0]?.texts).toEqual(texts);
  });

  it('accepts a limit, and refuses an unknown format', async () => {
    const { client } = await fill();
    const search = '/api/facturaproveedores/search/';
    expect((await readCsv(client.get(`${search}?format=csv&limit=3`))).rows).toHaveLength(3);
    expect((await readXlsx(await client.get(`${search}?format=xlsx&limit=3`))).rows).toHaveLength(3);
    expect((await readPdf(await client.get(`${search}?format=pdf&limit=3`))).pages[0]?.texts).toContain(
      '3 facturas',
    );
    expect((await (await client.get('/api/payments/?format=json&limit=2')).json()) as unknown[]).toHaveLength(
      2,
    );
    for (const path of [
      search,
      '/api/payments/',
      '/api/jobs/',
      '/api/users/search/',
      '/api/facturaproveedores/reporting/pivot',
    ]) {
      const answer = await client.get(`${path}?format=doc`);
      expect(answer.status, path).toBe(400);
      expect(((await answer.json()) as { message: string }).message).toContain(
        'format: se espera pdf, xlsx, csv, json',
      );
    }
    expect((await client.get(`${search}?format=`)).headers.get('content-type')).toContain('json');
  });
});
