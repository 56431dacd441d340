import { DomainError } from './errors.ts';
import { type Cents, parseMoney } from './money.ts';

/** @returns nothing while the field is empty or cannot be read */
export function typedAmount(text: string): Cents | undefined {
  if (!text.trim()) return undefined;
  try {
    return parseMoney(text, '');
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** @returns the diferencia cambiaria, or nothing while one of both amounts is missing or cannot be read */
export function typedExchange(texts: { paymentamount: string; importebanco: string }): Cents | undefined {
  const [amount, bank] = [typedAmount(texts.paymentamount), typedAmount(texts.importebanco)];
  return amount === undefined || bank === undefined ? undefined : bank - amount;
}
