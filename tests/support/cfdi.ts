/** Small CFDI for tests: a test starts from a plain valid invoice and gives only what differs. */

export interface CfdiParts {
  version?: '3.2' | '3.3' | '4.0';
  /** the prefix of the namespace; '' for the default namespace */
  prefix?: string;
  uri?: string;
  /** attributes of the root element by their 4.0 name; undefined removes one */
  root?: Record<string, string | undefined>;
  emisor?: Record<string, string>;
  receptor?: Record<string, string>;
  /** the UUID in the stamp; null leaves the stamp out */
  uuid?: string | null;
  /** the seal that the stamp repeats */
  stampedSeal?: string;
  /** This part and the next two are XML, with {p} for the prefix. */
  relacionados?: string;
  conceptos?: string;
  impuestos?: string;
  /** XML inside the first Complemento, before the stamp */
  complemento?: string;
  addenda?: string;
  declaration?: string;
}

export const SAMPLE_UUID = 'AAAAAAAA-1111-4222-8333-BBBBBBBBBBBB';

export const uuidOfNumber = (n: number): string => `AAAAAAAA-1111-4222-8333-${String(n).padStart(12, '0')}`;

const DEFAULT_CONCEPTOS = `<{p}Conceptos><{p}Concepto Cantidad="1" Descripcion="Cemento gris" ValorUnitario="1000.00" Importe="1000.00" ObjetoImp="02"/></{p}Conceptos>`;

export const IVA_16 = buildImpuestos(
  '<{p}Traslado Base="1000.00" Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="160.00"/>',
);

export function buildCfdi(parts: CfdiParts = {}): string {
  const {
    version = '4.0',
    prefix = 'cfdi',
    declaration = '<?xml version="1.0" encoding="UTF-8"?>\n',
  } = parts;
  const uri = parts.uri ?? `http://www.sat.gob.mx/cfd/${version === '4.0' ? 4 : 3}`;
  const uuid = parts.uuid === undefined ? SAMPLE_UUID : parts.uuid;
  const root = {
    Version: version,
    Serie: 'A',
    Folio: '0012',
    Fecha: '2024-03-05T09:00:00',
    SubTotal: '1000.00',
    Moneda: 'MXN',
    Total: '1160.00',
    TipoDeComprobante: version === '3.2' ? 'ingreso' : 'I',
    MetodoPago: version === '3.2' ? undefined : 'PPD',
    ...parts.root,
  };
  const stamp = uuid === null ? '' : buildStamp(uuid, parts.stampedSeal);
  const complement = `${parts.complemento ?? ''}${stamp}`;
  const xml = [
    `<{p}Comprobante xmlns${prefix && `:${prefix}`}="${uri}" ${formatAttributes(root, version)}>`,
    parts.relacionados ?? '',
    `<{p}Emisor ${formatAttributes(parts.emisor ?? { Rfc: 'EKU9003173C9', Nombre: 'Escuela Kemper' }, version)}/>`,
    `<{p}Receptor ${formatAttributes(parts.receptor ?? { Rfc: 'IVD920810GU2', Nombre: 'Innovación' }, version)}/>`,
    parts.conceptos ?? DEFAULT_CONCEPTOS,
    parts.impuestos ?? IVA_16,
    complement && `<{p}Complemento>${complement}</{p}Complemento>`,
    parts.addenda ? `<{p}Addenda>${parts.addenda}</{p}Addenda>` : '',
    '</{p}Comprobante>',
  ].join('');
  return declaration + xml.replaceAll('{p}', prefix && `${prefix}:`);
}

export const buildCreditNote = (uuids: readonly string[], parts: CfdiParts = {}): string =>
  buildCfdi({
    relacionados: uuids.length > 0 ? buildRelations('01', ...uuids) : '',
    impuestos: buildImpuestos(buildTraslado('002', '0.160000', '16.00')),
    conceptos: buildConceptos(buildConcepto('100.00', '', 'Bonificación')),
    ...parts,
    root: {
      Serie: 'NC',
      Fecha: '2024-03-20T09:00:00',
      SubTotal: '100.00',
      Total: '116.00',
      TipoDeComprobante: 'E',
      MetodoPago: 'PUE',
      ...parts.root,
    },
  });

interface ReceiptDocto {
  amount: string;
  of: string;
  moneda?: string;
  equivalencia?: string;
  /** the balance before the payment and after it */
  saldos?: [string, string];
}

export interface ReceiptParts {
  version?: '1.0' | '2.0';
  uuid?: string | null;
  emisor?: Record<string, string>;
  fecha?: string;
  moneda?: string;
  tipoCambio?: string;
  monto?: string;
  /** the amount that is paid of each invoice; null: the document has no complement */
  doctos: ReceiptDocto[] | null;
}

