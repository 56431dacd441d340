import { catalogs } from '../../../shared/catalogs/all.ts';

/** `database` stands for backups, restores and changes of whole lists. */
export const AUDITED_ENTITIES = [
  ...catalogs.map(({ noun }) => noun),
  'invoices',
  'payments',
  'double-payments',
  'payment-batches',
  'supplier-accounts',
  'bank-statements',
  'bank-rules',
  'credit-notes',
  'payment-receipts',
  'document-relations',
  'attachments',
  'petty-cash-funds',
  'petty-cash-movements',
  'petty-cash-replenishments',
  'petty-cash-counts',
  'budgets',
  'mails',
  'sat-documents',
  'sat-69b',
  'users',
  'settings',
  'database',
] as const;

export type AuditedEntity = (typeof AUDITED_ENTITIES)[number];

interface NounFilter {
  entities: readonly AuditedEntity[];
  action?: 'import';
  entityId?: string;
}

const OTHER_NOUNS = {
  'petty-cash': {
    entities: ['petty-cash-funds', 'petty-cash-movements', 'petty-cash-replenishments', 'petty-cash-counts'],
  },
  'bank-files': { entities: ['payment-batches'] },
  imports: { entities: AUDITED_ENTITIES, action: 'import' },
  closing: { entities: ['settings'], entityId: 'cierre' },
  balances: { entities: [] },
  'cash-flow': { entities: [] },
  statements: { entities: [] },
  audit: { entities: [] },
  results: { entities: [] },
  dashboard: { entities: [] },
  notices: { entities: [] },
  preferences: { entities: [] },
  help: { entities: [] },
} as const satisfies Record<string, NounFilter>;

type OtherNoun = keyof typeof OTHER_NOUNS;
export type AuditNounFilter = AuditedEntity | OtherNoun;

export const AUDIT_FILTER_NOUNS: readonly AuditNounFilter[] = [
  ...AUDITED_ENTITIES,
  ...(Object.keys(OTHER_NOUNS) as OtherNoun[]),
];

export const findNounFilter = (noun: AuditNounFilter): NounFilter =>
  Object.hasOwn(OTHER_NOUNS, noun) ? OTHER_NOUNS[noun as OtherNoun] : { entities: [noun as AuditedEntity] };

/** The columns of the list by which it sorts, with the names that the order has on the page. */
export const AUDIT_SORTS = { id: 'ID', at: 'Cuándo', username: 'Quién', text: 'Qué' } as const;
export type AuditSort = keyof typeof AUDIT_SORTS;
