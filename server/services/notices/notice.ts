import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';

export const NOTICE_KEYS = [
  'vencidas',
  'esta-semana',
  'parecidas',
  'dobles',
  'cancelados',
  'lista69b',
  'rep',
  'comprobar',
  'movimientos',
  'respaldo',
  'cierre',
  'firmas',
  'controles',
] as const;

export type NoticeKey = (typeof NOTICE_KEYS)[number];

/** Notices are computed from the data and not stored: one disappears once its cause is gone. */
export interface Notice {
  key: NoticeKey;
  label: string;
  detail?: string;
  /** the sum of the rows in the list */
  cents?: Cents;
  /** `label` or `detail` states the sums, because there are several or because a mark follows */
  statesSums?: true;
  href: string;
  tone: 'danger' | 'warn' | 'info';
  /** the number of rows in the list that it links to; 0 where it is about no rows */
  count: number;
  /** the newest row of that list; absent where the notice is about due invoices (see snooze.ts) */
  newest?: NewestRow;
}

export interface NewestRow {
  day: PlainDate;
  id: number;
}

export type SnoozableNotice = Notice & { newest: NewestRow };
