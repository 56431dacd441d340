import { isOneOf } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { type BatchLine, type FullBatch, isHeld, isUntouched } from '../../../shared/payment-batches.ts';
import type { Actor } from '../audit/audit.ts';
import { buildBankOrder, legacyReferenceOf } from '../bank-files/transfers.ts';
import { lockBatch } from '../payment-batches/payment-batches.ts';
import { isHeldByMandatoryCheck, isHeldSinceSent, recheckSentLines } from '../payment-batches/stages.ts';
import { lockPayableInvoices } from '../payments/committed.ts';
import { append } from '../stored-rows.ts';
import { accountIdentifiers, type ExpectedTransfer } from './matching.ts';

const MAX_BATCHES = 60;

/** Locks the batches and their invoices, so that nobody pays them by hand meanwhile. */
export async function readTransfers(
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
    const locked = await lockBatch(trx, id);
    await lockPayableInvoices(trx, locked.lines, id);
    batches.push(locked.estado === 'enviada' ? await recheckSentLines(trx, actor, locked) : locked);
  }
  const ids = batches.map(({ id }) => id);
  const [paidOn, texts] = [await readPaidDays(trx, ids), await readFileTexts(trx, ids)];
  const transfers: ExpectedTransfer[] = [];
  for (const batch of batches)
    for (const isConfirmed of [true, false]) {
      const isOfTransfer = (line: BatchLine) =>
        (line.movementId !== null) === isConfirmed &&
        (!isHeld(line) || !isUntouched(line) || isHeldSinceSent(batch, line));
      if (!batch.lines.some(isOfTransfer)) continue;
      const order = await buildBankOrder(trx, batch, isOfTransfer);
      for (const { supplierId, clabe, amountCents, referencia, lines } of [
        ...order.transfers,
        ...order.withoutAccount,
      ]) {
        const oldReference = legacyReferenceOf(batch.id, referencia);
        const invoiceIds = lines.map(({ invoiceId }) => invoiceId);
        const days = invoiceIds.flatMap((id) => paidOn.get(`${batch.id}/${id}`) ?? []).sort();
        transfers.push({
          batchId: batch.id,
          supplierId,
          clabe,
          amountCents,
          referencia,
          ...(texts
            .get(batch.id)
            ?.some((text) => containsReference(text, oldReference) && !text.includes(referencia)) && {
            oldReference,
          }),
          invoiceIds,
          // Where no sending day is stored, only the UTC time of the batch's creation is known.
          sentOn: batch.sentOn ?? addDays(batch.createdAt.slice(0, 10), -1),
          paidOn: days.length === lines.length ? days.at(-1)! : null,
          state: isConfirmed ? 'confirmed' : unconfirmedState(batch, lines, days.length),
        });
      }
    }
  return transfers;
}

function unconfirmedState(
  { estado }: FullBatch,
  lines: readonly BatchLine[],
  paid: number,
): ExpectedTransfer['state'] {
  if (paid === lines.length) return 'paid';
  if (estado !== 'enviada' || !lines.every(isUntouched)) return 'returned';
  return lines.some(isHeldByMandatoryCheck) ? 'held' : 'open';
}

/** The day is the movement's, or else the payment's; the key has batch and invoice. */
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

/** Latin-1 maps each byte to one character. */
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

/** Finds the digits as a number by themselves, or padded to seven digits in a field of fixed width. */
const containsReference = (text: string, digits: string): boolean =>
  text.includes(digits.padStart(7, '0')) || new RegExp(`(?<!\\d)${digits}(?!\\d)`).test(text);

export async function readAccountHolders(trx: Trx): Promise<Map<string, Set<number>>> {
  const accounts = await trx.selectFrom('supplier_accounts').select(['clabe', 'supplierId']).execute();
  const holders = new Map<string, Set<number>>();
  for (const { clabe, supplierId } of accounts)
    for (const digits of accountIdentifiers(clabe))
      holders.set(digits, (holders.get(digits) ?? new Set()).add(supplierId));
  return holders;
}
