import { DomainError } from '../../../shared/errors.ts';
import { type Cents, moneyText } from '../../../shared/money.ts';
import type { MovementDraft } from '../../../shared/petty-cash.ts';

interface Amounts {
  subtotalCents: Cents;
  ivaCents: Cents;
  importeCents: Cents;
}

/**
 * Of subtotal, IVA and importe the one that is not given follows from the other two; of a change what it leaves out is
 * what was stored, the subtotal excepted.
 * @throws DomainError invalid amounts_disagree, where all three are given and do not add up
 */
export function amountsOf(
  { subtotalCents, ivaCents, importeCents }: MovementDraft,
  before?: Amounts,
): Amounts {
  const given = [subtotalCents, ivaCents, importeCents].some((one) => one !== undefined);
  if (before && !given) {
    const { subtotalCents, ivaCents, importeCents } = before;
    return { subtotalCents, ivaCents, importeCents };
  }
  const known = subtotalCents !== undefined && importeCents !== undefined;
  const iva = ivaCents ?? (known ? importeCents - subtotalCents : (before?.ivaCents ?? 0));
  const importe =
    importeCents ?? (subtotalCents !== undefined ? subtotalCents + iva : (before?.importeCents ?? 0));
  const subtotal = subtotalCents ?? importe - iva;
  if (subtotal + iva !== importe) {
    const message = `El importe debe ser ${moneyText(subtotal + iva)}: subtotal más IVA.`;
    throw new DomainError('invalid', message, { code: 'amounts_disagree', fields: { importe: message } });
  }
  return { subtotalCents: subtotal, ivaCents: iva, importeCents: importe };
}
