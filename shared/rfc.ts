import { isPlainDate } from './dates.ts';
import { withoutSeparators } from './text.ts';

/** The SAT has these RFCs for "the public" and for "a foreigner", so they identify nobody. */
const GENERIC_RFCS: readonly string[] = ['XAXX010101000', 'XEXX010101000'];

export const isGenericRfc = (rfc: string): boolean => GENERIC_RFCS.includes(rfc);

export const normalizeRfc = (text: string): string => withoutSeparators(text).toUpperCase();

/** An RFC is 3 letters (a company) or 4 (a person), Ñ and & included, a date YYMMDD and 3 characters (homoclave). */
export function isRfc(rfc: string): boolean {
  const match = /^[A-ZÑ&]{3,4}(\d{2})(\d{2})(\d{2})[A-Z0-9]{3}$/.exec(rfc);
  if (!match) return false;
  const [, yy, mm, dd] = match;
  return isPlainDate(`20${yy}-${mm}-${dd}`) || isPlainDate(`19${yy}-${mm}-${dd}`);
}

/** Verifies the check digit (SAT, Anexo 1: modulo 11). Some RFCs in use have a wrong one, so only warn. */
export function hasRfcCheckDigit(rfc: string): boolean {
  const alphabet = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';
  const padded = rfc.padStart(13, ' ');
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += alphabet.indexOf(padded[i] ?? ' ') * (13 - i);
  const rest = sum % 11;
  const digit = rest === 0 ? '0' : rest === 1 ? 'A' : String(11 - rest);
  return padded[12] === digit;
}
