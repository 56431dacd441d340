import { DomainError } from './errors.ts';
import { computeIvaAndTotal, type InvoiceField } from './invoices.ts';
import type { DueContext } from './invoices-due.ts';
import { type Cents, parseMoney, parseRate } from './money.ts';

export const OTHER_AMOUNT_FIELDS = ['otrosimpuestos', 'retenciones'] as const;
export const TYPED_AMOUNT_FIELDS = ['subtotal', 'tasa', ...OTHER_AMOUNT_FIELDS] as const;

export const isAmountField = (name: InvoiceField): boolean =>
  (TYPED_AMOUNT_FIELDS as readonly string[]).includes(name);

type AmountTexts = Record<(typeof TYPED_AMOUNT_FIELDS)[number], string>;

export interface IvaAndTotal {
  ivaCents: Cents;
  totalCents: Cents;
}

export type StoredAmounts = AmountTexts & IvaAndTotal;

export interface InvoiceFormContext extends DueContext {
  isNew: boolean;
  /** while the typed texts equal these, the stored IVA and total are shown instead of computed ones */
  stored?: StoredAmounts;
}

/** The cost is without IVA; the warning about the invoice's budget uses it. */
export interface InvoiceCost {
  jobId: number;
  rubroId: number | null;
  costCents: Cents;
}

/** Shown in the rate field of an invoice with several rates; posted back, it means "unchanged". */
export const MIXED_RATE = 'Mixta';

/** Unchanged texts keep a CFDI's amounts, which may differ by a cent. @returns undefined where a text is unreadable */
export function computeTypedAmounts(texts: AmountTexts, stored?: StoredAmounts): IvaAndTotal | undefined {
  try {
    if (stored && normalizeAmounts(texts) === normalizeAmounts(stored)) {
      return { ivaCents: stored.ivaCents, totalCents: stored.totalCents };
    }
    return computeIvaAndTotal({
      subtotalCents: parseCents(texts.subtotal),
      tasa: parseRate(texts.tasa),
      otrosimpuestosCents: parseCents(texts.otrosimpuestos),
      retencionesCents: parseCents(texts.retenciones),
    });
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

const parseCents = (text: string): Cents => (text.trim() ? parseMoney(text, '') : 0);

function normalizeAmounts({ subtotal, tasa, otrosimpuestos, retenciones }: AmountTexts): string {
  const rate = tasa.trim() === MIXED_RATE ? MIXED_RATE : parseRate(tasa);
  return [parseCents(subtotal), rate, parseCents(otrosimpuestos), parseCents(retenciones)].join(' ');
}
