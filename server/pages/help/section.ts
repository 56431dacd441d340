import type { ReactNode } from 'react';

export interface HelpSection {
  /** the anchor: /help#facturas (server/shell/help-about.ts) */
  id: string;
  title: string;
  /** the screen it is about */
  href?: string;
  /** whose screen it is, where it is not everybody's */
  role?: 1 | 3;
  body: ReactNode;
}
