/** By which day a cost counts: that of the invoice, or those of what was paid of it. */
export const BASES = ['facturado', 'pagado'] as const;
export type Basis = (typeof BASES)[number];
