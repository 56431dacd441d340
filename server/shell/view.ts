import type { PlainDate } from '../../shared/dates.ts';
import type { Notice } from '../services/notices/notice.ts';
import type { Task } from '../services/notices/tasks.ts';
import type { Theme } from './theme.ts';

export interface PageView {
  user: { id: number; username: string; roles: number[] };
  today: PlainDate;
  path: string;
  tasks: readonly Task[];
  /** without those that are snoozed */
  notices: readonly Notice[];
  /** the menu's links to lists, where they are not the lists' own addresses */
  listAddresses: Readonly<Record<string, string>>;
  isDense: boolean;
  theme?: Theme;
  /** of the first steps, where they are shown */
  remainingSteps?: number;
  message?: PageMessage;
  /** the answer to a posted form, which is newer than any draft that the browser keeps */
  isPosted?: boolean;
  empresa: string;
  isDamaged?: boolean;
}

export type Warning = string | { text: string; href: string; link: string };

export interface PageMessage {
  text: string;
  /** the page of what was saved, since a filtered list may not show it */
  about?: { href: string; link: string };
  warnings?: readonly Warning[];
  undo?: string;
  /** the list as it is shown, to return to after an undo */
  returnTo?: string;
}
