import { DomainError } from './errors.ts';
import { type Cents, parseMoney } from './money.ts';

/** What stands in an amount field, or nothing while it is empty or can't be read. */
export function typedAmount(text: string): Cents | undefined {
  if (!text.trim()) return undefined;
  try {
    return parseMoney(text, '');
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** What stands in a payment's amount fields: the diferencia cambiaria, or nothing while one can't be read or is missing. */
export function typedExchange(texts: { paymentamount: string; importebanco: string }): Cents | undefined {
  const [amount, bank] = [typedAmount(texts.paymentamount), typedAmount(texts.importebanco)];
  return amount === undefined || bank === undefined ? undefined : bank - amount;
}
