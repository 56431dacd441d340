import type { PlainDate } from '../../shared/dates.ts';
import type { Notice } from '../services/notices/notice.ts';
import type { Task } from '../services/notices/tasks.ts';
import type { Theme } from './theme.ts';

export interface PageView {
  user: { id: number; username: string; roles: number[] };
  today: PlainDate;
  path: string;
  /** what waits for this user to take its next step */
  tasks: readonly Task[];
  /** those that were not snoozed */
  notices: readonly Notice[];
  /** the addresses to which the menu's lists lead, where that is not their own */
  left: Readonly<Record<string, string>>;
  isDense: boolean;
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
  text: string;
  /** the page of what was saved: a filtered list may not show it */
  about?: { href: string; link: string };
  warnings?: readonly Warning[];
  /** a POST to this address takes the change back */
  undo?: string;
  /** the list as it is shown, which that leads back to */
  returnTo?: string;
}
