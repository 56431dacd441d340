import { z } from 'zod';
import type { InvoiceDraft } from '../../shared/invoices.ts';
import { INVOICE_SORTS, STATUS_FILTERS } from '../../shared/invoices.ts';
import {
  choiceField,
  dateField,
  directionField,
  flagField,
  idField,
  idOrNoneField,
  moneyField,
  rateField,
  textField,
  versionField,
  wholeField,
} from './fields.ts';

const invoiceFields = {
  supplierId: idField('Proveedor'),
  jobId: idField('Obra'),
  rubroId: idField('Rubro'),
  numfactura: textField('Número de factura', 100, 'numfactura'),
  fechaemision: dateField('Fecha de emisión'),
  fecharecepcion: dateField('Fecha de recepción'),
  fechavencimiento: dateField('Fecha de vencimiento'),
  subtotal: moneyField('Subtotal'),
  iva: moneyField('IVA'),
  otrosimpuestos: moneyField('Otros impuestos'),
  retenciones: moneyField('Retenciones'),
  total: moneyField('Total'),
  tasa: rateField('Tasa'),
  comments: textField('Observaciones', 4000, 'comments'),
};

export const newInvoiceShape = z.strictObject({
  ...invoiceFields,
  allowDuplicate: flagField('Guardar aunque exista'),
});

export const invoiceChangeShape = z.strictObject({
  ...invoiceFields,
  id: idField('id'),
  /** old clients send back what they read; it must be what the server computes */
  totalamountpaid: moneyField('Total pagado'),
  version: versionField,
  allowDuplicate: flagField('Guardar aunque exista'),
});

const filterFields = {
  numfactura: textField('Número de factura', 100, 'numfactura'),
  supplierId: idField('Proveedor'),
  jobId: idField('Obra'),
  rubroId: idOrNoneField('Rubro'),
  invoiceId: idField('Factura'),
  status: choiceField('Estado', STATUS_FILTERS),
  fechaemisionDesde: dateField('Emisión desde'),
  fechaemisionHasta: dateField('Emisión hasta'),
  fechavencimientoDesde: dateField('Vencimiento desde'),
  fechavencimientoHasta: dateField('Vencimiento hasta'),
  corte: dateField('Corte'),
};

export const invoiceQueryShape = z.strictObject({
  ...filterFields,
  sortfield: choiceField('sortfield', INVOICE_SORTS),
  sorttype: directionField,
  limit: wholeField('limit', 1, 1000),
  cursor: textField('cursor', 400),
});

type Fields = z.output<typeof invoiceChangeShape>;

/** Wire names → the draft in cents; only members that were sent. */
export function toInvoiceDraft(
  fields: Omit<Fields, 'id' | 'totalamountpaid' | 'version' | 'allowDuplicate'>,
): InvoiceDraft {
  const { subtotal, iva, otrosimpuestos, retenciones, total, ...rest } = fields;
  const draft: InvoiceDraft = {
    ...rest,
    subtotalCents: subtotal,
    ivaCents: iva,
    otrosimpuestosCents: otrosimpuestos,
    retencionesCents: retenciones,
    totalCents: total,
  };
  return draft;
}
