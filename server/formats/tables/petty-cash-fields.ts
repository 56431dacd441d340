import { words } from '../../../shared/catalogs/headings.ts';
import { COMMENTS, ISSUED, IVA, SUBTOTALS_BY_NAME } from './aliases.ts';
import {
  COMMENT,
  field,
  idOf,
  insteadOf,
  job,
  jobId,
  NAME,
  required,
  rubro,
  source,
  type TableField,
  uuid,
} from './table-field.ts';

const FUNDS = words('caja, caja chica, nombre de la caja, nombre de caja, fondo fijo, fondo');

const NOTES = COMMENTS.filter((alias) => !/concepto|descripcion/.test(alias));

/** What a table of petty cash boxes may have, and one of what was moved in them. */
export const PETTY_CASH_FIELDS = {
  cajas: [
    required(field('nombre', 'Caja', 'text', 120, [...FUNDS, 'nombre'])),
    required(
      field('responsable', 'Responsable', 'text', NAME, [
        ...words('responsable, responsable de la caja, encargado, custodio, resguardante, usuario'),
      ]),
    ),
    required(source),
    job,
    field('montofijo', 'Monto fijo', 'money', 0, words('monto fijo, importe fijo, fondo asignado, monto')),
    field('tope', 'Tope por gasto', 'money', 0, words('tope por gasto, tope, limite por gasto, limite')),
    required(
      field('openedOn', 'Fecha de apertura', 'date', 0, words('fecha de apertura, fecha apertura, apertura')),
    ),
    field('pagosOrigen', 'Pagos desde la caja', 'text', NAME, words('pagos desde la caja, origen de pagos')),
    field('comments', 'Observaciones', 'long-text', COMMENT, COMMENTS),
    jobId,
  ],
  movements: [
    required(field('caja', 'Caja', 'text', 120, FUNDS)),
    field('tipo', 'Tipo', 'text', 20, words('tipo, tipo de movimiento, movimiento')),
    required(field('fecha', 'Fecha', 'date', 0, [...words('fecha, fecha del gasto, dia'), ...ISSUED])),
    required(
      field(
        'concepto',
        'Concepto',
        'text',
        300,
        words('concepto, descripcion, detalle, descripcion del gasto'),
      ),
    ),
    field(
      'beneficiario',
      'Beneficiario',
      'text',
      NAME,
      words('beneficiario, proveedor, pagado a, a favor de'),
    ),
    field(
      'comprobante',
      'Comprobante',
      'text',
      40,
      words('comprobante, tipo de comprobante, documento, tipo de documento'),
    ),
    field(
      'folio',
      'Número de comprobante',
      'number',
      60,
      words('numero de comprobante, no comprobante, folio, no nota, factura, no factura'),
    ),
    uuid,
    insteadOf('importe', field('subtotal', 'Subtotal', 'money', 0, SUBTOTALS_BY_NAME)),
    field('iva', 'IVA', 'money', 0, IVA),
    required(
      field('importe', 'Importe', 'money', 0, words('importe, total, monto, gasto, cantidad, importe total')),
    ),
    job,
    rubro,
    field(
      'comprobarAntes',
      'Comprobar antes del',
      'date',
      0,
      words('comprobar antes del, fecha limite para comprobar, plazo'),
    ),
    field(
      'reposicion',
      'Reposición',
      'number',
      20,
      words('reposicion, no reposicion, numero de reposicion, folio de reposicion'),
    ),
    source,
    field('comments', 'Observaciones', 'long-text', COMMENT, NOTES),
    // What tells rows of a file apart that are equal otherwise.
    field('clave', 'ID', 'number', 40, words('id, consecutivo, clave')),
    jobId,
    idOf(rubro, 'rubroId', 'Id de rubro'),
  ],
} satisfies Record<string, readonly TableField[]>;
