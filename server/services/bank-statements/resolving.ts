import { sql } from 'kysely';
import { insertRows } from '../../../db/bulk.ts';
import { isOneOf, lockAdvisoryKey, lockRows } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  type BankMovement,
  describeResolution,
  isOpenOutcome,
  type Resolution,
  type ResolutionInput,
  bankStatementTexts as texts,
} from '../../../shared/bank-statements.ts';
import type { Instant } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { invoiceNumberOrId } from '../../../shared/invoices.ts';
import { type Cents, toDecimal } from '../../../shared/money.ts';
import { bankAmountOf } from '../../../shared/payments.ts';
import type { Movement as CashMovement } from '../../../shared/petty-cash.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { bankMatchedRefusal, readMatchesOfCashMovements, readPaymentLinks } from '../bank-matches.ts';
import { deletePaymentsOfLines } from '../payment-batches/paying.ts';
import { lockAndReadBatch, saveBatch } from '../payment-batches/payment-batches.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import {
  lockAndReadPayableInvoices,
  lockClosingAndInvoices,
  lockSentBatchesOfInvoices,
} from '../payments/committed-amounts.ts';
import { readPayments } from '../payments/reading.ts';
import { deletePayments, writePayments } from '../payments/write.ts';
import { lockFunds } from '../petty-cash/fund-cash.ts';
import { readMovements as readCashMovements } from '../petty-cash/reading.ts';
import { getReplenishment } from '../petty-cash/requests.ts';
import { distinctIds, mapById, requireCurrentVersion } from '../stored-rows.ts';
import { collectWarnings, requireNoneRefused } from '../write-drafts.ts';
import { createAndApplyRule, deleteRule, readIdsClassifiedByRulesAt } from './classification-rules.ts';
import { getMovement, readMovements } from './reading.ts';

export interface ResolutionOutcome {
  movement: BankMovement;
  /** how many other movements the new rule classified */
  classifiedCount: number;
  /** payments captured from the reopened movement, which stay */
  keptPaymentIds: readonly number[];
  warnings: readonly string[];
}

interface ResolveMovementOptions {
  version?: number;
  /** allows payments of invoices in a batch that is at the bank; the actor has to give a reason */
  allowProgrammed?: boolean;
}

/**
 * Resolves an open movement with payments, invoices, petty cash or a class. Their sum has to be the movement's amount.
 * @throws DomainError forbidden, not-found, stale, invalid (sum_differs; what does not exist or does not fit), conflict
 *   (movement_settled, bank_matched, duplicate_rule); also those of the rules of payments
 */
export async function resolveMovement(
  db: Db,
  actor: Actor,
  id: number,
  draft: ResolutionInput,
  { version, ...options }: ResolveMovementOptions = {},
): Promise<ResolutionOutcome> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadMovement(trx, id);
    if (!isOpenOutcome(before.outcome))
      throw new DomainError('conflict', texts.settled(before), { code: 'movement_settled' });
    requireCurrentVersion(before, version, texts.stale);
    const { paymentIds, invoices, reposicionId, movimientocajaId, clase, siempre = '' } = draft;
    const ways = { pagos: paymentIds, facturas: invoices, reposicionId, movimientocajaId, clase };
    const given = keysOf(ways).filter((way) => ways[way] !== undefined);
    if (given.length !== 1)
      throwIfRefused(createRefusal(texts.oneWay, ...(given.length === 0 ? ['clase'] : given)));
    if (siempre && !clase) throwIfRefused(createRefusal(texts.onlyNamed, 'siempre'));
    let warnings: readonly string[] = [];
    if (paymentIds) await linkPayments(trx, before, paymentIds);
    else if (invoices) warnings = await capturePayments(trx, actor, before, invoices, options);
    else if (clase) await storeResolution(trx, before, { resolution: 'nombrado', clase });
    else await linkCashMovement(trx, before, { reposicionId, movimientocajaId });
    const movement = await getMovement(trx, id);
    auditMovement(trx, actor, before, movement);
    const named = siempre
      ? await createAndApplyRule(trx, actor, movement, { texto: siempre, clase: clase! })
      : 0;
    return { movement, classifiedCount: named, keptPaymentIds: [], warnings };
  });
}

