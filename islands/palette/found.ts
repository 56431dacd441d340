import { jobs } from '../../shared/catalogs/jobs.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { api, pages, withQuery } from '../../shared/urls.ts';
import type { Destination } from './destinations.ts';

/** The fields of the API's rows that are read here. */
interface SupplierRow {
  id: number;
  suppliername: string;
}
interface JobRow {
  id: number;
  jobtitle: string;
}
interface InvoiceRow {
  id: number;
  numfactura: string;
  supplier: { suppliername: string };
  vencimientoTexto: string;
}

/** One kind of record: how it is asked for and where it leads. */
export interface Finder<Row> {
  title: string;
  address: (text: string) => string;
  lead: (row: Row) => Destination[];
}

/** What begins with the text comes first, and of invoices what is owed. */
const suggested = (path: string) => (text: string) => withQuery(`${path}/suggest/`, { text });

export const supplierFinder: Finder<SupplierRow> = {
  title: 'Proveedores',
  address: suggested(suppliers.paths.api),
  lead: ({ id, suppliername }) => [
    { href: withQuery(pages.invoices, { supplierId: id }), label: suppliername, meta: 'Facturas' },
    { href: `${suppliers.paths.edit}/${id}`, label: `Editar ${suppliername}` },
  ],
};

export const jobFinder: Finder<JobRow> = {
  title: 'Obras',
  address: suggested(jobs.paths.api),
  lead: ({ id, jobtitle }) => [
    { href: withQuery(pages.invoices, { jobId: id }), label: jobtitle, meta: 'Facturas' },
  ],
};

export const invoiceFinder: Finder<InvoiceRow> = {
  title: 'Facturas',
  address: suggested(api.invoices),
  lead: ({ id, numfactura, supplier, vencimientoTexto }) => [
    {
      href: pages.editInvoice(id),
      label: `${numfactura || `#${id}`} · ${supplier.suppliername}`,
      meta: vencimientoTexto,
    },
  ],
};
