import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../../server/pages/help/errors.tsx';
import { projectRoot } from '../../server/root.ts';

const SENTENCE =
  /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\})*)`/;

/** The places where the code refuses with a sentence: thrown, returned by a rule, or stored as a message to throw. */
const REFUSING = new RegExp(
  `(?:new DomainError\\(\\s*[\\w'-]+,|new RowRefusalError\\([^,()]+,|\\brefusal\\(|\\bmessage(?: =|:))\\s*(?:${SENTENCE.source})`,
  'g',
);

export const sources = (): string[] =>
  globSync('{server,shared,db}/**/*.{ts,tsx}', { cwd: projectRoot }).map((file) =>
    readFileSync(join(projectRoot, file), 'utf8'),
  );

/** Finds the sentences that the code refuses with, with "…" for each variable part. */
export const writtenRefusals = (source: string): string[] =>
  [...source.matchAll(REFUSING)]
    .map(([, single, double, template]) => single ?? double ?? withoutExpressions(template ?? ''))
    .filter((text) => /^[^\p{Ll}]/u.test(text) && text.includes(' '));

/** Replaces each `${…}` with "…", also one that has braces, quotes and templates in it. */
function withoutExpressions(template: string): string {
  const expression = /\$\{[^{}]*\}/g;
  for (let text = template; ; ) {
    const shorter = text.replace(expression, '…');
    if (shorter === text) return text.replace(/(?:… ?)+…/g, '…').trim();
    text = shorter;
  }
}

const catalogued = ERRORS.flatMap(({ messages: says }) => says);
const patternOf = (sentence: string) =>
  new RegExp(`^${sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`, 's');
const patterns = catalogued.map(patternOf);

/** Tells whether the help's catalogue of errors has a sentence, whichever of the two is written out further. */
export const isInCatalogue = (sentence: string): boolean =>
  patterns.some((one) => one.test(sentence)) || catalogued.some((one) => patternOf(sentence).test(one));
