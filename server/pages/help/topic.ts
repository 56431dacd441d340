import type { ReactNode } from 'react';

export interface HelpTopic {
  /** its address: /help/facturas (server/shell/help-about.ts); /help#facturas is its place in the index */
  id: string;
  title: string;
  /** in a sentence, for the index and for what a search finds */
  about: string;
  /** the screen that it is about */
  href?: string;
  /** whose it is, where it is not everybody's */
  role?: 1 | 3;
  /** of nothing but the product itself, so that it is the same for every reader */
  body: ReactNode;
}
