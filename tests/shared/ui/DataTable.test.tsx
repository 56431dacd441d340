import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Money } from '../../../shared/ui/Money.tsx';

interface Row {
  id: number;
  name: string;
  cents: number;
}

const columns: Column<Row>[] = [
  {
    key: 'id',
    label: 'ID',
    align: 'end',
    hideOnSmall: true,
    sort: { href: '?sorttype=DESC', direction: 'asc' },
    render: (row) => row.id,
  },
  {
    key: 'name',
    label: 'Proveedor',
    wraps: true,
    isRowLink: true,
    sort: { href: '?sortfield=suppliername' },
    render: (row) => row.name,
  },
  { key: 'cents', label: 'Total', align: 'end', render: (row) => <Money cents={row.cents} /> },
];

const rows: Row[] = [
  { id: 1, name: 'Aceros "Tepeyac" & Cía.', cents: -116_050 },
  { id: 2, name: 'Concretos del Norte', cents: 0 },
];

const html = renderToStaticMarkup(
  <DataTable
    caption="Proveedores"
    columns={columns}
    rows={rows}
    rowKey={(row) => row.id}
    rowHref={(row) => `/editsupplierpage/${row.id}`}
    footer={{ cents: <Money cents={-116_050} /> }}
  />,
);

test('every cell carries the label that the card layout shows', () => {
  const cells = html.match(/<td[^>]*>/g) ?? [];
  expect(cells).toHaveLength(9);
  for (const cell of cells) expect(cell).toMatch(/data-label="(ID|Proveedor|Total)"/);
});

test('money is aligned to the right and a zero is muted', () => {
  expect(html).toContain('<td class="num" data-label="Total"><span class="money">-$1,160.50</span></td>');
  expect(html).toContain('<span class="money zero">$0.00</span>');
});

test('a text that may be cut has its full text as a title', () => {
  expect(html).toContain('title="Aceros &quot;Tepeyac&quot; &amp; Cía."');
});

test('the row and one real link lead to the row', () => {
  expect(html).toContain('<tr data-href="/editsupplierpage/2">');
  expect(html).toContain('<a href="/editsupplierpage/2">Concretos del Norte</a>');
  expect(html.match(/<a href="\/editsupplierpage\/2"/g)).toHaveLength(1);
});

test('a report of thousands of rows contains nothing for cards, which it never becomes', () => {
  const plain: Column<number> = { key: 'week', label: 'SEM 47', render: () => '$1.00' };
  const report = renderToStaticMarkup(
    <DataTable
      caption="Saldos"
      className="report"
      columns={[plain]}
      rows={[1]}
      rowKey={(row) => row}
      rowHref={() => '/editinvoicepage/1'}
    />,
  );
  expect(report).toContain('<tr><td><a href="/editinvoicepage/1">$1.00</a></td></tr>');
});

test('a card’s label may depend on the content of the row', () => {
  const column: Column<Row> = {
    key: 'name',
    label: 'Cheque',
    cardLabel: ({ id }) => (id === 1 ? 'Pagado con' : 'Cheque'),
    render: (row) => row.name,
  };
  const table = <DataTable caption="Pagos" columns={[column]} rows={rows} rowKey={({ id }) => id} />;
  const labels = [...renderToStaticMarkup(table).matchAll(/data-label="([^"]+)"/g)].map(([, label]) => label);
  expect(labels).toEqual(['Pagado con', 'Cheque']);
});

test('a number shares the width only if one of them is long, and then continues on a second line', () => {
  const drawn = (name: string) => {
    const column: Column<Row> = {
      key: 'name',
      label: 'Factura',
      wraps: 12,
      text: (row) => row.name,
      render: (row) => <b>{row.name}</b>,
    };
    const table = [
      { id: 1, name: 'A-1', cents: 0 },
      { id: 2, name, cents: 0 },
    ];
    return renderToStaticMarkup(
      <DataTable caption="Facturas" columns={[column]} rows={table} rowKey={({ id }) => id} />,
    );
  };
  expect(drawn('FAC-2026-001')).toContain(
    '<td data-label="Factura" title="FAC-2026-001"><b>FAC-2026-001</b></td>',
  );
  const long = drawn('FAC-2026-JAL-001');
  expect(long).toContain('<td class="clip" data-label="Factura" title="FAC-2026-JAL-001">');
  expect(long).toContain('<td class="clip" data-label="Factura" title="A-1">');
});

test('a long e-mail address below a text continues after its @', () => {
  const [name] = columns.slice(1);
  const below = { ...name!, textBelow: () => 'cobranza@impermeabilizantes.test' };
  const table = renderToStaticMarkup(
    <DataTable caption="" columns={[below]} rows={rows} rowKey={({ id }) => id} />,
  );
  expect(table).toContain('<div class="hint">cobranza@<wbr/>impermeabilizantes.test</div>');
});
