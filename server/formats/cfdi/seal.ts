import { verify, X509Certificate } from 'node:crypto';
import type { XmlElement } from './xml.ts';

/**
 * SAT, Anexo 20: the attributes (marked by `@`) and children of each element that the issuer signs, in this order.
 * Version 3.3 lacks some of those of 4.0. A key with a parent (`Concepto/Impuestos`) applies only below that parent.
 * Parts that are not listed, such as most complements, have an unknown order.
 */
const SIGNED_PARTS: Readonly<Record<string, string>> = {
  Comprobante: `@Version @Serie @Folio @Fecha @FormaPago @NoCertificado @CondicionesDePago @SubTotal @Descuento @Moneda
    @TipoCambio @Total @TipoDeComprobante @Exportacion @MetodoPago @LugarExpedicion @Confirmacion
    InformacionGlobal CfdiRelacionados Emisor Receptor Conceptos Impuestos Complemento`,
  InformacionGlobal: '@Periodicidad @Meses @Año',
  CfdiRelacionados: '@TipoRelacion CfdiRelacionado',
  CfdiRelacionado: '@UUID',
  Emisor: '@Rfc @Nombre @RegimenFiscal',
  Receptor: `@Rfc @Nombre @DomicilioFiscalReceptor @ResidenciaFiscal @NumRegIdTrib @RegimenFiscalReceptor @UsoCFDI`,
  Conceptos: 'Concepto',
  Concepto: `@ClaveProdServ @NoIdentificacion @Cantidad @ClaveUnidad @Unidad @Descripcion @ValorUnitario @Importe
    @Descuento @ObjetoImp Impuestos ACuentaTerceros InformacionAduanera CuentaPredial Parte`,
  'Concepto/Impuestos': 'Traslados Retenciones',
  ACuentaTerceros: `@RfcACuentaTerceros @NombreACuentaTerceros @RegimenFiscalACuentaTerceros
    @DomicilioFiscalACuentaTerceros`,
  InformacionAduanera: '@NumeroPedimento',
  CuentaPredial: '@Numero',
  Parte: `@ClaveProdServ @NoIdentificacion @Cantidad @Unidad @Descripcion @ValorUnitario @Importe InformacionAduanera`,
  'Comprobante/Impuestos': 'Retenciones @TotalImpuestosRetenidos Traslados @TotalImpuestosTrasladados',
  Traslados: 'Traslado',
  Traslado: '@Base @Impuesto @TipoFactor @TasaOCuota @Importe',
  Retenciones: 'Retencion',
  Retencion: '@Base @Impuesto @TipoFactor @TasaOCuota @Importe',
  Complemento: 'Pagos ImpuestosLocales',
  Pagos: '@Version Totales Pago',
  Totales: `@TotalRetencionesIVA @TotalRetencionesISR @TotalRetencionesIEPS @TotalTrasladosBaseIVA16
    @TotalTrasladosImpuestoIVA16 @TotalTrasladosBaseIVA8 @TotalTrasladosImpuestoIVA8 @TotalTrasladosBaseIVA0
    @TotalTrasladosImpuestoIVA0 @TotalTrasladosBaseIVAExento @MontoTotalPagos`,
  Pago: `@FechaPago @FormaDePagoP @MonedaP @TipoCambioP @Monto @NumOperacion @RfcEmisorCtaOrd @NomBancoOrdExt
    @CtaOrdenante @RfcEmisorCtaBen @CtaBeneficiario @TipoCadPago @CertPago @CadPago @SelloPago DoctoRelacionado ImpuestosP`,
  DoctoRelacionado: `@IdDocumento @Serie @Folio @MonedaDR @TipoCambioDR @EquivalenciaDR @MetodoDePagoDR @NumParcialidad
    @ImpSaldoAnt @ImpPagado @ImpSaldoInsoluto @ObjetoImpDR ImpuestosDR`,
  ImpuestosDR: 'RetencionesDR TrasladosDR',
  RetencionesDR: 'RetencionDR',
  RetencionDR: '@BaseDR @ImpuestoDR @TipoFactorDR @TasaOCuotaDR @ImporteDR',
  TrasladosDR: 'TrasladoDR',
  TrasladoDR: '@BaseDR @ImpuestoDR @TipoFactorDR @TasaOCuotaDR @ImporteDR',
  ImpuestosP: 'RetencionesP TrasladosP',
  RetencionesP: 'RetencionP',
  RetencionP: '@ImpuestoP @ImporteP',
  TrasladosP: 'TrasladoP',
  TrasladoP: '@BaseP @ImpuestoP @TipoFactorP @TasaOCuotaP @ImporteP',
  ImpuestosLocales: '@version @TotaldeRetenciones @TotaldeTraslados RetencionesLocales TrasladosLocales',
  RetencionesLocales: '@ImpLocRetenido @TasadeRetencion @Importe',
  TrasladosLocales: '@ImpLocTrasladado @TasadeTraslado @Importe',
};

const COMPLEMENT_NAMESPACES: readonly string[] = ['Pagos', 'Pagos20', 'implocal'].map(
  (name) => `http://www.sat.gob.mx/${name}`,
);

const UNSIGNED_PARTS: readonly string[] = ['@Sello', '@Certificado', 'TimbreFiscalDigital', 'Addenda'];

/** @returns the text that the issuer signed (cadena original); undefined where the document has an unlisted part */
function signedText(root: XmlElement): string | undefined {
  const values: string[] = [];
  const collectSignedValues = (element: XmlElement, parent: string): boolean => {
    const { localName, uri, attributes, children } = element;
    const names = (SIGNED_PARTS[`${parent}/${localName}`] ?? SIGNED_PARTS[localName])?.split(/\s+/);
    if (!names || (uri !== root.uri && !COMPLEMENT_NAMESPACES.includes(uri))) return false;
    const known = [...names, ...UNSIGNED_PARTS];
    if (children.some((child) => !known.includes(child.localName))) return false;
    for (const name of attributes.keys()) if (!known.includes(`@${name}`)) return false;
    return names.every((name) => {
      if (!name.startsWith('@'))
        return children.every((one) => one.localName !== name || collectSignedValues(one, localName));
      const value = attributes.get(name.slice(1));
      if (value !== undefined) values.push(value.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, ''));
      return true;
    });
  };
  return collectSignedValues(root, '') ? `||${values.join('|')}||` : undefined;
}

/** Also returns false where the seal cannot be checked: no certificate, or parts that SIGNED_PARTS lacks. */
export function isAltered(root: XmlElement, emisorRfc: string): boolean {
  const [version, encoded, seal] = ['Version', 'Certificado', 'Sello'].map((name) =>
    root.attributes.get(name),
  );
  if ((version !== '3.3' && version !== '4.0') || !encoded || !seal) return false;
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(Buffer.from(encoded, 'base64'));
  } catch {
    return false;
  }
  // The owner reads "EKU9003173C9 / VADA800927DJ3": the company comes first, then the person who represents it.
  const owner = /^x500UniqueIdentifier=\s*(\S+)/m.exec(certificate.subject)?.[1];
  const { publicKey } = certificate;
  const text = owner === emisorRfc && publicKey.asymmetricKeyType === 'rsa' ? signedText(root) : undefined;
  return (
    text !== undefined && !verify('RSA-SHA256', Buffer.from(text), publicKey, Buffer.from(seal, 'base64'))
  );
}
