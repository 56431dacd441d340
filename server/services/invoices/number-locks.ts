import { lockKey } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import type { InvoiceKeys } from './book-reading.ts';

/**
 * While the transaction lasts, nobody else captures an invoice with one of these numbers (PostgreSQL; SQLite lets
 * only one write anyway). Several locks stand for all numbers, so that an import can hold those of all its own.
 */
export async function holdNumbers(
  trx: Trx,
  numbers: Iterable<Pick<InvoiceKeys, 'supplierId' | 'numfacturaKey'>>,
): Promise<void> {
  const locks = new Set<string>();
  for (const { supplierId, numfacturaKey } of numbers)
    if (supplierId && supplierId > 0 && numfacturaKey) locks.add(numberLock(supplierId, numfacturaKey));
  // In one order, so that no two wait for each other.
  for (const lock of [...locks].sort()) await lockKey(trx, lock);
}

/** The same of all numbers. */
export async function holdAllNumbers(trx: Trx): Promise<void> {
  const locks = Array.from({ length: NUMBER_LOCKS }, (_, slot) => lockOf(slot));
  for (const lock of locks.sort()) await lockKey(trx, lock);
}

function numberLock(supplierId: number, key: string): string {
  let slot = supplierId % NUMBER_LOCKS;
  for (const character of key) slot = (slot * 31 + character.codePointAt(0)!) % NUMBER_LOCKS;
  return lockOf(slot);
}

const lockOf = (slot: number): string => `invoice-number:${slot}`;

const NUMBER_LOCKS = 64;
