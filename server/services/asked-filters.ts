const OF_A_PAGE = ['sort', 'direction', 'limit', 'cursor'];

/** Rows that are added up in a few milliseconds where no stored sum has their total. */
export const ADDED_UP_AT_ONCE = 20_000;

/** The names of the members that a filter narrows by, also of those that are added to filters later. */
export const askedOf = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' || OF_A_PAGE.includes(name) ? [] : [name],
  );
