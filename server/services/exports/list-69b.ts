import type { Db } from '../../../db/schema.ts';
import { formatDate } from '../../../shared/dates.ts';
import { SITUATION_LABELS } from '../../formats/sat/list-69b.ts';
import { createSheetColumns, type PartialListExport, type SheetColumn } from '../../formats/sheets/sheet.ts';
import { listedPaymentAnswer, listedSupplierAnswer } from '../../shapes/list-69b.ts';
import type { List69bTable } from '../fiscal/labels.ts';
import { type ListedPayment, type ListedSupplier, readList69bReport } from '../fiscal/list-69b.ts';

const LISTED_SUPPLIER_COLUMNS: readonly SheetColumn<ListedSupplier | ListedPayment>[] = createSheetColumns([
  { name: 'suppliername', heading: 'Proveedor', key: true },
  { name: 'rfc', heading: 'RFC' },
  { name: 'situacion', heading: 'Situación', cell: ({ situacion }) => SITUATION_LABELS[situacion] },
  { name: 'presunto', heading: 'Presunto desde', kind: 'date' },
  { name: 'definitivo', heading: 'Definitivo desde', kind: 'date' },
  { name: 'pagado', heading: 'Pagado', kind: 'money' },
]);

const LISTED_PAYMENT_COLUMNS: readonly SheetColumn<ListedPayment>[] = createSheetColumns([
  { name: 'fecha', heading: 'Pagado el', kind: 'date' },
  { name: 'numfactura', heading: 'Factura' },
  { name: 'uuid', heading: 'UUID' },
  { name: 'alPagar', heading: 'Al pagar era', cell: ({ alPagar }) => alPagar && SITUATION_LABELS[alPagar] },
]);

export async function list69bExport(db: Db, que: List69bTable): Promise<PartialListExport<unknown>> {
  const { corte, proveedores, pagos } = await readList69bReport(db);
  const notes = [
    corte ? `Lista 69-B del SAT con corte del ${formatDate(corte)}.` : 'No se ha cargado la lista 69-B.',
  ];
  const rows = { proveedores, pagos }[que];
  const answer = que === 'pagos' ? listedPaymentAnswer : listedSupplierAnswer;
  return {
    sheet: {
      columns:
        que === 'pagos' ? [...LISTED_SUPPLIER_COLUMNS, ...LISTED_PAYMENT_COLUMNS] : LISTED_SUPPLIER_COLUMNS,
      pages: [rows],
    },
    count: async () => rows.length,
    toRecords: (all: readonly never[]) => all.map(answer.toJson),
    notes,
  } as PartialListExport<unknown>;
}
