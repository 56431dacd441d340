import type { PlainDate } from '../../../shared/dates.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { isUuid, normalizeUuid, oneLine } from '../../../shared/text.ts';
import {
  type AttributeReader,
  cfdiError,
  cleanValue,
  createAttributeReader,
  type Decimal,
  lowercaseFirstLetter,
  normalizeCurrency,
  readAmount,
  readDate,
} from './attribute-values.ts';
import type { CfdiKind } from './kinds.ts';
import { type CfdiPago, readPagos } from './pagos.ts';
import { isAltered } from './seal.ts';
import { type CfdiTax, readLocalTaxes, readTaxes } from './taxes.ts';
import { childrenOf, readXml, type XmlElement } from './xml.ts';

export interface CfdiParty {
  /** normalized but not validated; may be '' */
  rfc: string;
  nombre: string;
}

/** `coincide`: the stamp repeats the document's seal. `alterado`: the seal does not match the document's content. */
export type SealState = 'coincide' | 'difiere' | 'alterado';

export interface CfdiDocument {
  version: '3.2' | '3.3' | '4.0';
  /** false where version and namespace name different versions */
  matchesNamespace: boolean;
  kind: CfdiKind;
  serie: string;
  folio: string;
  /** The UUID is taken from the stamp alone, in capitals; null means that the document is not stamped. */
  uuid: string | null;
  /** the text found instead of a UUID; '' where there is none */
  invalidUuid: string;
  /** null: there is no stamp, or no seal to compare with it */
  sello: SealState | null;
  fecha: PlainDate;
  emisor: CfdiParty;
  /** SAT, c_RegimenFiscal, of the issuer; '' where it is not stated as a code */
  regimenFiscal: string;
  /** the postal code of where it was issued (LugarExpedicion); '' in 3.2 */
  codigoPostal: string;
  receptor: CfdiParty;
  /** ISO 4217; the words of 3.2 ("Pesos") are translated */
  moneda: string;
  tipoCambio: string;
  subtotal: Decimal;
  descuento: Decimal;
  total: Decimal;
  /** of the document or, if it lists none, of its concepts; the same applies to retenciones */
  traslados: CfdiTax[];
  retenciones: CfdiTax[];
  hasExemptConcepts: boolean;
  /** the transferred taxes of the concepts, also where the document lists its own */
  conceptTraslados: CfdiTax[];
  localTaxes: { traslados: Decimal; retenciones: Decimal };
  /** PUE, PPD or ''; 3.2 has none */
  metodoPago: string;
  relacionados: { tipo: string; uuids: string[] }[];
  conceptos: CfdiConcept[];
  pagos: CfdiPago[];
}

interface CfdiConcept {
  descripcion: string;
  /** SAT, c_ClaveProdServ */
  clave: string;
  /** SAT, c_ObjetoImp, in 4.0 */
  objeto: string;
  importe: Decimal;
  descuento: Decimal;
}

export interface CfdiReadOptions {
  baseCurrency: string;
  /** the setting "rfc"; empty: the receiver is not compared */
  ownRfc?: string;
}

export const readCfdi = (bytes: Uint8Array): CfdiDocument => readCfdiDocument(readXml(bytes));

/** Also compares the seal with the content, which takes twice as long as the rest. */
export function readCfdiAndCheckSeal(bytes: Uint8Array): CfdiDocument {
  const root = readXml(bytes);
  const document = readCfdiDocument(root);
  const isOther = document.sello !== 'difiere' && isAltered(root, document.emisor.rfc);
  return isOther ? { ...document, sello: 'alterado' } : document;
}

/**
 * SAT, Anexo 20: versions 3.2, 3.3, 4.0. Nodes are matched by namespace and local name among direct children only,
 * since addenda and complements repeat the names of the CFDI's own nodes.
 * @throws DomainError invalid (not_cfdi, unsupported_version, lowercase_attributes, missing_attributes, bad_value)
 */
