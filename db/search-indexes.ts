/**
 * The folded columns that are searched anywhere in their text, however many rows there are. SQLite has a trigram
 * index (FTS5, kept by triggers) for each, PostgreSQL a GIN index on the column itself.
 */
export const SEARCH_INDEXES = {
  numfacturaFold: { table: 'invoices', text: 'numfactura', index: 'invoices_fts' },
  checknumFold: { table: 'payments', text: 'checknum', index: 'payments_fts' },
} as const;

export type SearchedColumn = keyof typeof SEARCH_INDEXES;
export const SEARCHED_COLUMNS = Object.keys(SEARCH_INDEXES) as SearchedColumn[];
