import { type SqlBool, sql } from 'kysely';
import { insertRows, ROWS_AT_ONCE } from '../../../db/bulk.ts';
import { isViolation } from '../../../db/errors.ts';
import { watchWaiting } from '../../../db/open.ts';
import { asImport, closeImport, ImportTakenBack, openImport } from '../../../db/open-imports.ts';
import type { RolledChanges } from '../../../db/rolling.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Watch } from '../../../db/waiting.ts';
import type { TableImport } from '../../formats/tables/table.ts';
import type { OthersChanges } from './changes.ts';
import type { Judged } from './judging-all.ts';
import { addRecord, auditRun, keepStored, type Made } from './made-rows.ts';
import {
  ALONE_MS,
  batchTime,
  beat,
  isRunning,
  newOwner,
  requireNoneOpen,
  rest,
  takeBackWhole,
} from './recovering.ts';
import { Overtaken, type Run, type StoreOnce } from './run.ts';
import { settlePayments } from './writing.ts';

interface Prepared {
  judged: Judged;
  made: Made;
  others: OthersChanges;
  storeOnce: StoreOnce;
}

/**
 * Stores what was judged in many short transactions, between which others write, and is whole or nothing all the same:
 * until the last of them has written the audit trail nobody may change the rows or refer to them, and whatever ends
 * it before takes them back. Nor does anybody see them before, but for payments: an invoice is paid with the batch
 * that its payment comes with, so each batch of those ties out by itself, and is seen.
 * @throws Overtaken where what others did meanwhile may change a verdict: all of it is taken back
 */
export async function storeInBatches(
  db: Db,
  run: Run,
  { judged, made, others, storeOnce }: Prepared,
): Promise<TableImport> {
  const { importId, lists } = made;
  const owner = newOwner();
  let watch: Watch | undefined;
  let isAsked = false;
  const hasWaited = () => {
    isAsked ||= watch?.hasWaited() ?? false;
    return isAsked;
  };
  const timing = run.options.batching?.timing;
  const total = lists.reduce((sum, { ids }) => sum + ids.length, 0);
  let stored = 0;
  const inBatch = <T>(work: (trx: Trx, rolls: RolledChanges) => Promise<T>) =>
    inTransaction(db, (trx) => asImport(trx, beat(importId, owner), (rolls) => work(trx, rolls)));

  const open = (trx: Trx) => {
    const ranges = lists.map(({ table, ids }) => ({ table, firstId: ids[0]!, lastId: ids.at(-1)! }));
    return openImport(trx, beat(importId, owner), ranges, run.kind !== 'payments');
  };

  /** @returns the index of the first row that is left of the list */
  const storeBatch = async (
    trx: Trx,
    rolls: RolledChanges,
    { place, from }: { place: number; from: number },
  ) => {
    const { ids, table, make } = lists[place]!;
    const isOwn = place === lists.length - 1;
    await requireSameVerdicts(trx, isOwn ? from : 0);
    const mayGoOn = timing ? timing() : batchTime(watch && ALONE_MS);
    let at = from;
    do {
      const to = Math.min(at + ROWS_AT_ONCE, ids.length);
      await insertRows(trx, table, make(at, to) as never);
      if (table === 'payments')
        await settlePayments(trx, { importId, from: ids[at]!, to: ids[to - 1]! }, rolls);
      await keepStored(trx, made, place, ids.slice(at, to));
      at = to;
    } while (at < ids.length && mayGoOn() && !hasWaited());
    await rolls.after(table, sql<SqlBool>`id between ${ids[from]!} and ${ids[at - 1]!}`);
    return at;
  };

  const requireSameVerdicts = async (trx: Trx, ownStored: number) => {
    if (await others.mayChangeVerdicts(trx, ownStored)) throw new Overtaken();
  };

  await inTransaction(db, async (trx) => {
    await requireNoneOpen(trx);
    await requireSameVerdicts(trx, 0);
    await addRecord(trx, run, importId);
    await open(trx);
  }).catch((error) => {
    throw isRunning(error) ? new Overtaken() : error;
  });
  // A server has others to serve than those who write.
  if (run.actor.origin === 'cli') watch = watchWaiting(db);
  try {
    for (const [place, { ids }] of lists.entries()) {
      for (let at = 0; at < ids.length; ) {
        const to = await inBatch((trx, rolls) => storeBatch(trx, rolls, { place, from: at }));
        stored += to - at;
        at = to;
        await run.progress.show('guardar', stored / total);
        if (watch && !hasWaited()) continue;
        await rest();
        isAsked = false;
      }
    }
    return await storeOnce((trx) =>
      asImport(trx, beat(importId, owner), async () => {
        await requireSameVerdicts(trx, judged.result.created);
        auditRun(trx, run, judged.result, made);
        await closeImport(trx, importId);
        await run.progress.pause();
        return { ...judged.result, stored: true };
      }),
    );
  } catch (error) {
    // Where even that fails, whoever comes next finds that nobody goes on with it.
    await takeBackWhole(db, { id: importId, owner }, timing).catch(() => {});
    throw isRace(error) ? new Overtaken() : error;
  } finally {
    watch?.end();
  }
}

/** Somebody was faster with a UUID or an RFC, or held this import for dead. */
const isRace = (error: unknown): boolean => isViolation(error, 'unique') || error instanceof ImportTakenBack;
