import { sql } from 'kysely';
import { listed } from '../../../db/bulk.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { type Refusal, refusal, refuse } from '../../../shared/refusal.ts';

/** An expense that a CFDI is the receipt of. */
export interface UuidOwner {
  uuid: string;
  movementId: number;
  concepto: string;
  nombre: string;
}

/** Which of these CFDI are receipts of petty cash, by UUID. */
export async function uuidsOfPettyCash(
  db: Db,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, UuidOwner>> {
  if (uuids.length === 0) return new Map();
  const { rows } = await sql<UuidOwner>`
    select m.uuid, m.id as "movementId", m.concepto, funds.nombre
    from ${listed(
      db,
      { u: 'text' },
      uuids.map((u) => ({ u })),
    )} as w
    join petty_cash_movements m on m.uuid = w.u
    join petty_cash_funds funds on funds.id = m."fundId"`.execute(db);
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** What the invoices of these CFDI are called, by UUID. */
export async function invoicesWithUuids(
  db: Db,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uuids.length === 0) return new Map();
  const { rows } = await sql<{ uuid: string; id: number; numfactura: string }>`
    select i.uuid, i.id, i.numfactura
    from ${listed(
      db,
      { u: 'text' },
      uuids.map((u) => ({ u })),
    )} as w
    join invoices i on i.uuid = w.u`.execute(db);
  return new Map(rows.map(({ uuid, ...invoice }) => [uuid, nameOf(invoice)]));
}

const nameOf = ({ id, numfactura }: { id: number; numfactura: string }): string =>
  numfactura || `sin número (id ${id})`;

export const sayTaken = ({ concepto, nombre }: UuidOwner): string => texts.uuidOfMovement(concepto, nombre);

/**
 * A CFDI is the receipt of one expense, or an invoice, and nothing else.
 * @throws DomainError conflict uuid_taken
 */
export async function requireFreeUuid(trx: Trx, uuid: string, self = 0): Promise<void> {
  const invoice = await trx
    .selectFrom('invoices')
    .select(['id', 'numfactura'])
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  if (invoice) refuse(sayUuidTaken(texts.uuidOfInvoice(nameOf(invoice)), invoice.id));
  const owner = (await uuidsOfPettyCash(trx, [uuid])).get(uuid);
  if (owner && owner.movementId !== self) refuse(uuidTaken(owner));
}

/** The same of an invoice that is about to get the UUID of an expense. */
export const uuidTaken = (owner: UuidOwner): Refusal => sayUuidTaken(sayTaken(owner));

const sayUuidTaken = (message: string, existingId?: number): Refusal => ({
  ...refusal(message, 'uuid'),
  kind: 'conflict',
  code: 'uuid_taken',
  extra: existingId === undefined ? undefined : { existingId },
});
