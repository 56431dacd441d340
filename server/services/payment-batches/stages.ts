import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { parseMoney } from '../../../shared/money.ts';
import {
  type BatchLine,
  type BatchSignature,
  batchTexts,
  type CheckedStep,
  type FullBatch,
  isHeldLine,
  isOpenLine,
  isPayableLine,
  listBlockingFindings,
  type PaymentBatch,
  type Verdict,
} from '../../../shared/payment-batches.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { describeMissingPrivileges, mayEnter } from '../../../shared/roles.ts';
import type { Actor } from '../audit/audit.ts';
import type { CommittedLine } from '../payments/committed-amounts.ts';
import type { Settings } from '../settings/definitions.ts';
import { mustWaitToSign, readSettingsForDocument, requireSecondPerson } from '../signatures/second-person.ts';
import { requireVersion } from '../stored-rows.ts';
import { checkLines, storeVerdicts } from './check-lines.ts';
import { isMandatory } from './checks.ts';
import { lockAndReadBatch, requireBatchState, saveBatch } from './payment-batches.ts';
import { getBatch } from './reading.ts';

/** @throws DomainError forbidden */
export function requireApprover({ roles, username }: Actor): void {
  if (!mayEnter('approval', roles)) throw new DomainError('forbidden', describeMissingPrivileges(username));
}

/** @throws DomainError forbidden, invalid (no version) */
export function requireApproverAndVersion(actor: Actor, version: number | undefined): number {
  requireApprover(actor);
  return requireVersion(version);
}

export const toDocumentToSign = ({ id, createdAt: since, createdBy, editedBy, editors }: FullBatch) =>
  ({ entity: 'payment-batches', id, since, authorIds: [createdBy, editedBy, ...editors] }) as const;

export const readBatchSettings = (db: Db, batch: FullBatch): Promise<Settings> =>
  readSettingsForDocument(db, toDocumentToSign(batch));

export function countRequiredSignatures(
  { totalCents }: Pick<PaymentBatch, 'totalCents'>,
  settings: Settings,
): number {
  const limit = settings['autorizacion.limite'];
  return limit !== '' && totalCents > parseMoney(limit, 'autorizacion.limite') ? 2 : 1;
}

/** @throws DomainError forbidden, not-found, stale, conflict (batch_state, same_author, already_signed) */
export async function signBatch(db: Db, actor: Actor, id: number, version?: number): Promise<FullBatch> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadBatch(trx, id, version);
    requireBatchState(before, ['borrador'], 'autorizar');
    const settings = await readBatchSettings(trx, before);
    const refused = sameAuthorRefusal(batchTexts.sameAuthor);
    await requireSecondPerson(trx, actor, toDocumentToSign(before), refused, settings);
    if (before.signatures.some((one) => one.userId === actor.userId))
      throw new DomainError('conflict', batchTexts.alreadySigned, { code: 'already_signed' });
    await recheckBatch(trx, actor, before, 'autorizar', settings);
    await trx
      .insertInto('payment_batch_signatures')
      .values({ batchId: id, userId: actor.userId, at: actor.at })
      .execute();
    const isEnough =
      filterValidSignatures(before, settings).length + 1 >= countRequiredSignatures(before, settings);
    return saveBatch(trx, actor, before, isEnough ? { estado: 'autorizada' } : {});
  });
}

const sameAuthorRefusal = (message: string) => ({ message, code: 'same_author' });

export const isBarredAsAuthor = (batch: FullBatch, userId: number, { autorizacion }: Settings): boolean =>
  autorizacion === 'otra' && toDocumentToSign(batch).authorIds.includes(userId);

export const filterValidSignatures = (batch: FullBatch, settings: Settings): BatchSignature[] =>
  batch.signatures.filter(
    ({ isCurrent, userId, note }) =>
      isCurrent && !isBarredAsAuthor(batch, userId, settings) && !(note && mustWaitToSign(note, settings)),
  );

/** To be called whenever money is about to leave. @returns the batch settings @throws DomainError conflict unsigned */
export async function requireSigned(trx: Trx, batch: FullBatch): Promise<Settings> {
  const settings = await readBatchSettings(trx, batch);
  if (filterValidSignatures(batch, settings).length < countRequiredSignatures(batch, settings))
    throw new DomainError('conflict', batchTexts.unsigned, { code: 'unsigned' });
  return settings;
}

/** @throws DomainError forbidden, not-found, stale, conflict (batch_state, unsigned) */
export async function markBatchSent(db: Db, actor: Actor, id: number, version?: number): Promise<FullBatch> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadBatch(trx, id, version);
    requireBatchState(before, ['autorizada'], 'marcar como enviada');
    const checked = await recheckBatch(trx, actor, before, 'enviar', await requireSigned(trx, before));
    await markLinesSent(trx, actor, id, checked.lines.filter(isPayableLine));
    return saveBatch(trx, actor, before, createSentColumns(actor), before);
  });
}

/** A line that was sent before keeps its moment. */
export async function markLinesSent(
  trx: Trx,
  actor: Actor,
  batchId: number,
  lines: readonly BatchLine[],
): Promise<void> {
  const invoiceIds = lines.flatMap(({ invoiceId, sentAt }) => (sentAt === null ? invoiceId : []));
  await trx
    .updateTable('payment_batch_lines')
    .set({ sentAt: actor.at })
    .where('batchId', '=', batchId)
    .where(isOneOf(trx, 'invoiceId', invoiceIds))
    .execute();
}

export const createSentColumns = ({ userId, today }: Actor) =>
  ({ estado: 'enviada', sentBy: userId, sentOn: today }) as const;

