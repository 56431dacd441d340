/** Members beside a filter that say which of its rows are shown. */
const OF_A_PAGE = ['sort', 'direction', 'limit', 'cursor'];

/** Rows that are added up in a few milliseconds, where nothing says what they come to. */
export const ADDED_UP_AT_ONCE = 20_000;

/** The names of all that a filter narrows by, also of members that are added to filters later. */
export const askedOf = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' || OF_A_PAGE.includes(name) ? [] : [name],
  );
