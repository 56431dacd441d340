import { fold } from '../../shared/text.ts';

/** Columns searched anywhere in their text: by FTS5 with trigrams on SQLite, by GIN on PostgreSQL; null: by a scan. */
export const SEARCH_INDEXES = {
  numfacturaFold: { table: 'invoices', text: 'numfactura', index: 'invoices_fts' },
  contratoFold: { table: 'invoices', text: 'contrato', index: null },
  checknumFold: { table: 'payments', text: 'checknum', index: 'payments_fts' },
} as const;

type SearchIndexes = typeof SEARCH_INDEXES;
export type SearchedColumn = keyof SearchIndexes;
type SearchedTable = SearchIndexes[SearchedColumn]['table'];
type SearchedColumnOf<Table extends SearchedTable> = {
  [Column in SearchedColumn]: SearchIndexes[Column]['table'] extends Table ? Column : never;
}[SearchedColumn];

export const SEARCHED_COLUMNS = Object.keys(SEARCH_INDEXES) as SearchedColumn[];

export type IndexedColumn = {
  [Column in SearchedColumn]: SearchIndexes[Column]['index'] extends string ? Column : never;
}[SearchedColumn];

export const INDEXED_COLUMNS = SEARCHED_COLUMNS.filter(
  (column): column is IndexedColumn => SEARCH_INDEXES[column].index !== null,
);

export type FoldedTexts<Table extends SearchedTable> = Record<SearchedColumnOf<Table>, string>;
export type SearchTexts<Table extends SearchedTable> = Partial<
  Record<SearchIndexes[SearchedColumnOf<Table>]['text'], string>
>;

const COLUMNS_BY_TABLE = Map.groupBy(SEARCHED_COLUMNS, (column) => SEARCH_INDEXES[column].table);

export function foldSearchedColumns<Table extends SearchedTable>(
  table: Table,
  row: SearchTexts<Table>,
): FoldedTexts<Table> {
  const texts = row as Readonly<Record<string, string | undefined>>;
  const folded: Record<string, string> = {};
  for (const column of COLUMNS_BY_TABLE.get(table)!)
    folded[column] = fold(texts[SEARCH_INDEXES[column].text] ?? '');
  return folded as FoldedTexts<Table>;
}

export function toColumnSearches<Table extends SearchedTable>(
  table: Table,
  filter: SearchTexts<Table>,
): { column: SearchedColumn; needle: string }[] {
  const texts = filter as Readonly<Record<string, string | undefined>>;
  return COLUMNS_BY_TABLE.get(table)!.flatMap((column) => {
    const needle = texts[SEARCH_INDEXES[column].text];
    return needle ? [{ column, needle }] : [];
  });
}
