import { expect, it } from 'vitest';
import type { Trx } from '../../../db/schema.ts';
import { runOncePerKey } from '../../../server/services/idempotency.ts';
import { deleteExpiredSignInData } from '../../../server/services/session/sign-in-limit.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { addRubro, createActor, NOW } from '../../support/rows.ts';

const ana = createActor({ userId: 1, username: 'ana' });
const once = { key: 'k-1', method: 'POST', path: '/api/rubros/newrubro', body: '{"nombrerubro":"Acero"}' };
const write = async (trx: Trx) => ({ id: await addRubro(trx, { nombrerubro: 'Acero' }) });

describeEachDatabase('a write with an idempotency key', (fresh) => {
  it('is refused with other data under the same key', async () => {
    await runOncePerKey(fresh.db, ana, once, write);
    const other = runOncePerKey(fresh.db, ana, { ...once, body: '{}' }, write);
    await expect(other).rejects.toMatchObject({ kind: 'conflict', code: 'idempotency_key_reused' });
    expect(await rubros()).toBe(1);
  });

  it('stores nothing if it fails, so that the same key serves the corrected request', async () => {
    const failing = runOncePerKey(fresh.db, ana, once, async (trx) => {
      await write(trx);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await rubros()).toBe(0);
    expect(
      await runOncePerKey(fresh.db, ana, { ...once, body: '{"nombrerubro":"Varilla"}' }, write),
    ).toMatchObject({
      repeated: false,
    });
  });

  it('is a different one for another user, method, path or key', async () => {
    await runOncePerKey(fresh.db, ana, once, write);
    const others = [
      [createActor({ userId: 2 }), once],
      [ana, { ...once, method: 'PUT' }],
      [ana, { ...once, path: '/api/jobs/newjob' }],
      [ana, { ...once, key: 'k-2' }],
    ] as const;
    for (const [who, key] of others)
      expect((await runOncePerKey(fresh.db, who, key, write)).repeated).toBe(false);
    expect(await rubros()).toBe(5);
  });

  it('happens each time without a key', async () => {
    await runOncePerKey(fresh.db, ana, undefined, write);
    await runOncePerKey(fresh.db, ana, undefined, write);
    expect(await rubros()).toBe(2);
  });

  it.each(['x'.repeat(101), 'a b', 'ñ', 'a\nb'])('refuses the key «%s»', async (key) => {
    await expect(runOncePerKey(fresh.db, ana, { ...once, key }, write)).rejects.toMatchObject({
      kind: 'malformed',
    });
  });

  it('is remembered for 48 hours', async () => {
    await runOncePerKey(fresh.db, ana, once, write);
    await deleteExpiredSignInData(fresh.db, new Date(Date.parse(NOW) + 48 * 3600_000));
    expect((await runOncePerKey(fresh.db, ana, once, write)).repeated).toBe(true);
    await deleteExpiredSignInData(fresh.db, new Date(Date.parse(NOW) + 48 * 3600_000 + 1));
    expect((await runOncePerKey(fresh.db, ana, once, write)).repeated).toBe(false);
  });

  const rubros = async () => (await fresh.db.selectFrom('rubros').select('id').execute()).length;
});
