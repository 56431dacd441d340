import { type Cents, divideHalfUp } from '../../../shared/money.ts';
import { cfdiError, DECIMAL_ONE, type Decimal, parseDecimal } from './attribute-values.ts';
import type { CfdiDocument } from './document.ts';
import type { CfdiAmounts } from './figures.ts';
import type { CfdiTax } from './taxes.ts';

/** The TipoCambio of a CFDI is in pesos, whatever the base currency is (SAT, Anexo 20). */
const PESO_CODE = 'MXN';

/** Plausible rates, in pesos for one unit, with bounds wide enough to last. Other currencies get the widest bounds. */
const PLAUSIBLE_RATES = new Map<string, [lowest: Decimal, highest: Decimal]>(
  ['USD', 'EUR', 'GBP', 'CHF', 'CAD'].map((currency) => [currency, [5n * DECIMAL_ONE, 100n * DECIMAL_ONE]]),
);
const FALLBACK_RATE_BOUNDS: [Decimal, Decimal] = [DECIMAL_ONE / 100_000n, 1_000n * DECIMAL_ONE];

export function readExchangeRate(
  { moneda, tipoCambio }: CfdiDocument,
  baseCurrency: string,
): Decimal | undefined {
  return moneda === baseCurrency ? undefined : requirePlausibleRate(moneda, tipoCambio, baseCurrency);
}

export function requirePlausibleRate(moneda: string, tipoCambio: string, baseCurrency: string): Decimal {
  const shown = moneda.slice(0, 20);
  if (!/^[A-Z]{3}$/.test(moneda) || moneda === 'XXX') {
    throw cfdiError('unconvertible_currency', `La moneda «${shown}» no sirve para una factura.`);
  }
  if (baseCurrency !== PESO_CODE || moneda === PESO_CODE) {
    throw cfdiError(
      'unconvertible_currency',
      `Está en ${shown}: su tipo de cambio es a pesos y no sirve para convertir a ${baseCurrency}.`,
    );
  }
  if (tipoCambio === '') {
    throw cfdiError('missing_exchange_rate', `Está en ${shown} y no trae tipo de cambio (TipoCambio).`);
  }
  const rate = parseDecimal(tipoCambio);
  const [lowest, highest] = PLAUSIBLE_RATES.get(moneda) ?? FALLBACK_RATE_BOUNDS;
  if (rate !== undefined && rate >= lowest && rate <= highest) return rate;
  throw cfdiError(
    'absurd_exchange_rate',
    `Está en ${shown} con un tipo de cambio imposible: ${tipoCambio.slice(0, 30)}.`,
  );
}

/** Rounds total, IVA, other taxes and each withholding once; the subtotal is the remainder, so that the sum holds. */
export function convertAmounts(document: CfdiDocument, amounts: CfdiAmounts, rate: Decimal): CfdiAmounts {
  const convertDecimalToCents = (amount: Decimal): Cents =>
    divideHalfUp(amount * rate, (DECIMAL_ONE * DECIMAL_ONE) / 100n);
  const convertCents = (cents: Cents): Cents => divideHalfUp(BigInt(cents) * rate, DECIMAL_ONE);
  const iva = document.traslados.filter((item: CfdiTax) => item.tax === 'IVA');
  const totalCents = convertDecimalToCents(document.total);
  const ivaCents = convertDecimalToCents(iva.reduce((sum, item) => sum + item.amount, 0n));
  const parts = Object.entries(amounts.retenciones).map(([name, cents]) => [name, convertCents(cents)]);
  const retenciones = Object.fromEntries(parts) as CfdiAmounts['retenciones'];
  const retencionesCents = Object.values(retenciones).reduce((sum, part) => sum + part, 0);
  const others = convertCents(amounts.otrosimpuestosCents);
  const rest = totalCents - ivaCents + retencionesCents;
  // A subtotal of zero can't absorb the cents of rounding, so the other taxes do.
  const subtotalCents = amounts.subtotalCents === 0 ? 0 : Math.max(0, rest - others);
  return {
    subtotalCents,
    ivaCents,
    otrosimpuestosCents: rest - subtotalCents,
    retencionesCents,
    totalCents,
    retenciones,
  };
}
