import { formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { documentNumberKey, oneLine } from '../../../shared/text.ts';
import type { CfdiDetail } from './candidates.ts';
import { COMPARED_AMOUNT_LABELS, type ComparedAmounts } from './figures.ts';

export type Difference = readonly [what: string, stored: string, here: string];

export const describeDifferences = (differences: readonly Difference[]): string =>
  `${differences.map(([what, stored]) => `${what} ${formatShownValue(stored)}`).join(', ')}; en este archivo ${differences.map(([, , here]) => formatShownValue(here)).join(', ')}`;

const formatShownValue = (value: string): string => oneLine(value).slice(0, MAX_SHOWN_LENGTH) || 'nada';

const MAX_SHOWN_LENGTH = 60;

interface ComparedDocument {
  moneda: string | null;
  detail: CfdiDetail;
}

export function findDocumentDifferences(stored: ComparedDocument, incoming: ComparedDocument): Difference[] {
  const [before, now] = [stored.detail, incoming.detail];
  return [
    ...findAmountDifferences(before, now, [` ${stored.moneda ?? ''}`, ` ${incoming.moneda ?? ''}`]),
    ...findTextDifferences('moneda', stored.moneda ?? '', incoming.moneda ?? ''),
    ...findTextDifferences('RFC del emisor', before.emisor.rfc, now.emisor.rfc),
    ...findDateDifferences(before.fecha, now.fecha),
  ];
}

export const findAmountDifferences = (
  stored: ComparedAmounts,
  incoming: ComparedAmounts,
  [storedSuffix, incomingSuffix]: readonly [string, string] = ['', ''],
): Difference[] =>
  Object.entries(COMPARED_AMOUNT_LABELS)
    .map(([name, label]) => [label, name as keyof ComparedAmounts] as const)
    .filter(([, name]) => stored[name] !== incoming[name])
    .map(([label, name]) => [
      label,
      formatMoney(stored[name]) + storedSuffix,
      formatMoney(incoming[name]) + incomingSuffix,
    ]);

export const findDateDifferences = (stored: PlainDate, incoming: PlainDate): Difference[] =>
  stored === incoming ? [] : [['fecha de emisión', formatLongDate(stored), formatLongDate(incoming)]];

export const findDocumentNumberDifferences = (stored: string, incoming: string): Difference[] =>
  documentNumberKey(stored) === documentNumberKey(incoming) ? [] : [['número', stored, incoming]];

const findTextDifferences = (what: string, stored: string, here: string): Difference[] =>
  stored === here ? [] : [[what, stored, here]];
