import { fold } from './text.ts';

/** Stems of a question's words. Words of one or two letters count only where there are no others; numbers always do. */
export function stemsOf(question: string): string[] {
  const all = fold(question)
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean);
  const long = all.filter((word) => word.length > 2 || /\d/.test(word));
  return [...new Set((long.length > 0 ? long : all).map(stemOf))];
}

/**
 * The beginning that a word's forms share: autorizar, autorización; respaldo, respaldar; firma, firmar.
 * A short word keeps at least four letters, and loses a vowel only after six, so that correo does not find corregir.
 */
const stemOf = (word: string): string =>
  word.includes('_')
    ? word
    : word.replace(/(?:(?<=.{4})(?:[aiu]?cion(?:es)?|[aei]r|[aei]d[oa]s?|s)|(?<=.{6})[aeo]s?)$/, '');

/** @param text folded @returns 1 where one of its words begins with the stem, 0.5 where one contains it, else 0 */
export function scoreStemMatch(text: string, stem: string): number {
  if (` ${text.replace(/[^\p{L}\p{N}_]+/gu, ' ')}`.includes(` ${stem}`)) return 1;
  return text.includes(stem) ? 0.5 : 0;
}

/** Whether the text contains each word of the question, in any of the word's forms. */
export function containsAllWords(text: string, question: string): boolean {
  const folded = fold(text);
  const stems = stemsOf(question);
  return stems.length > 0 && stems.every((stem) => scoreStemMatch(folded, stem) > 0);
}
