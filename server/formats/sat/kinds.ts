/** The SAT's kinds of CFDI (c_TipoDeComprobante). */
export const CFDI_KINDS = { I: 'Ingreso', E: 'Egreso', P: 'Pago', N: 'Nómina', T: 'Traslado' } as const;
export type CfdiKind = keyof typeof CFDI_KINDS;
