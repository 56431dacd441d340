import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { insertRows, listed } from '../../../db/bulk.ts';
import { isOneOf, lockKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  type FullStatement,
  MOVEMENT_OUTCOMES,
  type MovementOutcome,
  type StatementOutcome,
  statementTexts,
} from '../../../shared/bank-statements.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  type BatchLine,
  batchTexts,
  type FullBatch,
  isHeld,
  isUntouched,
} from '../../../shared/payment-batches.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import { badStatement } from '../../formats/bank-statements/accounts.ts';
import { type Movement, movementsOf } from '../../formats/bank-statements/movements.ts';
import { santanderTable } from '../../formats/bank-statements/santander.ts';
import { readTable } from '../../formats/reading/read-table.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { formerReferenceOf, orderOf } from '../bank-files/transfers.ts';
import { safeFilename } from '../files.ts';
import { lockBatch } from '../payment-batches/payment-batches.ts';
import { getBatch } from '../payment-batches/reading.ts';
import { checkSent, isFirmlyHeld, isHeldSince, requireApprover } from '../payment-batches/stages.ts';
import { holdInvoices } from '../payments/committed.ts';
import { requireFundingSource } from '../references.ts';
import { readSettings } from '../settings/settings.ts';
import { statementOptionsOf } from '../settings/statement-columns.ts';
import { append } from '../stored-rows.ts';
import {
  type AskedTransfer,
  accountNames,
  type Matched,
  recognize,
  type StoredMovement,
  TransferMatcher,
} from './matching.ts';
import { getMovement, getStatement } from './reading.ts';
import { type Decided, settleBatches, takeBack } from './settling.ts';

interface SentFile {
  origenderecursoId: number;
  filename: string;
  bytes: Uint8Array;
  /** the one account that is wanted of a file with several */
  cuenta?: string | undefined;
}

export const MOST_STATEMENT_MB = 5;

/** Everybody else who writes waits while they are stored. */
const MOST_ROWS = 20_000;

/**
 * Reads a bank's file and takes in what it says.
 * @throws DomainError forbidden, invalid (bad_statement, no such source), too-large, busy, conflict closed_period
 */
export async function loadStatementFile(
  db: Db,
  actor: Actor,
  { origenderecursoId, filename, bytes, cuenta }: SentFile,
  signal?: AbortSignal,
): Promise<StatementOutcome> {
  requireApprover(actor);
  if (bytes.length > MOST_STATEMENT_MB * 1024 * 1024)
    throw new DomainError('too-large', `El archivo pasa de ${MOST_STATEMENT_MB} MB.`);
  const table =
    santanderTable(bytes) ??
    (await readTable({ bytes, filename }, { most: MOST_ROWS, userId: actor.userId, signal }).catch(
      asBadStatement,
    ));
  const source = await db
    .selectFrom('funding_sources')
    .select('clabe')
    .where('id', '=', origenderecursoId)
    .executeTakeFirst();
  return loadStatement(db, actor, {
    origenderecursoId,
    filename,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    movements: movementsOf(table, {
      ...statementOptionsOf(await readSettings(db)),
      cuenta: cuenta?.trim() || undefined,
      clabe: source?.clabe ?? undefined,
    }),
  });
}

/** A reason why a table cannot be read is said of this file; that others are read just now is not about it. */
function asBadStatement(error: unknown): never {
  if (!(error instanceof DomainError) || error.kind === 'busy') throw error;
  // Two equal movements are told apart by their places in the file.
  throw badStatement(
    error.code === 'table_too_large'
      ? `${error.message} Que cada día quede completo en uno solo.`
      : error.message,
  );
}

interface SentStatement {
  origenderecursoId: number;
  filename: string;
  sha256: string;
  movements: readonly Movement[];
}

/**
 * Takes in what a bank says of an account: what it paid of batches is paid from that day on, what it sent back is owed
 * again, the rest is kept and said. A movement counts once, whatever statements it comes with; one after today can be
 * taken in once its day has come.
 * @throws DomainError forbidden, invalid (no such source; bad_statement: nothing has happened yet), conflict
 * closed_period
 */
