import { sql } from 'kysely';
import { foldedContains, orderPrefixFirst, selectNewestIdsContaining } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { type Cents, tryParseMoney } from '../../../shared/money.ts';
import { fold } from '../../../shared/text.ts';
import { MAX_SUGGESTIONS } from '../catalogs/suggest-rows.ts';
import { readInvoices } from './reading.ts';

/**
 * `text` is part of a number or of a supplier's name, or an amount (total or pending). Open invoices come first, by due
 * day, then paid ones, newest first; within each, those that begin with the text come first.
 */
export async function suggestInvoices(db: Db, text: string): Promise<Invoice[]> {
  const ids = new Set<number>();
  for (const isOpen of [true, false]) {
    if (!isOpen && !fold(text)) break;
    for (const find of [findByNumber, findByAmount, findBySupplierName]) {
      if (ids.size >= MAX_SUGGESTIONS) break;
      for (const id of await find(db, text, isOpen)) ids.add(id);
    }
  }
  const wanted = [...ids].slice(0, MAX_SUGGESTIONS);
  return wanted.length > 0 ? readInvoices(db, wanted) : [];
}

/** No index serves shorter texts, so they are looked for among a limited number of invoices only. */
const MIN_INDEXED_LENGTH = 3;

/** The number of invoices scanned for a short text that nearly all would match. */
const MAX_SCANNED_INVOICES = 1000;

async function findByNumber(db: Db, text: string, isOpen: boolean): Promise<number[]> {
  const needle = fold(text);
  const number = sql<string>`invoices."numfacturaFold"`;
  const scanned =
    [...needle].length < MIN_INDEXED_LENGTH
      ? sql<number>`(${buildSuggestionQuery(db, isOpen).limit(MAX_SCANNED_INVOICES)})`
      : selectNewestIdsContaining(db, 'numfacturaFold', needle, MAX_SCANNED_INVOICES);
  return readSuggestedIds(
    buildSuggestionQuery(db, isOpen, orderPrefixFirst(number, needle))
      .where(sql<boolean>`invoices.id in ${scanned}`)
      .where(foldedContains(number, needle)),
  );
}

async function findByAmount(db: Db, text: string, isOpen: boolean): Promise<number[]> {
  const range = parseAmountRange(text);
  if (!range) return [];
  const isInRange = (cents: ReturnType<typeof sql<number>>) =>
    sql<boolean>`${cents} between ${range.from} and ${range.to}`;
  const total = sql<number>`invoices."totalCents"`;
  const pending = sql<number>`invoices."totalCents" - invoices."paidCents"`;
  const matches = isOpen ? sql<boolean>`(${isInRange(total)} or ${isInRange(pending)})` : isInRange(total);
  return readSuggestedIds(buildSuggestionQuery(db, isOpen).where(matches));
}

/** Reads "1160" as any amount from 1,160.00 to 1,160.99, "1,160.50" as exactly that one; undefined for other texts. */
function parseAmountRange(text: string): { from: Cents; to: Cents } | undefined {
  if (!/\d/.test(text)) return undefined;
  const from = tryParseMoney(text);
  return from === undefined ? undefined : { from, to: text.includes('.') ? from : from + 99 };
}

async function findBySupplierName(db: Db, text: string, isOpen: boolean): Promise<number[]> {
  if (!fold(text)) return [];
  const name = sql<string>`"suppliernameFold"`;
  const suppliers = await db
    .selectFrom('suppliers')
    .select('id')
    .where(foldedContains(name, text))
    .orderBy(orderPrefixFirst(name, text))
    .orderBy(name)
    .limit(MAX_SUGGESTIONS)
    .execute();
  const ids: number[] = [];
  for (const { id } of suppliers) {
    if (ids.length >= MAX_SUGGESTIONS) break;
    ids.push(...(await readSuggestedIds(buildSuggestionQuery(db, isOpen).where('supplierId', '=', id))));
  }
  return ids;
}

const buildSuggestionQuery = (db: Db, isOpen: boolean, first?: ReturnType<typeof orderPrefixFirst>) =>
  db
    .selectFrom('invoices')
    .select('invoices.id')
    .where(
      isOpen
        ? sql<boolean>`invoices."paidCents" < invoices."totalCents"`
        : sql<boolean>`invoices."paidCents" >= invoices."totalCents"`,
    )
    .$if(first !== undefined, (matches) => matches.orderBy(first!))
    .$if(isOpen, (matches) => matches.orderBy('vence'))
    .orderBy('invoices.id', isOpen ? 'asc' : 'desc');

async function readSuggestedIds(query: ReturnType<typeof buildSuggestionQuery>): Promise<number[]> {
  const rows = await query.limit(MAX_SUGGESTIONS).execute();
  return rows.map(({ id }) => id);
}
