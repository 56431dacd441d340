import { pages } from './urls.ts';

/** The part of the guide about a screen: "/help#facturas". Forms belong to their list's. */
export function helpAbout(path: string): string {
  if (path === pages.results) return `${pages.help}#resultados`;
  const anchor = ANCHORS.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
  return anchor ? `${pages.help}#${anchor}` : pages.help;
}

const ANCHORS: readonly (readonly [start: string, anchor: string])[] = [
  [pages.invoices, 'facturas'],
  [pages.loadInvoice, 'cargar-xml'],
  [pages.newInvoice, 'capturar-factura'],
  ['/editinvoicepage', 'corregir-factura'],
  [pages.payments, 'pagos'],
  [pages.newPayment, 'registrar-pago'],
  ['/editpaymentpage', 'registrar-pago'],
  [pages.pettyCash, 'caja-chica'],
  [pages.suppliers, 'proveedores'],
  [pages.newSupplier, 'proveedores'],
  [pages.editSupplier, 'proveedores'],
  [pages.clients, 'clientes'],
  [pages.newClient, 'clientes'],
  [pages.editClient, 'clientes'],
  [pages.jobs, 'obras'],
  [pages.newJob, 'obras'],
  [pages.editJob, 'obras'],
  [pages.rubros, 'rubros'],
  [pages.newRubro, 'rubros'],
  [pages.editRubro, 'rubros'],
  [pages.fundingSources, 'origenes'],
  [pages.newFundingSource, 'origenes'],
  [pages.editFundingSource, 'origenes'],
  [pages.imports, 'importar'],
  [pages.balances, 'saldos'],
  [pages.dashboard, 'dashboard'],
  [pages.settings, 'configuracion'],
  [pages.users, 'usuarios'],
  [pages.newUser, 'usuarios'],
  [pages.profile, 'perfil'],
];