export async function loadStatement(db: Db, actor: Actor, all: SentStatement): Promise<StatementOutcome> {
  requireApprover(actor);
  const refused = all.movements.filter(({ fecha }) => fecha > actor.today).map(({ line }) => line);
  const sent = { ...all, movements: all.movements.filter(({ fecha }) => fecha <= actor.today) };
  if (refused.length > 0 && sent.movements.length === 0) throw badStatement(statementTexts.notYet(refused));
  const movements = identified(sent.movements);
  return inTransaction(db, async (trx) => {
    const { origenderecursoId } = sent;
    await requireFundingSource(trx, origenderecursoId);
    await holdMovements(trx, origenderecursoId);
    const transfers = await readTransfers(trx, actor, origenderecursoId);
    const known = recognize(movements, await readStored(trx, origenderecursoId, movements, transfers));
    const open = known.filter(({ stored: was }) => !was || !isDecided(was.outcome));
    const decided = decide(open, new TransferMatcher(transfers, await readHolders(trx)));
    const counts = countsOf(decided);
    const isNew = decided.some(({ stored: was, outcome }) => !was || was.outcome !== outcome);
    const former = isNew
      ? undefined
      : await trx
          .selectFrom('bank_statements')
          .select('id')
          .where('origenderecursoId', '=', origenderecursoId)
          .orderBy('id', 'desc')
          .executeTakeFirst();
    const outcome = { movements: known.length, known: known.length - open.length, refused, counts };
    if (former) return { statementId: former.id, isNew, ...outcome, warnings: [] };
    const { filename, sha256 } = sent;
    const row = { origenderecursoId, layout: 'encabezados', filename: safeFilename(filename), sha256 };
    const { id: statementId } = await trx
      .insertInto('bank_statements')
      .values({ ...row, userId: actor.userId, createdAt: actor.at })
      .returning('id')
      .executeTakeFirstOrThrow();
    const ids = await storeMovements(trx, statementId, origenderecursoId, decided);
    const warnings = await settleBatches(trx, actor, decided, ids);
    const after = {
      id: statementId,
      origenderecursoId,
      filename,
      sha256,
      movements: known.length,
      ...counts,
    };
    audit(trx, actor, { action: 'create', entity: 'bank-statements', entityId: statementId, after });
    return { statementId, isNew: true, ...outcome, warnings };
  });
}

/**
 * Marks what a movement paid as sent back: its payments go, as with a return of the bank's.
 * @throws DomainError forbidden, not-found, invalid (no reason), conflict (movement_not_paid, closed_period)
 */
export async function returnMovement(db: Db, actor: Actor, id: number): Promise<FullStatement> {
  requireApprover(actor);
  if (!actor.motivo) refuse(refusal(batchTexts.reason, 'motivo'));
  return inTransaction(db, async (trx) => {
    const { origenderecursoId } = await getMovement(trx, id);
    await holdMovements(trx, origenderecursoId);
    const { statementId, outcome, batchId } = await getMovement(trx, id);
    if (outcome !== 'pagado' || batchId === null)
      throw new DomainError('conflict', statementTexts.notPaid, { code: 'movement_not_paid' });
    const batch = await lockBatch(trx, batchId);
    await holdInvoices(trx, batch.lines, batchId);
    const { lines } = await getBatch(trx, batchId);
    const paid = lines.filter(({ movementId }) => movementId === id).map(({ invoiceId }) => invoiceId);
    if (paid.length > 0) await takeBack(trx, actor, batch, paid);
    await trx.updateTable('bank_movements').set({ outcome: 'devuelto' }).where('id', '=', id).execute();
    const before = { movimiento: id, resultado: outcome };
    const after = { ...before, resultado: 'devuelto' };
    audit(trx, actor, { action: 'update', entity: 'bank-statements', entityId: statementId, before, after });
    return getStatement(trx, statementId);
  });
}

/** Other statements of the same account wait until the transaction ends. */
const holdMovements = (trx: Trx, origenderecursoId: number) => lockKey(trx, `statement:${origenderecursoId}`);

const isDecided = (outcome: MovementOutcome): boolean => outcome === 'pagado' || outcome === 'devuelto';

/** Two movements of a file that say the same are two: the first of them in every statement is the first. */
function identified(movements: readonly Movement[]): { movement: Movement; identity: string }[] {
  const seen = new Map<string, number>();
  return movements.map((movement) => {
    const { fecha, amountCents, referencia, descripcion } = movement;
    const said = JSON.stringify([fecha, amountCents, referencia, descripcion]);
    const place = (seen.get(said) ?? 0) + 1;
    seen.set(said, place);
    return { movement, identity: createHash('sha256').update(`${said} ${place}`).digest('hex') };
  });
}

