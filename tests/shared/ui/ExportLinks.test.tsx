import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { readPage } from '../../support/page.ts';

const read = (element: React.ReactElement) => readPage(new Response(renderToStaticMarkup(element)));

describe('the way to an export', () => {
  it('is a link, with the list’s filter and order and without where its page began', async () => {
    const query = { clientname: 'ñ & co', sortfield: 'id', sorttype: 'desc', cursor: 'WzFd', shown: 50 };
    const { links } = await read(<ExportLinks list="/clients" first="csv" query={query} />);
    expect(links('Exportar')).toEqual([
      '/clients/export.csv?clientname=%C3%B1+%26+co&sortfield=id&sorttype=DESC',
    ]);
  });

  it('offers other formats behind a button that works without script, all following the filter', async () => {
    const { links, html } = await read(
      <ExportLinks list="/invoices" first="pdf" query={{ jobId: 7, rubroId: 0, corte: null }} />,
    );
    expect(links('Exportar')).toEqual(['/invoices/export.pdf?jobId=7&rubroId=0']);
    expect(links('PDF')).toEqual(['/invoices/export.pdf?jobId=7&rubroId=0']);
    expect(links('Excel (XLSX)')).toEqual(['/invoices/export.xlsx?jobId=7&rubroId=0']);
    expect(links('CSV')).toEqual(['/invoices/export.csv?jobId=7&rubroId=0']);
    expect(links('JSON')).toEqual(['/invoices/export.json?jobId=7&rubroId=0']);
    const target = /<button(?=[^>]*aria-label="Otros formatos")[^>]*popovertarget="([^"]+)"/i.exec(html)?.[1];
    expect(html).toMatch(new RegExp(`id="${target}"[^>]*popover="auto"`));
    expect(html.match(/<a [^>]*data-follow-filter/g)).toHaveLength(5);
  });
});
