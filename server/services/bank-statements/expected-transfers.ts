import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { type BatchLine, type FullBatch, isHeldLine, isOpenLine } from '../../../shared/payment-batches.ts';
import type { Actor } from '../audit/audit.ts';
import { buildBankOrder, legacyReferenceOf } from '../bank-files/transfers.ts';
import { readPaymentLinks } from '../bank-matches.ts';
import { lockAndReadBatch } from '../payment-batches/payment-batches.ts';
import { isHeldByMandatoryCheck, isHeldSinceSent, recheckSentLines } from '../payment-batches/stages.ts';
import { lockAndReadPayableInvoices } from '../payments/committed-amounts.ts';
import { appendToMapEntry } from '../stored-rows.ts';
import { type ExpectedTransfer, listAccountIdentifiers } from './matching.ts';

const MAX_BATCHES = 60;

/** Locks the batches and their invoices, so that nobody pays them by hand meanwhile. */
export async function lockAndReadTransfers(
  trx: Trx,
  actor: Actor,
  origenderecursoId: number,
): Promise<ExpectedTransfer[]> {
  const rows = await trx
    .selectFrom('payment_batches')
    .select('id')
    .where('origenderecursoId', '=', origenderecursoId)
    .where('estado', 'in', ['enviada', 'pagada'])
    .orderBy('id', 'desc')
    .limit(MAX_BATCHES)
    .execute();
  const batches: FullBatch[] = [];
  for (const { id } of rows.toReversed()) {
    const locked = await lockAndReadBatch(trx, id);
    await lockAndReadPayableInvoices(trx, locked.lines, id);
    batches.push(locked.estado === 'enviada' ? await recheckSentLines(trx, actor, locked) : locked);
  }
  const ids = batches.map(({ id }) => id);
  const [paid, texts] = [await readPaidLines(trx, ids), await readFileTexts(trx, ids)];
  const ties = await readPaymentLinks(
    trx,
    batches.flatMap(({ lines }) => lines.flatMap(({ paymentId }) => paymentId ?? [])),
  );
  // A payment that a user has linked to a movement expects no other movement.
  const isLinked = ({ paymentId }: BatchLine) => ties.get(paymentId ?? 0)?.movement?.isOfBatch === false;
  const transfers: ExpectedTransfer[] = [];
  for (const batch of batches)
    for (const [isConfirmed, isForeign] of CONFIRMED_AND_FOREIGN_PAIRS) {
      const isOfTransfer = (line: BatchLine) =>
        (line.movementId !== null) === isConfirmed &&
        !isLinked(line) &&
        (line.foreign !== null) === isForeign &&
        (!isHeldLine(line) || !isOpenLine(line) || isHeldSinceSent(batch, line));
      if (!batch.lines.some(isOfTransfer)) continue;
      const order = await buildBankOrder(trx, batch, isOfTransfer);
      for (const { supplierId, clabe, referencia, lines } of [...order.transfers, ...order.withoutAccount]) {
        const oldReference = legacyReferenceOf(batch.id, referencia);
        const invoiceIds = lines.map(({ invoiceId }) => invoiceId);
        const paidLines = invoiceIds.flatMap((id) => paid.get(`${batch.id}/${id}`) ?? []);
        const days = paidLines.map(({ day }) => day).sort();
        transfers.push({
          batchId: batch.id,
          supplierId,
          clabe,
          amountCents: lines.reduce(
            (cents, line) => cents + (line.foreign?.bankCents ?? line.amountCents),
            0,
          ),
          referencia,
          ...(texts
            .get(batch.id)
            ?.some((text) => containsReference(text, oldReference) && !text.includes(referencia)) && {
            legacyReference: oldReference,
          }),
          invoiceIds,
          // Without a stored sending day only the batch's creation is known, in UTC, which may be a day ahead.
          sentOn: batch.sentOn ?? addDays(batch.createdAt.slice(0, 10), -1),
          paidOn: days.length === lines.length ? days.at(-1)! : null,
          state: isConfirmed ? 'confirmed' : deriveUnconfirmedState(batch, lines, paidLines),
        });
      }
    }
  return transfers;
}

