import { catalogs } from '../../../shared/catalogs/all.ts';

/** What entries are about, by the nouns of the glossary; `database` are backups, restores and what whole lists go through. */
export const AUDITED = [
  ...catalogs.map(({ noun }) => noun),
  'invoices',
  'payments',
  'payment-batches',
  'supplier-accounts',
  'bank-statements',
  'credit-notes',
  'payment-receipts',
  'attachments',
  'petty-cash-funds',
  'petty-cash-movements',
  'petty-cash-replenishments',
  'petty-cash-counts',
  'budgets',
  'users',
  'settings',
  'database',
] as const;

export type Audited = (typeof AUDITED)[number];
