const PAGING_PARAMETERS = ['sort', 'direction', 'limit', 'cursor'];

/** A table of at most this many rows is summed in a few milliseconds, without stored sums or an index. */
export const MAX_IMMEDIATE_SUM_ROWS = 20_000;

export const activeFilterNames = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' || PAGING_PARAMETERS.includes(name) ? [] : [name],
  );