/**
 * Pairs of isConfirmed and isForeign. Lines in another currency form a transfer of their own. Before that transfer is
 * paid, its amount in pesos is only an estimate that identifies no movement, so a user has to state what the bank took.
 * Once it is paid, its amount is what the bank took.
 */
const CONFIRMED_AND_FOREIGN_PAIRS = [true, false].flatMap((isConfirmed) =>
  [false, true].map((isForeign) => [isConfirmed, isForeign] as const),
);

function deriveUnconfirmedState(
  { estado, origenderecursoId }: FullBatch,
  lines: readonly BatchLine[],
  paidLinesOfBatches: readonly PaidLine[],
): ExpectedTransfer['state'] {
  // If a payment came from another account, this transfer did not make it.
  if (paidLinesOfBatches.length === lines.length)
    return paidLinesOfBatches.every((one) => one.origenderecursoId === origenderecursoId) ? 'paid' : 'held';
  if (estado !== 'enviada' || lines.some(({ refusedAt }) => refusedAt !== null)) return 'returned';
  const isHeldOpen = (line: BatchLine) => line.foreign || !isOpenLine(line) || isHeldByMandatoryCheck(line);
  return lines.some(isHeldOpen) ? 'held' : 'open';
}

interface PaidLine {
  /** the day of the bank movement, or else of the payment */
  day: PlainDate;
  origenderecursoId: number | null;
}

/** The lines are found by batch and invoice. */
async function readPaidLines(trx: Trx, batchIds: readonly number[]): Promise<Map<string, PaidLine>> {
  const rows = await trx
    .selectFrom('payment_batch_lines as lines')
    .leftJoin('payments', 'payments.id', 'lines.paymentId')
    .leftJoin('bank_movements as movements', 'movements.id', 'lines.movementId')
    .select(['lines.batchId', 'lines.invoiceId', 'paymentdate', 'movements.fecha'])
    .select('payments.origenderecursoId')
    .where(isOneOf(trx, 'lines.batchId', batchIds))
    .execute();
  return new Map(
    rows.flatMap(({ batchId, invoiceId, paymentdate, fecha, origenderecursoId }): [string, PaidLine][] => {
      const day = fecha ?? paymentdate;
      return day === null ? [] : [[`${batchId}/${invoiceId}`, { day, origenderecursoId }]];
    }),
  );
}

/** Keyed by batch. Read as Latin-1, which maps each byte to one character, so that digits are found in any file. */
async function readFileTexts(trx: Trx, batchIds: readonly number[]): Promise<Map<number, string[]>> {
  const files = await trx
    .selectFrom('payment_batch_files')
    .innerJoin('files', 'files.sha256', 'payment_batch_files.sha256')
    .select(['batchId', 'bytes'])
    .where(isOneOf(trx, 'batchId', batchIds))
    .execute();
  const texts = new Map<number, string[]>();
  for (const { batchId, bytes } of files)
    appendToMapEntry(texts, batchId, Buffer.from(bytes).toString('latin1'));
  return texts;
}

/** True if the text contains the digits as a whole number, or padded with zeros to seven as in fixed-width fields. */
const containsReference = (text: string, digits: string): boolean =>
  text.includes(digits.padStart(7, '0')) || new RegExp(`(?<!\\d)${digits}(?!\\d)`).test(text);

export async function readSupplierIdsByAccount(db: Db): Promise<Map<string, Set<number>>> {
  const accounts = await db.selectFrom('supplier_accounts').select(['clabe', 'supplierId']).execute();
  const holders = new Map<string, Set<number>>();
  for (const { clabe, supplierId } of accounts)
    for (const digits of listAccountIdentifiers(clabe))
      holders.set(digits, (holders.get(digits) ?? new Set()).add(supplierId));
  return holders;
}
