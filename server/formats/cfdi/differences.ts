import { formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { documentNumberKey, oneLine } from '../../../shared/text.ts';
import type { CfdiDetail } from './candidates.ts';
import { COMPARED_AMOUNT_LABELS, type ComparedAmounts } from './figures.ts';

export type Difference = readonly [what: string, stored: string, here: string];

export const describeDifferences = (differences: readonly Difference[]): string =>
  `${differences.map(([what, stored]) => `${what} ${shownValue(stored)}`).join(', ')}; en este archivo ${differences.map(([, , here]) => shownValue(here)).join(', ')}`;

const shownValue = (value: string): string => oneLine(value).slice(0, MAX_SHOWN_LENGTH) || 'nada';

const MAX_SHOWN_LENGTH = 60;

interface ComparedDocument {
  moneda: string | null;
  detail: CfdiDetail;
}

export function findDocumentDifferences(stored: ComparedDocument, here: ComparedDocument): Difference[] {
  const [before, now] = [stored.detail, here.detail];
  return [
    ...findAmountDifferences(before, now, [` ${stored.moneda ?? ''}`, ` ${here.moneda ?? ''}`]),
    ...findTextDifferences('moneda', stored.moneda ?? '', here.moneda ?? ''),
    ...findTextDifferences('RFC del emisor', before.emisor.rfc, now.emisor.rfc),
    ...findDateDifferences(before.fecha, now.fecha),
  ];
}

export const findAmountDifferences = (
  stored: ComparedAmounts,
  here: ComparedAmounts,
  [storedSuffix, hereSuffix]: readonly [string, string] = ['', ''],
): Difference[] =>
  Object.entries(COMPARED_AMOUNT_LABELS)
    .map(([name, label]) => [label, name as keyof ComparedAmounts] as const)
    .filter(([, name]) => stored[name] !== here[name])
    .map(([label, name]) => [
      label,
      formatMoney(stored[name]) + storedSuffix,
      formatMoney(here[name]) + hereSuffix,
    ]);

export const findDateDifferences = (stored: PlainDate, here: PlainDate): Difference[] =>
  stored === here ? [] : [['fecha de emisión', formatLongDate(stored), formatLongDate(here)]];

export const findDocumentNumberDifferences = (stored: string, here: string): Difference[] =>
  documentNumberKey(stored) === documentNumberKey(here) ? [] : [['número', stored, here]];

const findTextDifferences = (what: string, stored: string, here: string): Difference[] =>
  stored === here ? [] : [[what, stored, here]];
