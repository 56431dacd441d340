/** These are the SAT's kinds of CFDI (c_TipoDeComprobante): invoice, credit note, receipt, payroll and transfer. */
export const CFDI_KIND_LABELS = { I: 'Ingreso', E: 'Egreso', P: 'Pago', N: 'Nómina', T: 'Traslado' } as const;
export type CfdiKind = keyof typeof CFDI_KIND_LABELS;
