/** What else an object with a filter may hold: it says which of the rows are shown. */
const OF_A_PAGE = ['sort', 'direction', 'limit', 'cursor'];

/** What a filter may narrow by, by name: whatever filters come to hold is among it. */
export const askedOf = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' || OF_A_PAGE.includes(name) ? [] : [name],
  );
