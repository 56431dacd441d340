import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ERRORS } from '../../../../server/pages/help/errors.tsx';
import { projectRoot } from '../../../../server/root.ts';
import { isInCatalogue, listWrittenRefusals, readSourceFiles } from '../../../support/refusals.ts';

const codes = ERRORS.map(({ code }) => code);

/** zod's own words, which no answer carries. */
const OF_ZOD = ['custom', 'unrecognized_keys'];

it('every error code has its cause and its remedy, once', () => {
  const files = globSync('{server,shared,db,cli}/**/*.{ts,tsx}', { cwd: projectRoot });
  const thrown = files.flatMap((file) =>
    [...readFileSync(join(projectRoot, file), 'utf8').matchAll(/\bcode: '([a-z_]+)'/g)].map(
      ([, code]) => code!,
    ),
  );
  expect(thrown.length).toBeGreaterThan(80);
  expect([...new Set(thrown)].filter((code) => !codes.includes(code) && !OF_ZOD.includes(code))).toEqual([]);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  for (const { code, cause, remedy: cure } of ERRORS)
    expect([code, /\.$/.test(cause), /\.$/.test(cure)]).toEqual([code, true, true]);
});

it('every sentence with which the code refuses is included', () => {
  const written = readSourceFiles().flatMap(listWrittenRefusals);
  expect(written.length).toBeGreaterThan(200);
  expect(
    [...new Set(written)].filter((sentence) => !isInCatalogue(sentence)),
    'Add these to server/pages/help/messages.txt as “code: sentence”, with … for what is different each time.',
  ).toEqual([]);
});

it('no error code and no sentence is included that the code no longer contains', () => {
  const file = readFileSync(join(projectRoot, 'server/pages/help/messages.txt'), 'utf8');
  const lines = file
    .trim()
    .split('\n')
    .map((line) => line.split(/: (.*)/, 2) as [string, string]);
  const code = readSourceFiles().join('\n');
  const partsOf = (sentence: string) =>
    sentence
      .split(/…|[.:,(] /)
      .map((part) => part.trim())
      .filter((part) => part.includes(' '));
  // A part of a message may be composed of two sentences.
  const isSaid = (part: string) => {
    const words = part.split(' ');
    return words.some((_, at) =>
      [words.slice(0, at), words.slice(at)].every((half) => code.includes(half.join(' '))),
    );
  };
  expect(lines.filter(([its]) => !codes.includes(its))).toEqual([]);
  expect(lines.filter(([, sentence]) => partsOf(sentence).some((part) => !isSaid(part)))).toEqual([]);
});
