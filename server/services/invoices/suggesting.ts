import { sql } from 'kysely';
import { foldedContains, newestContaining, prefixFirst } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { type Cents, parseMoney } from '../../../shared/money.ts';
import { fold } from '../../../shared/text.ts';
import { MAX_SUGGESTIONS } from '../catalogs/suggesting.ts';
import { invoicesOf } from './reading.ts';

/**
 * Suggests invoices for `text`: part of a number or of a supplier's name, or an amount (total or pending). Open ones
 * come first, by due day, then paid ones, newest first; within each, those that begin with the text come before those
 * that contain it. Without a text, the invoices due first are suggested.
 */
export async function suggestInvoices(db: Db, text: string): Promise<Invoice[]> {
  const ids = new Set<number>();
  for (const isOpen of [true, false]) {
    if (!isOpen && !fold(text)) break;
    for (const find of [byNumber, byAmount, bySupplier]) {
      if (ids.size >= MAX_SUGGESTIONS) break;
      for (const id of await find(db, text, isOpen)) ids.add(id);
    }
  }
  const wanted = [...ids].slice(0, MAX_SUGGESTIONS);
  return wanted.length > 0 ? invoicesOf(db, wanted) : [];
}

/** No index serves shorter texts. */
const SHORTEST = 3;

/** The number of invoices scanned for a short text that nearly all would match. */
const MOST_LOOKED_AT = 1000;

async function byNumber(db: Db, text: string, isOpen: boolean): Promise<number[]> {
  const needle = fold(text);
  const number = sql<string>`invoices."numfacturaFold"`;
  const looked =
    [...needle].length < SHORTEST
      ? sql<number>`(${inTurn(db, isOpen).limit(MOST_LOOKED_AT)})`
      : newestContaining(db, 'numfacturaFold', needle, MOST_LOOKED_AT);
  return idsOf(
    inTurn(db, isOpen, prefixFirst(number, needle))
      .where(sql<boolean>`invoices.id in ${looked}`)
      .where(foldedContains(number, needle)),
  );
}

async function byAmount(db: Db, text: string, isOpen: boolean): Promise<number[]> {
  const range = amountsIn(text);
  if (!range) return [];
  const isOf = (cents: ReturnType<typeof sql<number>>) =>
    sql<boolean>`${cents} between ${range.from} and ${range.to}`;
  const total = sql<number>`invoices."totalCents"`;
  const pending = sql<number>`invoices."totalCents" - invoices."paidCents"`;
  const found = isOpen ? sql<boolean>`(${isOf(total)} or ${isOf(pending)})` : isOf(total);
  return idsOf(inTurn(db, isOpen).where(found));
}

/** Reads "1160" as any amount from 1,160.00 to 1,160.99, "1,160.50" as exactly that one; undefined for other texts. */
function amountsIn(text: string): { from: Cents; to: Cents } | undefined {
  if (!/\d/.test(text)) return undefined;
  try {
    const from = parseMoney(text, '');
    return { from, to: text.includes('.') ? from : from + 99 };
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

async function bySupplier(db: Db, text: string, isOpen: boolean): Promise<number[]> {
  if (!fold(text)) return [];
  const name = sql<string>`"suppliernameFold"`;
  const suppliers = await db
    .selectFrom('suppliers')
    .select('id')
    .where(foldedContains(name, text))
    .orderBy(prefixFirst(name, text))
    .orderBy(name)
    .limit(MAX_SUGGESTIONS)
    .execute();
  const ids: number[] = [];
  for (const { id } of suppliers) {
    if (ids.length >= MAX_SUGGESTIONS) break;
    ids.push(...(await idsOf(inTurn(db, isOpen).where('supplierId', '=', id))));
  }
  return ids;
}

const inTurn = (db: Db, isOpen: boolean, first?: ReturnType<typeof prefixFirst>) =>
  db
    .selectFrom('invoices')
    .select('invoices.id')
    .where(
      isOpen
        ? sql<boolean>`invoices."paidCents" < invoices."totalCents"`
        : sql<boolean>`invoices."paidCents" >= invoices."totalCents"`,
    )
    .$if(first !== undefined, (found) => found.orderBy(first!))
    .$if(isOpen, (found) => found.orderBy('vence'))
    .orderBy('invoices.id', isOpen ? 'asc' : 'desc');

async function idsOf(query: ReturnType<typeof inTurn>): Promise<number[]> {
  const rows = await query.limit(MAX_SUGGESTIONS).execute();
  return rows.map(({ id }) => id);
}
