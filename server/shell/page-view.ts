import type { PlainDate } from '../../shared/dates.ts';
import type { Notice } from '../services/notices/notice.ts';
import type { Task } from '../services/notices/tasks.ts';
import type { Theme } from './theme.ts';

export interface PageView {
  user: { id: number; username: string; roles: number[] };
  today: PlainDate;
  path: string;
  /** absent on most pages: script fetches the bell after the page is shown, because counting takes as long as a page */
  bell?: BellContent;
  /** address of the view that the user last looked at, by list, for the menu */
  listAddresses: Readonly<Record<string, string>>;
  isDense: boolean;
  theme?: Theme;
  /** number of unfinished first steps, if the page offers them */
  remainingSteps?: number;
  message?: PageMessage;
  /** this answers a posted form, so its values are newer than a draft that the browser keeps */
  isPostAnswer?: boolean;
  empresa: string;
  isDamaged?: boolean;
  /** whether this server sends mails itself; otherwise only administrators see the outbox in the menu */
  sendsMail?: boolean;
}

export interface BellContent {
  tasks: readonly Task[];
  /** notices that are not snoozed */
  notices: readonly Notice[];
}

export type Warning = string | { text: string; href: string; link: string };

export interface PageMessage {
  text: string;
  /** links to the saved row, because a filtered list may not show it */
  about?: { href: string; link: string };
  warnings?: readonly Warning[];
  undo?: string;
  returnTo?: string;
}
