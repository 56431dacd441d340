/** Every page and API path stands here once, but for those that only a definition of a catalog or a list names. */
export const pages = {
  results: '/',
  login: '/login',
  loginCode: '/login/codigo',
  logout: '/logout',
  invoices: '/invoices',
  newInvoice: '/new-invoice',
  loadInvoice: '/new-invoice/xml',
  load: (id: number | string) => `/new-invoice/xml/${id}`,
  loadRejects: (id: number | string) => `/new-invoice/xml/${id}/sin-guardar.zip`,
  editInvoice: (id: number | string) => `/editinvoicepage/${id}`,
  restoreInvoice: (id: number | string) => `/editinvoicepage/${id}/deshacer`,
  attachments: (invoiceId: number | string) => `/editinvoicepage/${invoiceId}/adjuntos`,
  payments: '/pagos-proveedores',
  newPayment: '/new-payment',
  payInvoice: (invoiceId: number) => `/new-payment?facturaproveedorId=${invoiceId}`,
  editPayment: (id: number | string) => `/editpaymentpage/${id}`,
  deletePayment: (id: number | string) => `/pagos-proveedores/${id}/eliminar`,
  restorePayment: (id: number | string) => `/pagos-proveedores/${id}/deshacer`,
  paymentBatches: '/programaciones',
  newPaymentBatch: '/programaciones/nueva',
  paymentBatch: (id: number | string) => `/programaciones/${id}`,
  paymentBatchAdvices: (id: number | string) => `/programaciones/${id}/avisos.pdf`,
  /** a step of it, such as 'autorizar' */
  paymentBatchStep: (id: number | string, step: string) => `/programaciones/${id}/${step}`,
  editSupplier: '/editsupplierpage',
  supplierCredit: (id: number) => `/editsupplierpage/${id}#saldo-a-favor`,
  applyCredit: (supplierId: number | string) => `/editsupplierpage/${supplierId}/saldo-a-favor`,
  deleteCreditNote: (id: number | string) => `/editsupplierpage/nota-de-credito/${id}/eliminar`,
  statement: (supplierId: number | string) => `/estado-cuenta/${supplierId}`,
  supplierAdvice: (supplierId: number | string) => `/estado-cuenta/${supplierId}/aviso.pdf`,
  paymentAdvice: (paymentId: number | string) => `/editpaymentpage/${paymentId}/aviso.pdf`,
  balances: '/reporte-saldos',
  budgets: '/presupuestos',
  dashboard: '/dashboard',
  pettyCash: '/caja-chica',
  newPettyCashFund: '/caja-chica/nuevo-fondo',
  pettyCashExpenses: '/caja-chica/gastos',
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
  audit: '/bitacora',
  closing: '/cierre',
  reopening: '/cierre/reabrir',
  firstSteps: '/empezar',
  firstStepsFirm: '/empezar/empresa',
  firstStepsHidden: '/empezar/ocultar',
  settingsLanguage: '/admin-settings/idioma',
  logo: '/admin-settings/logo',
  backups: '/admin-settings/respaldos',
  backup: (name: number | string) => `/admin-settings/respaldos/${name}`,
  users: '/admin-users',
  newUser: '/new-user',
  profile: '/userprofile',
  theme: '/userprofile/tema',
  notices: '/notificaciones',
  seenNotices: '/notificaciones/vistas',
  putOffNotice: '/notificaciones/posponer',
  secondFactor: '/userprofile/doble-factor',
  denseRows: '/userprofile/filas',
  help: '/help',
  helpTopic: (id: string) => `/help/${id}`,
} as const;

/** "Deshacer" of a deleted row of a list, below its edit screen. */
export const restoreRowPath = (edit: string, id: number | string): string => `${edit}/${id}/deshacer`;

export const attachmentAddress = (invoiceId: number, id: number): string =>
  `${pages.attachments(invoiceId)}/${id}`;

/** In the order in which they are offered. */
export const EXPORT_FORMATS = ['pdf', 'xlsx', 'csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A list's own export, which takes the list's parameters: `/invoices/export.csv`. */
export const exportOf = (list: string, format: ExportFormat): string =>
  `${list.replace(/\/$/, '')}/export.${format}`;

export const api = {
  invoices: '/api/facturaproveedores',
  payments: '/api/payments',
  budgets: '/api/presupuestos',
} as const;

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
