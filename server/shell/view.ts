import type { PlainDate } from '../../shared/dates.ts';
import type { Newest, Notice } from '../services/notices/notice.ts';
import type { Unseen } from '../services/notices/seen.ts';
import type { Theme } from './theme.ts';

export type ShownNotice = Notice & { newest: Newest };

export interface PageView {
  user: { id: number; username: string; roles: number[] };
  today: PlainDate;
  path: string;
  /** those that were not put off, each with what its rows are by now */
  notices: readonly ShownNotice[];
  /** the addresses to which the menu's lists lead, where that is not their own */
  left: Readonly<Record<string, string>>;
  isDense: boolean;
  /** of the notices, what is new since the user last looked */
  unseen?: Unseen;
  theme?: Theme;
  /** of the first steps, where they are shown */
  stepsLeft?: number;
  message?: PageMessage;
  /** the answer to a posted form: what it shows is newer than any draft that the browser keeps */
  isPosted?: boolean;
  empresa: string;
  isDamaged?: boolean;
}

/** A warning, and the page that it is about with the words that lead there. */
export type Warning = string | { text: string; href: string; link: string };

export interface PageMessage {
  tone: 'success' | 'error';
  text: string;
  /** the page of what was saved: a filtered list may not show it */
  about?: { href: string; link: string };
  warnings?: readonly Warning[];
  /** a POST to this address takes the change back */
  undo?: string;
  /** the list as it is shown, which that leads back to */
  returnTo?: string;
}
