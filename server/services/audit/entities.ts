import { catalogs } from '../../../shared/catalogs/all.ts';

/** Nouns of the glossary that entries are about; `database` stands for backups, restores and changes of whole lists. */
export const AUDITED = [
  ...catalogs.map(({ noun }) => noun),
  'invoices',
  'payments',
  'payment-batches',
  'supplier-accounts',
  'bank-statements',
  'credit-notes',
  'payment-receipts',
  'document-relations',
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

interface Standing {
  entities: readonly Audited[];
  action?: 'import';
  entityId?: string;
}

/** The other nouns of the glossary, with the entities that their entries are about; reports and screens have none. */
const OTHER_NOUNS = {
  'petty-cash': {
    entities: ['petty-cash-funds', 'petty-cash-movements', 'petty-cash-replenishments', 'petty-cash-counts'],
  },
  'bank-files': { entities: ['payment-batches'] },
  imports: { entities: AUDITED, action: 'import' },
  closing: { entities: ['settings'], entityId: 'cierre' },
  balances: { entities: [] },
  statements: { entities: [] },
  audit: { entities: [] },
  results: { entities: [] },
  dashboard: { entities: [] },
  notices: { entities: [] },
  preferences: { entities: [] },
  help: { entities: [] },
} as const satisfies Record<string, Standing>;

type OtherNoun = keyof typeof OTHER_NOUNS;
export type AskedNoun = Audited | OtherNoun;

export const ASKED_NOUNS: readonly AskedNoun[] = [...AUDITED, ...(Object.keys(OTHER_NOUNS) as OtherNoun[])];

export const standingFor = (noun: AskedNoun): Standing =>
  Object.hasOwn(OTHER_NOUNS, noun) ? OTHER_NOUNS[noun as OtherNoun] : { entities: [noun as Audited] };