function readCfdiDocument(root: XmlElement): CfdiDocument {
  requireCfdiRoot(root);
  const version = readVersion(root);
  const read = createAttributeReader(version);
  const emisor = childrenOf(root, root.uri, 'Emisor')[0];
  const receptor = childrenOf(root, root.uri, 'Receptor')[0];
  if (version !== '3.2') requireAttributeCase(version, root, emisor, receptor);
  requireAttributes(version, read, root, emisor);

  const complements = childrenOf(root, root.uri, 'Complemento');
  const concepts = childrenOf(root, root.uri, 'Conceptos').flatMap((node) =>
    childrenOf(node, root.uri, 'Concepto'),
  );
  const readTaxesOfList = (list: string, item: string) => {
    const own = readTaxes([root], list, item, root.uri, read);
    return own.length > 0 ? own : readTaxes(concepts, list, item, root.uri, read);
  };
  const conceptTraslados = readTaxes(concepts, 'Traslados', 'Traslado', root.uri, read);
  const metodoPago = read(root, 'MetodoPago').toUpperCase();
  const kind = readKind(read(root, 'TipoDeComprobante'), version, complements);
  return {
    version,
    matchesNamespace: (root.uri === CFDI_4_NAMESPACE) === (version === '4.0'),
    kind,
    serie: read(root, 'Serie'),
    folio: read(root, 'Folio'),
    ...readStamp(complements, readSeal(root)),
    fecha: readDate(read(root, 'Fecha')),
    emisor: readParty(emisor, read),
    regimenFiscal: /^\d{3}$/.exec(read(emisor, 'RegimenFiscal'))?.[0] ?? '',
    codigoPostal: /^\d{5}$/.exec(read(root, 'LugarExpedicion'))?.[0] ?? '',
    receptor: readParty(receptor, read),
    moneda: normalizeCurrency(read(root, 'Moneda')),
    tipoCambio: read(root, 'TipoCambio'),
    subtotal: readAmount(root, 'SubTotal', read),
    descuento: readAmount(root, 'Descuento', read),
    total: readAmount(root, 'Total', read),
    traslados: readTaxesOfList('Traslados', 'Traslado'),
    retenciones: readTaxesOfList('Retenciones', 'Retencion'),
    hasExemptConcepts: conceptTraslados.some((t) => t.tax === 'IVA' && t.isExempt),
    conceptTraslados,
    localTaxes: readLocalTaxes(complements),
    metodoPago: metodoPago === 'PUE' || metodoPago === 'PPD' ? metodoPago : '',
    relacionados: childrenOf(root, root.uri, 'CfdiRelacionados').map((node) => ({
      tipo: read(node, 'TipoRelacion'),
      uuids: childrenOf(node, root.uri, 'CfdiRelacionado').map((item) => normalizeUuid(read(item, 'UUID'))),
    })),
    conceptos: concepts.map((node) => ({
      descripcion: read(node, 'Descripcion'),
      clave: read(node, 'ClaveProdServ'),
      objeto: read(node, 'ObjetoImp'),
      importe: readAmount(node, 'Importe', read),
      descuento: readAmount(node, 'Descuento', read),
    })),
    pagos: kind === 'P' ? readPagos(complements) : [],
  };
}

const CFDI_3_NAMESPACE = 'http://www.sat.gob.mx/cfd/3';
const CFDI_4_NAMESPACE = 'http://www.sat.gob.mx/cfd/4';
const STAMP_NAMESPACE = 'http://www.sat.gob.mx/TimbreFiscalDigital';

function requireCfdiRoot({ uri, localName, children }: XmlElement): void {
  if (localName === 'Comprobante' && (uri === CFDI_3_NAMESPACE || uri === CFDI_4_NAMESPACE)) return;
  const name = oneLine(localName).slice(0, 60);
  if (uri.startsWith('http://www.sat.gob.mx/esquemas/retencionpago') || localName === 'Retenciones') {
    throw cfdiError('not_cfdi', 'Es una constancia de retenciones e información de pagos, no una factura.');
  }
  if (/^Acuse/.test(localName)) throw cfdiError('not_cfdi', 'Es un acuse del SAT, no una factura.');
  if (/^html$/i.test(localName)) throw cfdiError('not_cfdi', 'Es una página web (HTML), no un CFDI.');
  if (children.some(containsCfdi)) {
    const wrapper = localName === 'Envelope' ? 'un sobre SOAP' : `«${name}»`;
    throw cfdiError(
      'not_cfdi',
      `El comprobante viene dentro de ${wrapper}: guarda solo el XML del comprobante.`,
    );
  }
  if (localName === 'Comprobante') {
    const old =
      uri === 'http://www.sat.gob.mx/cfd/2' ? 'Es un CFD anterior al CFDI' : 'Su «Comprobante» no es del SAT';
    throw cfdiError('not_cfdi', `${old}: solo se leen CFDI 3.2, 3.3 y 4.0.`);
  }
  throw cfdiError('not_cfdi', `No es un CFDI: su raíz es «${name}», no «Comprobante».`);
}

/** Recursion is safe here: the reader limits the depth of the tree. */
const containsCfdi = (node: XmlElement): boolean =>
  (node.localName === 'Comprobante' && (node.uri === CFDI_3_NAMESPACE || node.uri === CFDI_4_NAMESPACE)) ||
  node.children.some(containsCfdi);

function readVersion({ attributes }: XmlElement): CfdiDocument['version'] {
  const version = cleanValue(attributes.get('Version') ?? attributes.get('version') ?? '');
  if (version === '3.2' || version === '3.3' || version === '4.0') return version;
  const phrase = version ? `de versión «${version.slice(0, 20)}»` : 'sin versión';
  throw cfdiError('unsupported_version', `Es un comprobante ${phrase}: solo se leen CFDI 3.2, 3.3 y 4.0.`);
}

