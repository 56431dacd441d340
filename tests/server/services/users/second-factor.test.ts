import { expect, it } from 'vitest';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { type Auth, createAuth } from '../../../../server/services/session/auth.ts';
import { consumeCode } from '../../../../server/services/session/second-factor.ts';
import {
  confirmSecondFactor,
  renewBackupCodes,
  startSecondFactor,
} from '../../../../server/services/users/second-factor.ts';
import { computeCodeAt } from '../../../support/authenticator.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addActor } from '../../../support/rows.ts';

describeEachDatabase('of two enrolments in a second factor at once', (fresh) => {
  const auth = createAuth(undefined as never, {
    secret: 'un-secreto-de-prueba',
    baseURL: 'http://saldo.test',
  });
  const codeOf = (key: string, { at }: Actor, ahead = 0) =>
    computeCodeAt(key, new Date(Date.parse(at) + ahead * 30_000));
  const confirm = async (actor: Actor, key: string, { by = auth, ahead = 0 } = {}) =>
    confirmSecondFactor(fresh.db, by, actor, { code: await codeOf(key, actor, ahead), keepToken: '' });
  /** Runs `work` while a secret is sealed or opened, like a concurrent request. */
  const meanwhile = (step: 'seal' | 'unseal', work: () => Promise<unknown>): Auth => {
    let isFirst = true;
    return {
      ...auth,
      [step]: async (text: string) => {
        if (isFirst) await work();
        isFirst = false;
        return auth[step](text);
      },
    };
  };
  const isIn = async (actor: Actor, key: string, ahead: number) =>
    consumeCode(fresh.db, auth, {
      userId: actor.userId,
      code: await codeOf(key, actor, ahead),
      at: new Date(Date.parse(actor.at) + ahead * 30_000),
    });

  it('a later one does not undo the one that was confirmed while it began', async () => {
    const actor = await addActor(fresh.db);
    const { secretText: key } = await startSecondFactor(fresh.db, auth, actor);
    const late = startSecondFactor(
      fresh.db,
      meanwhile('seal', () => confirm(actor, key)),
      actor,
    );
    await expect(late).rejects.toMatchObject({ kind: 'conflict', message: 'Ya tienes doble factor.' });
    expect(await isIn(actor, key, 2)).toBe(true);
  });

  it('the code of one confirms no secret of the other', async () => {
    const actor = await addActor(fresh.db);
    const { secretText: key } = await startSecondFactor(fresh.db, auth, actor);
    let other = '';
    const replaced = meanwhile('unseal', async () => {
      other = (await startSecondFactor(fresh.db, auth, actor)).secretText;
    });
    await expect(confirm(actor, key, { by: replaced })).rejects.toMatchObject({ kind: 'invalid' });
    expect(await confirm(actor, other)).toHaveLength(10);
    expect(await isIn(actor, other, 2)).toBe(true);
  });

  it('only one is shown backup codes, and these are valid', async () => {
    const actor = await addActor(fresh.db);
    const { secretText: key } = await startSecondFactor(fresh.db, auth, actor);
    const all = await Promise.allSettled([confirm(actor, key), confirm(actor, key, { ahead: 1 })]);
    const shown = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(shown).toHaveLength(1);
    expect(await fresh.db.selectFrom('backup_codes').select('hash').execute()).toHaveLength(10);
    for (const code of shown[0]!)
      expect(await consumeCode(fresh.db, auth, { userId: actor.userId, code, at: new Date(actor.at) })).toBe(
        true,
      );
  });

  it('that request new backup codes, the codes of one are left', async () => {
    const actor = await addActor(fresh.db);
    const { secretText: key } = await startSecondFactor(fresh.db, auth, actor);
    const [first = '', second = ''] = await confirm(actor, key);
    const given = (code: string) => ({ code, address: '127.0.0.1' });
    await Promise.allSettled(
      [first, second].map((code) => renewBackupCodes(fresh.db, auth, actor, given(code))),
    );
    expect(await fresh.db.selectFrom('backup_codes').select('hash').execute()).toHaveLength(10);
  });
});
