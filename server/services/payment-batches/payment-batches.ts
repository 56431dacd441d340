import type { Updateable } from 'kysely';
import { insertRows } from '../../../db/bulk.ts';
import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  type BatchInput,
  type BatchLine,
  type BatchState,
  batchTexts,
  checkBatch,
  type FullBatch,
  type Verdict,
} from '../../../shared/payment-batches.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { requireFundingSource } from '../missing-references.ts';
import { lockAndReadPayableInvoices, requireUncommittedAmount } from '../payments/committed-amounts.ts';
import { readSettingsForDocument } from '../signatures/second-person.ts';
import { lockRow, requireCurrentVersion } from '../stored-rows.ts';
import { checkLines, storeVerdicts } from './check-lines.ts';
import { type BatchPeopleAndFiles, getBatch } from './reading.ts';

const BATCH_ENTITY = 'payment-batches';

/**
 * A batch begins as a draft: nothing is paid yet, but the amounts are committed.
 * @throws DomainError malformed (an invoice twice), invalid (what is missing, over_committed)
 */
export async function createBatch(db: Db, actor: Actor, draft: BatchInput): Promise<FullBatch> {
  throwIfRefused(checkBatch(draft));
  const { comments = '', lines = [] } = draft;
  requireDistinctInvoices(lines);
  return inTransaction(db, async (trx) => {
    const fecha = draft.fecha!;
    const origenderecursoId = draft.origenderecursoId!;
    await requireFundingSource(trx, origenderecursoId);
    const chosen = await completeChosenLines(trx, lines);
    const { id } = await trx
      .insertInto('payment_batches')
      .values({
        fecha,
        origenderecursoId,
        comments,
        createdBy: actor.userId,
        editedBy: actor.userId,
        createdAt: actor.at,
        updatedAt: actor.at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await checkAndStoreLines(trx, actor, { id, fecha }, chosen);
    const after = await getBatch(trx, id);
    queueAuditEntry(trx, actor, {
      action: 'create',
      entity: BATCH_ENTITY,
      entityId: id,
      after: toAuditBody(after),
    });
    return after;
  });
}

/**
 * A change removes the signatures. A user who changes more than the remarks may never sign the batch, since what that
 * user entered may stay in it even if somebody else changes it later.
 * @throws DomainError not-found, stale (with the stored batch), malformed, invalid, conflict batch_state
 */
export async function updateBatch(
  db: Db,
  actor: Actor,
  id: number,
  draft: BatchInput,
  version?: number,
): Promise<FullBatch> {
  if (draft.lines) requireDistinctInvoices(draft.lines);
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadBatch(trx, id, version);
    requireBatchState(before, ['borrador', 'autorizada'], 'cambiar');
    const named = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const after: BatchInput & Pick<FullBatch, 'lines'> = { ...before, ...named };
    throwIfRefused(checkBatch(after));
    const fecha = after.fecha!;
    const origenderecursoId = after.origenderecursoId!;
    await requireFundingSource(trx, origenderecursoId);
    const chosen = draft.lines ? await completeChosenLines(trx, draft.lines, before) : before.lines;
    const hasSameLines = areSameLines(chosen, before.lines);
    const isSameMoney =
      hasSameLines && fecha === before.fecha && origenderecursoId === before.origenderecursoId;
    if (isSameMoney && after.comments === before.comments) return before;
    if (hasSameLines)
      await storeVerdicts(
        trx,
        id,
        await checkLines(trx, actor, before.lines, { step: 'elegir', fecha, batch: draftCheckContext(id) }),
      );
    else {
      await trx.deleteFrom('payment_batch_lines').where('batchId', '=', id).execute();
      await checkAndStoreLines(trx, actor, { id, fecha }, chosen);
    }
    await trx.deleteFrom('payment_batch_signatures').where('batchId', '=', id).execute();
    if (!isSameMoney) await addEditorAndRevokePermits(trx, before, actor);
    const editedBy = isSameMoney ? before.editedBy : actor.userId;
    const fields = { fecha, origenderecursoId, comments: after.comments, editedBy };
    return saveBatch(trx, actor, before, { ...fields, estado: 'borrador' });
  });
}

