import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createUnindexedSort, MAX_SORTED_ROWS, searchPage } from '../../../db/paging.ts';
import { LISTS } from '../../../server/lists/all.ts';
import { invoiceList } from '../../../server/lists/invoices.ts';
import type { List, ListQuery } from '../../../server/lists/list.ts';
import { addSortLinks } from '../../../server/pages/ui/list-layout.tsx';
import { HOME_ZONE } from '../../../shared/dates.ts';
import { createTestApp } from '../../support/app.ts';
import { chooseRunCount, describeOneDatabase } from '../../support/proofs.ts';
import { TODAY } from '../../support/rows.ts';

const SORTED = LISTS.filter(({ sorts }) => Object.keys(sorts).length > 0);

type Row = { id: number };

/** The demo company has 2,500 invoices; to read them all in each order takes a while. */
const [FIRST_ROWS, MOST_ROWS] = [chooseRunCount(28, 70), chooseRunCount(200, 100_000)];

describeOneDatabase('a list in the order of any of its columns', (fresh) => {
  it('has each row once, on however many pages, and backwards the other way round', async () => {
    await fresh.fillDemo();
    const context = {
      db: fresh.db,
      today: TODAY,
      timeZone: HOME_ZONE,
      now: new Date(`${TODAY}T18:00:00Z`),
      appliedFilters: [],
    };
    const readIds = async (list: List, query: ListQuery<List['filters']>, limit: number, most = Infinity) => {
      const { readPage, sheet } = await list.readExport(query, context);
      const ids: number[] = [];
      if (!readPage) {
        for await (const rows of sheet.pages) ids.push(...(rows as Row[]).map(({ id }) => id));
        return ids;
      }
      let cursor: string | undefined;
      do {
        const { rows, cursor: next } = await readPage({ limit, cursor });
        ids.push(...(rows as Row[]).map(({ id }) => id));
        cursor = next;
      } while (cursor && ids.length < most);
      return ids;
    };
    let checked = 0;
    for (const list of SORTED) {
      const { length: count } = await readIds(list, {}, 1000);
      for (const sort of Object.keys(list.sorts))
        for (const direction of ['asc', 'desc'] as const) {
          const where = `${list.title} by ${sort} ${direction}`;
          const whole = await readIds(list, { sort, direction }, Math.min(1000, MOST_ROWS), MOST_ROWS);
          const expected = Math.min(count, MOST_ROWS);
          expect([whole.length, new Set(whole).size], where).toEqual([expected, expected]);
          const first = (await readIds(list, { sort, direction }, 7, FIRST_ROWS)).slice(0, FIRST_ROWS);
          expect(first, where).toEqual(whole.slice(0, FIRST_ROWS));
          checked++;
        }
    }
    expect(checked).toBeGreaterThan(120);
  });
});

const PAGES = SORTED.map(({ page }) => page);

describeOneDatabase('the page of a list', (fresh) => {
  it.each(PAGES)('%s sorts by every column that it shows, and says by which and how', async (path) => {
    await fresh.fillDemo();
    const browser = await createTestApp({ db: fresh.db }).as([1, 3]);
    const headings = async (address: string) =>
      [...(await (await browser.get(address)).text()).matchAll(/<th scope="col"[^>]*>.*?<\/th>/gs)].map(
        String,
      );
    const all = (await headings(path)).filter((th) => !/visually-hidden/.test(th));
    expect(all.length).toBeGreaterThan(1);
    expect(all.filter((th) => !/<a href="[^"]*sortfield=/.test(th))).toEqual([]);
    const addresses = all.map((th) => /href="([^"]*)"/.exec(th)![1]!.replaceAll('&amp;', '&'));
    for (const [index, address] of addresses.entries()) {
      const sorted = (await headings(address)).filter((th) => th.includes('aria-sort='));
      expect(sorted.map((th) => /sortfield=(\w+)/.exec(th)![1])).toEqual([
        /sortfield=(\w+)/.exec(all[index]!)![1],
      ]);
    }
  });
});

describeOneDatabase('an order that no index has', (fresh) => {
  it('is refused with a sentence where too many rows would be sorted, and only then', async () => {
    const rows = sql<{
      id: number;
    }>`(with recursive n(id) as (select 1 union all select id + 1 from n where id < ${MAX_SORTED_ROWS + 1}) select id from n)`;
    const found = fresh.db.selectFrom(rows.as('n'));
    const by = { id: 'n.id', ...createUnindexedSort('number', sql`-n.id`) };
    const read = async (ids: readonly number[]) => ids.map((id) => ({ id }));
    await expect(searchPage(found, by, { limit: 3 }, read)).rejects.toMatchObject({
      kind: 'too-large',
      code: 'too_many_to_sort',
      message:
        'Por esta columna se ordenan hasta 100,000 filas, y hay más: acota el filtro, u ordena por otra columna.',
    });
    const some = await searchPage(found.where('n.id', '>', 1), by, { limit: 3 }, read);
    expect(some.rows.map(({ id }) => id)).toEqual([100_001, 100_000, 99_999]);
    const { cursor } = some;
    const next = await searchPage(found.where('n.id', '>', 1), by, { limit: 2, cursor }, read);
    expect(next.rows.map(({ id }) => id)).toEqual([99_998, 99_997]);
  });
});

it('a list that is too long says on the headings up to how many rows it sorts by them', () => {
  const columns = ['id', 'total', 'pending'].map((key) => ({ key, label: key, render: () => key }));
  const headings = (count: number) =>
    addSortLinks(columns, invoiceList as unknown as List, count, {}).map(
      ({ sort, note }) => sort?.href ?? note,
    );
  expect(headings(100_001)).toEqual([
    '/invoices?sorttype=DESC&sortfield=id',
    '/invoices?sortfield=total',
    'se ordena hasta 100,000',
  ]);
  expect(headings(100_000)[2]).toBe('/invoices?sortfield=pending');
});
