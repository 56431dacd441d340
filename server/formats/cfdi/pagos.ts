import type { PlainDate } from '../../../shared/dates.ts';
import { normalizeUuid } from '../../../shared/text.ts';
import { cfdiError, createAttributeReader, type Decimal, readAmount, readDate } from './attribute-values.ts';
import { childrenOf, type XmlElement } from './xml.ts';

export interface CfdiPago {
  fecha: PlainDate;
  /** ISO 4217, of the money that was received */
  moneda: string;
  /** pesos for one unit, as written; '' where missing */
  tipoCambio: string;
  monto: Decimal;
  doctos: CfdiDocto[];
}

export interface CfdiDocto {
  /** in capitals, otherwise as written: a CFD from before 2012 has no UUID */
  uuid: string;
  moneda: string;
  /** units of this currency for one unit of the payment's, as written; '' where missing */
  equivalencia: string;
  parcialidad: number | null;
  /** null: the whole payment; version 1.0 leaves it out where a payment pays a single invoice */
  pagado: Decimal | null;
  saldoAnterior: Decimal | null;
  saldoInsoluto: Decimal | null;
}

const PAGOS_NAMESPACES: Record<string, { rate: string }> = {
  'http://www.sat.gob.mx/Pagos': { rate: 'TipoCambioDR' },
  'http://www.sat.gob.mx/Pagos20': { rate: 'EquivalenciaDR' },
};

/** Reads the complement Pagos 1.0 and 2.0 (SAT). @throws DomainError invalid */
export function readPagos(complements: XmlElement[]): CfdiPago[] {
  return Object.entries(PAGOS_NAMESPACES).flatMap(([uri, { rate }]) =>
    complements
      .flatMap((node) => childrenOf(node, uri, 'Pagos'))
      .flatMap((node) => childrenOf(node, uri, 'Pago'))
      .map((node) => ({
        fecha: readDate(readAttribute(node, 'FechaPago')),
        moneda: readAttribute(node, 'MonedaP').toUpperCase(),
        tipoCambio: readAttribute(node, 'TipoCambioP'),
        monto: readNonNegativeAmount(node, 'Monto'),
        doctos: childrenOf(node, uri, 'DoctoRelacionado').map((docto) => readDocto(docto, rate)),
      })),
  );
}

const readAttribute = createAttributeReader('');

function readDocto(node: XmlElement, rate: string): CfdiDocto {
  const parcialidad = readAttribute(node, 'NumParcialidad');
  const readOptional = (name: string) =>
    readAttribute(node, name) === '' ? null : readNonNegativeAmount(node, name);
  return {
    uuid: normalizeUuid(readAttribute(node, 'IdDocumento')),
    moneda: readAttribute(node, 'MonedaDR').toUpperCase(),
    equivalencia: readAttribute(node, rate),
    parcialidad: /^\d{1,9}$/.test(parcialidad) ? Number(parcialidad) : null,
    pagado: readOptional('ImpPagado'),
    saldoAnterior: readOptional('ImpSaldoAnt'),
    saldoInsoluto: readOptional('ImpSaldoInsoluto'),
  };
}

function readNonNegativeAmount(node: XmlElement, name: string): Decimal {
  const amount = readAmount(node, name, readAttribute);
  if (amount < 0n) throw cfdiError('bad_value', `${name}: no puede ser negativo.`);
  return amount;
}