/** A movement that leaves goes before one that comes in of the same day, however the bank lists them. */
function decide<One extends Omit<Decided, keyof Matched> & { isDoubtful: boolean }>(
  open: readonly One[],
  matcher: TransferMatcher,
): (One & Matched)[] {
  const inTime = open.toSorted(
    ({ movement: a }, { movement: b }) =>
      Number(a.fecha > b.fecha) - Number(a.fecha < b.fecha) ||
      Number(a.amountCents > 0) - Number(b.amountCents > 0),
  );
  const matches = new Map(inTime.map((one) => [one, matcher.match(one.movement, one.isDoubtful)]));
  return open.map((one) => ({ ...one, ...matches.get(one)! }));
}

/** All movements on file of the days of these. */
async function readStored(
  trx: Trx,
  origenderecursoId: number,
  movements: readonly { movement: Movement }[],
  transfers: readonly AskedTransfer[],
): Promise<StoredMovement[]> {
  const days = movements.map(({ movement: { fecha } }) => fecha).sort();
  const rows = await trx
    .selectFrom('bank_movements')
    .select(['id', 'identity', 'outcome', 'fecha', 'amountCents', 'referencia', 'descripcion'])
    .select(['batchId', 'supplierId'])
    .where('origenderecursoId', '=', origenderecursoId)
    .where('fecha', '>=', days[0] ?? '')
    .where('fecha', '<=', days.at(-1) ?? '')
    .orderBy('id')
    .execute();
  const byPlace = new Map(transfers.map((one) => [`${one.batchId}/${one.supplierId}`, one]));
  return rows.map(({ batchId, supplierId, ...row }) => ({
    ...row,
    transfer: byPlace.get(`${batchId}/${supplierId}`),
  }));
}

/** The suppliers of each account, by its CLABE's digits and by its own number's. */
async function readHolders(trx: Trx): Promise<Map<string, Set<number>>> {
  const accounts = await trx.selectFrom('supplier_accounts').select(['clabe', 'supplierId']).execute();
  const holders = new Map<string, Set<number>>();
  for (const { clabe, supplierId } of accounts)
    for (const digits of accountNames(clabe))
      holders.set(digits, (holders.get(digits) ?? new Set()).add(supplierId));
  return holders;
}

/** @returns the ids of movements by what they are known by */
async function storeMovements(
  trx: Trx,
  statementId: number,
  origenderecursoId: number,
  decided: readonly Decided[],
): Promise<Map<string, number>> {
  const matchOf = ({ outcome, transfer }: Decided) => ({
    outcome,
    batchId: transfer?.batchId ?? null,
    supplierId: transfer?.supplierId ?? null,
  });
  const added = decided.filter(({ stored }) => !stored);
  await insertRows(
    trx,
    'bank_movements',
    added.map((one) => {
      const { line: _line, ...said } = one.movement;
      return { statementId, origenderecursoId, ...said, identity: one.identity, ...matchOf(one) };
    }),
  );
  const changed = decided.filter(({ stored, outcome }) => stored && stored.outcome !== outcome);
  const rows = changed.map((one) => ({ id: one.stored!.id, ...matchOf(one) }));
  const columns = { id: 'bigint', outcome: 'text', batchId: 'bigint', supplierId: 'bigint' } as const;
  await sql`update bank_movements set outcome = w.outcome, "batchId" = w."batchId", "supplierId" = w."supplierId"
    from ${listed(trx, columns, rows)} as w where bank_movements.id = w.id`.execute(trx);
  const own = await trx
    .selectFrom('bank_movements')
    .select(['id', 'identity'])
    .where('statementId', '=', statementId)
    .execute();
  return new Map([
    ...own.map(({ id, identity }) => [identity, id] as const),
    ...changed.map(({ identity, stored }) => [identity, stored!.id] as const),
  ]);
}

function countsOf(decided: readonly Decided[]): Record<MovementOutcome, number> {
  const count = (outcome: MovementOutcome) => decided.filter((one) => one.outcome === outcome).length;
  return Object.fromEntries(MOVEMENT_OUTCOMES.map((outcome) => [outcome, count(outcome)])) as Record<
    MovementOutcome,
    number
  >;
}

/** A statement speaks of the latest batches only. */
const MOST_BATCHES = 60;

/**
 * Holds the batches, and their invoices, so that nobody pays them by hand meanwhile. Findings that nobody may let
 * through are asked about each line once more.
 */