/** A user who edits a batch may not permit its held lines, so that user's earlier permits are removed. */
async function addEditorAndRevokePermits(
  trx: Trx,
  { id: batchId, createdAt: since }: FullBatch,
  { userId }: Actor,
): Promise<void> {
  if (
    (await readSettingsForDocument(trx, { entity: BATCH_ENTITY, id: batchId, since })).autorizacion === 'otra'
  )
    await trx
      .updateTable('payment_batch_lines')
      .set({ permittedBy: null, permittedAt: null, permittedFor: null, permitReason: null })
      .where('batchId', '=', batchId)
      .where('permittedBy', '=', userId)
      .execute();
  await trx
    .insertInto('payment_batch_editors')
    .values({ batchId, userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** An invoice that the batch already pays in part is then paid in full. @throws DomainError as updateBatch does */
export async function addBatchLines(
  db: Db,
  actor: Actor,
  id: number,
  addedLines: LineInputs,
): Promise<FullBatch> {
  const added = new Set(addedLines.map(({ invoiceId }) => invoiceId));
  if (added.size === 0) throwIfRefused(createRefusal(batchTexts.noneChosen, 'partidas'));
  return inTransaction(db, async (trx) => {
    const { lines } = await lockAndReadBatch(trx, id);
    const retained = lines.filter(({ invoiceId }) => !added.has(invoiceId));
    return updateBatch(trx, actor, id, { lines: [...retained, ...addedLines] });
  });
}

/** @throws DomainError not-found, stale, conflict batch_state where it is no draft */
export async function deleteBatch(db: Db, actor: Actor, id: number, version?: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockAndReadBatch(trx, id, version);
    requireBatchState(before, ['borrador'], 'eliminar');
    await trx.deleteFrom('payment_batches').where('id', '=', id).execute();
    queueAuditEntry(trx, actor, {
      action: 'delete',
      entity: BATCH_ENTITY,
      entityId: id,
      before: toAuditBody(before),
    });
  });
}

export async function lockAndReadBatch(trx: Trx, id: number, version?: number): Promise<FullBatch> {
  await lockRow(trx, 'payment_batches', id);
  const batch = await getBatch(trx, id);
  requireCurrentVersion(batch, version, batchTexts.stale);
  return batch;
}

/** @throws DomainError conflict batch_state */
export function requireBatchState(
  { estado }: FullBatch,
  allowed: readonly BatchState[],
  action: string,
): void {
  if (!allowed.includes(estado))
    throw new DomainError('conflict', batchTexts.inState(estado, action), { code: 'batch_state' });
}

export async function saveBatch(
  trx: Trx,
  actor: Actor,
  before: FullBatch,
  change: Updateable<Schema['payment_batches']>,
  unchangedPeopleAndFiles?: BatchPeopleAndFiles,
): Promise<FullBatch> {
  await trx
    .updateTable('payment_batches')
    .set({ ...change, updatedAt: actor.at, version: before.version + 1 })
    .where('id', '=', before.id)
    .execute();
  const after = await getBatch(trx, before.id, unchangedPeopleAndFiles);
  queueAuditEntry(trx, actor, {
    action: 'update',
    entity: BATCH_ENTITY,
    entityId: before.id,
    before: toAuditBody(before),
    after: toAuditBody(after),
  });
  return after;
}

function toAuditBody({ lines, signatures, files, ...stored }: FullBatch) {
  const { editors: _, heldCents: __, atBankCents: ___, unsentCents: ____, ...batch } = stored;
  return {
    ...batch,
    signatures: signatures.map(({ username }) => username),
    files: files.map(({ filename, sha256, downloads }) => `${filename} ${sha256} (${downloads.length})`),
    lines: lines.map(({ invoiceId, suppliername, numfactura, amountCents, paymentId, permit }) => ({
      invoiceId,
      suppliername,
      numfactura,
      amountCents,
      ...(paymentId !== null && { paymentId }),
      ...(permit && { permittedBy: permit.username, codes: permit.codes, reason: permit.reason }),
    })),
  };
}

const draftCheckContext = (id: number): Parameters<typeof checkLines>[3]['batch'] => ({
  id,
  estado: 'borrador',
  signatures: [],
});

type LineInputs = NonNullable<BatchInput['lines']>;

function requireDistinctInvoices(lines: LineInputs): void {
  const seen = new Set<number>();
  for (const { invoiceId } of lines) {
    if (!seen.has(invoiceId)) {
      seen.add(invoiceId);
      continue;
    }
    const message = batchTexts.twice(invoiceId);
    throw new DomainError('malformed', message, { fields: { partidas: message } });
  }
}

type ChosenLine = Pick<BatchLine, 'invoiceId' | 'supplierId' | 'amountCents' | 'permit'> & {
  verdict?: Verdict;
};

function areSameLines(chosenLines: readonly ChosenLine[], previousLines: readonly BatchLine[]): boolean {
  const lines = new Map(previousLines.map((line) => [line.invoiceId, line]));
  return (
    chosenLines.length === previousLines.length &&
    chosenLines.every(({ invoiceId, supplierId, amountCents }) => {
      const previousLine = lines.get(invoiceId);
      return previousLine?.supplierId === supplierId && previousLine.amountCents === amountCents;
    })
  );
}

/** A line keeps its permit unless its amount grows. @throws DomainError invalid (no such invoice, over_committed) */
async function completeChosenLines(trx: Trx, lines: LineInputs, previous?: FullBatch): Promise<ChosenLine[]> {
  const invoices = await lockAndReadPayableInvoices(trx, lines, previous?.id);
  const before = new Map(previous?.lines.map((line) => [line.invoiceId, line]));
  return lines.map(({ invoiceId, amountCents: requestedCents }) => {
    const invoice = invoices.get(invoiceId)!;
    const { supplierId, pendingCents, committedCents } = invoice;
    const amountCents = requestedCents ?? pendingCents - committedCents;
    requireUncommittedAmount(invoice, amountCents);
    const line = before.get(invoiceId);
    const previousLine = line?.supplierId === supplierId ? line : undefined;
    const permit = previousLine && amountCents <= previousLine.amountCents ? previousLine.permit : null;
    return { invoiceId, supplierId, amountCents, permit, verdict: previousLine?.verdict };
  });
}

async function checkAndStoreLines(
  trx: Trx,
  actor: Actor,
  { id, fecha }: { id: number; fecha: PlainDate },
  lines: readonly ChosenLine[],
): Promise<void> {
  const verdicts = await checkLines(trx, actor, lines, {
    step: 'elegir',
    fecha,
    batch: draftCheckContext(id),
  });
  const rows = lines.map(({ permit, ...line }) => ({
    ...line,
    batchId: id,
    verdict: JSON.stringify(verdicts.get(line.invoiceId)),
    permittedBy: permit?.userId ?? null,
    permittedAt: permit?.at ?? null,
    permittedFor: permit?.codes.join() ?? null,
    permitReason: permit?.reason ?? null,
  }));
  await insertRows(trx, 'payment_batch_lines', rows);
}
