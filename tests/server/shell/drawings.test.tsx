import { afterEach, describe, expect, it, vi } from 'vitest';
import { drawnOnce, drawPart, drawsRows, keptInside } from '../../../server/shell/drawings.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';

afterEach(() => void vi.unstubAllEnvs());

const asBuilt = () => vi.stubEnv('DEV', false);

interface Row {
  id: number;
  name: string;
}

describe('a row of a table', () => {
  const drawn = vi.fn((row: Row) => row.name);
  const columns = [{ key: 'name', label: 'Nombre', render: drawn }];
  const draw = (about: string, rows: Row[], shown: typeof columns = columns) => {
    const table = (
      <DataTable
        caption="Nombres"
        columns={shown}
        rows={rows}
        rowKey={(row) => row.id}
        rowMarkup={drawsRows(about)}
      />
    );
    return Buffer.concat(
      drawPart(
        <section>
          Vea «{'<slot>0</slot>'}»: {table}
        </section>,
      ),
    ).toString();
  };
  const rows = [
    { id: 1, name: 'Peña & <b>' },
    { id: 2, name: 'Dos' },
  ];

  it('is drawn once, and again when anything in it has changed', () => {
    asBuilt();
    const page = draw('names', rows);
    expect(page).toContain('«&lt;slot&gt;0&lt;/slot&gt;»');
    expect(page).toContain('<tbody><tr><td data-label="Nombre">Peña &amp; &lt;b&gt;</td></tr><tr><td');
    expect(drawn).toHaveBeenCalledTimes(2);
    expect(draw('names', rows)).toBe(page);
    expect(draw('names', rows.toReversed())).toMatch(/Dos.*Peña/);
    expect(drawn).toHaveBeenCalledTimes(2);
    expect(draw('names', [rows[0]!, { id: 2, name: 'Tres' }])).toMatch(/Peña.*Tres/);
    expect(drawn).toHaveBeenCalledTimes(3);
  });

  it('is another one in a table of another kind, or of other columns', () => {
    asBuilt();
    draw('others', rows);
    drawn.mockClear();
    draw('yet others', rows);
    expect(drawn).toHaveBeenCalledTimes(2);
    const [column] = columns;
    const narrow = [{ ...column!, className: 'narrow' }];
    expect(draw('others', rows, narrow)).toContain('<td class="narrow"');
    expect(drawn).toHaveBeenCalledTimes(4);
  });
});

describe('what was drawn', () => {
  it('is kept while it is asked for, and goes when much else was drawn since', () => {
    asBuilt();
    const megabyte = 'x'.repeat(1_000_000);
    const draw = vi.fn(() => 'a');
    for (let n = 0; n < 20; n++) {
      drawnOnce('asked for', draw);
      drawnOnce(`large ${n}`, () => megabyte);
    }
    expect(draw).toHaveBeenCalledTimes(1);
    for (let n = 20; n < 40; n++) drawnOnce(`large ${n}`, () => megabyte);
    drawnOnce('asked for', draw);
    expect(draw).toHaveBeenCalledTimes(2);
  });

  it('is drawn again under test, and a key that leaves something out is told', () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const markup of ['one', 'one', 'other']) drawnOnce('no key', () => markup);
    expect(told.mock.calls).toEqual([[expect.stringContaining('no key: drawn otherwise than before')]]);
    told.mockRestore();
  });

  it('outside of a page is the markup itself', () => {
    expect(keptInside('alone', () => '<b>ñ</b>')).toBe('<b>ñ</b>');
  });
});
