import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { addDays, type PlainDate } from '../../../../shared/dates.ts';
import { type Cents, formatMoney, parseMoney } from '../../../../shared/money.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { addCompany, arbitraryCompany } from '../../../support/companies.ts';
import { DIALECTS, openFreshDatabase } from '../../../support/databases.ts';
import { type Figure, FigureFollower, type ListSums, readFigures } from '../../../support/figures.ts';
import { readPage } from '../../../support/page.ts';
import { chooseRunCount, IS_FULL_PROOF, IS_LONG_LANE } from '../../../support/proofs.ts';
import { TODAY } from '../../../support/rows.ts';

/** Periods that begin before the first invoice and end after the last one. */
const days = () => fc.integer({ min: -1800, max: 500 }).map((count) => addDays(TODAY, count));

const noonOf = (day: PlainDate) => `${day}T18:00:00.000Z`;

describe.each(IS_LONG_LANE ? DIALECTS : (['sqlite'] as const))(
  'every figure leads to the rows that it sums (%s)',
  (dialect) => {
    const everyFigure = fc.asyncProperty(
      arbitraryCompany(),
      days(),
      days(),
      async (company, today, corte) => {
        const database = await openFreshDatabase(dialect);
        try {
          await addCompany(database.db, company);
          await follow(database.db, today, corte);
        } finally {
          await database.close();
        }
      },
    );

    it('on the bell, the dashboard, Saldos and Resultados, on whatever day', {
      timeout: 900_000,
    }, async () => {
      // A fixed seed, except in full proofs.
      const seed = IS_FULL_PROOF ? undefined : 20_261_122;
      await fc.assert(everyFigure, { numRuns: chooseRunCount(1, 25, 400), seed });
    });

    it('even if an invoice without an issue date was paid after that day', async () => {
      await fc.assert(everyFigure, { numRuns: 1, seed: -789_711_298, path: '7' });
    });
  },
);

async function follow(db: Db, today: PlainDate, corte: PlainDate): Promise<void> {
  const app = createTestApp({ db, now: noonOf(today) });
  const browser = await app.as([1, 2, 3]);
  const follower = new FigureFollower(browser, await app.withToken(1));
  const dashboard = await partsOf(browser, '/dashboard');
  await expectAll(follower, dashboard.bell, () => 'pending');
  await expectAll(follower, dashboard.main, owedOr('paid'));
  for (const query of ['', `?corte=${corte}`, `?corte=${today}&weeknum=10&yr=2026`]) {
    const { main } = await partsOf(browser, `/reporte-saldos${query}`);
    await expectAll(follower, main, owedOr('settled'));
  }
  for (const query of [
    '',
    'desde=2022-01-01&hasta=2028-12-31&abierta=1',
    `hasta=${corte}&iva=con`,
    'rubroId=0&clientId=1',
    'base=pagado',
  ]) {
    const { main } = await partsOf(browser, `/?${query}`);
    await expectAll(follower, main, costWith(query.includes('iva=con')));
  }
}

/** Splits a page into its content and the bell. */
async function partsOf(browser: TestClient, address: string) {
  const { decodedHtml, status } = await readPage(browser.get(address));
  expect([address, status]).toEqual([address, 200]);
  const main = /<main[^>]*>(.*)<\/main>/s.exec(decodedHtml)?.[1] ?? '';
  return { main, bell: /<div class="notices"[^>]*>(.*?)<\/div>/s.exec(decodedHtml)?.[1] ?? '' };
}

/** The dashboard sums bank amounts, Saldos the settled ones. */
const owedOr =
  (paid: 'paid' | 'settled') =>
  ({ href, label }: Figure): keyof ListSums => {
    if (href.startsWith('/pagos-proveedores')) return href.includes('kind=credito') ? 'credit' : paid;
    if (label === 'Gastado') return href.startsWith('/invoices') ? 'sinIva' : 'spent';
    // Sums of invoices billed or captured are total amounts; other links lead to pending ones.
    return /fechaemisionHasta|\?capturaDesde/.test(href) ? 'total' : 'pending';
  };

/** The figures of Resultados are all with IVA or all without. */
const costWith =
  (isWithIva: boolean) =>
  ({ href, label }: Figure): keyof ListSums => {
    if (!/^\/(invoices|pagos)/.test(href)) return 'spent';
    if (href.startsWith('/invoices')) {
      if (href.includes('status=por-pagar')) return 'pending';
      // Invoices without issue date are summed without IVA.
      return isWithIva && !href.includes('emision=sin') ? 'total' : 'sinIva';
    }
    if (href.includes('kind=credito')) return isWithIva ? 'credit' : 'creditSinIva';
    // Payments of the period's invoices count by what they settled.
    if (href.includes('fechaemision')) return 'settled';
    return isWithIva || label.startsWith('Pagado') ? 'paid' : 'paidSinIva';
  };

async function expectAll(
  follower: FigureFollower,
  html: string,
  sumOf: (figure: Figure) => keyof ListSums,
): Promise<void> {
  const [credits = ''] = CREDITS.exec(html) ?? [];
  const { linkedFigures, unlinkedAmounts, sumsWithParts } = readFigures(
    ROW_BY_ROW.reduce((shown, table) => shown.replace(table, ''), html).replace(credits, ''),
  );
  expect(unlinkedAmounts).toEqual([]);
  for (const { text, parts } of sumsWithParts)
    expect([text, parts]).toEqual([formatMoney(added(parts)), parts]);
  for (const figure of linkedFigures) {
    const { label, text, href } = figure;
    const sum = href.endsWith('#saldos-a-favor')
      ? creditsIn(href.startsWith('/') ? (await partsOf(follower.pageClient, '/reporte-saldos')).main : html)
      : (await follower.readSums(href))[sumOf(figure)];
    expect([label, href, sum]).toEqual([label, href, text]);
  }
}

/** Tables with a row for each invoice or payment. */
const ROW_BY_ROW = ['Facturas sin fecha', 'Los cinco pagos'].map(
  (caption) => new RegExp(`<table[^>]*><caption[^>]*>${caption}.*?</table>`, 's'),
);

/** The list of unapplied credit notes by supplier. */
const CREDITS = /<ul id="saldos-a-favor">.*?<\/ul>/s;

const creditsIn = (html: string): string =>
  formatMoney(added(CREDITS.exec(html)?.[0].match(/\$[\d,]+\.\d\d/g) ?? []));

/** Adds the shown amounts; those after − are subtracted. */
const added = (parts: readonly string[]): Cents =>
  parts.reduce((sum, part) => sum + parseMoney(part.replace('−', '-'), 'part'), 0);
