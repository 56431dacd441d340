import { computeIvaAndTotal, type InvoiceFieldValues, invoiceTexts } from '../../../shared/invoices.ts';
import {
  type Cents,
  computeTax,
  divideHalfUp,
  RATE_SCALE,
  type Rate,
  toDecimalText,
} from '../../../shared/money.ts';
import { type BrokenRule, createRefusal } from '../../../shared/refusal.ts';
import { DECIMAL_ONE, type Decimal } from '../../formats/cfdi/attribute-values.ts';
import { AMOUNT_COLUMNS, type Amounts, amountsOf } from './rows.ts';

export interface CurrencyAndRate {
  moneda: string;
  /** The rate is the price of one unit in the base currency. */
  rate: Decimal;
}

interface StatedAmounts
  extends Pick<
    InvoiceFieldValues,
    'subtotalCents' | 'ivaCents' | 'otrosimpuestosCents' | 'retencionesCents' | 'totalCents'
  > {
  tasa?: Rate | null;
  uuid?: string | null;
  currencyAndRate?: CurrencyAndRate;
  deleted?: Amounts;
}

interface AmountsAndDisagreement {
  amounts: Amounts;
  disagreement?: BrokenRule;
}

export function computeAmounts(
  draft: StatedAmounts,
  previous: Amounts | undefined,
  defaultRate: () => Rate,
): AmountsAndDisagreement {
  if (previous) return computeChangedAmounts(draft, previous);
  if (draft.deleted) return { amounts: amountsOf(draft.deleted) };
  const { subtotalCents = 0, otrosimpuestosCents = 0, retencionesCents = 0, currencyAndRate } = draft;
  const tasa = draft.tasa === undefined ? defaultRate() : draft.tasa;
  const computeIva = () => computeTax(subtotalCents, tasa ?? defaultRate());
  // The figures of a CFDI are stored as stated; only their sum is checked.
  const ivaCents = draft.uuid ? (draft.ivaCents ?? computeIva()) : computeIva();
  const totalCents = subtotalCents + ivaCents + otrosimpuestosCents - retencionesCents;
  const originalAmounts = {
    subtotalCents,
    tasa,
    ivaCents,
    otrosimpuestosCents,
    retencionesCents,
    totalCents,
  };
  return {
    amounts: currencyAndRate ? convertAmounts(originalAmounts, currencyAndRate) : originalAmounts,
    disagreement: findDisagreement(draft, originalAmounts),
  };
}

function computeChangedAmounts(draft: StatedAmounts, previous: Amounts): AmountsAndDisagreement {
  if (AMOUNT_COLUMNS.every((name) => draft[name] === undefined || draft[name] === previous[name]))
    return { amounts: amountsOf(previous) };
  const subtotalCents = draft.subtotalCents ?? previous.subtotalCents;
  const tasa = draft.tasa ?? inferTaxRate(previous, subtotalCents, draft.ivaCents);
  if (typeof tasa !== 'number') return { amounts: amountsOf(previous), disagreement: tasa };
  const amounts = {
    subtotalCents,
    tasa,
    otrosimpuestosCents: draft.otrosimpuestosCents ?? previous.otrosimpuestosCents,
    retencionesCents: draft.retencionesCents ?? previous.retencionesCents,
  };
  const computed = computeIvaAndTotal(amounts);
  return { amounts: { ...amounts, ...computed }, disagreement: findDisagreement(draft, computed) };
}

/** Finds the rate of a change that states none: the stored rate, or the one that yields the stated IVA. */
function inferTaxRate(
  previous: Amounts,
  subtotalCents: Cents,
  ivaCents: Cents | undefined,
): Rate | BrokenRule {
  if (
    previous.tasa !== null &&
    (ivaCents === undefined || computeTax(subtotalCents, previous.tasa) === ivaCents)
  )
    return previous.tasa;
  if (ivaCents !== undefined && ivaCents >= 0 && subtotalCents > 0) {
    const rate = divideHalfUp(BigInt(ivaCents) * BigInt(100 * RATE_SCALE), BigInt(subtotalCents));
    if (rate <= 100 * RATE_SCALE && computeTax(subtotalCents, rate) === ivaCents) return rate;
  }
  const message = ivaCents === undefined ? invoiceTexts.missingRate : invoiceTexts.noSuchRate;
  return createRefusal(message, 'tasa');
}

function findDisagreement(
  draft: Pick<StatedAmounts, 'ivaCents' | 'totalCents'>,
  computed: Pick<Amounts, 'ivaCents' | 'totalCents'>,
): BrokenRule | undefined {
  const fields: Record<string, string> = {};
  if (draft.ivaCents !== undefined && draft.ivaCents !== computed.ivaCents)
    fields.iva = `El IVA debe ser ${toDecimalText(computed.ivaCents)}.`;
  if (draft.totalCents !== undefined && draft.totalCents !== computed.totalCents)
    fields.total = `El total debe ser ${toDecimalText(computed.totalCents)}.`;
  const [message] = Object.values(fields);
  return message ? { message, code: 'amounts_disagree', fields } : undefined;
}

/** Derives the subtotal from the converted total, so that the sum agrees. Its IVA may be some cents off the rate. */
function convertAmounts(originalAmounts: Amounts, { rate }: CurrencyAndRate): Amounts {
  const convertToBaseCents = (cents: Cents) => divideHalfUp(BigInt(cents) * rate, DECIMAL_ONE);
  const [totalCents, ivaCents] = [
    convertToBaseCents(originalAmounts.totalCents),
    convertToBaseCents(originalAmounts.ivaCents),
  ];
  const retencionesCents = convertToBaseCents(originalAmounts.retencionesCents);
  const subtotalAndOthers = totalCents - ivaCents + retencionesCents;
  const otherTaxes = convertToBaseCents(originalAmounts.otrosimpuestosCents);
  const subtotalCents = originalAmounts.subtotalCents === 0 ? 0 : subtotalAndOthers - otherTaxes;
  const otrosimpuestosCents = subtotalAndOthers - subtotalCents;
  return { ...originalAmounts, totalCents, ivaCents, retencionesCents, otrosimpuestosCents, subtotalCents };
}
