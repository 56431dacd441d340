import type { Db } from '../../../db/schema.ts';
import { type BatchLine, type FullBatch, isHeld } from '../../../shared/payment-batches.ts';
import { payingAccountOf } from '../../../shared/supplier-accounts.ts';
import type { BankOrder, Transfer } from '../../formats/bank-files/write.ts';
import { readSettings } from '../settings/settings.ts';
import { accountsOf } from '../supplier-accounts/reading.ts';

interface BatchTransfer extends Transfer {
  supplierId: number;
  lines: BatchLine[];
}

interface UnknownTransfer extends Omit<BatchTransfer, 'clabe'> {
  clabe: undefined;
}

interface BatchOrder extends BankOrder {
  transfers: BatchTransfer[];
  /** what nobody holds, of suppliers without an account that somebody has confirmed */
  unknown: UnknownTransfer[];
}

/** Makes a transfer to each supplier of these lines; the references stay each supplier's own. */
export async function orderOf(
  db: Db,
  { id, fecha, lines: all, origenderecursoId }: FullBatch,
  wanted: (line: BatchLine) => boolean = (line) => !isHeld(line),
): Promise<BatchOrder> {
  const source = await db
    .selectFrom('funding_sources')
    .select('clabe')
    .where('id', '=', origenderecursoId)
    .executeTakeFirstOrThrow();
  const { rfc } = await readSettings(db);
  // Sorted by id, so that neither another name nor a line that is held or paid changes a supplier's
  // reference.
  const places = [...new Set(all.map(({ supplierId }) => supplierId))].sort((a, b) => a - b);
  const groups = Map.groupBy(all.filter(wanted), ({ supplierId }) => supplierId);
  const accounts = await accountsOf(db, places);
  const emails = await readEmails(db, places);
  const transfers: BatchTransfer[] = [];
  const unknown: UnknownTransfer[] = [];
  for (const supplierId of places) {
    const lines = groups.get(supplierId);
    if (!lines) continue;
    const [{ suppliername, rfc: supplierRfc }] = lines as [BatchLine];
    const amountCents = lines.reduce((cents, line) => cents + line.amountCents, 0);
    const account = payingAccountOf(accounts.get(supplierId) ?? []);
    const transfer = {
      supplierId,
      suppliername,
      rfc: supplierRfc,
      email: emails.get(supplierId) ?? '',
      amountCents,
      referencia: referenceOf(id, places.indexOf(supplierId)),
      concepto: `PAGO ${lines.map(({ numfactura, invoiceId }) => numfactura || invoiceId).join(' ')}`,
      lines,
    };
    if (account) transfers.push({ ...transfer, clabe: account.clabe, titular: account.titular });
    else unknown.push({ ...transfer, clabe: undefined, titular: '' });
  }
  return { clabe: source.clabe ?? '', rfc, fecha, transfers, unknown };
}

/** Banks take seven digits at most: the batch, and the supplier's place in it. */
const referenceOf = (batchId: number, place: number): string =>
  String((batchId % BATCHES) * PLACES + (place % PLACES));

const BATCHES = 10_000;
const PLACES = 1000;

async function readEmails(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('suppliers')
    .select(['id', 'suppliercontactemail'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, suppliercontactemail }) => [id, suppliercontactemail]));
}
