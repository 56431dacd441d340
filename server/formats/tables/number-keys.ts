import { fold, numberKey } from '../../../shared/text.ts';

/** `fold` and `numberKey` for the many numbers that are plain letters and digits: the same, some times faster. */
export const foldNumber = (text: string): string => (PLAIN.test(text) ? text.toLowerCase() : fold(text));

export const keyOfNumber = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase().replace(/[^a-z0-9]+/g, '') : numberKey(text);

/** ASCII without spaces. */
const PLAIN = /^[!-~]*$/;
