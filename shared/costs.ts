/** By which day a cost counts: that of the invoice, or those of what was paid of it. */
export const BASIS_LABELS = { facturado: 'Facturado', pagado: 'Pagado' } as const;
export type Basis = keyof typeof BASIS_LABELS;
