import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../../server/pages/help/errors.tsx';
import { projectRoot } from '../../server/root.ts';

const STRING_LITERAL_PATTERN =
  /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\})*)`/;

/** The places where the code refuses with a sentence: thrown, returned by a rule, or stored as a message to throw. */
const REFUSAL_PATTERN = new RegExp(
  `(?:new DomainError\\(\\s*[\\w'-]+,|new RowRefusalError\\([^,()]+,|\\brefusal\\(|\\bmessage(?: =|:))\\s*(?:${STRING_LITERAL_PATTERN.source})`,
  'g',
);

export const readSourceFiles = (): string[] =>
  globSync('{server,shared,db}/**/*.{ts,tsx}', { cwd: projectRoot }).map((file) =>
    readFileSync(join(projectRoot, file), 'utf8'),
  );

/** Finds the sentences that the code refuses with, with "…" for each variable part. */
export const listWrittenRefusals = (source: string): string[] =>
  [...source.matchAll(REFUSAL_PATTERN)]
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

const cataloguedMessages = ERRORS.flatMap(({ messages: says }) => says);
const messagePatternOf = (sentence: string) =>
  new RegExp(`^${sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`, 's');
const messagePatterns = cataloguedMessages.map(messagePatternOf);

/** Tells whether the help's catalogue of errors has a sentence, whichever of the two is written out further. */
export const isInCatalogue = (sentence: string): boolean =>
  messagePatterns.some((one) => one.test(sentence)) ||
  cataloguedMessages.some((one) => messagePatternOf(sentence).test(one));
