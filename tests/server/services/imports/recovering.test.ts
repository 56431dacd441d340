import { describe, expect, it } from 'vitest';
import { findOpenImports, openImport, takeOver } from '../../../../db/open-imports.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { beat, newOwner, recoverImports } from '../../../../server/services/imports/recovering.ts';
import { useFresh } from '../../../support/databases.ts';

const MINUTE = 60_000;
const ID = 7;

/** What stands about an import says who may take it back, and when. */
describe('an import that somebody left behind (sqlite)', () => {
  const fresh = useFresh('sqlite');

  /** Of another machine, so that only its beats tell whether it lives. */
  const leave = async (now: number) => {
    const marker = { id: ID, owner: 'another-machine 1 x', beatAt: new Date(now).toISOString() };
    await inTransaction(fresh.db, (trx) => openImport(trx, marker, [], true));
    return marker;
  };

  it('is one heir’s alone, from the moment in which it is taken over', async () => {
    const marker = await leave(Date.now() - 2 * MINUTE);
    const heir = beat(ID, newOwner());
    expect(await inTransaction(fresh.db, (trx) => takeOver(trx, marker, heir))).toBe(true);
    expect(await inTransaction(fresh.db, (trx) => takeOver(trx, marker, beat(ID, newOwner())))).toBe(false);
    expect(await recoverImports(fresh.database.openAgain().db)).toBe(0);
    expect(await findOpenImports(fresh.db)).toEqual([heir]);
  });

  it('is said by a check, and is no fault', async () => {
    const { beatAt } = await leave(Date.now());
    const { ok, notices } = await checkDatabase(fresh.db);
    expect([ok, notices]).toEqual([
      true,
      [
        `La importación ${ID} está a medias (última señal: ${beatAt}). Nadie ve aún sus renglones; si ya nadie la sigue, el servidor la deshace.`,
      ],
    ]);
  });

  it('does not wait for a clock that was set back since', async () => {
    const now = Date.now();
    await leave(now + 24 * 60 * MINUTE);
    expect(await recoverImports(fresh.db, now)).toBe(1);
    await leave(now + MINUTE / 2);
    expect(await recoverImports(fresh.db, now)).toBe(0);
  });
});