async function readTransfers(trx: Trx, actor: Actor, origenderecursoId: number): Promise<AskedTransfer[]> {
  const rows = await trx
    .selectFrom('payment_batches')
    .select('id')
    .where('origenderecursoId', '=', origenderecursoId)
    .where('estado', 'in', ['enviada', 'pagada'])
    .orderBy('id', 'desc')
    .limit(MOST_BATCHES)
    .execute();
  const batches: FullBatch[] = [];
  for (const { id } of rows.toReversed()) {
    const locked = await lockBatch(trx, id);
    await holdInvoices(trx, locked.lines, id);
    batches.push(locked.estado === 'enviada' ? await checkSent(trx, actor, locked) : locked);
  }
  const ids = batches.map(({ id }) => id);
  const [paidOn, texts] = [await readPaidDays(trx, ids), await readFileTexts(trx, ids)];
  const transfers: AskedTransfer[] = [];
  for (const batch of batches)
    for (const isTold of [true, false]) {
      const isOne = (line: BatchLine) =>
        (line.movementId !== null) === isTold &&
        (!isHeld(line) || !isUntouched(line) || isHeldSince(batch, line));
      if (!batch.lines.some(isOne)) continue;
      const order = await orderOf(trx, batch, isOne);
      for (const { supplierId, clabe, amountCents, referencia, lines } of [
        ...order.transfers,
        ...order.unknown,
      ]) {
        const former = formerReferenceOf(batch.id, referencia);
        const invoiceIds = lines.map(({ invoiceId }) => invoiceId);
        const days = invoiceIds.flatMap((id) => paidOn.get(`${batch.id}/${id}`) ?? []).sort();
        transfers.push({
          batchId: batch.id,
          supplierId,
          clabe,
          amountCents,
          referencia,
          ...(texts.get(batch.id)?.some((text) => says(text, former) && !text.includes(referencia)) && {
            formerReference: former,
          }),
          invoiceIds,
          // Of one that nobody sent, or of before that was kept, the day is known in UTC alone.
          sentOn: batch.sentOn ?? addDays(batch.createdAt.slice(0, 10), -1),
          paidOn: days.length === lines.length ? days.at(-1)! : null,
          state: isTold ? 'told' : stateOf(batch, lines, days.length),
        });
      }
    }
  return transfers;
}

function stateOf({ estado }: FullBatch, lines: readonly BatchLine[], paid: number): AskedTransfer['state'] {
  if (paid === lines.length) return 'paid';
  if (estado !== 'enviada' || !lines.every(isUntouched)) return 'gone';
  return lines.some(isFirmlyHeld) ? 'held' : 'open';
}

/** The day on which the bank, or else its payment, says that a line was paid, by batch and invoice. */
async function readPaidDays(trx: Trx, batchIds: readonly number[]): Promise<Map<string, PlainDate>> {
  const rows = await trx
    .selectFrom('payment_batch_lines as lines')
    .leftJoin('payments', 'payments.id', 'lines.paymentId')
    .leftJoin('bank_movements as movements', 'movements.id', 'lines.movementId')
    .select(['lines.batchId', 'lines.invoiceId', 'paymentdate', 'movements.fecha'])
    .where(isOneOf(trx, 'lines.batchId', batchIds))
    .execute();
  return new Map(
    rows.flatMap(({ batchId, invoiceId, paymentdate, fecha }) => {
      const day = fecha ?? paymentdate;
      return day === null ? [] : [[`${batchId}/${invoiceId}`, day]];
    }),
  );
}

/** What the files of batches say, letter by letter. */
async function readFileTexts(trx: Trx, batchIds: readonly number[]): Promise<Map<number, string[]>> {
  const files = await trx
    .selectFrom('payment_batch_files')
    .innerJoin('files', 'files.sha256', 'payment_batch_files.sha256')
    .select(['batchId', 'bytes'])
    .where(isOneOf(trx, 'batchId', batchIds))
    .execute();
  const texts = new Map<number, string[]>();
  for (const { batchId, bytes } of files) append(texts, batchId, Buffer.from(bytes).toString('latin1'));
  return texts;
}

/** As a number by itself, or in the seven digits of a field of fixed width. */
const says = (text: string, digits: string): boolean =>
  text.includes(digits.padStart(7, '0')) || new RegExp(`(?<!\\d)${digits}(?!\\d)`).test(text);
