import {
  CHEQUES,
  CLIENT_LIST_NAMES,
  CLIENT_NAMES,
  COMMENTS,
  CREDIT_DAYS,
  DESCRIPTION,
  DISCOUNTS,
  DUE,
  EMAIL,
  ENDS,
  INVOICE_NUMBERS,
  INVOICE_TOTALS,
  ISSUED,
  ISSUED_LONG,
  IVA,
  JOB_LIST_NAMES,
  JOB_NAMES,
  METHODS,
  OTHER_TAXES,
  PAID_AMOUNTS,
  PAID_ON,
  PAID_TOTALS,
  PAYMENT_KINDS,
  PERSON,
  PHONE,
  RATES,
  RECEIVED,
  RFC,
  RUBRO_LIST_NAMES,
  RUBRO_NAMES,
  SOURCE_LIST_NAMES,
  SOURCE_NAMES,
  STARTS,
  SUBTOTALS,
  SUPPLIER_LIST_NAMES,
  SUPPLIER_NAMES,
  UUID,
  WITHHELD,
  WITHHELD_ISR,
  WITHHELD_IVA,
} from './aliases.ts';
import type { TableKind } from './table.ts';

export type TableFieldType =
  | 'text' // one line
  | 'long-text'
  | 'number' // of a document: text of which nothing may be lost
  | 'money'
  | 'rate'
  | 'date'
  | 'rfc'
  | 'uuid'
  | 'email'
  | 'phone'
  | 'whole';

export interface TableField {
  /** the field's name on the wire */
  name: string;
  label: string;
  type: TableFieldType;
  /** every row needs a value, so some column must be it */
  required: boolean;
  /** headings that people use for it, folded to letters and digits (see plan.ts); the likeliest first */
  aliases: readonly string[];
  /** the most characters, or the largest whole number */
  max: number;
  /** the field of ours that it goes into: tables have withholdings and discounts apart, an invoice has not */
  partOf?: string;
}

/** What a table of that kind may have, in the order in which a template would show it. */
export const fieldsOf = (kind: TableKind): readonly TableField[] => FIELDS[kind];

export function fieldNamed(kind: TableKind, name: string): TableField {
  const found = fieldsOf(kind).find((one) => one.name === name);
  if (!found) throw new Error(`tables of ${kind} have no field ${name}`);
  return found;
}

const NAME = 200;
const NUMBER = 100;
const LONG = 2000;
const COMMENT = 4000;
const CHEQUE = 60;

const field = (
  name: string,
  label: string,
  type: TableFieldType,
  max: number,
  aliases: readonly string[],
): TableField => ({ name, label, type, required: false, max, aliases });

const required = (one: TableField): TableField => ({ ...one, required: true });

const partOf = (whole: string, one: TableField): TableField => ({ ...one, partOf: whole });

const NAME_AND_RFC = [
  field('suppliername', 'Proveedor', 'text', NAME, SUPPLIER_NAMES),
  field('rfc', 'RFC', 'rfc', 13, RFC),
];
const uuid = field('uuid', 'UUID', 'uuid', 36, UUID);
const number = field('numfactura', 'Factura', 'number', NUMBER, INVOICE_NUMBERS);
const job = field('jobtitle', 'Obra', 'text', NAME, JOB_NAMES);

