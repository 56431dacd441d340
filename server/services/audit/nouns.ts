import { catalogs } from '../../../shared/catalogs/all.ts';
import { INVOICE_FIELDS } from '../../../shared/invoices.ts';
import { PAYMENT_FIELDS } from '../../../shared/payments.ts';
import { FUND_FIELDS, MOVEMENT_FIELDS } from '../../../shared/petty-cash.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { ACCOUNT_FIELDS } from '../../../shared/supplier-accounts.ts';
import { pages } from '../../../shared/urls.ts';
import { isSettingKey, LOGO, SETTINGS } from '../settings/definitions.ts';
import { type AuditChange, compareLines } from './batch-lines.ts';
import type { AuditedEntity } from './entities.ts';

type Row = Readonly<Record<string, unknown>>;

export interface AuditNoun {
  /** "Facturas", in the filter */
  many: string;
  /** "la factura", before its name */
  one: string;
  /** from the row as the entry stores it; '' where it has no name */
  nameOf(row: Row): string;
  labels: Readonly<Record<string, string>>;
  compareParts?(before: Row | null, after: Row | null): AuditChange[];
  href?(id: string): string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A record's members with the labels of its form; references by the name that is stored with their id. */
const labelsOf = (fields: readonly RecordField[], names: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(fields.map(({ name, cents, label }) => [names[name] ?? cents ?? name, label]));

const REFERENCES = {
  supplierId: 'suppliername',
  jobId: 'jobtitle',
  rubroId: 'nombrerubro',
  origenderecursoId: 'origenderecursonombre',
  pagosOrigenId: 'pagosOrigen',
  responsableId: 'responsable',
  facturaproveedorId: 'numfactura',
};

export const CONFIRMED_BY = 'Confirmada por';

const catalogNouns = Object.fromEntries(
  catalogs.map(({ noun, texts, nameField, fields, paths }) => [
    noun,
    {
      many: texts.list,
      one: texts.one,
      nameOf: (row: Row) => text(row[nameField]),
      labels: Object.fromEntries(fields.map(({ name, label }) => [name, label])),
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
      [numfactura, suppliername].map(text).filter(Boolean).join(' de '),
    labels: {
      ...labelsOf(INVOICE_FIELDS, REFERENCES),
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
    nameOf: ({ id, numfactura }) => (text(numfactura) === '' ? `${id}` : `${id} de la factura ${numfactura}`),
    labels: labelsOf(PAYMENT_FIELDS, REFERENCES),
    href: pages.editPayment,
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
    nameOf: ({ filename }) => text(filename),
    labels: {
      movements: 'Movimientos',
      pagado: 'Pagados',
      devuelto: 'Devueltos',
      ambiguo: 'De varias',
      'sin-partida': 'Sin programación',
    },
    href: pages.bankStatement,
  },
  'supplier-accounts': {
    many: 'Cuentas bancarias',
    one: 'la cuenta bancaria',
    nameOf: ({ clabe, suppliername }) => [text(clabe), text(suppliername)].filter(Boolean).join(' de '),
    labels: { ...labelsOf(ACCOUNT_FIELDS), truster: CONFIRMED_BY },
  },
  'credit-notes': {
    many: 'Notas de crédito',
    one: 'la nota de crédito',
    nameOf: ({ numero }) => text(numero),
    labels: {},
  },
  'payment-receipts': { many: 'REP', one: 'el REP', nameOf: ({ numero }) => text(numero), labels: {} },
  'document-relations': {
    many: 'Relaciones entre CFDI',
    one: 'la relación',
    nameOf: () => '',
    labels: {},
  },
  attachments: {
    many: 'Adjuntos',
    one: 'el adjunto',
    nameOf: ({ filename }) => text(filename),
    labels: {},
  },
  'petty-cash-funds': {
    many: 'Cajas chicas',
    one: 'la caja',
    nameOf: ({ nombre, origenderecursonombre }) => text(nombre) || text(origenderecursonombre),
    labels: labelsOf(FUND_FIELDS, REFERENCES),
    href: pages.pettyCashFund,
  },
  'petty-cash-movements': {
    many: 'Movimientos de caja chica',
    one: 'el movimiento',
    nameOf: ({ concepto, concept }) => text(concepto) || text(concept),
    labels: labelsOf(MOVEMENT_FIELDS, REFERENCES),
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
      comments: 'Observaciones',
    },
  },
  budgets: {
    many: 'Presupuestos',
    one: 'el presupuesto',
    nameOf: ({ jobtitle, nombrerubro }) => [jobtitle, nombrerubro].map(text).filter(Boolean).join(' · '),
    labels: { amountCents: 'Importe' },
  },
  users: {
    many: 'Usuarios',
    one: 'el usuario',
    nameOf: ({ username }) => text(username),
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
    href: (key) => (isSettingKey(key) ? pages.settingsOf(SETTINGS[key].subject) : pages.settings),
  },
  database: { many: 'Base de datos', one: 'la base de datos', nameOf: () => '', labels: {} },
};

export const settingName = (key: string): string =>
  isSettingKey(key) ? SETTINGS[key].label : key === LOGO ? 'Logotipo' : key;
