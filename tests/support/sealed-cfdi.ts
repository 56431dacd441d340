import { generateKeyPairSync, sign } from 'node:crypto';

const RFC = 'EKU9003173C9';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const length =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

/** Creates a certificate like the SAT's, of which only the owner and the key are read. */
export function createCertificate(owner: string): string {
  const buildNameAttribute = (oid: string, value: string) =>
    der(0x30, der(0x31, der(0x30, der(0x06, Buffer.from(oid, 'hex')), der(0x0c, Buffer.from(value)))));
  const algorithm = der(0x30, der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05));
  const day = (text: string) => der(0x17, Buffer.from(text));
  const signed = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([7])),
    algorithm,
    buildNameAttribute('550403', 'AC de prueba'),
    der(0x30, day('240101000000Z'), day('340101000000Z')),
    buildNameAttribute('55042d', owner),
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('RSA-SHA256', signed, privateKey);
  return der(0x30, signed, algorithm, der(0x03, Buffer.from([0]), signature)).toString('base64');
}

export const CERTIFICATE = createCertificate(`${RFC} / VADA800927DJ3`);

/** Written by hand, as the SAT prescribes it: absent attributes are skipped, and several blanks become one. */
const SIGNED_TEXT =
  '||4.0|F|7|2026-10-05T09:00:00|99|0001|30 días|1000.00|MXN|1154.00|I|01|PPD|64000|04|11111111-1111-4111-8111-111111111111' +
  `|${RFC}|Aceros & Cía|601|IVD920810GU2|Constructora|64000|601|G03` +
  '|30111601|K-1|1|H87|Obra "norte"|1000.00|1000.00|02|1000.00|002|Tasa|0.160000|160.00|1000.00|001|Tasa|0.001000|1.00|123' +
  '|001|1.00|1.00|1000.00|002|Tasa|0.160000|160.00|160.00|1.0|5.00|0.00|5 al millar|0.50|5.00||';
export const VALID_SEAL = sign('RSA-SHA256', Buffer.from(SIGNED_TEXT), privateKey).toString('base64');

/** Builds an invoice of 1,000.00 pesos with its IVA, a withholding, a local one and the seal of its content. */
export const buildSealedCfdi = ({
  certificate = CERTIFICATE,
  seal = VALID_SEAL,
  more: extraContent = '',
  complement = '',
} = {}) =>
  `<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" Folio="7" Serie="F" Version="4.0" Fecha="2026-10-05T09:00:00"
    FormaPago="99" Sello="${seal}" NoCertificado="0001" Certificado="${certificate}" CondicionesDePago="  30
    días " SubTotal="1000.00" Moneda="MXN" Total="1154.00" TipoDeComprobante="I" Exportacion="01" MetodoPago="PPD"
    LugarExpedicion="64000"${extraContent}>
  <cfdi:CfdiRelacionados TipoRelacion="04"><cfdi:CfdiRelacionado UUID="11111111-1111-4111-8111-111111111111"/></cfdi:CfdiRelacionados>
  <cfdi:Emisor Rfc="${RFC}" Nombre="Aceros &amp; Cía" RegimenFiscal="601"/>
  <cfdi:Receptor UsoCFDI="G03" Rfc="IVD920810GU2" Nombre="Constructora" DomicilioFiscalReceptor="64000" RegimenFiscalReceptor="601"/>
  <cfdi:Conceptos><cfdi:Concepto ClaveProdServ="30111601" NoIdentificacion="K-1" Cantidad="1" ClaveUnidad="H87"
    Descripcion="Obra &quot;norte&quot;" ValorUnitario="1000.00" Importe="1000.00" ObjetoImp="02"><cfdi:Impuestos>
      <cfdi:Traslados><cfdi:Traslado Base="1000.00" Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="160.00"/></cfdi:Traslados>
      <cfdi:Retenciones><cfdi:Retencion Base="1000.00" Impuesto="001" TipoFactor="Tasa" TasaOCuota="0.001000" Importe="1.00"/></cfdi:Retenciones>
    </cfdi:Impuestos><cfdi:CuentaPredial Numero="123"/></cfdi:Concepto></cfdi:Conceptos>
  <cfdi:Impuestos TotalImpuestosTrasladados="160.00" TotalImpuestosRetenidos="1.00">
    <cfdi:Retenciones><cfdi:Retencion Impuesto="001" Importe="1.00"/></cfdi:Retenciones>
    <cfdi:Traslados><cfdi:Traslado Base="1000.00" Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="160.00"/></cfdi:Traslados>
  </cfdi:Impuestos>
  <cfdi:Complemento><implocal:ImpuestosLocales xmlns:implocal="http://www.sat.gob.mx/implocal" version="1.0" TotaldeRetenciones="5.00"
      TotaldeTraslados="0.00"><implocal:RetencionesLocales ImpLocRetenido="5 al millar" TasadeRetencion="0.50" Importe="5.00"/></implocal:ImpuestosLocales>
    <tfd:TimbreFiscalDigital xmlns:tfd="http://www.sat.gob.mx/TimbreFiscalDigital" UUID="22222222-2222-4222-8222-222222222222" SelloCFD="${seal}"/>
    ${complement}</cfdi:Complemento><cfdi:Addenda Orden="4"/></cfdi:Comprobante>`;
