const PAGE_MEMBERS = ['sort', 'direction', 'limit', 'cursor'];

/** Rows that are added up in a few milliseconds where no stored sum has their total. */
export const MAX_IMMEDIATE_SUM_ROWS = 20_000;

/** The names of the members that a filter narrows by, also of those that are added to filters later. */
export const activeFilterNames = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' || PAGE_MEMBERS.includes(name) ? [] : [name],
  );
