import { catalogs } from '../../../shared/catalogs/all.ts';
import type { Sheet } from '../../formats/sheets/sheet.ts';
import { fieldsOf, type TableField } from '../../formats/tables/fields.ts';
import type { TableKind } from '../../formats/tables/table.ts';

export function templateOf(kind: TableKind): Sheet<Readonly<Record<string, string>>> {
  const fields = fieldsOf(kind).filter(({ partOf, type }) => partOf === undefined && type !== 'id');
  const columns = fields.map(({ name, label }: TableField) => ({
    name,
    heading: label,
    cell: (row: Readonly<Record<string, string>>) => row[name] ?? null,
  }));
  return { columns, pages: [[{ ...EXAMPLES, ...OF_KIND[kind] }]] };
}

/** The examples are one invoice of one supplier for one job; the lists hold the same names. */
const EXAMPLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(catalogs.flatMap(({ fields }) => fields.map(({ name, example }) => [name, example]))),
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
  presupuesto: '500000.00',
  motivo: 'Contrato',
  clabe: '032180000118359719',
  titular: 'Aceros del Bajío SA de CV',
};

const OF_KIND: Partial<Record<TableKind, Readonly<Record<string, string>>>> = {
  invoices: { comments: 'Varilla de 3/8' },
  payments: { comments: 'Primer pago' },
};
