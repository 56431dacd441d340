import type { Db } from '../../../db/schema.ts';
import { formatDate } from '../../../shared/dates.ts';
import { SITUATION_LABELS } from '../../formats/sat/list-69b.ts';
import { columnsOf, type ListRows, type SheetColumn } from '../../formats/sheets/sheet.ts';
import { listedPaymentAnswer, listedSupplierAnswer } from '../../shapes/list-69b.ts';
import type { ListedTable } from '../fiscal/labels.ts';
import { type ListedPayment, type ListedSupplier, readListing } from '../fiscal/list-69b.ts';

const SUPPLIER: readonly SheetColumn<ListedSupplier | ListedPayment>[] = columnsOf([
  { name: 'suppliername', heading: 'Proveedor', key: true },
  { name: 'rfc', heading: 'RFC' },
  { name: 'situacion', heading: 'Situación', cell: ({ situacion }) => SITUATION_LABELS[situacion] },
  { name: 'presunto', heading: 'Presunto desde', kind: 'date' },
  { name: 'definitivo', heading: 'Definitivo desde', kind: 'date' },
  { name: 'pagado', heading: 'Pagado', kind: 'money' },
]);

const PAYMENT: readonly SheetColumn<ListedPayment>[] = columnsOf([
  { name: 'fecha', heading: 'Pagado el', kind: 'date' },
  { name: 'numfactura', heading: 'Factura' },
  { name: 'uuid', heading: 'UUID' },
  { name: 'alPagar', heading: 'Al pagar era', cell: ({ alPagar }) => alPagar && SITUATION_LABELS[alPagar] },
]);

export async function listingExport(db: Db, que: ListedTable): Promise<ListRows<unknown>> {
  const { corte, proveedores, pagos } = await readListing(db);
  const notes = [
    corte ? `Lista 69-B del SAT con corte del ${formatDate(corte)}.` : 'No se ha cargado la lista 69-B.',
  ];
  const rows = { proveedores, pagos }[que];
  const answer = que === 'pagos' ? listedPaymentAnswer : listedSupplierAnswer;
  return {
    sheet: { columns: que === 'pagos' ? [...SUPPLIER, ...PAYMENT] : SUPPLIER, pages: [rows] },
    count: async () => rows.length,
    toRecords: (all: readonly never[]) => all.map(answer.toJson),
    notes,
  } as ListRows<unknown>;
}
