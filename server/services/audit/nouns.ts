import { MOVEMENT_CLASS_LABELS, type MovementClass } from '../../../shared/bank-statements.ts';
import { catalogs } from '../../../shared/catalogs/all.ts';
import { columnNameOf } from '../../../shared/catalogs/catalog.ts';
import { formatCount } from '../../../shared/counts.ts';
import { formatDate, formatLongDate } from '../../../shared/dates.ts';
import { INVOICE_FIELDS } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import { PAYMENT_FIELDS } from '../../../shared/payments.ts';
import { FUND_FIELDS, MOVEMENT_FIELDS } from '../../../shared/petty-cash.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { ACCOUNT_FIELDS } from '../../../shared/supplier-accounts.ts';
import { pages } from '../../../shared/urls.ts';
import { type AuditChange, compareLines } from './batch-lines.ts';
import type { AuditedEntity } from './entities.ts';

type Row = Readonly<Record<string, unknown>>;

export interface AuditNoun {
  /** "Facturas", in the filter */
  many: string;
  /** "la factura", written before the row's name */
  one: string;
  /** the name of a row as the entry stores it; '' if the row has none */
  nameOf(row: Row): string;
  labels: Readonly<Record<string, string>>;
  compareParts?(before: Row | null, after: Row | null): AuditChange[];
  /** describes an import of a file of the SAT, which is not a table of rows */
  describeImport?(row: Row): string;
  href?(id: string): string;
}

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Maps members to labels. For a reference, the member is the one that stores the referenced row's name. */
const mapFieldLabels = (fields: readonly RecordField[], names: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(fields.map(({ name, cents, label }) => [names[name] ?? cents ?? name, label]));

const REFERENCE_NAME_MEMBERS = {
  supplierId: 'suppliername',
  jobId: 'jobtitle',
  rubroId: 'nombrerubro',
  origenderecursoId: 'origenderecursonombre',
  pagosOrigenId: 'pagosOrigen',
  responsableId: 'responsable',
  facturaproveedorId: 'numfactura',
};

export const CONFIRMED_BY_LABEL = 'Confirmada por';

/** Older entries store only the number of the movement. */
function compareBankMovement(before: Row | null, after: Row | null): AuditChange[] {
  if (!after?.movimiento) return [];
  const { movimiento, fecha, importeCents, descripcion, resultado } = after;
  const day =
    textOrEmpty(fecha) &&
    ` del ${formatLongDate(textOrEmpty(fecha))} por ${formatMoney(Number(importeCents))}`;
  const label = `Movimiento ${movimiento}${day}${textOrEmpty(descripcion) && ` (${descripcion})`}`;
  return [{ label, before: textOrEmpty(before?.resultado), after: textOrEmpty(resultado) }];
}

const catalogNouns = Object.fromEntries(
  catalogs.map(({ noun, texts, nameField, fields, paths }) => [
    noun,
    {
      many: texts.list,
      one: texts.one,
      nameOf: (row: Row) => textOrEmpty(row[nameField]),
      labels: Object.fromEntries(fields.map((field) => [columnNameOf(field), field.label])),
      href: (id: string) => `${paths.edit}/${id}`,
    },
  ]),
) as Record<(typeof catalogs)[number]['noun'], AuditNoun>;

export const AUDIT_NOUNS: Readonly<Record<AuditedEntity, AuditNoun>> = {
  ...catalogNouns,
  invoices: {
    many: 'Facturas',
    one: 'la factura',
    nameOf: ({ numfactura, suppliername }) =>
      [numfactura, suppliername].map(textOrEmpty).filter(Boolean).join(' de '),
    labels: {
      ...mapFieldLabels(INVOICE_FIELDS, REFERENCE_NAME_MEMBERS),
      ivaCents: 'IVA',
      totalCents: 'Total',
      paidCents: 'Pagado',
      uuid: 'UUID',
      metodopago: 'Método de pago',
      moneda: 'Moneda',
      tipocambio: 'Tipo de cambio',
    },
    href: pages.editInvoice,
  },
  payments: {
    many: 'Pagos',
    one: 'el pago',
    nameOf: ({ id, numfactura }) =>
      textOrEmpty(numfactura) === '' ? `${id}` : `${id} de la factura ${numfactura}`,
    labels: mapFieldLabels(PAYMENT_FIELDS, REFERENCE_NAME_MEMBERS),
    href: pages.editPayment,
  },
  'double-payments': {
    many: 'Posibles pagos dobles',
    one: 'que no son uno doble los pagos',
    nameOf: ({ paymentId, otherPaymentId }) => `${paymentId} y ${otherPaymentId}`,
    labels: {},
  },
  'payment-batches': {
    many: 'Programaciones de pagos',
    one: 'la programación de pagos',
    nameOf: ({ id }) => `${id}`,
    labels: {
      fecha: 'Fecha',
      origenderecursonombre: 'Origen de recurso',
      estado: 'Estado',
      count: 'Facturas',
      totalCents: 'Total',
      signatures: 'Firmas',
      files: 'Archivos para el banco (descargas)',
      comments: 'Observaciones',
    },
    compareParts: compareLines,
    href: pages.paymentBatch,
  },
  'bank-statements': {
    many: 'Estados de cuenta del banco',
    one: 'el estado de cuenta',
    nameOf: ({ filename }) => textOrEmpty(filename),
    labels: {
      movements: 'Movimientos',
      pagado: 'Pagados',
      devuelto: 'Devueltos',
      ambiguo: 'De varias',
      'sin-partida': 'Sin programación',
      saldoinicialCents: 'Saldo inicial',
      saldofinalCents: 'Saldo final',
      regla: 'Regla',
      nombrados: 'Movimientos que nombró',
    },
    compareParts: compareBankMovement,
    href: pages.bankStatement,
  },
  'bank-rules': {
    many: 'Reglas del banco',
    one: 'la regla del banco',
    nameOf: ({ texto, clase }) =>
      `«${textOrEmpty(texto)}»: ${MOVEMENT_CLASS_LABELS[clase as MovementClass] ?? textOrEmpty(clase)}`,
    labels: {},
    href: () => pages.bankStatements,
  },
  'supplier-accounts': {
    many: 'Cuentas bancarias',
    one: 'la cuenta bancaria',
    nameOf: ({ clabe, suppliername }) =>
      [textOrEmpty(clabe), textOrEmpty(suppliername)].filter(Boolean).join(' de '),
    labels: { ...mapFieldLabels(ACCOUNT_FIELDS), truster: CONFIRMED_BY_LABEL },
  },
  'credit-notes': {
    many: 'Notas de crédito',
    one: 'la nota de crédito',
    nameOf: ({ numero }) => textOrEmpty(numero),
    labels: {},
  },
  'payment-receipts': { many: 'REP', one: 'el REP', nameOf: ({ numero }) => textOrEmpty(numero), labels: {} },
  'document-relations': {
    many: 'Relaciones entre CFDI',
    one: 'la relación',
    nameOf: () => '',
    labels: {},
  },
  attachments: {
    many: 'Adjuntos',
    one: 'el adjunto',
    nameOf: ({ filename }) => textOrEmpty(filename),
    labels: {},
  },
  'petty-cash-funds': {
    many: 'Cajas chicas',
    one: 'la caja',
    nameOf: ({ nombre, origenderecursonombre }) => textOrEmpty(nombre) || textOrEmpty(origenderecursonombre),
    labels: mapFieldLabels(FUND_FIELDS, REFERENCE_NAME_MEMBERS),
    href: pages.pettyCashFund,
  },
  'petty-cash-movements': {
    many: 'Movimientos de caja chica',
    one: 'el movimiento',
    nameOf: ({ concepto, concept }) => textOrEmpty(concepto) || textOrEmpty(concept),
    labels: mapFieldLabels(MOVEMENT_FIELDS, REFERENCE_NAME_MEMBERS),
    href: pages.pettyCashMovement,
  },
  'petty-cash-replenishments': {
    many: 'Solicitudes de reposición',
    one: 'la solicitud de reposición',
    nameOf: ({ id }) => `${id}`,
    labels: {
      fecha: 'Fecha',
      estado: 'Estado',
      importeCents: 'Importe',
      count: 'Gastos',
      comments: 'Observaciones',
    },
  },
  'petty-cash-counts': {
    many: 'Arqueos de caja chica',
    one: 'el arqueo',
    nameOf: ({ id }) => `${id}`,
    labels: {
      fecha: 'Fecha',
      contadoCents: 'Contado',
      esperadoCents: 'Esperado',
      diferenciaCents: 'Diferencia',
      responsable: 'Responsable',
      recibe: 'Se entrega a',
      comments: 'Observaciones',
    },
  },
  budgets: {
    many: 'Presupuestos',
    one: 'el presupuesto',
    nameOf: ({ jobtitle, nombrerubro }) =>
      [jobtitle, nombrerubro].map(textOrEmpty).filter(Boolean).join(' · '),
    labels: { amountCents: 'Importe' },
  },
  mails: {
    many: 'Correos',
    one: 'el correo',
    nameOf: ({ asunto, suppliername }) => [asunto, suppliername].map(textOrEmpty).filter(Boolean).join(' a '),
    labels: {
      para: 'Para',
      asunto: 'Asunto',
      estado: 'Estado',
      respuesta: 'Respuesta',
    },
  },
  'sat-documents': {
    many: 'Cruce con el SAT',
    one: 'los metadatos del SAT',
    nameOf: ({ archivo }) => textOrEmpty(archivo),
    labels: {
      archivo: 'Archivo',
      visto: 'Hasta el',
      filas: 'CFDI',
      nuevos: 'Nuevos',
      cambiados: 'Con novedades',
      cancelados: 'Cancelados que están en Saldo',
    },
    describeImport: ({ archivo, filas }) =>
      `cargó los metadatos del SAT de «${textOrEmpty(archivo)}»: ${formatCount(Number(filas))} CFDI`,
  },
  'sat-69b': {
    many: 'Lista 69-B',
    one: 'la lista 69-B',
    nameOf: ({ archivo }) => textOrEmpty(archivo),
    labels: { archivo: 'Archivo', corte: 'Corte', filas: 'Renglones', cambiados: 'Con otra situación' },
    describeImport: ({ corte, filas }) =>
      `cargó la lista 69-B${corte ? ` del ${formatDate(textOrEmpty(corte))}` : ''}: ${formatCount(Number(filas))} contribuyentes`,
  },
  users: {
    many: 'Usuarios',
    one: 'el usuario',
    nameOf: ({ username }) => textOrEmpty(username),
    labels: {
      username: 'Usuario',
      email: 'Correo',
      employeenumber: 'Número de empleado',
      userfirstname: 'Nombre',
      userlastname: 'Apellido',
      active: 'Acceso',
      roles: 'Roles',
    },
    href: (id) => `${pages.users}?edit=${id}`,
  },
  settings: {
    many: 'Configuración',
    one: 'el ajuste',
    nameOf: () => '',
    labels: { value: 'Valor' },
  },
  database: { many: 'Base de datos', one: 'la base de datos', nameOf: () => '', labels: {} },
};
