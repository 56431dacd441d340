import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TROUBLES } from '../../../../server/pages/help/errors.tsx';
import { projectRoot } from '../../../../server/root.ts';
import { errorMessages } from '../../../support/error-messages.ts';

const codes = TROUBLES.map(({ code }) => code);

/** zod's own words, which no answer carries. */
const OF_ZOD = ['custom', 'unrecognized_keys'];

it('every code that anything answers with has its cause and its cure, once', () => {
  const sources = globSync('{server,shared,db,cli}/**/*.{ts,tsx}', { cwd: projectRoot });
  const thrown = sources.flatMap((file) =>
    [...readFileSync(join(projectRoot, file), 'utf8').matchAll(/\bcode: '([a-z_]+)'/g)].map(
      ([, code]) => code!,
    ),
  );
  expect(thrown.length).toBeGreaterThan(80);
  expect([...new Set(thrown)].filter((code) => !codes.includes(code) && !OF_ZOD.includes(code))).toEqual([]);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  for (const { code, cause, cure } of TROUBLES)
    expect([code, /\.$/.test(cause), /\.$/.test(cure)]).toEqual([code, true, true]);
});

const UPDATE = 'npx vitest run --project=markup tests/server/pages/help/errors.test.ts -u';

it('has every sentence with which anything is refused, as the code says it', async () => {
  const file = join(projectRoot, 'server/pages/help/messages.txt');
  const { messages, blind } = errorMessages(new Set(codes));
  expect(
    blind,
    'The error catalogue is written from the code, and of these refusals the sentence cannot be read there. Write it as a literal or a template where it is refused, as a constant, or as a member of a table of texts; or teach tests/support/error-messages.ts the new way.',
  ).toEqual([]);
  expect(messages.length).toBeGreaterThan(500);
  const said = messages.map(({ message }) => message);
  for (const sentence of [
    'La caja se abrió el …: la fecha es anterior.',
    'Es una contraseña muy común; elige otra.',
    'El último dígito de la CLABE no corresponde a los otros 17: hay un error al escribirla.',
    'Selecciona una nota de crédito.',
    'Parece un renglón de totales, no un registro.',
    'Sustituye (relación 04) a varios CFDI que ya están (…): se retiene.',
    'No hay espacio en el disco: no se guardó nada.',
  ])
    expect(said).toContain(sentence);
  const unknown = new Set(messages.map(({ code }) => code).filter((code) => !codes.includes(code)));
  expect(
    [...unknown],
    'These codes have no cause and cure: add those that the API answers with to server/shapes/problems.ts and CURES, others to ELSEWHERE, both in server/pages/help/cures.ts.',
  ).toEqual([]);
  const now = messages.map(({ code, message }) => `${code}: ${message}`);
  const stored = readFileSync(file, 'utf8').trim().split('\n');
  const missing = now.filter((line) => !stored.includes(line));
  const gone = stored.filter((line) => !now.includes(line));
  await expect(
    `${now.join('\n')}\n`,
    `The error catalogue, server/pages/help/messages.txt, is written from the code by “${UPDATE}”: run that and commit the file. Missing there: ${missing.join(' | ') || 'none'}. Said no more: ${gone.join(' | ') || 'none'}.`,
  ).toMatchFileSnapshot(file);
});
