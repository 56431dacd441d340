import {
  type AttributeReader,
  cfdiError,
  createAttributeReader,
  DECIMAL_ONE,
  type Decimal,
  readAmount,
} from './attribute-values.ts';
import { childrenOf, type XmlElement } from './xml.ts';

export interface CfdiTax {
  tax: 'IVA' | 'ISR' | 'IEPS' | 'otro';
  /** as a fraction (0.16), 0 where exempt; null where it is an amount per unit or missing */
  rate: Decimal | null;
  isExempt: boolean;
  /** null where it is not stated: 3.3 states it only in concepts, 3.2 nowhere */
  base: Decimal | null;
  amount: Decimal;
}

export function readTaxes(
  parents: XmlElement[],
  listName: string,
  itemName: string,
  uri: string,
  readAttribute: AttributeReader,
): CfdiTax[] {
  return parents
    .flatMap((owner) => childrenOf(owner, uri, 'Impuestos'))
    .flatMap((node) => childrenOf(node, uri, listName))
    .flatMap((node) => childrenOf(node, uri, itemName))
    .map((node) => readTax(node, readAttribute));
}

/** Local taxes are stated only in their own complement, outside all totals of taxes. */
export function readLocalTaxes(complements: XmlElement[]): { traslados: Decimal; retenciones: Decimal } {
  const read = createAttributeReader('');
  const sums = { traslados: 0n, retenciones: 0n };
  for (const node of complements.flatMap((complement) =>
    childrenOf(complement, LOCAL_TAXES_NAMESPACE, 'ImpuestosLocales'),
  )) {
    const sum = (item: string, total: string) => {
      const items = childrenOf(node, LOCAL_TAXES_NAMESPACE, item);
      return items.length > 0
        ? items.reduce((amount, child) => amount + readAmount(child, 'Importe', read), 0n)
        : readAmount(node, total, read);
    };
    sums.traslados += sum('TrasladosLocales', 'TotaldeTraslados');
    sums.retenciones += sum('RetencionesLocales', 'TotaldeRetenciones');
  }
  return sums;
}

function readTax(node: XmlElement, read: AttributeReader): CfdiTax {
  const isExempt = /^exento$/i.test(read(node, 'TipoFactor'));
  const isPerUnit = /^cuota$/i.test(read(node, 'TipoFactor'));
  return {
    tax: TAXES_BY_CODE.get(read(node, 'Impuesto').toUpperCase()) ?? 'otro',
    rate: isExempt ? 0n : isPerUnit ? null : readRate(node, read),
    isExempt,
    base: read(node, 'Base') === '' ? null : readAmount(node, 'Base', read),
    amount: readAmount(node, 'Importe', read),
  };
}

/** Versions 3.3 and 4.0 write 0.160000; 3.2 writes 16.00 or 0.16, since in 3.2 no tax is 1 % or less. */
function readRate(node: XmlElement, read: AttributeReader): Decimal | null {
  const name = read(node, 'TasaOCuota') === '' ? 'Tasa' : 'TasaOCuota';
  if (read(node, name) === '') return null;
  const rate = readAmount(node, name, read);
  if (rate < 0n) throw cfdiError('bad_value', `${name}: no puede ser negativa.`);
  return name === 'Tasa' && rate > DECIMAL_ONE ? rate / 100n : rate;
}

const TAXES_BY_CODE = new Map<string, CfdiTax['tax']>([
  ['001', 'ISR'],
  ['ISR', 'ISR'],
  ['002', 'IVA'],
  ['IVA', 'IVA'],
  ['003', 'IEPS'],
  ['IEPS', 'IEPS'],
]);

const LOCAL_TAXES_NAMESPACE = 'http://www.sat.gob.mx/implocal';