/** Payments captured from the movement stay. @throws DomainError forbidden, not-found, stale, conflict movement_open */
export async function reopenMovement(
  db: Db,
  actor: Actor,
  id: number,
  version?: number,
): Promise<ResolutionOutcome> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadMovement(trx, id);
    const { outcome, paymentIds, batchId } = before;
    if (isOpenOutcome(outcome))
      throw new DomainError('conflict', texts.notSettled, { code: 'movement_open' });
    if (batchId !== null) throw new DomainError('conflict', texts.ofBatch, { code: 'movement_of_batch' });
    requireCurrentVersion(before, version, texts.stale);
    await trx.deleteFrom('bank_movement_payments').where('movementId', '=', id).execute();
    await storeResolution(trx, before, { resolution: null, clase: null, cashMovementId: null });
    const movement = await getMovement(trx, id);
    auditMovement(trx, actor, before, movement);
    const keptPaymentIds = outcome === 'capturado' ? paymentIds : [];
    return { movement, classifiedCount: 0, keptPaymentIds, warnings: [] };
  });
}

/**
 * Opens the movement again, and deletes the payments that were captured from it. Lines of batches that these payments
 * paid count as sent to the bank again.
 * @returns how many payments were deleted
 * @throws DomainError as reopenMovement and deletePayments do
 */
export async function undoCapture(db: Db, actor: Actor, id: number): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { keptPaymentIds } = await reopenMovement(trx, actor, id);
    const lines = await trx
      .selectFrom('payment_batch_lines')
      .select('batchId')
      .where(isOneOf(trx, 'paymentId', keptPaymentIds))
      .execute();
    for (const batchId of distinctIds(lines.map((line) => line.batchId))) {
      const batch = await lockAndReadBatch(trx, batchId);
      const paid = batch.lines.filter(({ paymentId }) => keptPaymentIds.includes(paymentId ?? 0));
      await deletePaymentsOfLines(trx, actor, batchId, paid, null);
      const isPaid = batch.estado === 'pagada';
      await saveBatch(trx, actor, batch, isPaid ? { estado: 'enviada', paidBy: null, paidAt: null } : {});
    }
    await deletePayments(trx, actor, keptPaymentIds);
    return keptPaymentIds.length;
  });
}

/**
 * Undoes a classification, the rule that was made from it, and what that rule classified when it was made.
 * @param at the moment of the classification; what was resolved in another way since then stays
 * @returns `named`: how many other movements are open again
 * @throws DomainError as reopenMovement does
 */
export async function undoClassificationAndRule(
  db: Db,
  actor: Actor,
  id: number,
  at: Instant,
): Promise<ResolutionOutcome> {
  return inTransaction(db, async (trx) => {
    const { origenderecursoId, clase } = await lockAndReadMovement(trx, id);
    const released = await reopenMovement(trx, actor, id);
    const rules = await trx
      .selectFrom('bank_rules')
      .select('id')
      .where('createdAt', '=', at)
      .where('userId', '=', actor.userId)
      .where('origenderecursoId', '=', origenderecursoId)
      .execute();
    for (const rule of rules) await deleteRule(trx, actor, rule.id);
    const named = (await readMovements(trx, await readIdsClassifiedByRulesAt(trx, actor, at))).filter(
      (one) =>
        one.outcome === 'nombrado' && one.clase === clase && one.origenderecursoId === origenderecursoId,
    );
    for (const one of named) await reopenMovement(trx, actor, one.id);
    return { ...released, classifiedCount: named.length };
  });
}

/** Every transaction that resolves or imports movements of an account takes this lock. */
export const lockAccountMovements = (trx: Trx, origenderecursoId: number) =>
  lockAdvisoryKey(trx, `statement:${origenderecursoId}`);

/** @throws DomainError not-found */
export async function lockAndReadMovement(trx: Trx, id: number): Promise<BankMovement> {
  const { origenderecursoId } = await getMovement(trx, id);
  await lockAccountMovements(trx, origenderecursoId);
  return getMovement(trx, id);
}

