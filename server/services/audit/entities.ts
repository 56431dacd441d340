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

const FILTERS_OF_NON_ENTITY_NOUNS = {
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

type NonEntityNoun = keyof typeof FILTERS_OF_NON_ENTITY_NOUNS;
export type AuditFilterNoun = AuditedEntity | NonEntityNoun;

export const AUDIT_FILTER_NOUNS: readonly AuditFilterNoun[] = [
  ...AUDITED_ENTITIES,
  ...(Object.keys(FILTERS_OF_NON_ENTITY_NOUNS) as NonEntityNoun[]),
];

export const getNounFilter = (noun: AuditFilterNoun): NounFilter =>
  Object.hasOwn(FILTERS_OF_NON_ENTITY_NOUNS, noun)
    ? FILTERS_OF_NON_ENTITY_NOUNS[noun as NonEntityNoun]
    : { entities: [noun as AuditedEntity] };

export const AUDIT_SORTS = { id: 'ID', at: 'Cuándo', username: 'Quién', text: 'Qué' } as const;
export type AuditSort = keyof typeof AUDIT_SORTS;
