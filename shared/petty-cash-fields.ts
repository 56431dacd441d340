import { kindName, receiptName } from './petty-cash.ts';
import type { RecordField } from './record-fields.ts';

/** The fields of a fund's form, from first to last. */
export const FUND_FIELDS = [
  { name: 'nombre', label: 'Nombre', kind: 'text', required: true, maxLength: 120 },
  { name: 'responsableId', label: 'Responsable', kind: 'select', options: [], required: true },
  {
    name: 'origenderecursoId',
    label: 'Origen de recurso',
    kind: 'ref',
    catalog: 'funding-sources',
    required: true,
    hint: 'De dónde sale el dinero que llena la caja.',
  },
  { name: 'jobId', label: 'Obra de la caja', kind: 'ref', catalog: 'jobs' },
  {
    name: 'montofijo',
    label: 'Monto fijo',
    kind: 'money',
    cents: 'montofijoCents',
    canBeNone: true,
    hint: 'Lo que tiene la caja cuando todo está repuesto.',
  },
  {
    name: 'tope',
    label: 'Tope por gasto',
    kind: 'money',
    cents: 'topeCents',
    canBeNone: true,
    hint: 'Vacío: el de la configuración.',
  },
  { name: 'openedOn', label: 'Fecha de apertura', kind: 'date', required: true },
  {
    name: 'pagosOrigenId',
    label: 'Pagos a proveedores desde la caja',
    kind: 'select',
    options: [],
    hint: 'Los pagos con este origen salen de la caja desde su apertura. Vacío: ninguno.',
  },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
] as const satisfies readonly RecordField[];

/** With what a fund begins: its first movement. */
export const OPENING_FIELD = {
  name: 'apertura',
  label: 'Apertura',
  kind: 'money',
  cents: 'aperturaCents',
  hint: 'Lo que se pone en la caja al abrirla.',
} as const satisfies RecordField;

const option = <Value extends string>(value: Value, label: string) => ({ value, label });

/** The fields of a movement's form, from first to last; those of what was spent are of a gasto alone. */
export const MOVEMENT_FIELDS = [
  {
    name: 'tipo',
    label: 'Tipo',
    kind: 'select',
    options: [
      option('gasto', kindName('gasto')),
      option('devolucion', kindName('devolucion')),
      option('apertura', kindName('apertura')),
      option('ajuste', kindName('ajuste')),
      option('reposicion', kindName('reposicion')),
    ],
  },
  { name: 'fecha', label: 'Fecha', kind: 'date', required: true },
  { name: 'importe', label: 'Importe', kind: 'money', cents: 'importeCents', required: true },
  { name: 'concepto', label: 'Concepto', kind: 'text', required: true, wide: true, maxLength: 300 },
  { name: 'beneficiario', label: 'Beneficiario', kind: 'text', maxLength: 200 },
  {
    name: 'comprobante',
    label: 'Comprobante',
    kind: 'select',
    options: [
      option('nota', receiptName('nota')),
      option('cfdi', receiptName('cfdi')),
      option('ninguno', 'Ninguno todavía'),
    ],
  },
  { name: 'folio', label: 'Número de comprobante', kind: 'text', maxLength: 60 },
  { name: 'subtotal', label: 'Subtotal', kind: 'money', cents: 'subtotalCents', canBeNone: true },
  { name: 'iva', label: 'IVA', kind: 'money', cents: 'ivaCents', canBeNone: true },
  {
    name: 'uuid',
    label: 'UUID del CFDI',
    kind: 'text',
    wide: true,
    maxLength: 36,
    autoCapitalize: 'characters',
  },
  { name: 'jobId', label: 'Obra del gasto', kind: 'ref', catalog: 'jobs' },
  { name: 'rubroId', label: 'Rubro del gasto', kind: 'ref', catalog: 'rubros' },
  { name: 'comprobarAntes', label: 'Comprobar antes del', kind: 'date' },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
] as const satisfies readonly RecordField[];
