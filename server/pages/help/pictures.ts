import { pages } from '../../../shared/urls.ts';

/**
 * Pages of the guide that show their screen, each with the address that it is taken from in the demonstration; by
 * topic. `npm run pictures` takes them all anew.
 */
export const PICTURED: Readonly<Record<string, string>> = {
  resultados: pages.results,
  saldos: pages.balances,
  presupuesto: pages.budgets,
  'estado-de-cuenta': '/estado-cuenta/4',
  dashboard: pages.dashboard,
  facturas: pages.invoices,
  'capturar-factura': pages.newInvoice,
  'cargar-xml': pages.loadInvoice,
  pagos: pages.payments,
  'registrar-pago': `${pages.newPayment}?facturaproveedorId=2400`,
  programaciones: `${pages.paymentBatches}/1`,
  'caja-chica': `${pages.pettyCash}/1`,
  importar: pages.imports,
  configuracion: pages.settings,
  cierre: pages.closing,
  bitacora: pages.audit,
};

/** Of the window that they are taken in. */
export const PICTURE_SIZE = { width: 1024, height: 640 };

export const PICTURE_THEMES = ['light', 'dark'] as const;

export const pictureFile = (topic: string, theme: (typeof PICTURE_THEMES)[number]): string =>
  `ayuda-${topic}-${theme}.webp`;
