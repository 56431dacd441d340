import { buildCfdi, type CfdiParts, uuidOfNumber } from './cfdi.ts';
import { OWN_RFC } from './metadata.ts';

export interface TaxedLine {
  /** the line's rate of IVA (16, 8 or 0), exempt, or not subject to it */
  of: number | 'exento' | 'noObjeto';
  cents: number;
}

const formatPesos = (cents: number) => (cents / 100).toFixed(2);
export const computeIvaCents = (cents: number, rate: number) => Math.round((cents * rate) / 100);

export interface TaxedCfdi {
  n: number;
  rfc?: string;
  lines: TaxedLine[];
  isr?: number;
  iva?: number;
  /** the amount of a local tax */
  local?: number;
  regimen?: string;
  codigoPostal?: string;
  /** the code of all lines in the SAT's catalog c_ClaveProdServ */
  clave?: string;
  extraParts?: CfdiParts;
}

/** The total is the sum of the lines with their IVA, less what is withheld. */
export function buildTaxedCfdi({
  n,
  rfc = 'ACE010203AB4',
  lines,
  isr = 0,
  iva = 0,
  local = 0,
  regimen = '601',
  codigoPostal = '64000',
  clave = '30111601',
  extraParts = {},
}: TaxedCfdi) {
  const subtotal = lines.reduce((sum, { cents }) => sum + cents, 0);
  const taxes = lines.map(({ of, cents }) => (typeof of === 'number' ? computeIvaCents(cents, of) : 0));
  const total = subtotal + taxes.reduce((sum, tax) => sum + tax, 0) + local - isr - iva;
  const traslados = lines.flatMap(({ of, cents }, index) =>
    of === 'noObjeto'
      ? []
      : of === 'exento'
        ? `<{p}Traslado Base="${formatPesos(cents)}" Impuesto="002" TipoFactor="Exento"/>`
        : `<{p}Traslado Base="${formatPesos(cents)}" Impuesto="002" TipoFactor="Tasa" TasaOCuota="${(of / 100).toFixed(6)}" Importe="${formatPesos(taxes[index]!)}"/>`,
  );
  const held = [
    ...(isr ? [`<{p}Retencion Impuesto="001" Importe="${formatPesos(isr)}"/>`] : []),
    ...(iva ? [`<{p}Retencion Impuesto="002" Importe="${formatPesos(iva)}"/>`] : []),
  ];
  return buildCfdi({
    uuid: uuidOfNumber(n),
    emisor: { Rfc: rfc, Nombre: `Proveedor ${rfc}`, RegimenFiscal: regimen },
    receptor: { Rfc: OWN_RFC, Nombre: 'Constructora' },
    conceptos: `<{p}Conceptos>${lines
      .map(
        ({ of, cents }) =>
          `<{p}Concepto ClaveProdServ="${clave}" Descripcion="Obra" Importe="${formatPesos(cents)}" ObjetoImp="${of === 'noObjeto' ? '01' : '02'}"/>`,
      )
      .join('')}</{p}Conceptos>`,
    impuestos: `<{p}Impuestos>${held.length > 0 ? `<{p}Retenciones>${held.join('')}</{p}Retenciones>` : ''}${traslados.length > 0 ? `<{p}Traslados>${traslados.join('')}</{p}Traslados>` : ''}</{p}Impuestos>`,
    complemento: local
      ? `<implocal:ImpuestosLocales xmlns:implocal="http://www.sat.gob.mx/implocal" version="1.0"><implocal:TrasladosLocales Importe="${formatPesos(local)}"/></implocal:ImpuestosLocales>`
      : '',
    ...extraParts,
    root: {
      ...{ Folio: String(n), Fecha: '2026-10-05T09:00:00', LugarExpedicion: codigoPostal },
      ...{ SubTotal: formatPesos(subtotal), Total: formatPesos(total), ...extraParts.root },
    },
  });
}
