import { insertRows, ROWS_AT_ONCE, type StagedRows, stageRows } from '../../../db/bulk.ts';
import { isViolation, LostRace } from '../../../db/errors.ts';
import { lockKey, writesAlone } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { ParsedRows } from '../../formats/tables/parse-rows.ts';
import type { TableImport, TableKind } from '../../formats/tables/table.ts';
import { type Actor, readAuditTail } from '../audit/audit.ts';
import { requireArea } from '../users/may-act.ts';
import { OthersChanges } from './changes.ts';
import { importInvoices } from './invoices.ts';
import { type Judged, judgeAll } from './judging-all.ts';
import { addRecord, auditRun, type Made, makeRows } from './made-rows.ts';
import { importPayments } from './payments.ts';
import { ImportProgress, type TableProgress } from './progress.ts';
import { mayStore, Overtaken, type Run, type StoreOnce, type TableImportOptions } from './run.ts';

/**
 * Stores the rows of a table in one list: all of it or nothing. Each row is judged by what is on file and by the rows
 * before it; all refused rows are said, not only the first. A dry run does the same without storing, and comes to
 * the same counts: `created` are the rows that are, or would be, stored.
 * @param rows gone through once for each time that they are judged
 * @throws the signal's reason where it was aborted; DomainError busy, forbidden (budgets), conflict (a row referred to is gone)
 */
export async function importTable(
  db: Db,
  actor: Actor,
  kind: TableKind,
  rows: ParsedRows,
  options: TableImportOptions,
  onProgress: TableProgress = () => {},
): Promise<TableImport> {
  if (kind === 'budgets') requireArea(actor, 'budgets');
  const progress = new ImportProgress(options.signal, onProgress);
  await progress.pause();
  const run: Run = { actor, kind, rows, options, progress };
  const storeOnce: StoreOnce = options.storeOnce ?? ((write) => inTransaction(db, write));
  const importDrafted = DRAFTED[kind];
  if (importDrafted) return importDrafted(db, run, (write) => storeOnce((trx) => write(trx).catch(tellRace)));
  if (options.dryRun) return (await judgeAll(db, run)).result;
  // Where others wait for whoever writes, only what is ready is written.
  const isWaitedFor = !db.isTransaction && writesAlone(db) && !JUDGED_IN_PLACE.includes(kind);
  for (let attempt = 1; isWaitedFor && attempt <= ATTEMPTS; attempt++) {
    const result = await judgeThenStore(db, run, storeOnce);
    if (result) return result;
  }
  return storeAlone(run, storeOnce);
}

/** Kinds whose rows become drafts of their noun's writer. */
const DRAFTED: Partial<Record<TableKind, typeof importPayments>> = {
  invoices: importInvoices,
  payments: importPayments,
};

/** What a row may take out of a box is what is in it then: boxes are held while they are judged. */
const JUDGED_IN_PLACE: readonly TableKind[] = ['cajas', 'movimientos-caja'];

/** How often rows are judged anew because of what others have stored meanwhile, before they are made to wait. */
const ATTEMPTS = 3;

/** Judges and stores while nobody else does. */
const storeAlone = (run: Run, storeOnce: StoreOnce): Promise<TableImport> =>
  storeOnce(async (trx) => {
    // One importer at a time: two would wait for each other's numbers.
    await lockKey(trx, 'import:tables');
    const judged = await judgeAll(trx, run);
    if (!mayStore(run, judged.result)) return judged.result;
    const made = await makeRows(trx, run, judged);
    await store(trx, run, judged, made).catch(tellRace);
    await run.progress.pause();
    return { ...judged.result, stored: true };
  });

/** Judges and makes ready, then stores in moments; undefined where what others did meanwhile may change the verdict. */
async function judgeThenStore(db: Db, run: Run, storeOnce: StoreOnce): Promise<TableImport | undefined> {
  const before = await readAuditTail(db);
  const judged = await judgeAll(db, run);
  if (!mayStore(run, judged.result)) return judged.result;
  const made = await makeRows(db, run, judged);
  const others = new OthersChanges(before.lastId, judged);
  const requireSameVerdicts = async (trx: Trx) => {
    if (await others.mayChangeVerdicts(trx)) throw new Overtaken();
  };
  const staged: StagedRows[] = [];
  try {
    for (const { table, ids, make } of made.lists) {
      const onBatch = (count: number) => run.progress.show('guardar', (STAGING * count) / ids.length);
      // Which columns the table has, its rows say.
      staged.push(await stageRows(db, table, make(0, ids.length) as never, onBatch));
    }
    return await storeOnce(async (trx) => {
      await requireSameVerdicts(trx);
      await store(trx, run, judged, made, { staged }).catch(tellRace);
      await run.progress.pause();
      return { ...judged.result, stored: true };
    });
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    throw error;
  } finally {
    for (const one of staged) await one.drop();
  }
}

/** The share of the time that storing takes which passes before anybody waits for it. */
const STAGING = 0.6;

/** The import's own record, what was missing, the rows, and one audit entry for each list. */
async function store(
  trx: Trx,
  run: Run,
  { result }: Judged,
  made: Made,
  { staged }: { staged?: readonly StagedRows[] } = {},
): Promise<void> {
  if (result.created === 0) return;
  await addRecord(trx, run, made.importId);
  for (const [index, { table, ids, make }] of made.lists.entries()) {
    const began = staged ? STAGING : 0;
    const onBatch = (count: number) =>
      run.progress.show('guardar', began + ((1 - began) * count) / ids.length);
    if (staged) await staged[index]!.store(trx, onBatch);
    else
      for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
        await insertRows(trx, table, make(from, from + ROWS_AT_ONCE) as never);
        await onBatch(Math.min(from + ROWS_AT_ONCE, ids.length));
      }
  }
  auditRun(trx, run, result, made);
}

/** Somebody was faster with a UUID or an RFC: seen again, it is on file. */
function tellRace(error: unknown): never {
  if (!isViolation(error, 'unique')) throw error;
  const message =
    'Alguien guardó a la vez algo que también está en este archivo. No se importó nada: intenta de nuevo.';
  throw new LostRace(new DomainError('conflict', message, { code: 'import_race' }), error);
}