function requireAttributeCase(
  version: string,
  root: XmlElement,
  ...parties: (XmlElement | undefined)[]
): void {
  const wrong = [
    ...ROOT_ATTRIBUTES.filter((name) => root.attributes.has(lowercaseFirstLetter(name))),
    ...['Rfc', 'Nombre'].filter((name) =>
      parties.some((party) => party?.attributes.has(lowercaseFirstLetter(name))),
    ),
  ].map(lowercaseFirstLetter);
  if (wrong.length === 0) return;
  const message = `Es un CFDI ${version} con atributos en minúsculas, que esa versión no admite: ${wrong.join(', ')}.`;
  throw cfdiError('lowercase_attributes', message);
}

const ROOT_ATTRIBUTES = [
  'Version',
  'Serie',
  'Folio',
  'Fecha',
  'SubTotal',
  'Descuento',
  'Total',
  'Moneda',
  'TipoCambio',
].concat(['TipoDeComprobante', 'MetodoPago']);

function requireAttributes(
  version: string,
  read: AttributeReader,
  root: XmlElement,
  emisor: XmlElement | undefined,
): void {
  // Documents of type P and T have no amounts of their own. They can be described even if the issuer's RFC is missing.
  const isMoneyless = /^[pt]$/i.test(read(root, 'TipoDeComprobante'));
  const needed = ['TipoDeComprobante', 'Fecha', ...(isMoneyless ? [] : ['SubTotal', 'Total'])];
  // 3.2 leaves Moneda out for pesos.
  if (!isMoneyless && version !== '3.2') needed.push('Moneda');
  const missing = needed
    .filter((name) => read(root, name) === '')
    .map((name) => (version === '3.2' ? lowercaseFirstLetter(name) : name));
  if (!isMoneyless && read(emisor, 'Rfc') === '') missing.push('RFC del emisor');
  if (missing.length === 0) return;
  throw cfdiError(
    'missing_attributes',
    `Al CFDI ${version} le faltan datos obligatorios: ${missing.join(', ')}.`,
  );
}

const KINDS_BY_TEXT = new Map<string, CfdiKind>([
  ['i', 'I'],
  ['ingreso', 'I'],
  ['e', 'E'],
  ['egreso', 'E'],
  ['p', 'P'],
  ['pago', 'P'],
  ['n', 'N'],
  ['nomina', 'N'],
  ['t', 'T'],
  ['traslado', 'T'],
]);

/** Version 3.2 has no N: payroll was an egreso with the payroll complement, and must not be read as a credit note. */
function readKind(text: string, version: string, complements: XmlElement[]): CfdiKind {
  const kind = KINDS_BY_TEXT.get(text.toLowerCase());
  if (!kind) throw cfdiError('bad_value', `TipoDeComprobante: no se conoce «${text.slice(0, 20)}».`);
  const isPayroll = (node: XmlElement) =>
    node.localName === 'Nomina' && node.uri.startsWith('http://www.sat.gob.mx/nomina');
  return version === '3.2' && kind === 'E' && complements.some((node) => node.children.some(isPayroll))
    ? 'N'
    : kind;
}

/** Of several stamps the first valid UUID counts. UUIDs of related documents and addenda are not the document's own. */
function readStamp(
  complements: XmlElement[],
  seal: string,
): Pick<CfdiDocument, 'uuid' | 'invalidUuid' | 'sello'> {
  const stamps = complements.flatMap((node) => childrenOf(node, STAMP_NAMESPACE, 'TimbreFiscalDigital'));
  const uuidOf = (stamp: XmlElement) => normalizeUuid(cleanValue(stamp.attributes.get('UUID') ?? ''));
  const stamp = stamps.find((one) => isUuid(uuidOf(one)));
  if (!stamp) return { uuid: null, invalidUuid: stamps.map(uuidOf).find(Boolean) ?? '', sello: null };
  const stamped = readSeal(stamp, 'CFD');
  const sello = seal === '' && stamped === '' ? null : seal === stamped ? 'coincide' : 'difiere';
  return { uuid: uuidOf(stamp), invalidUuid: '', sello };
}

/** In 3.2 and its stamp, the attribute's name begins with a small letter. Some programs break a seal into lines. */
const readSeal = ({ attributes }: XmlElement, ending = ''): string =>
  (attributes.get(`Sello${ending}`) ?? attributes.get(`sello${ending}`) ?? '').replace(/\s+/g, '');

const readParty = (node: XmlElement | undefined, read: AttributeReader): CfdiParty => ({
  rfc: normalizeRfc(read(node, 'Rfc')),
  nombre: read(node, 'Nombre'),
});
