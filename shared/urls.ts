import type { Area } from './roles.ts';

/** Every page and API path stands here once; the menu is made from the same list. */
export const pages = {
  results: '/',
  login: '/login',
  logout: '/logout',
  invoices: '/invoices',
  newInvoice: '/new-invoice',
  loadInvoice: '/new-invoice/xml',
  editInvoice: (id: number | string) => `/editinvoicepage/${id}`,
  attachments: (invoiceId: number | string) => `/editinvoicepage/${invoiceId}/adjuntos`,
  payments: '/pagos-proveedores',
  newPayment: '/new-payment',
  payInvoice: (invoiceId: number) => `/new-payment?facturaproveedorId=${invoiceId}`,
  editPayment: (id: number | string) => `/editpaymentpage/${id}`,
  deletePayment: (id: number | string) => `/pagos-proveedores/${id}/eliminar`,
  restorePayment: (id: number | string) => `/pagos-proveedores/${id}/deshacer`,
  suppliers: '/suppliers',
  newSupplier: '/new-supplier',
  editSupplier: '/editsupplierpage',
  supplierCredit: (id: number) => `/editsupplierpage/${id}#saldo-a-favor`,
  applyCredit: (supplierId: number | string) => `/editsupplierpage/${supplierId}/saldo-a-favor`,
  deleteCreditNote: (id: number | string) => `/editsupplierpage/nota-de-credito/${id}/eliminar`,
  clients: '/clients',
  newClient: '/new-client',
  editClient: '/editclientpage',
  jobs: '/jobs',
  newJob: '/new-job',
  editJob: '/editjobpage',
  rubros: '/rubros',
  newRubro: '/new-rubro',
  editRubro: '/editrubropage',
  fundingSources: '/origenderecursos',
  newFundingSource: '/new-origen-de-recurso',
  editFundingSource: '/editorigenderecursopage',
  balances: '/reporte-saldos',
  dashboard: '/dashboard',
  pettyCash: '/caja-chica',
  newPettyCashFund: '/caja-chica/nuevo-fondo',
  pettyCashFund: (id: number | string) => `/caja-chica/${id}`,
  editPettyCashFund: (id: number | string) => `/caja-chica/${id}/editar`,
  deletePettyCashFund: (id: number | string) => `/caja-chica/${id}/eliminar`,
  newPettyCashMovement: (fundId: number | string) => `/caja-chica/${fundId}/nuevo-movimiento`,
  pettyCashMovement: (id: number | string) => `/caja-chica/movimientos/${id}`,
  deletePettyCashMovement: (id: number | string) => `/caja-chica/movimientos/${id}/eliminar`,
  restorePettyCashMovement: (id: number | string) => `/caja-chica/movimientos/${id}/deshacer`,
  imports: '/importar',
  importTemplate: '/importar/plantilla.csv',
  importUpload: (id: number | string) => `/importar/${id}`,
  importRejects: (id: number | string) => `/importar/${id}/rechazadas.csv`,
  settings: '/admin-settings',
  users: '/admin-users',
  newUser: '/new-user',
  profile: '/userprofile',
  help: '/help',
} as const;

export const attachmentAddress = (invoiceId: number, id: number): string =>
  `${pages.attachments(invoiceId)}/${id}`;

/** In the order in which they are offered. */
export const EXPORT_FORMATS = ['pdf', 'xlsx', 'csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A list's own export, which takes the list's parameters: `/invoices/export.csv`. */
export const exportOf = (list: string, format: ExportFormat): string =>
  `${list.replace(/\/$/, '')}/export.${format}`;

export const api = {
  suppliers: '/api/suppliers',
  clients: '/api/clients',
  jobs: '/api/jobs',
  rubros: '/api/rubros',
  fundingSources: '/api/origenderecurso',
  invoices: '/api/facturaproveedores',
  payments: '/api/payments',
} as const;

export interface MenuEntry {
  label: string;
  /** the name of an icon of shared/ui/Icon.tsx */
  icon: string;
  area: Area;
  href?: string;
  entries?: readonly MenuEntry[];
}

/** The sidebar, in the specification's order and words. A group shows what its reader may enter. */
export const menu: readonly MenuEntry[] = [
  { label: 'FACTURAS', icon: 'invoice', area: 'work', href: pages.invoices },
  { label: 'PAGOS A PROV.', icon: 'payment', area: 'work', href: pages.payments },
  {
    label: 'LISTAS',
    icon: 'lists',
    area: 'work',
    entries: [
      { label: 'Clientes', icon: 'client', area: 'work', href: pages.clients },
      { label: 'Obras', icon: 'job', area: 'work', href: pages.jobs },
      { label: 'Proveedores', icon: 'supplier', area: 'work', href: pages.suppliers },
      { label: 'Rubros', icon: 'rubro', area: 'work', href: pages.rubros },
      { label: 'Origen de recursos', icon: 'fund', area: 'work', href: pages.fundingSources },
      { label: 'Importar', icon: 'load', area: 'work', href: pages.imports },
    ],
  },
  {
    label: 'REPORTES',
    icon: 'report',
    area: 'work',
    entries: [
      { label: 'Resultados', icon: 'results', area: 'work', href: pages.results },
      { label: 'Saldo por proveedor', icon: 'balance', area: 'work', href: pages.balances },
    ],
  },
  { label: 'DASHBOARD', icon: 'dashboard', area: 'dashboard', href: pages.dashboard },
  {
    label: 'ADMIN',
    icon: 'admin',
    area: 'admin',
    entries: [
      { label: 'Configuración', icon: 'settings', area: 'admin', href: pages.settings },
      { label: 'Administrar usuarios', icon: 'users', area: 'admin', href: pages.users },
    ],
  },
  { label: 'AYUDA', icon: 'help', area: 'helpMenu', href: pages.help },
];

/** `path` with the parameters that have a value, in the order given. */
export function withQuery(
  path: string,
  parameters: Record<string, string | number | null | undefined>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.size ? `${path}?${query}` : path;
}
