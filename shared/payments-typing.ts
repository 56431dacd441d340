import { DomainError } from './errors.ts';
import { type Cents, parseMoney } from './money.ts';

/** What stands in a payment's amount fields: the diferencia cambiaria, or nothing while one can't be read or is missing. */
export function typedExchange(texts: { paymentamount: string; importebanco: string }): Cents | undefined {
  const { paymentamount, importebanco } = texts;
  if (!paymentamount.trim() || !importebanco.trim()) return undefined;
  try {
    return parseMoney(importebanco, '') - parseMoney(paymentamount, '');
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
