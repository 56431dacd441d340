import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import ListFilter, { type ListFilterProps } from '../../islands/ListFilter.tsx';
import { HELP_PATH, LOGIN_PATH, LOGOUT_PATH } from '../../islands/loader/paths.ts';
import { Island } from '../../server/shell/island.tsx';
import { pages } from '../../shared/urls.ts';

const props: ListFilterProps = {
  action: '/invoices',
  resultsId: 'results',
  fields: [
    { kind: 'text', name: 'numfactura', label: 'Número', value: 'A-"1"<b>' },
    {
      kind: 'picker',
      name: 'supplierId',
      label: 'Proveedor',
      value: 3,
      chosen: 'Aceros Tepeyac',
      emptyLabel: 'Todos',
      picker: {
        title: 'Seleccionar proveedor',
        searchUrl: '/api/suppliers/search/',
        suggestUrl: '/api/suppliers/suggest/',
        detailColumns: [],
        filterParam: 'suppliername',
        filterLabel: 'Nombre',
        sortOptions: [{ value: 'id', label: 'ID' }],
        columns: [{ key: 'suppliername', label: 'Nombre' }],
        nameKey: 'suppliername',
      },
      noscript: { options: [{ value: 3, label: 'Aceros Tepeyac' }] },
    },
  ],
  sort: { field: 'id', direction: 'ASC', options: [{ value: 'id', label: 'ID' }] },
};

const page = (count = 1, given = props) =>
  renderToStaticMarkup(
    <main>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells the copies apart
        <Island key={index} component={ListFilter} props={given} />
      ))}
    </main>,
  );

describe('an island in a page', () => {
  test('states its name, its moment of hydration and its properties', () => {
    expect(page()).toMatch(/<is-land id="[^"]+" name="ListFilter" on="use" props="\{&quot;action&quot;/);
  });

  test('shares no id with its copies, and has the same ids in two requests', () => {
    const html = page(3);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    // Field ids are names, unique in a page; ids made by useId must differ.
    const made = ids.filter((id) => id?.includes('_'));
    expect(made.length).toBeGreaterThan(5);
    expect(new Set(made).size).toBe(made.length);
    expect(page(3)).toBe(html);
  });

  test('keeps out of its properties what only replaces the script', () => {
    const html = page();
    expect(html).toContain('<noscript><select');
    expect(html).not.toContain('noscript&quot;');
  });

  test('refuses properties that JSON would change', () => {
    const withValue = (value: unknown) => () => page(1, { ...props, action: value as string }); // a Date in a row
    expect(withValue(new Date())).toThrow("ListFilter.action: JSON can't carry Date");
    expect(withValue(new Map())).toThrow('Map');
    expect(withValue(Number.NaN)).toThrow('NaN');
    expect(withValue(() => 'x')).toThrow('ListFilter.action');
    expect(withValue([undefined])).toThrow("ListFilter.0: JSON can't carry undefined");
  });

  test('omits an undefined member', () => {
    expect(() => page(1, { ...props, fields: [{ ...props.fields[0]!, isFolded: undefined }] })).not.toThrow();
  });
});

describe('a list filter without a script', () => {
  test('is a GET form with a submit button', () => {
    const html = page();
    expect(html).toMatch(/<form[^>]* action="\/invoices"/);
    expect(html).not.toContain('method=');
    expect(html).toMatch(/<button(?![^>]*type=)[^>]*>.*?Buscar<\/button>/);
  });

  test('sends the choice of a picker once, from the select', () => {
    const html = page();
    expect(html).toMatch(
      /<input type="hidden"[^>]* disabled=""[^>]*name="supplierId"|<input type="hidden" name="supplierId"[^>]* disabled=""/,
    );
    expect(html).toMatch(/<select[^>]*name="supplierId"/);
  });
});

test('uses the addresses of shared/urls.ts', () => {
  expect([LOGIN_PATH, LOGOUT_PATH, HELP_PATH]).toEqual([pages.login, pages.logout, pages.help]);
});
