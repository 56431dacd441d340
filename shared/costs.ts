export const BASIS_LABELS = { facturado: 'Facturado', pagado: 'Pagado' } as const;
export type CostBasis = keyof typeof BASIS_LABELS;
