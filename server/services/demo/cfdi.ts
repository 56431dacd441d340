import { demoUuid } from '../../../db/demo/credit-notes.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { type Cents, moneyText } from '../../../shared/money.ts';

/** Who issues a document, or is sent it. */
export interface DemoParty {
  rfc: string;
  nombre: string;
}

interface DemoConcept {
  descripcion: string;
  cantidad: number;
  unitCents: Cents;
  /** of IVA, in percent */
  rate: 0 | 16;
}

export interface DemoDocument {
  tipo: 'I' | 'E';
  serie: string;
  folio: string;
  fecha: PlainDate;
  emisor: DemoParty;
  receptor: DemoParty;
  metodoPago: 'PUE' | 'PPD';
  /** in pesos without it */
  dollars?: { rate: string };
  conceptos: readonly DemoConcept[];
  /** the invoice that a credit note takes from */
  credits?: string;
}

const amountOf = ({ cantidad, unitCents }: DemoConcept): Cents => cantidad * unitCents;
const taxOn = (concept: DemoConcept): Cents => Math.round((amountOf(concept) * concept.rate) / 100);
const sum = (cents: readonly Cents[]): Cents => cents.reduce((total, one) => total + one, 0);

/** Always the same one for the same document. */
export const uuidOf = ({ emisor, serie, folio }: Pick<DemoDocument, 'emisor' | 'serie' | 'folio'>): string =>
  demoUuid(`${emisor.rfc} ${serie}-${folio}`);

export function totalsOf({ conceptos }: Pick<DemoDocument, 'conceptos'>) {
  const [subtotalCents, ivaCents] = [sum(conceptos.map(amountOf)), sum(conceptos.map(taxOn))];
  return { subtotalCents, ivaCents, totalCents: subtotalCents + ivaCents };
}

/** The XML of an invoice or a credit note, CFDI 4.0. Its seal is none: nobody issued it. */
export function buildDemoCfdi(document: DemoDocument): string {
  const { tipo, serie, folio, fecha, metodoPago, dollars, conceptos, credits } = document;
  const { subtotalCents, ivaCents, totalCents } = totalsOf(document);
  const taxed = [...new Set(conceptos.map(({ rate }) => rate))].map((rate) => {
    const own = conceptos.filter((concept) => concept.rate === rate);
    return traslado(sum(own.map(amountOf)), rate, sum(own.map(taxOn)));
  });
  const items = conceptos.map((concept) => {
    const { descripcion, cantidad, unitCents, rate } = concept;
    const own = traslado(amountOf(concept), rate, taxOn(concept));
    return `<cfdi:Concepto Cantidad="${cantidad}" Descripcion="${escapeXml(descripcion)}" ValorUnitario="${moneyText(unitCents)}" Importe="${moneyText(amountOf(concept))}" ObjetoImp="02"><cfdi:Impuestos><cfdi:Traslados>${own}</cfdi:Traslados></cfdi:Impuestos></cfdi:Concepto>`;
  });
  const currency = dollars ? `Moneda="USD" TipoCambio="${dollars.rate}"` : 'Moneda="MXN"';
  return comprobante(
    `Serie="${serie}" Folio="${folio}" Fecha="${fecha}T10:15:00" SubTotal="${moneyText(subtotalCents)}" ${currency} Total="${moneyText(totalCents)}" TipoDeComprobante="${tipo}" MetodoPago="${metodoPago}"`,
    [
      credits &&
        `<cfdi:CfdiRelacionados TipoRelacion="01"><cfdi:CfdiRelacionado UUID="${credits}"/></cfdi:CfdiRelacionados>`,
      parties(document),
      `<cfdi:Conceptos>${items.join('')}</cfdi:Conceptos>`,
      `<cfdi:Impuestos TotalImpuestosTrasladados="${moneyText(ivaCents)}"><cfdi:Traslados>${taxed.join('')}</cfdi:Traslados></cfdi:Impuestos>`,
      `<cfdi:Complemento>${stamp(document)}</cfdi:Complemento>`,
    ],
  );
}

interface DemoReceipt extends Pick<DemoDocument, 'serie' | 'folio' | 'fecha' | 'emisor' | 'receptor'> {
  paidOn: PlainDate;
  amountCents: Cents;
  /** of the invoice that it pays a part of */
  invoice: DemoDocument;
}

/** The XML of a receipt of one payment (complemento de pagos 2.0). */
export function buildDemoReceipt(receipt: DemoReceipt): string {
  const { serie, folio, fecha, paidOn, amountCents, invoice } = receipt;
  const { totalCents } = totalsOf(invoice);
  const docto = `<pago20:DoctoRelacionado IdDocumento="${uuidOf(invoice)}" Serie="${invoice.serie}" Folio="${invoice.folio}" MonedaDR="MXN" EquivalenciaDR="1" NumParcialidad="1" ImpSaldoAnt="${moneyText(totalCents)}" ImpPagado="${moneyText(amountCents)}" ImpSaldoInsoluto="${moneyText(totalCents - amountCents)}" ObjetoImpDR="02"/>`;
  const pago = `<pago20:Pago FechaPago="${paidOn}T12:00:00" FormaDePagoP="03" MonedaP="MXN" TipoCambioP="1" Monto="${moneyText(amountCents)}">${docto}</pago20:Pago>`;
  return comprobante(
    `Serie="${serie}" Folio="${folio}" Fecha="${fecha}T09:30:00" SubTotal="0" Moneda="XXX" Total="0" TipoDeComprobante="P"`,
    [
      parties(receipt),
      '<cfdi:Conceptos><cfdi:Concepto Cantidad="1" Descripcion="Pago" ValorUnitario="0" Importe="0" ObjetoImp="01"/></cfdi:Conceptos>',
      `<cfdi:Complemento><pago20:Pagos xmlns:pago20="http://www.sat.gob.mx/Pagos20" Version="2.0">${pago}</pago20:Pagos>${stamp(receipt)}</cfdi:Complemento>`,
    ],
  );
}

type Heading = Pick<DemoDocument, 'serie' | 'folio' | 'fecha' | 'emisor' | 'receptor'>;

const comprobante = (attributes: string, parts: (string | undefined)[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" Version="4.0" ${attributes} LugarExpedicion="64000">${parts.filter(Boolean).join('')}</cfdi:Comprobante>\n`;

const parties = ({ emisor, receptor }: Heading): string =>
  `<cfdi:Emisor Rfc="${escapeXml(emisor.rfc)}" Nombre="${escapeXml(emisor.nombre)}" RegimenFiscal="601"/><cfdi:Receptor Rfc="${escapeXml(receptor.rfc)}" Nombre="${escapeXml(receptor.nombre)}" UsoCFDI="I01"/>`;

const stamp = (heading: Heading): string =>
  `<tfd:TimbreFiscalDigital xmlns:tfd="http://www.sat.gob.mx/TimbreFiscalDigital" Version="1.1" UUID="${uuidOf(heading)}" FechaTimbrado="${heading.fecha}T10:16:00"/>`;

const traslado = (base: Cents, rate: number, amount: Cents): string =>
  `<cfdi:Traslado Base="${moneyText(base)}" Impuesto="002" TipoFactor="Tasa" TasaOCuota="${(rate / 100).toFixed(6)}" Importe="${moneyText(amount)}"/>`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** One page with these lines, as a supplier's printed copy of the document might be. */
export function printDemoPdf(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const content = `BT /F1 11 Tf 16 TL 56 720 Td\n${text}\nET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ];
  let pdf = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${pdf}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${pdf.length}\n%%EOF\n`,
    'latin1',
  );
}
