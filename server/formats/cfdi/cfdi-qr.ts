import { type Cents, LIMIT_MESSAGES, MAX_CENTS } from '../../../shared/money.ts';
import { isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { isUuid, normalizeUuid } from '../../../shared/text.ts';
import { cfdiError, cleanValue, DECIMAL_ONE, parseDecimal, toCents } from './attribute-values.ts';

interface CfdiQr {
  uuid: string;
  emisor: string;
  receptor: string;
  totalCents: Cents;
}

/** Until version 3.2 the code had no address before its parameters. */
const QR_START_PATTERN =
  /^(?:https?:\/\/verificacfdi\.facturaelectronica\.sat\.gob\.mx\/default\.aspx)?\?&?(?=\w\w=)/i;

export const isCfdiQr = (text: string): boolean => QR_START_PATTERN.test(text.trim());

/**
 * Reads the text of the QR code on the paper of a CFDI (SAT, Anexo 20: representación impresa): the UUID as id, the
 * issuer's RFC as re, the receiver's as rr, and the total as tt, up to 18 digits and 6 decimals. The last characters of
 * the seal (fe) identify nothing and are not read.
 * @throws DomainError invalid bad_qr
 */
export function parseCfdiQr(text: string): CfdiQr {
  const code = text.trim();
  if (!isCfdiQr(code)) {
    const found = cleanValue(code).slice(0, 60);
    throw cfdiError('bad_qr', `Ese QR no es el de un CFDI: dice «${found}».`);
  }
  const values = readParameters(code.replace(QR_START_PATTERN, ''));
  const uuid = normalizeUuid(values.id ?? '');
  const emisor = normalizeRfc(values.re ?? '');
  const receptor = normalizeRfc(values.rr ?? '');
  const total = /^\d{1,18}(\.\d{1,6})?$/.test(values.tt ?? '') ? parseDecimal(values.tt!) : undefined;
  const unreadable = [
    !isUuid(uuid) && 'el UUID',
    !isRfc(emisor) && 'el RFC del emisor',
    !isRfc(receptor) && 'el RFC del receptor',
    total === undefined && 'el total',
  ].filter(Boolean);
  if (total === undefined || unreadable.length > 0)
    throw cfdiError(
      'bad_qr',
      `Al QR del CFDI no se le puede leer ${unreadable.join(', ')}: captura el gasto a mano.`,
    );
  if (total % (DECIMAL_ONE / 100n) !== 0n) throw cfdiError('bad_qr', `Total del QR: ${LIMIT_MESSAGES.cents}`);
  if (total / (DECIMAL_ONE / 100n) > MAX_CENTS)
    throw cfdiError('bad_qr', `Total del QR: ${LIMIT_MESSAGES.amount}`);
  if (total === 0n)
    throw cfdiError('bad_qr', 'El CFDI de ese QR es por cero, como un REP: no es el de un gasto.');
  return { uuid, emisor, receptor, totalCents: toCents(total) };
}

/** An RFC may contain an ampersand, encoded or not. A parameter that is repeated counts as unreadable. */
function readParameters(query: string): Partial<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const parameter of query.split(/&(?:amp;)?(?=(?:id|re|rr|tt|fe)=)/i)) {
    const [, name = '', value = ''] = /^(\w\w)=(.*)$/s.exec(parameter) ?? [];
    const key = name.toLowerCase();
    values[key] = key in values ? '' : decodeValue(value);
  }
  return values;
}

function decodeValue(value: string): string {
  try {
    return cleanValue(decodeURIComponent(value)).replace('&amp;', '&');
  } catch {
    return '';
  }
}
