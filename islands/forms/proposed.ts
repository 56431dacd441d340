/** Beside the obra or the rubro that was proposed, until somebody touches it. */
export const PROPOSED = 'Propuesta, por sus tres últimas facturas.';
