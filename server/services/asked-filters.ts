/** What else an object with a filter may hold: it says which of the rows are shown. */
const OF_A_PAGE = ['sort', 'direction', 'limit', 'cursor'];

/** Rows that are added up in a few milliseconds, where nothing says what they come to. */
export const ADDED_UP_AT_ONCE = 20_000;

/** What a filter may narrow by, by name: whatever filters come to hold is among it. */
export const askedOf = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' || OF_A_PAGE.includes(name) ? [] : [name],
  );
