export const pages = {
  results: '/',
  login: '/login',
  loginCode: '/login/codigo',
  logout: '/logout',
  invoices: '/invoices',
  changeInvoices: '/invoices/cambiar',
  newInvoice: '/new-invoice',
  loadInvoice: '/new-invoice/xml',
  load: (id: number | string) => `/new-invoice/xml/${id}`,
  loadRejects: (id: number | string) => `/new-invoice/xml/${id}/sin-guardar.zip`,
  editInvoice: (id: number | string) => `/editinvoicepage/${id}`,
  unlinkInvoice: (id: number | string) => `/editinvoicepage/${id}/desligar`,
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
  bankStatements: '/programaciones/estados-de-cuenta',
  loadBankStatement: '/programaciones/estados-de-cuenta/cargar',
  bankMovement: (id: number | string) => `/programaciones/estados-de-cuenta/movimientos/${id}`,
  bankMovementStep: (id: number | string, step: 'resolver' | 'soltar' | 'devolver') =>
    `/programaciones/estados-de-cuenta/movimientos/${id}/${step}`,
  deleteBankRule: (id: number | string) => `/programaciones/estados-de-cuenta/reglas/${id}/eliminar`,
  bankStatement: (id: number | string) => `/programaciones/estados-de-cuenta/${id}`,
  paymentBatchAdvices: (id: number | string) => `/programaciones/${id}/avisos.pdf`,
  paymentBatchStep: (id: number | string, step: string) => `/programaciones/${id}/${step}`,
  editSupplier: '/editsupplierpage',
  supplierCredit: (id: number) => `/editsupplierpage/${id}#saldo-a-favor`,
  applyCredit: (supplierId: number | string) => `/editsupplierpage/${supplierId}/saldo-a-favor`,
  deleteCreditNote: (id: number | string) => `/editsupplierpage/nota-de-credito/${id}/eliminar`,
  restoreCreditNote: (id: number | string) => `/editsupplierpage/nota-de-credito/${id}/deshacer`,
  doublePayments: '/pagos-dobles',
  doublePayment: (pair: string) => `/pagos-dobles/${pair}`,
  creditNotes: '/notas-de-credito',
  newCreditNote: '/new-credit-note',
  accounts: '/cuentas-bancarias',
  accountsOfSupplier: (supplierId: number | string) => `/editsupplierpage/${supplierId}#cuentas`,
  supplierAccounts: (supplierId: number | string) => `/editsupplierpage/${supplierId}/cuentas`,
  supplierAccount: (supplierId: number | string, id: number | string) =>
    `/editsupplierpage/${supplierId}/cuentas/${id}`,
  statement: (supplierId: number | string) => `/estado-cuenta/${supplierId}`,
  supplierAdvice: (supplierId: number | string) => `/estado-cuenta/${supplierId}/aviso.pdf`,
  paymentAdvice: (paymentId: number | string) => `/editpaymentpage/${paymentId}/aviso.pdf`,
  mails: '/correos',
  retryMail: (id: number | string) => `/correos/${id}/reintentar`,
  sendStatement: (supplierId: number | string) => `/estado-cuenta/${supplierId}/enviar`,
  sendAdvice: (paymentId: number | string) => `/editpaymentpage/${paymentId}/aviso/enviar`,
  sendBatchAdvices: (id: number | string) => `/programaciones/${id}/avisos/enviar`,
  balances: '/reporte-saldos',
  cashFlow: '/flujo',
  fiscal: '/fiscal',
  budgets: '/presupuestos',
  dashboard: '/dashboard',
  pettyCash: '/caja-chica',
  newPettyCashFund: '/caja-chica/nuevo-fondo',
  pettyCashExpenses: '/caja-chica/gastos',
  pettyCashAwaited: '/caja-chica/por-comprobar',
  pettyCashFund: (id: number | string) => `/caja-chica/${id}`,
  editPettyCashFund: (id: number | string) => `/caja-chica/${id}/editar`,
  deletePettyCashFund: (id: number | string) => `/caja-chica/${id}/eliminar`,
  closePettyCashFund: (id: number | string) => `/caja-chica/${id}/cerrar`,
  handOverPettyCashFund: (id: number | string) => `/caja-chica/${id}/entregar`,
  pettyCashReplenishments: (fundId: number | string) => `/caja-chica/${fundId}/reposicion`,
  pettyCashReplenishment: (id: number | string) => `/caja-chica/reposiciones/${id}`,
  pettyCashReplenishmentStep: (id: number | string, step: string) => `/caja-chica/reposiciones/${id}/${step}`,
  pettyCashCounts: (fundId: number | string) => `/caja-chica/${fundId}/arqueo`,
  pettyCashCount: (id: number | string) => `/caja-chica/arqueos/${id}`,
  settlePettyCashCount: (id: number | string) => `/caja-chica/arqueos/${id}/ajustar`,
  newPettyCashMovement: (fundId: number | string) => `/caja-chica/${fundId}/nuevo-movimiento`,
  pettyCashMovements: '/caja-chica/movimientos',
  pettyCashMovement: (id: number | string) => `/caja-chica/movimientos/${id}`,
  deletePettyCashMovement: (id: number | string) => `/caja-chica/movimientos/${id}/eliminar`,
  readNewPettyCashXml: (fundId: number | string) => `/caja-chica/${fundId}/leer-xml`,
  readPettyCashXml: (id: number | string) => `/caja-chica/movimientos/${id}/leer-xml`,
  acceptPettyCashMovement: (id: number | string) => `/caja-chica/movimientos/${id}/aceptar`,
  pettyCashAttachments: (movementId: number | string) => `/caja-chica/movimientos/${movementId}/adjuntos`,
  restorePettyCashMovement: (id: number | string) => `/caja-chica/movimientos/${id}/deshacer`,
  imports: '/importar',
  importTemplate: '/importar/plantilla.csv',
  importUpload: (id: number | string) => `/importar/${id}`,
  importRejects: (id: number | string) => `/importar/${id}/rechazadas.csv`,
  settings: '/admin-settings',
  /** the page with one subject's settings; every such page is posted to `settings` */
  settingsOf: (subject: string) => `/admin-settings/${subject}`,
  settingsOfBanks: '/admin-settings/bancos',
  audit: '/bitacora',
  closing: '/cierre',
  reopening: '/cierre/reabrir',
  firstSteps: '/empezar',
  firstStep: (step: string) => `/empezar/${step}`,
  firstStepsHidden: '/empezar/ocultar',
  logo: '/admin-settings/logo',
  backups: '/admin-settings/respaldos',
  backup: (name: number | string) => `/admin-settings/respaldos/${name}`,
  /** the page to confirm a layout, also for users without access to the settings */
  layoutToConfirm: (code: string) => `/programaciones/plantillas/${code}`,
  users: '/admin-users',
  newUser: '/new-user',
  profile: '/userprofile',
  theme: '/userprofile/tema',
  notices: '/notificaciones',
  bell: '/notificaciones/campana',
  secondFactor: '/userprofile/doble-factor',
  denseRows: '/userprofile/filas',
  help: '/help',
  helpTopic: (id: string) => `/help/${id}`,
} as const;

export const restoreRowPath = (editPath: string, id: number | string): string => `${editPath}/${id}/deshacer`;

export const EXPORT_FORMATS = ['pdf', 'xlsx', 'csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const exportPath = (list: string, format: ExportFormat): string =>
  `${list.replace(/\/$/, '')}/export.${format}`;

export const api = {
  invoices: '/api/facturaproveedores',
  payments: '/api/payments',
  budgets: '/api/presupuestos',
} as const;

export function withQuery(
  path: string,
  parameters: Record<string, string | number | readonly string[] | null | undefined>,
): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [value].flat().map((one) => `${name}=${encodeParameter(String(one))}`),
  );
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
}

/** Encodes like URLSearchParams, but faster for ids and dates, which most values are. */
const encodeParameter = (value: string): string =>
  /^[\w.-]*$/.test(value) ? value : String(new URLSearchParams([['', value]])).slice(1);
