import { sql } from 'kysely';
import { compileQueryOnce } from '../../../db/compile-once.ts';
import { encodeIdList, isInIdList, isOneOf, lockRows } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { Instant, PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { invoiceNumberOrId } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { type BatchOfInvoice, batchName, batchTexts } from '../../../shared/payment-batches.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { lockClosingShared } from '../closing/closing.ts';
import { distinctIds, mapById } from '../stored-rows.ts';

interface PayableInvoice {
  id: number;
  supplierId: number;
  numfactura: string;
  pendingCents: Cents;
  committedCents: Cents;
}

/** The closing date is always locked before invoices, so that no two transactions wait for each other. */
export async function lockClosingAndInvoices(trx: Trx, ids: readonly number[]): Promise<void> {
  await lockClosingShared(trx);
  await lockRows(trx, 'invoices', ids);
}

/** Batches are locked before payments and invoices. */
export async function lockSentBatchesOfInvoices(trx: Trx, invoiceIds: readonly number[]): Promise<void> {
  const lines = await readCommittedLines(trx, invoiceIds);
  const sent = lines.filter(({ estado }) => estado === 'enviada');
  await lockRows(trx, 'payment_batches', distinctIds(sent.map(({ batchId }) => batchId)));
}

/**
 * Locks the invoices in the one order that everybody uses, so that no two batches commit the same money.
 * @param exceptBatchId the batch itself, whose lines do not count
 * @throws DomainError invalid where there is no such invoice
 */
export async function lockAndReadPayableInvoices(
  trx: Trx,
  lines: readonly { invoiceId: number }[],
  exceptBatchId: number | undefined,
): Promise<Map<number, PayableInvoice>> {
  const ids = lines.map(({ invoiceId }) => invoiceId);
  await lockClosingAndInvoices(trx, ids);
  const { rows } = await sql<PayableInvoice>`
    select id, "supplierId", numfactura, "totalCents" - "paidCents" as "pendingCents",
      ${committedExpression(exceptBatchId)} as "committedCents"
    from invoices where ${isOneOf(trx, 'id', ids)}`.execute(trx);
  const found = mapById(rows);
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throwIfRefused(createRefusal(`No existe la factura ${missing}.`, 'partidas'));
  return found;
}

/** SQL for a line of a batch that is neither paid nor returned by the bank. @param linesAlias the table's name in the query */
export const lineUnpaidCondition = (
  linesAlias: string,
) => sql<boolean>`${sql.ref(`${linesAlias}.refusedAt`)} is null
  and not exists (select 1 from payments where payments.id = ${sql.ref(`${linesAlias}.paymentId`)})`;

export const committedLineCondition = sql<boolean>`batches.estado <> 'pagada' and ${lineUnpaidCondition('lines')}`;

/** SQL for the ids of the invoices that open batches will pay, wholly or in part */
export const committedInvoiceIds = sql<number>`select lines."invoiceId" from payment_batch_lines lines
  join payment_batches batches on batches.id = lines."batchId" where ${committedLineCondition}`;

/** SQL for the sum that open batches, except one, will pay of an invoice. `isSent`: only batches that were sent. */
export const committedExpression = (
  exceptBatchId = 0,
  isSent = false,
) => sql<Cents>`coalesce((select sum(lines."amountCents")
  from payment_batch_lines lines join payment_batches batches on batches.id = lines."batchId"
  where lines."invoiceId" = invoices.id and ${committedLineCondition} and batches.id <> ${exceptBatchId}
    ${isSent ? sql`and batches.estado = 'enviada'` : sql``}), 0)`;

export interface CommittedLine extends BatchOfInvoice {
  invoiceId: number;
  supplierId: number;
  jobId: number;
  sentOn: PlainDate | null;
  origenderecursoId: number;
  committedCents: Cents;
}

export async function readCommittedLines(db: Db, ids?: readonly number[]): Promise<CommittedLine[]> {
  const rows = await (ids ? readCommittedInList(db, encodeIdList(db, ids)) : readAllCommitted(db));
  return rows.map(({ sentAt, ...line }) => ({
    ...line,
    isAtBank: line.estado === 'enviada' && sentAt !== null,
  }));
}

type CommittedLineRow = Omit<CommittedLine, 'isAtBank'> & { sentAt: Instant | null };

const buildCommittedLinesQuery = (db: Db, ids?: string) => sql<CommittedLineRow>`
    select lines."invoiceId", invoices."supplierId", invoices."jobId", batches.id as "batchId", batches.estado,
      batches."sentOn", lines."sentAt", batches."origenderecursoId", lines."amountCents" as "committedCents"
    from payment_batch_lines lines
    join payment_batches batches on batches.id = lines."batchId" and ${committedLineCondition}
    join invoices on invoices.id = lines."invoiceId"
    ${ids ? sql`where ${isInIdList(db, 'lines.invoiceId', ids)}` : sql``}
    order by batches.id`;

const readCommittedInList = compileQueryOnce((db, ids: string) => buildCommittedLinesQuery(db, ids));
const readAllCommitted = compileQueryOnce((db) => buildCommittedLinesQuery(db));

export const sumCommitted = (committedLines: readonly CommittedLine[] = []): Cents =>
  committedLines.reduce((sum, { committedCents }) => sum + committedCents, 0);

interface BatchConflict {
  /** the line of a sent batch for which too little would be left; if there is one, the payment is forbidden */
  sent?: CommittedLine;
  /** about batches that were not sent yet */
  warnings: string[];
}

/** @param remainingCents the pending amount after a payment */
export function describeBatchConflict(
  committedLines: readonly CommittedLine[],
  remainingCents: Cents,
  invoice: { id?: number; numfactura: string },
): BatchConflict {
  const [sent = [], planned = []] = [true, false].map((isSent) =>
    committedLines.filter(({ estado }) => (estado === 'enviada') === isSent),
  );
  if (remainingCents < sumCommitted(sent)) return { sent: sent[0], warnings: [] };
  const [first] = planned;
  if (!first || remainingCents >= sumCommitted(committedLines)) return { warnings: [] };
  return { warnings: [batchTexts.alsoPlanned(invoiceNumberOrId(invoice.numfactura, invoice.id), first)] };
}

/** @throws DomainError invalid over_committed */
export function requireUncommittedAmount(invoice: PayableInvoice, amountCents: Cents): void {
  const { id, numfactura, pendingCents, committedCents } = invoice;
  if (amountCents > 0 && amountCents <= pendingCents - committedCents) return;
  const message = batchTexts.overCommitted(invoiceNumberOrId(numfactura, id), pendingCents, committedCents);
  throw new DomainError('invalid', message, {
    code: 'over_committed',
    fields: { partidas: message },
    extra: { facturaproveedorId: id },
  });
}

export async function findInBatchError(
  trx: Trx,
  { id, numfactura }: { id: number; numfactura: string },
): Promise<DomainError | undefined> {
  const line = await trx
    .selectFrom('payment_batch_lines')
    .select('batchId')
    .where('invoiceId', '=', id)
    .orderBy('batchId', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!line) return undefined;
  const message = `No se puede eliminar la factura ${invoiceNumberOrId(numfactura, id)}: está en la ${batchName(line.batchId).toLowerCase()}.`;
  return new DomainError('conflict', message, { code: 'in_use' });
}
