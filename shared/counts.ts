/** Formats "65,000" without Intl, so that browsers and server agree. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export const joinFirst = (names: readonly (string | number)[], max: number): string =>
  names.slice(0, max).join(', ') + (names.length > max ? ` y ${formatCount(names.length - max)} más` : '');

export const pluralize = (count: number, singular: string, plural: string): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`;
