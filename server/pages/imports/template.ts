import type { Sheet } from '../../formats/sheets/sheet.ts';
import { fieldsOf, type TableField } from '../../formats/tables/fields.ts';
import type { TableKind } from '../../formats/tables/table.ts';

/** A table to fill in: our headings, and one row that shows how. */
export function templateOf(kind: TableKind): Sheet<Readonly<Record<string, string>>> {
  const fields = fieldsOf(kind).filter(({ partOf }) => partOf === undefined);
  const columns = fields.map(({ name, label }: TableField) => ({
    name,
    heading: label,
    cell: (row: Readonly<Record<string, string>>) => row[name] ?? null,
  }));
  return { columns, pages: [[{ ...EXAMPLES, ...OF_KIND[kind] }]] };
}

/** One invoice of one supplier for one job; the lists hold the same names. */
const EXAMPLES: Readonly<Record<string, string>> = {
  suppliername: 'Aceros del Bajío SA de CV',
  rfc: 'ABA010203AB9',
  suppliercontactperson: 'Ana Ruiz',
  suppliercontactphone: '477 500 1000',
  suppliercontactemail: 'ventas@aceros.example',
  diascredito: '30',
  clientname: 'Inmobiliaria Roble SA de CV',
  clientcontactperson: 'Luis Peña',
  clientcontactphone: '55 5000 1002',
  clientcontactemail: 'obras@roble.example',
  jobtitle: 'Torre Roble',
  jobdescription: 'Edificio de 12 niveles',
  jobstartdate: '2026-01-12',
  jobduedate: '2027-06-30',
  nombrerubro: 'Acero',
  descripcionrubro: 'Varilla, malla y perfiles',
  origenderecursonombre: 'Banco 1234',
  origenderecursodescripcion: 'Cuenta de cheques de las obras',
  numfactura: 'A-1001',
  fechaemision: '2026-11-03',
  fecharecepcion: '2026-11-05',
  fechavencimiento: '2026-12-05',
  metodopago: 'PPD',
  subtotal: '1000.00',
  tasa: '16',
  iva: '160.00',
  otrosimpuestos: '0.00',
  retenciones: '0.00',
  total: '1160.00',
  checknum: '2045',
  paymentdate: '2026-11-20',
  paymentamount: '500.00',
  kind: 'pago',
};

const OF_KIND: Partial<Record<TableKind, Readonly<Record<string, string>>>> = {
  invoices: { comments: 'Varilla de 3/8' },
  payments: { comments: 'Primer pago' },
};