export function auditMovement(trx: Trx, actor: Actor, before: BankMovement, after: BankMovement): void {
  const { id: movimiento, statementId, fecha, amountCents, descripcion } = after;
  const stated = { movimiento, fecha, importeCents: amountCents, descripcion };
  const toAuditSnapshot = (one: BankMovement) => ({ ...stated, resultado: describeResolution(one) });
  queueAuditEntry(trx, actor, {
    action: 'update',
    entity: 'bank-statements',
    entityId: statementId,
    before: toAuditSnapshot(before),
    after: toAuditSnapshot(after),
  });
}

interface ResolutionColumns {
  resolution: Resolution | null;
  clase?: BankMovement['clase'];
  cashMovementId?: number | null;
}

const storeResolution = (trx: Trx, { id }: BankMovement, settlement: ResolutionColumns) =>
  trx
    .updateTable('bank_movements')
    .set(({ eb }) => ({ ...settlement, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();

function requireSumOfMovement({ amountCents }: BankMovement, sum: Cents, field: string): void {
  if (sum === amountCents) return;
  const sumCents = (amountCents < 0 ? -sum : sum) || 0;
  const message = texts.sumDiffers(Math.abs(amountCents), sumCents);
  throw new DomainError('invalid', message, {
    code: 'sum_differs',
    fields: { [field]: message },
    extra: { importe: toDecimal(Math.abs(amountCents)), suma: toDecimal(sumCents) },
  });
}

function requireSomeDistinctIds(ids: readonly number[], field: string): void {
  if (ids.length === 0) throwIfRefused(createRefusal(texts.oneWay, field));
  if (distinctIds(ids).length < ids.length) throwIfRefused(createRefusal(texts.named, field));
}

async function linkPayments(trx: Trx, movement: BankMovement, ids: readonly number[]): Promise<void> {
  requireSomeDistinctIds(ids, 'pagos');
  if (movement.amountCents > 0) throwIfRefused(createRefusal(texts.onlyOutgoing, 'pagos'));
  // Changing or deleting a payment locks it or its invoice too, so that the links read below stay as they are.
  await lockRows(trx, 'payments', ids);
  const payments = mapById(await readPayments(trx, ids));
  await lockClosingAndInvoices(trx, distinctIds([...payments.values()].map((one) => one.facturaproveedorId)));
  const ties = await readPaymentLinks(trx, ids);
  for (const id of ids) {
    const payment = payments.get(id);
    if (!payment) throwIfRefused(createRefusal(texts.noPayment(id), 'pagos'));
    if (payment!.origenderecursoId !== movement.origenderecursoId || payment!.kind !== 'pago')
      throwIfRefused(createRefusal(texts.otherOrigin(`El pago ${id}`), 'pagos'));
    const matched = ties.get(id)?.movement;
    if (matched) throwIfRefused(bankMatchedRefusal(matched));
  }
  const sum = [...payments.values()].reduce((cents, payment) => cents + bankAmountOf(payment), 0);
  requireSumOfMovement(movement, -sum, 'pagos');
  await storeResolutionByPayments(trx, movement, ids, 'ligado');
}

async function storeResolutionByPayments(
  trx: Trx,
  movement: BankMovement,
  paymentIds: readonly number[],
  resolution: Resolution,
): Promise<void> {
  await storeResolution(trx, movement, { resolution });
  const rows = paymentIds.map((paymentId) => ({ paymentId, movementId: movement.id }));
  await insertRows(trx, 'bank_movement_payments', rows);
}

async function capturePayments(
  trx: Trx,
  actor: Actor,
  movement: BankMovement,
  parts: NonNullable<ResolutionInput['invoices']>,
  options: Pick<ResolveMovementOptions, 'allowProgrammed'>,
): Promise<readonly string[]> {
  const ids = parts.map(({ invoiceId }) => invoiceId);
  requireSomeDistinctIds(ids, 'facturas');
  if (movement.amountCents > 0) throwIfRefused(createRefusal(texts.onlyOutgoing, 'facturas'));
  await lockSentBatchesOfInvoices(trx, ids);
  const invoices = await lockAndReadPayableInvoices(trx, parts, undefined);
  await requireBankAmounts(trx, parts);
  const { fecha: paymentdate, origenderecursoId, referencia } = movement;
  const terms = { paymentdate, origenderecursoId, checknum: referencia.slice(0, MAX_CHEQUE_LENGTH) };
  const drafts = parts.map(({ invoiceId, amountCents, importebancoCents }) => ({
    ...terms,
    facturaproveedorId: invoiceId,
    amountCents: amountCents ?? invoices.get(invoiceId)!.pendingCents,
    importebancoCents: importebancoCents ?? null,
  }));
  const sum = drafts.reduce((cents, draft) => cents + bankAmountOf(draft), 0);
  requireSumOfMovement(movement, -sum, 'facturas');
  // Cheque numbers are not compared: `checknum` holds the bank's reference, which several transfers may share.
  const written = requireNoneRefused(
    await writePayments(trx, actor, drafts, { ...options, isFromBank: true, chequeNumbers: 'none' }),
  );
  const paymentIds = written.map(({ id }) => id);
  await storeResolutionByPayments(trx, movement, paymentIds, 'capturado');
  return collectWarnings(written).warnings;
}

const MAX_CHEQUE_LENGTH = 60;

/** The amount that the bank took has to be stated for invoices in another currency, and only for those. */
async function requireBankAmounts(trx: Trx, parts: NonNullable<ResolutionInput['invoices']>): Promise<void> {
  const stated = new Map(parts.map((part) => [part.invoiceId, part.importebancoCents !== undefined]));
  const invoices = await trx
    .selectFrom('invoices')
    .select(['id', 'numfactura', 'moneda'])
    .where(isOneOf(trx, 'id', [...stated.keys()]))
    .orderBy('id')
    .execute();
  const wrong = invoices.find(({ id, moneda }) => (moneda !== null) !== stated.get(id));
  if (!wrong) return;
  const message = wrong.moneda === null ? texts.inPesos : texts.foreign;
  throwIfRefused(createRefusal(message(invoiceNumberOrId(wrong.numfactura, wrong.id)), 'facturas'));
}

/**
 * `reposicionId` names the replenishment request by which cash was put into a fund, `movimientocajaId` the fund's
 * movement by which cash was returned.
 */
async function linkCashMovement(
  trx: Trx,
  movement: BankMovement,
  { reposicionId, movimientocajaId }: Pick<ResolutionInput, 'reposicionId' | 'movimientocajaId'>,
): Promise<void> {
  const field = reposicionId === undefined ? 'movimientocajaId' : 'reposicionId';
  const findCashMovement = async (): Promise<CashMovement | undefined> => {
    const id =
      reposicionId === undefined
        ? movimientocajaId!
        : (await requireReplenishmentRequest(trx, reposicionId)).movementId;
    if (id === null) throwIfRefused(createRefusal(texts.unpaidRequest(reposicionId!), field));
    return (await readCashMovements(trx, sql`m.id = ${id}`))[0];
  };
  const found = await findCashMovement();
  // Whoever changes what is in a fund locks it first.
  if (found) await lockFunds(trx, 'id', [found.fundId]);
  const cash = await findCashMovement();
  if (!cash || (reposicionId === undefined && cash.tipo !== 'devolucion'))
    throwIfRefused(createRefusal(texts.noReturn(movimientocajaId!), field));
  const { id, importeCents, origenderecursoId } = cash!;
  if (origenderecursoId !== movement.origenderecursoId)
    throwIfRefused(createRefusal(texts.otherOrigin('Lo elegido'), field));
  const matched = (await readMatchesOfCashMovements(trx, [id])).get(id);
  if (matched) throwIfRefused({ ...bankMatchedRefusal(matched), message: texts.taken('Lo elegido') });
  requireSumOfMovement(movement, reposicionId === undefined ? importeCents : -importeCents, field);
  await storeResolution(trx, movement, { resolution: 'reposicion', cashMovementId: id });
}

/** A request that does not exist makes the body invalid, because not-found is only for what the URL names. */
const requireReplenishmentRequest = (trx: Trx, id: number) =>
  getReplenishment(trx, id).catch((error: unknown) => {
    if (error instanceof DomainError && error.kind === 'not-found')
      throw new DomainError('invalid', error.message, { fields: { reposicionId: error.message } });
    throw error;
  });
