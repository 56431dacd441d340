import { pages } from '../../../shared/urls.ts';

/** These paths are not in `pages`, because no script of the browser needs them. */
export const fiscalPaths = {
  cross: `${pages.fiscal}/cruce`,
  link: `${pages.fiscal}/cruce/ligar`,
  cancelled: `${pages.fiscal}/cancelados`,
  metadata: `${pages.fiscal}/metadatos`,
  journal: `${pages.fiscal}/polizas`,
  receipts: `${pages.fiscal}/rep`,
  list69b: `${pages.fiscal}/69b`,
  sendReceiptsRequests: `${pages.fiscal}/rep/enviar`,
  sendReceiptsRequest: (supplierId: number | string) => `${pages.fiscal}/rep/${supplierId}/enviar`,
  diot: `${pages.fiscal}/diot`,
  withheld: `${pages.fiscal}/retenciones`,
};

export const FISCAL_SUBJECTS = {
  cruce: 'Cruce con el SAT',
  rep: 'REP pendientes',
  lista69b: 'Lista 69-B',
  diot: 'DIOT',
  retenciones: 'Retenciones',
  polizas: 'Pólizas',
} as const;
export type FiscalCardSubject = keyof typeof FISCAL_SUBJECTS;

/** By the first letter of an entry's code; a credit note has an entry once it is applied. */
export const JOURNAL_KIND_LABELS = {
  F: 'Facturas',
  P: 'Pagos',
  N: 'Notas de crédito',
  C: 'Caja chica',
} as const;
export type JournalKind = keyof typeof JOURNAL_KIND_LABELS;

export const RECEIPT_LIST_LABELS = {
  pagos: 'Pagos sin REP',
  pue: 'PUE sin pagar en su mes',
  saldos: 'REP que dicen otro saldo',
} as const;
export type ReceiptListName = keyof typeof RECEIPT_LIST_LABELS;

/**
 * The groups in which a month's documents of the SAT are compared with ours. Each document is in one of the first four
 * groups; the other groups list some documents again.
 */
export const CROSS_CHECK_GROUP_LABELS = {
  iguales: 'Iguales',
  difieren: 'Difieren',
  faltan: 'Faltan en Saldo',
  ajenos: 'Ajenos',
  cancelados: 'Cancelados en el SAT',
  sinUuid: 'Sin UUID en Saldo',
} as const;
export type CrossCheckGroupName = keyof typeof CROSS_CHECK_GROUP_LABELS;

export const FISCAL_STATE_LABELS = {
  abierto: 'Abierto',
  pendientes: 'Con pendientes',
  cuadrado: 'Cuadrado',
} as const;
export type FiscalState = keyof typeof FISCAL_STATE_LABELS;

export const LIST_69B_TABLE_LABELS = {
  proveedores: 'Proveedores en la lista',
  pagos: 'Pagado a definitivos',
} as const;
export type List69bTable = keyof typeof LIST_69B_TABLE_LABELS;
