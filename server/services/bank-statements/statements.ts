import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { insertRows, listed } from '../../../db/bulk.ts';
import { lockKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  MOVEMENT_OUTCOMES,
  type MovementOutcome,
  type StatementOutcome,
  statementTexts,
} from '../../../shared/bank-statements.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type BatchLine, isHeld, isUntouched } from '../../../shared/payment-batches.ts';
import { type Movement, movementsOf } from '../../formats/bank-statements/movements.ts';
import { readTable } from '../../formats/reading/read-table.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { orderOf } from '../bank-files/transfers.ts';
import { safeFilename } from '../files.ts';
import { lockBatch } from '../payment-batches/payment-batches.ts';
import { checkSent, isHeldSince, requireApprover } from '../payment-batches/stages.ts';
import { holdInvoices } from '../payments/committed.ts';
import { requireFundingSource } from '../references.ts';
import { readSettings } from '../settings/settings.ts';
import { headingsOf } from '../settings/statement-columns.ts';
import { type AskedTransfer, TransferMatcher } from './matching.ts';
import { type Decided, settleBatches } from './settling.ts';

interface SentFile {
  origenderecursoId: number;
  filename: string;
  bytes: Uint8Array;
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
  { origenderecursoId, filename, bytes }: SentFile,
  signal?: AbortSignal,
): Promise<StatementOutcome> {
  requireApprover(actor);
  if (bytes.length > MOST_STATEMENT_MB * 1024 * 1024)
    throw new DomainError('too-large', `El archivo pasa de ${MOST_STATEMENT_MB} MB.`);
  const table = await readTable({ bytes, filename }, { most: MOST_ROWS, userId: actor.userId, signal }).catch(
    asBadStatement,
  );
  return loadStatement(db, actor, {
    origenderecursoId,
    filename,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    movements: movementsOf(table, headingsOf(await readSettings(db))),
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

const badStatement = (message: string): DomainError =>
  new DomainError('invalid', message, { code: 'bad_statement', fields: { file: message } });

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
    // Other statements of the same account wait here until this one is through.
    await lockKey(trx, `statement:${origenderecursoId}`);
    const transfers = new TransferMatcher(await readTransfers(trx, actor, origenderecursoId));
    const stored = await readStored(trx, origenderecursoId, movements);
    const known = movements.map((one) => ({ ...one, stored: stored.get(one.identity) }));
    const open = known.filter(({ stored: was }) => !was || !isDecided(was.outcome));
    const decided: Decided[] = open.map((one) => ({ ...one, ...transfers.match(one.movement) }));
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
    if (former) return { statementId: former.id, isNew, ...outcome };
    const { filename, sha256 } = sent;
    const row = { origenderecursoId, layout: 'encabezados', filename: safeFilename(filename), sha256 };
    const { id: statementId } = await trx
      .insertInto('bank_statements')
      .values({ ...row, userId: actor.userId, createdAt: actor.at })
      .returning('id')
      .executeTakeFirstOrThrow();
    await settleBatches(trx, actor, decided);
    await storeMovements(trx, statementId, origenderecursoId, decided);
    const after = {
      id: statementId,
      origenderecursoId,
      filename,
      sha256,
      movements: known.length,
      ...counts,
    };
    audit(trx, actor, { action: 'create', entity: 'bank-statements', entityId: statementId, after });
    return { statementId, isNew: true, ...outcome };
  });
}

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

async function readStored(trx: Trx, origenderecursoId: number, movements: readonly { identity: string }[]) {
  const rows = movements.map(({ identity }) => ({ identity }));
  const { rows: found } = await sql<Stored & { identity: string }>`
    select m.id, m.identity, m.outcome from ${listed(trx, { identity: 'text' }, rows)} as w
    cross join bank_movements m
    where m."origenderecursoId" = ${origenderecursoId} and m.identity = w.identity`.execute(trx);
  return new Map(found.map((row) => [row.identity, row]));
}

type Stored = NonNullable<Decided['stored']>;

async function storeMovements(
  trx: Trx,
  statementId: number,
  origenderecursoId: number,
  decided: readonly Decided[],
): Promise<void> {
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
  const told = await readTold(trx, origenderecursoId);
  const transfers: AskedTransfer[] = [];
  for (const { id } of rows.toReversed()) {
    const locked = await lockBatch(trx, id);
    await holdInvoices(
      trx,
      locked.lines.map(({ invoiceId }) => invoiceId),
      id,
    );
    const batch = locked.estado === 'enviada' ? await checkSent(trx, actor, locked) : locked;
    const order = await orderOf(
      trx,
      batch,
      (line) => !isHeld(line) || !isUntouched(line) || isHeldSince(batch, line),
    );
    for (const { supplierId, clabe, amountCents, referencia, lines } of [
      ...order.transfers,
      ...order.unknown,
    ])
      transfers.push({
        batchId: id,
        supplierId,
        clabe,
        amountCents,
        referencia,
        state: stateOf(lines, told.has(`${id}/${supplierId}`), batch.estado === 'enviada'),
      });
  }
  return transfers;
}

function stateOf(lines: readonly BatchLine[], isTold: boolean, isSent: boolean): AskedTransfer['state'] {
  if (lines.every(({ paymentId }) => paymentId !== null)) return isTold ? 'told' : 'paid';
  if (!isSent || !lines.every(isUntouched)) return 'gone';
  return lines.some(isHeld) ? 'held' : 'open';
}

async function readTold(trx: Trx, origenderecursoId: number): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('bank_movements')
    .select(['batchId', 'supplierId'])
    .where('origenderecursoId', '=', origenderecursoId)
    .where('outcome', '=', 'pagado')
    .execute();
  return new Set(rows.map(({ batchId, supplierId }) => `${batchId}/${supplierId}`));
}