const FIELDS: Readonly<Record<TableKind, readonly TableField[]>> = {
  suppliers: [
    required(field('suppliername', 'Nombre', 'text', NAME, SUPPLIER_LIST_NAMES)),
    field('rfc', 'RFC', 'rfc', 13, RFC),
    required(field('suppliercontactperson', 'Contacto', 'text', NAME, PERSON)),
    field('suppliercontactphone', 'Teléfono', 'phone', 40, PHONE),
    field('suppliercontactemail', 'Correo', 'email', 254, EMAIL),
    field('diascredito', 'Días de crédito', 'whole', 365, CREDIT_DAYS),
  ],
  clients: [
    required(field('clientname', 'Nombre', 'text', NAME, CLIENT_LIST_NAMES)),
    required(field('clientcontactperson', 'Contacto', 'text', NAME, PERSON)),
    field('clientcontactphone', 'Teléfono', 'phone', 40, PHONE),
    field('clientcontactemail', 'Correo', 'email', 254, EMAIL),
  ],
  jobs: [
    required(field('jobtitle', 'Nombre de la obra', 'text', NAME, JOB_LIST_NAMES)),
    field('jobdescription', 'Descripción', 'long-text', LONG, DESCRIPTION),
    field('jobstartdate', 'Fecha de inicio', 'date', 0, STARTS),
    field('jobduedate', 'Fecha de término', 'date', 0, ENDS),
    required(field('clientname', 'Cliente', 'text', NAME, CLIENT_NAMES)),
  ],
  rubros: [
    required(field('nombrerubro', 'Nombre', 'text', NAME, RUBRO_LIST_NAMES)),
    field('descripcionrubro', 'Descripción', 'long-text', LONG, DESCRIPTION),
  ],
  origenes: [
    required(field('origenderecursonombre', 'Nombre', 'text', NAME, SOURCE_LIST_NAMES)),
    field('origenderecursodescripcion', 'Descripción', 'long-text', LONG, DESCRIPTION),
  ],
  invoices: [
    required(NAME_AND_RFC[0]!),
    NAME_AND_RFC[1]!,
    required(job),
    field('nombrerubro', 'Rubro', 'text', NAME, RUBRO_NAMES),
    number,
    uuid,
    field('fechaemision', 'Emisión', 'date', 0, ISSUED),
    field('fecharecepcion', 'Recepción', 'date', 0, RECEIVED),
    field('fechavencimiento', 'Vencimiento', 'date', 0, DUE),
    field('metodopago', 'Método de pago', 'text', 3, METHODS),
    required(field('subtotal', 'Subtotal', 'money', 0, SUBTOTALS)),
    partOf('subtotal', field('descuento', 'Descuento', 'money', 0, DISCOUNTS)),
    field('tasa', 'Tasa', 'rate', 0, RATES),
    field('iva', 'IVA', 'money', 0, IVA),
    field('otrosimpuestos', 'Otros impuestos', 'money', 0, OTHER_TAXES),
    field('retenciones', 'Retenciones', 'money', 0, WITHHELD),
    partOf('retenciones', field('retencioniva', 'Retención de IVA', 'money', 0, WITHHELD_IVA)),
    partOf('retenciones', field('retencionisr', 'Retención de ISR', 'money', 0, WITHHELD_ISR)),
    field('total', 'Total', 'money', 0, INVOICE_TOTALS),
    field('comments', 'Observaciones', 'long-text', COMMENT, COMMENTS),
  ],
  payments: [
    ...NAME_AND_RFC,
    number,
    uuid,
    job,
    field('fechaemision', 'Emisión', 'date', 0, ISSUED_LONG),
    field('total', 'Total de la factura', 'money', 0, PAID_TOTALS),
    field('checknum', 'Cheque', 'number', CHEQUE, CHEQUES),
    field('paymentdate', 'Fecha de pago', 'date', 0, PAID_ON),
    required(field('paymentamount', 'Cantidad pagada', 'money', 0, PAID_AMOUNTS)),
    field('origenderecursonombre', 'Origen de recurso', 'text', NAME, SOURCE_NAMES),
    field('comments', 'Observaciones', 'long-text', COMMENT, COMMENTS),
    field('kind', 'Tipo', 'text', 10, PAYMENT_KINDS),
    field('creditnumero', 'Nota de crédito', 'number', NUMBER, [
      'numero de nota de credito',
      'no nota de credito',
      'folio de la nota',
      'folio nota de credito',
    ]),
    field('credituuid', 'UUID de la nota', 'uuid', 36, [
      'uuid nota de credito',
      'uuid de la nota de credito',
    ]),
    field('credittotal', 'Total de la nota', 'money', 0, [
      'total nota de credito',
      'total de la nota de credito',
    ]),
    field('creditiva', 'IVA de la nota', 'money', 0, ['iva nota de credito', 'iva de la nota de credito']),
    field('creditotrosimpuestos', 'Otros impuestos de la nota', 'money', 0, []),
    field('creditretenciones', 'Retenciones de la nota', 'money', 0, []),
  ],
};
