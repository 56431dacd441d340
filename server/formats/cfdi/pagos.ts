import type { PlainDate } from '../../../shared/dates.ts';
import { normalizeUuid } from '../../../shared/text.ts';
import { attributeReader, type Decimal, readAmount, readDate, refusal } from './values.ts';
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
  /** units of this currency for one of the payment's, as written; '' where missing */
  equivalencia: string;
  parcialidad: number | null;
  /** null: the whole payment; version 1.0 leaves it out where a payment pays a single invoice */
  pagado: Decimal | null;
  saldoAnterior: Decimal | null;
  saldoInsoluto: Decimal | null;
}

const PAGOS: Record<string, { rate: string }> = {
  'http://www.sat.gob.mx/Pagos': { rate: 'TipoCambioDR' },
  'http://www.sat.gob.mx/Pagos20': { rate: 'EquivalenciaDR' },
};

/**
 * Reads the complement Pagos 1.0 and 2.0 (SAT) by namespace and local name, among direct children only.
 * @throws DomainError invalid
 */
export function readPagos(complements: XmlElement[]): CfdiPago[] {
  return Object.entries(PAGOS).flatMap(([uri, { rate }]) =>
    complements
      .flatMap((node) => childrenOf(node, uri, 'Pagos'))
      .flatMap((node) => childrenOf(node, uri, 'Pago'))
      .map((node) => ({
        fecha: readDate(read(node, 'FechaPago')),
        moneda: read(node, 'MonedaP').toUpperCase(),
        tipoCambio: read(node, 'TipoCambioP'),
        monto: readNonNegative(node, 'Monto'),
        doctos: childrenOf(node, uri, 'DoctoRelacionado').map((docto) => readDocto(docto, rate)),
      })),
  );
}

const read = attributeReader('');

function readDocto(node: XmlElement, rate: string): CfdiDocto {
  const parcialidad = read(node, 'NumParcialidad');
  const readOptional = (name: string) => (read(node, name) === '' ? null : readNonNegative(node, name));
  return {
    uuid: normalizeUuid(read(node, 'IdDocumento')),
    moneda: read(node, 'MonedaDR').toUpperCase(),
    equivalencia: read(node, rate),
    parcialidad: /^\d{1,9}$/.test(parcialidad) ? Number(parcialidad) : null,
    pagado: readOptional('ImpPagado'),
    saldoAnterior: readOptional('ImpSaldoAnt'),
    saldoInsoluto: readOptional('ImpSaldoInsoluto'),
  };
}

function readNonNegative(node: XmlElement, name: string): Decimal {
  const amount = readAmount(node, name, read);
  if (amount < 0n) throw refusal('bad_value', `${name}: no puede ser negativo.`);
  return amount;
}
