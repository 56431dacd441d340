import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addInvoice, addToken } from '../support/rows.ts';
import { type RunningServer, startOwnServer } from '../support/server.ts';

describe('T31 · exports that one user requests at once', () => {
  let server: RunningServer;
  let tokens: string[];

  beforeAll(async () => {
    server = await startOwnServer(async ({ db }) => {
      await addInvoice(db);
      tokens = [await addToken(db, [1]), await addToken(db, [6])];
    });
  });
  afterAll(() => server?.stop());

  it('are made one after the other, many wait, the rest is told to come back; others get theirs', async () => {
    const ask = (who: number) =>
      fetch(`${server.url}/invoices/export.xlsx`, { headers: { 'x-access-token': tokens[who]! } });
    const many = Promise.all(Array.from({ length: 200 }, () => ask(0)));
    const own = await ask(1);
    expect(own.status).toBe(200);
    const answers = await many;
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(60);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const answer of refused) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.text()).toContain('Ya tienes otros reportes o archivos en preparación.');
    }
    expect((await ask(0)).status).toBe(200);
  });
});
