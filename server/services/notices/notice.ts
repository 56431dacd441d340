import type { PlainDate } from '../../../shared/dates.ts';

export const NOTICE_KEYS = [
  'vencidas',
  'esta-semana',
  'parecidas',
  'dobles',
  'cancelados',
  'rep',
  'comprobar',
  'movimientos',
  'respaldo',
  'cierre',
  'firmas',
  'controles',
] as const;

export type NoticeKey = (typeof NOTICE_KEYS)[number];

/** A notice is derived from what there is: nobody writes it, and it goes once its cause is gone. */
export interface Notice {
  key: NoticeKey;
  label: string;
  href: string;
  tone: 'danger' | 'warn' | 'info';
  /** the rows concerned, as in the list that it leads to; 0 where it is about no rows */
  count: number;
  /** the newest of them; for what is due, the point up to which it was seen is used instead */
  newest?: Newest;
}

export interface Newest {
  day: PlainDate;
  id: number;
}

/** Names the newest row as well, up to which its user has seen it once it is snoozed. */
export type SnoozableNotice = Notice & { newest: Newest };