/** Sums the payments of its lines, in the payment's currency. */
const sumOfDoctos = (doctos: readonly ReceiptDocto[]): string =>
  doctos
    .reduce((sum, { amount, equivalencia }) => sum + Number(amount) / Number(equivalencia || 1), 0)
    .toFixed(2);

export function buildReceipt({ version = '2.0', uuid, emisor, doctos, ...parts }: ReceiptParts): string {
  const {
    fecha = '2024-04-05',
    moneda = 'MXN',
    tipoCambio = version === '2.0' && moneda === 'MXN' ? '1' : '',
    monto = sumOfDoctos(doctos ?? []),
  } = parts;
  const rate = version === '2.0' ? 'EquivalenciaDR' : 'TipoCambioDR';
  const lines = doctos?.map(
    ({ amount, of, moneda: own = 'MXN', equivalencia = version === '2.0' ? '1' : '', saldos }) =>
      `<pg:DoctoRelacionado IdDocumento="${of.toLowerCase()}" MonedaDR="${own}" ${equivalencia && `${rate}="${equivalencia}"`} NumParcialidad="1" ImpPagado="${amount}" ${saldos ? `ImpSaldoAnt="${saldos[0]}" ImpSaldoInsoluto="${saldos[1]}"` : ''}/>`,
  );
  const space = `http://www.sat.gob.mx/Pagos${version === '2.0' ? '20' : ''}`;
  const pago = `FechaPago="${fecha}T12:00:00" MonedaP="${moneda}" ${tipoCambio && `TipoCambioP="${tipoCambio}"`} Monto="${monto}"`;
  return buildCfdi({
    version: version === '2.0' ? '4.0' : '3.3',
    uuid,
    ...(emisor ? { emisor } : {}),
    conceptos: buildConceptos(buildConcepto('0', '', 'Pago')),
    impuestos: '',
    complemento: lines
      ? `<pg:Pagos xmlns:pg="${space}" Version="${version}"><pg:Pago ${pago}>${lines.join('')}</pg:Pago></pg:Pagos>`
      : '',
    root: {
      Serie: 'P',
      Folio: '1',
      Fecha: '2024-04-06T09:00:00',
      SubTotal: '0',
      Total: '0',
      Moneda: 'XXX',
      TipoDeComprobante: 'P',
      MetodoPago: undefined,
    },
  });
}

export const buildRelations = (tipo: string, ...uuids: string[]): string =>
  `<{p}CfdiRelacionados TipoRelacion="${tipo}">${uuids.map((uuid) => `<{p}CfdiRelacionado UUID="${uuid.toLowerCase()}"/>`).join('')}</{p}CfdiRelacionados>`;

export const buildReplacements = (...uuids: string[]): string => buildRelations('04', ...uuids);

export const buildStamp = (uuid: string, seal?: string): string =>
  `<tfd:TimbreFiscalDigital xmlns:tfd="http://www.sat.gob.mx/TimbreFiscalDigital" Version="1.1" UUID="${uuid}"${seal === undefined ? '' : ` SelloCFD="${seal}"`}/>`;

export const buildTraslado = (impuesto: string, tasa: string, importe: string): string =>
  `<{p}Traslado Impuesto="${impuesto}" TipoFactor="Tasa" TasaOCuota="${tasa}" Importe="${importe}"/>`;

export const buildRetencion = (impuesto: string, importe: string): string =>
  `<{p}Retencion Impuesto="${impuesto}" Importe="${importe}"/>`;

export function buildImpuestos(items: string, retenciones = ''): string {
  const held = retenciones && `<{p}Retenciones>${retenciones}</{p}Retenciones>`;
  return `<{p}Impuestos>${held}${items && `<{p}Traslados>${items}</{p}Traslados>`}</{p}Impuestos>`;
}

export const buildLocalTaxes = (items: string, totals = ''): string =>
  `<implocal:ImpuestosLocales xmlns:implocal="http://www.sat.gob.mx/implocal" version="1.0" ${totals}>${items}</implocal:ImpuestosLocales>`;

export const buildConcepto = (importe: string, impuestos = '', descripcion = 'Varilla'): string =>
  `<{p}Concepto Descripcion="${descripcion}" Importe="${importe}">${impuestos}</{p}Concepto>`;

export const buildConceptos = (...items: string[]): string =>
  `<{p}Conceptos>${items.join('')}</{p}Conceptos>`;

export const bytesOf = (xml: string, encoding: BufferEncoding = 'utf8'): Buffer => Buffer.from(xml, encoding);

function formatAttributes(values: Record<string, string | undefined>, version: string): string {
  return Object.entries(values)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(
      ([name, value]) =>
        `${version === '3.2' && !CAPITALIZED_NAMES_IN_3_2.has(name) ? lowerFirst(name) : name}="${value}"`,
    )
    .join(' ');
}

/** These attributes are written in 3.2 as in the later versions. */
const CAPITALIZED_NAMES_IN_3_2 = new Set(['Moneda', 'TipoCambio']);

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
