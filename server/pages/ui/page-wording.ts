/** A service's sentence without what belongs to a terminal: options of its commands, and IDs that a link says better. */
export const onPage = (text: string): string =>
  text
    .replace(/ \([^()]*--[a-z][^()]*\)/g, '')
    .replace(/ Con --[a-z][^.]*\./g, '')
    .replace(/ \(id \d+\)/g, '');