/**
 * Permits a held line in this batch only, for its current findings and no later ones.
 * @throws DomainError forbidden, not-found, stale, invalid (no reason), conflict (batch_state, same_author, not_held,
 * firm_check)
 */
export async function permitLine(
  db: Db,
  caller: Actor,
  id: number,
  { invoiceId, reason, version }: { invoiceId: number; reason: string; version?: number },
): Promise<FullBatch> {
  // `motivo` is the reason for this permission, and must not count as the reason to change a closed period.
  const actor = { ...caller, motivo: undefined };
  requireApprover(actor);
  if (!reason.trim()) throwIfRefused(createRefusal(batchTexts.reason, 'motivo'));
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadBatch(trx, id, version);
    requireBatchState(before, ['borrador', 'autorizada', 'enviada'], 'cambiar');
    await requireSecondPerson(trx, actor, toDocumentToSign(before), sameAuthorRefusal(batchTexts.sameHand));
    const line = before.lines.find((one) => one.invoiceId === invoiceId);
    if (!line) throw new DomainError('not-found', batchTexts.noLine(invoiceId));
    const blocking = listBlockingFindings(line);
    if (blocking.length === 0) throw new DomainError('conflict', batchTexts.notHeld, { code: 'not_held' });
    const mandatoryFinding = blocking.find(({ code }) => isMandatory(code));
    if (mandatoryFinding)
      throw new DomainError('conflict', `${mandatoryFinding.reason} ${batchTexts.firm}`, {
        code: 'firm_check',
      });
    const codes = [...(line.permit?.codes ?? []), ...blocking.map(({ code }) => code)];
    await trx
      .updateTable('payment_batch_lines')
      .set({
        permittedBy: actor.userId,
        permittedAt: actor.at,
        permittedFor: codes.join(),
        permitReason: reason,
      })
      .where('batchId', '=', id)
      .where('invoiceId', '=', invoiceId)
      .execute();
    return saveBatch(trx, { ...actor, motivo: reason }, before, {});
  });
}

/**
 * Runs the mandatory checks again on the lines at the bank: an invoice may be another supplier's by now, or no longer
 * owed. Findings of the other checks stay.
 */
export async function recheckSentLines(trx: Trx, actor: Actor, batch: FullBatch): Promise<FullBatch> {
  const sent = batch.lines.filter(
    (line) => isOpenLine(line) && (!isHeldLine(line) || isHeldSinceSent(batch, line)),
  );
  const found = await checkLines(trx, actor, sent, {
    step: 'pagar',
    fecha: batch.fecha,
    mandatoryOnly: true,
    batch,
  });
  const changed = sent.flatMap((line): [number, Verdict][] => {
    const verdict = found.get(line.invoiceId)!;
    const rest = line.verdict.findings.filter(({ code }) => !isMandatory(code));
    const isSame = verdict.findings.length === 0 && rest.length === line.verdict.findings.length;
    return isSame ? [] : [[line.invoiceId, { ...verdict, findings: [...verdict.findings, ...rest] }]];
  });
  if (changed.length === 0) return batch;
  await storeVerdicts(trx, batch.id, new Map(changed));
  return getBatch(trx, batch.id);
}

export const isHeldByMandatoryCheck = (line: BatchLine): boolean =>
  listBlockingFindings(line).some(({ code }) => isMandatory(code));

/** The bank may have paid such a line, because the line was found wrong only after it was sent. */
export const isHeldSinceSent = ({ estado }: Pick<FullBatch, 'estado'>, line: BatchLine): boolean =>
  estado === 'enviada' && isHeldLine(line) && line.verdict.step === 'pagar';

/** The batch is paid once the bank can pay no further line. */
export async function saveAndMarkPaidIfSettled(trx: Trx, actor: Actor, before: FullBatch): Promise<void> {
  const batch = await getBatch(trx, before.id);
  const isLineSettled = (line: BatchLine) =>
    !isOpenLine(line) || (isHeldLine(line) && !isHeldSinceSent(batch, line));
  const isPaid = batch.estado === 'enviada' && batch.lines.every(isLineSettled);
  const paidState = { estado: 'pagada', paidBy: actor.userId, paidAt: actor.at } as const;
  await saveBatch(trx, actor, before, isPaid ? paidState : {});
}

export async function linkPaymentToSentLine(
  trx: Trx,
  actor: Actor,
  { batchId, invoiceId }: Pick<CommittedLine, 'batchId' | 'invoiceId'>,
  paymentId: number,
): Promise<void> {
  const before = await lockAndReadBatch(trx, batchId);
  await trx
    .updateTable('payment_batch_lines')
    .set({ paymentId })
    .where('batchId', '=', batchId)
    .where('invoiceId', '=', invoiceId)
    .execute();
  await saveAndMarkPaidIfSettled(trx, actor, before);
}

/** Verdicts of lines at the bank always get the step `pagar`. @returns the batch with the new verdicts of its lines */
export async function recheckBatch(
  trx: Trx,
  actor: Actor,
  batch: FullBatch,
  step: CheckedStep,
  settings: Settings,
): Promise<FullBatch> {
  const { id, estado, fecha, lines } = batch;
  const found = await checkLines(trx, actor, lines.filter(isOpenLine), {
    step,
    fecha,
    rules: settings,
    batch,
  });
  for (const line of lines) {
    const verdict = found.get(line.invoiceId);
    const wasSent = estado === 'enviada' && (!isHeldLine(line) || isHeldSinceSent(batch, line));
    if (verdict && wasSent) verdict.step = 'pagar';
  }
  await storeVerdicts(trx, id, found);
  const checked = lines.map((line) => ({ ...line, verdict: found.get(line.invoiceId) ?? line.verdict }));
  return { ...batch, lines: checked };
}
