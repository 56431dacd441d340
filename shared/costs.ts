export const BASIS_LABELS = { facturado: 'Facturado', pagado: 'Pagado' } as const;
export type Basis = keyof typeof BASIS_LABELS;
