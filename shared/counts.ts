/** "65,000", the same in every browser and on the server. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** "A-1, A-2 y 1,178 más" */
export const firstOf = (names: readonly (string | number)[], most: number): string =>
  names.slice(0, most).join(', ') + (names.length > most ? ` y ${grouped(names.length - most)} más` : '');

export const counted = (count: number, one: string, many: string): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
