import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { type BatchLine, type FullBatch, isHeldLine } from '../../../shared/payment-batches.ts';
import { payingAccountOf } from '../../../shared/supplier-accounts.ts';
import type { BankOrder, Transfer } from '../../formats/bank-files/write.ts';
import { readSettings } from '../settings/settings.ts';
import { readAccountsBySupplier } from '../supplier-accounts/reading.ts';

interface BatchTransfer extends Transfer {
  supplierId: number;
  lines: BatchLine[];
}

interface BankOrderOfBatch extends BankOrder {
  transfers: BatchTransfer[];
  withoutAccount: (Omit<BatchTransfer, 'clabe' | 'titular'> & { clabe?: undefined })[];
}

export async function buildBankOrder(
  db: Db,
  { id, fecha, lines: all, origenderecursoId }: FullBatch,
  isIncluded: (line: BatchLine) => boolean = (line) => !isHeldLine(line),
): Promise<BankOrderOfBatch> {
  const source = await db
    .selectFrom('funding_sources')
    .select('clabe')
    .where('id', '=', origenderecursoId)
    .executeTakeFirstOrThrow();
  const { rfc } = await readSettings(db);
  // Sorted by id, so that a supplier's reference does not change with its name or the state of the batch's lines.
  const suppliers = await db
    .selectFrom('suppliers')
    .select(['id', 'suppliername', 'rfc', 'suppliercontactemail as email'])
    .where(isOneOf(db, 'id', [...new Set(all.map(({ supplierId }) => supplierId))]))
    .orderBy('id')
    .execute();
  const groups = Map.groupBy(all.filter(isIncluded), ({ supplierId }) => supplierId);
  const accounts = await readAccountsBySupplier(db, [...groups.keys()]);
  const order: BankOrderOfBatch = {
    clabe: source.clabe ?? '',
    rfc,
    fecha,
    transfers: [],
    withoutAccount: [],
  };
  for (const [position, { id: supplierId, ...supplier }] of suppliers.entries()) {
    const lines = groups.get(supplierId);
    if (!lines) continue;
    const account = payingAccountOf(accounts.get(supplierId) ?? []);
    const transfer = {
      supplierId,
      ...supplier,
      amountCents: lines.reduce((cents, line) => cents + line.amountCents, 0),
      referencia: referenceOf(id, position),
      concepto: `PAGO ${lines.map(({ numfactura, invoiceId }) => numfactura || invoiceId).join(' ')}`,
      lines,
    };
    if (account) order.transfers.push({ ...transfer, clabe: account.clabe, titular: account.titular });
    else order.withoutAccount.push(transfer);
  }
  return order;
}

/**
 * Banks take at most seven digits. From 9,400,000 on, no part of the reference can be mistaken for a day, a year or a
 * time in a bank's text.
 */
const referenceOf = (batchId: number, position: number): string =>
  String(
    FIRST_REFERENCE +
      (batchId % BATCHES_UNTIL_REUSE) * REFERENCES_PER_BATCH +
      (position % REFERENCES_PER_BATCH),
  );

const FIRST_REFERENCE = 9_400_000;
const BATCHES_UNTIL_REUSE = 600;
const REFERENCES_PER_BATCH = 1000;

/** The reference of older files: a small number, which may equal a year or a day. */
export const legacyReferenceOf = (batchId: number, referencia: string): string =>
  String((batchId % 10_000) * REFERENCES_PER_BATCH + (Number(referencia) % REFERENCES_PER_BATCH));
