import { sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { type BrokenRule, createRefusal } from '../../../shared/refusal.ts';
import { Replacements } from '../document-relations.ts';

export interface ExpenseWithUuid {
  uuid: string;
  movementId: number;
  fundId: number;
  concepto: string;
  importeCents: Cents;
  nombre: string;
}

export async function readExpensesByUuid(
  db: Db,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, ExpenseWithUuid>> {
  if (uuids.length === 0) return new Map();
  const { rows } = await sql<ExpenseWithUuid>`
    select m.uuid, m.id as "movementId", m."fundId", m.concepto, m."importeCents", funds.nombre
    from ${uuidValuesTable(db, uuids)}
    join petty_cash_movements m on m.uuid = w.u
    join petty_cash_funds funds on funds.id = m."fundId"`.execute(db);
  return new Map(rows.map((row) => [row.uuid, row]));
}

interface InvoiceWithUuid {
  uuid: string;
  id: number;
  numfactura: string;
}

async function readInvoicesByUuid(
  db: Db,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, InvoiceWithUuid>> {
  if (uuids.length === 0) return new Map();
  const { rows } = await sql<InvoiceWithUuid>`select i.uuid, i.id, i.numfactura
    from ${uuidValuesTable(db, uuids)} join invoices i on i.uuid = w.u`.execute(db);
  return new Map(rows.map((row) => [row.uuid, row]));
}

const uuidValuesTable = (db: Db, uuids: readonly string[]) =>
  sql`${valuesTable(
    db,
    { u: 'text' },
    uuids.map((u) => ({ u })),
  )} as w`;

export interface UuidFacts {
  expensesByUuid: Awaited<ReturnType<typeof readExpensesByUuid>>;
  invoicesByUuid: Awaited<ReturnType<typeof readInvoicesByUuid>>;
  replacements: Replacements;
}

export async function readUuidFacts(
  db: Db,
  uuids: readonly string[],
  replacements: Replacements,
): Promise<UuidFacts> {
  const uuidsToCheck = [...uuids, ...replacements.predecessorsOfAny(uuids)];
  return {
    expensesByUuid: await readExpensesByUuid(db, uuidsToCheck),
    invoicesByUuid: await readInvoicesByUuid(db, uuidsToCheck),
    replacements,
  };
}

/** Replacements by any issuer count, because an expense does not state who issued its voucher. */
export const findReplacedUuidRefusal = (
  uuid: string | null,
  { replacements }: UuidFacts,
): BrokenRule | undefined => replacements.replacedRefusal({ uuid, rfc: undefined });

/** A CFDI, or one that it replaces, may be the voucher of one expense or the document of one invoice, not both. */
export function findTakenUuidRefusal(
  uuid: string,
  movementId: number | undefined,
  { expensesByUuid, invoicesByUuid, replacements }: UuidFacts,
): BrokenRule | undefined {
  for (const one of [uuid, ...replacements.predecessorsOfAny([uuid])]) {
    const expense = expensesByUuid.get(one);
    const owner = invoicesByUuid.get(one) ?? (expense?.movementId === movementId ? undefined : expense);
    if (owner) return uuidTakenRefusal(owner, uuid);
  }
  return undefined;
}

/** For use before an expense is saved. The rules check the same again, with locks. */
export async function findVoucherUuidRefusal(
  db: Db,
  uuid: string,
  movementId: number | undefined,
): Promise<BrokenRule | undefined> {
  const facts = await readUuidFacts(db, [uuid], await Replacements.read(db, [uuid]));
  return findReplacedUuidRefusal(uuid, facts) ?? findTakenUuidRefusal(uuid, movementId, facts);
}

/** @param uuid the UUID of the refused CFDI; if the owner has another UUID, the refused CFDI replaces the owner's */
export function uuidTakenRefusal(
  documentWithUuid: ExpenseWithUuid | InvoiceWithUuid,
  uuid: string,
): BrokenRule {
  const isExpense = 'movementId' in documentWithUuid;
  const isSameUuid = documentWithUuid.uuid === uuid;
  const message = isExpense
    ? (isSameUuid ? texts.uuidOfMovement : texts.replacesMovement)(
        documentWithUuid.concepto,
        documentWithUuid.nombre,
      )
    : (isSameUuid ? texts.uuidOfInvoice : texts.replacesInvoice)(
        documentWithUuid.numfactura || `sin número (id ${documentWithUuid.id})`,
      );
  const extra = isExpense ? undefined : { existingId: documentWithUuid.id };
  return { ...createRefusal(message, 'uuid'), kind: 'conflict', code: 'uuid_taken', extra };
}
