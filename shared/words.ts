import { fold } from './text.ts';

/** Stems of the words of a question; short words are used only where there are no others, but for numbers. */
export function stemsOf(question: string): string[] {
  const all = fold(question)
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean);
  const long = all.filter((word) => word.length > 2 || /\d/.test(word));
  return [...new Set((long.length > 0 ? long : all).map(stemOf))];
}

/**
 * The beginning of a word, which its other forms share: autorizar, autorización; respaldo, respaldar; firma, firmar.
 * Of a short word at least four letters remain, and a vowel is dropped only after six: correo does not find corregir.
 */
const stemOf = (word: string): string =>
  word.includes('_')
    ? word
    : word.replace(/(?:(?<=.{4})(?:[aiu]?cion(?:es)?|[aei]r|[aei]d[oa]s?|s)|(?<=.{6})[aeo]s?)$/, '');

/** @param text folded @returns 1 where a word of it begins with the stem, 0.5 where one only contains it, else 0 */
export function matchStem(text: string, stem: string): number {
  if (` ${text.replace(/[^\p{L}\p{N}_]+/gu, ' ')}`.includes(` ${stem}`)) return 1;
  return text.includes(stem) ? 0.5 : 0;
}

/** Whether each word of the question, in any of its forms, is in the text. */
export function matchesWords(text: string, question: string): boolean {
  const folded = fold(text);
  const stems = stemsOf(question);
  return stems.length > 0 && stems.every((stem) => matchStem(folded, stem) > 0);
}
