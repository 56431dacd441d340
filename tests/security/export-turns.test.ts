import { describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { useFresh } from '../support/databases.ts';
import { addInvoice } from '../support/rows.ts';

describe('T31 · exports that one user asks for at once', () => {
  const fresh = useFresh('sqlite');

  it('are made one after the other, a few wait, the rest come back later; others have theirs', async () => {
    await addInvoice(fresh.db);
    const test = createTestApp({ db: fresh.db });
    const [greedy, other] = [await test.as([1]), await test.as([6])];
    const ask = (client: typeof greedy) => client.get('/invoices/export.pdf');
    const [own, ...many] = [ask(other), ...Array.from({ length: 12 }, () => ask(greedy))];
    const answers = await Promise.all(many);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const { status, headers } of refused) {
      expect(status).toBe(503);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await own).status).toBe(200);
    expect((await ask(greedy)).status).toBe(200);
  });
});
