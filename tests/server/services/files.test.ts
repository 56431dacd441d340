import { expect, it } from 'vitest';
import { addUpload, readUpload } from '../../../server/services/files.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addActor } from '../../support/rows.ts';

const MB = 1024 * 1024;

describeOneDatabase('the uploads that wait for a decision', (fresh) => {
  it('of one user add up to 200 MB at most, not counting those of others', async () => {
    const [actor, other] = [await addActor(fresh.db), await addActor(fresh.db)];
    const send = (from: typeof actor, n: number, megabytes: number, at = from.at) =>
      addUpload(fresh.db, { ...from, at }, { filename: `${n}.csv`, bytes: Buffer.alloc(megabytes * MB, n) });
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await send(actor, n, 45));
    await send(actor, 0, 45);
    await expect(send(actor, 5, 21)).rejects.toMatchObject({
      kind: 'too-large',
      code: 'uploads_full',
      message: expect.stringContaining('200 MB'),
    });
    expect((await readUpload(fresh.db, actor.userId, ids[0]!)).bytes.length).toBe(45 * MB);
    await send(actor, 6, 20);
    await send(other, 7, 21);
    const twoDaysLater = new Date(Date.parse(actor.at) + 49 * 3_600_000).toISOString();
    await send(actor, 8, 45, twoDaysLater);
    await expect(readUpload(fresh.db, actor.userId, ids[0]!)).rejects.toMatchObject({ kind: 'not-found' });
  });
});
