const PAGING_PARAMETERS = ['sort', 'direction', 'limit', 'cursor'];

/** This many rows are summed in a few milliseconds where no stored sum has their total. */
export const MAX_IMMEDIATE_SUM_ROWS = 20_000;

export const activeFilterNames = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' || PAGING_PARAMETERS.includes(name) ? [] : [name],
  );
