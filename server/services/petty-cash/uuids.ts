import { sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { type BrokenRule, refusal } from '../../../shared/refusal.ts';

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
    from ${uuidTable(db, uuids)}
    join petty_cash_movements m on m.uuid = w.u
    join petty_cash_funds funds on funds.id = m."fundId"`.execute(db);
  return new Map(rows.map((row) => [row.uuid, row]));
}

interface InvoiceWithUuid {
  uuid: string;
  id: number;
  numfactura: string;
}

export async function readInvoicesByUuid(
  db: Db,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, InvoiceWithUuid>> {
  if (uuids.length === 0) return new Map();
  const { rows } = await sql<InvoiceWithUuid>`select i.uuid, i.id, i.numfactura
    from ${uuidTable(db, uuids)} join invoices i on i.uuid = w.u`.execute(db);
  return new Map(rows.map((row) => [row.uuid, row]));
}

const uuidTable = (db: Db, uuids: readonly string[]) =>
  sql`${valuesTable(
    db,
    { u: 'text' },
    uuids.map((u) => ({ u })),
  )} as w`;

/** @param uuid of the CFDI; its owner may have one that it replaces */
export function uuidTakenRefusal(owner: ExpenseWithUuid | InvoiceWithUuid, uuid: string): BrokenRule {
  const isExpense = 'movementId' in owner;
  const isSameUuid = owner.uuid === uuid;
  const message = isExpense
    ? (isSameUuid ? texts.uuidOfMovement : texts.replacesMovement)(owner.concepto, owner.nombre)
    : (isSameUuid ? texts.uuidOfInvoice : texts.replacesInvoice)(
        owner.numfactura || `sin número (id ${owner.id})`,
      );
  const extra = isExpense ? undefined : { existingId: owner.id };
  return { ...refusal(message, 'uuid'), kind: 'conflict', code: 'uuid_taken', extra };
}
