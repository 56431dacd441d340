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

/** After a message has changed: npx vitest run --project=markup tests/server/pages/help/errors.test.ts -u */
it('lists the messages as the code says them', async () => {
  const messages = errorMessages(new Set(codes));
  expect(messages.length).toBeGreaterThan(150);
  expect([...new Set(messages.map(({ code }) => code))].filter((code) => !codes.includes(code))).toEqual([]);
  await expect(`${JSON.stringify(messages, null, 2)}\n`).toMatchFileSnapshot(
    join(projectRoot, 'server/pages/help/messages.json'),
  );
});
