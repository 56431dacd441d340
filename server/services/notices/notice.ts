import type { PlainDate } from '../../../shared/dates.ts';

/** Kinds of notices, by the names that addresses have for them. */
export const NOTICE_KEYS = [
  'vencidas',
  'esta-semana',
  'parecidas',
  'rep',
  'comprobar',
  'respaldo',
  'cierre',
  'firmas',
  'controles',
] as const;

export type NoticeKey = (typeof NOTICE_KEYS)[number];

/** Something to look after, made from what there is: nobody writes it, and it goes when that is done. */
export interface Notice {
  key: NoticeKey;
  label: string;
  href: string;
  tone: 'danger' | 'warn' | 'info';
  /** rows that it speaks about, those of the list that it leads to; 0 where they are no rows */
  count: number;
  /** the newest of them; of what is due, up to where it was looked at is asked instead */
  newest?: Newest;
}

/** The last day and the highest id among some rows. */
export interface Newest {
  day: PlainDate;
  id: number;
}

/** It also says up to which row its user has seen what it speaks about, once it is snoozed. */
export type SnoozableNotice = Notice & { newest: Newest };
