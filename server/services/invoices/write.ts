import type { Db, Trx } from '../../../db/schema.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { Actor } from '../audit/audit.ts';
import {
  addNew,
  auditEach,
  type BulkOptions,
  type StoredDraft,
  type UnreadDraft,
  type Written,
  write,
} from '../writing.ts';
import type { Asked, InvoiceToWrite } from './asked.ts';
import { holdSuppliers } from './due-day.ts';
import { type InvoiceFacts, type InvoiceOptions, readFacts } from './facts.ts';
import { invoicesOf } from './reading.ts';
import { restoreKept } from './restoring.ts';
import { type InvoiceValues, invoiceColumns, invoiceRow } from './rows.ts';
import { rules, take, warnings } from './rules.ts';

export type WrittenInvoice = Written<Asked, Invoice>;

type WriteInvoices = InvoiceOptions & BulkOptions<Asked>;

/** Writes invoices, one or many, by the one list of rules that there is for them (rules.ts). */
export const writeInvoices = (
  db: Db,
  actor: Actor,
  drafts: readonly (InvoiceToWrite | UnreadDraft)[],
  options: WriteInvoices = {},
): Promise<WrittenInvoice[]> =>
  write(
    db,
    drafts,
    {
      read: (trx, read) => readFacts(trx, actor, read, options),
      rules,
      warn: (asked, facts) => warnings.flatMap((warn) => warn(asked, facts)),
      accept: take,
      former: ({ former }) => former,
      idOf: ({ id }) => id,
      store: (trx, stored, facts) => store(trx, stored, facts, options),
    },
    options,
  );

type StoredInvoice = StoredDraft<Asked, Invoice>;

async function store(
  trx: Trx,
  stored: readonly StoredInvoice[],
  facts: InvoiceFacts,
  { bring, onStored }: WriteInvoices,
): Promise<void> {
  const { actor } = facts;
  const importId = bring
    ? await bring(
        trx,
        stored.map(({ asked }) => asked),
      )
    : null;
  const creditDays = await creditDaysOf(trx, stored, facts);
  const rowOf = (asked: Asked) =>
    invoiceRow(asked as InvoiceValues & Asked, creditDays(asked), { ...actor, importId });
  await addNew(trx, 'invoices', stored, rowOf, onStored);
  for (const written of stored) {
    const { asked } = written;
    if (asked.former) await change(trx, actor, asked, creditDays(asked));
    if (asked.deleted) await bringBack(trx, actor, written, creditDays(asked));
  }
  if (importId !== null) return;
  const rows = await invoicesOf(
    trx,
    stored.map(({ id }) => id),
  );
  // Of the files of one that comes back some may be gone for good.
  const alsoOf = ({ deleted }: Asked) =>
    deleted && { attachments: (deleted.attachments ?? []).map(({ id }) => id) };
  auditEach(trx, actor, 'invoices', stored, rows, alsoOf);
}

/** A supplier's credit days; those of one that came with the drafts are known only now. */
async function creditDaysOf(trx: Trx, stored: readonly StoredInvoice[], { suppliers }: InvoiceFacts) {
  const ids = new Set(stored.map(({ asked }) => asked.supplierId!));
  const missing = [...ids].filter((id) => !suppliers.has(id));
  const brought = missing.length > 0 ? await holdSuppliers(trx, missing) : new Map<never, never>();
  return ({ supplierId: id }: Asked) => (suppliers.get(id!) ?? brought.get(id!))!.diascredito;
}

async function change(trx: Trx, actor: Actor, asked: Asked, creditDays: number): Promise<void> {
  const { id, version } = asked.former!;
  await trx
    .updateTable('invoices')
    .set({
      ...invoiceColumns(asked as InvoiceValues & Asked, creditDays),
      updatedAt: actor.at,
      version: version + 1,
    })
    .where('id', '=', id)
    .execute();
}

async function bringBack(trx: Trx, actor: Actor, written: StoredInvoice, creditDays: number): Promise<void> {
  const { asked } = written;
  const { id, createdAt: at, version, userId = null, importId = null } = asked.deleted!;
  const stamp = { at, today: asked.fechacaptura, userId, importId };
  await trx
    .insertInto('invoices')
    .values({
      ...invoiceRow(asked as InvoiceValues & Asked, creditDays, stamp as Parameters<typeof invoiceRow>[2]),
      id,
      updatedAt: actor.at,
      version: version + 1,
    })
    .execute();
  const lost = await restoreKept(trx, actor, id, asked.deleted!);
  written.warnings = [...written.warnings, ...lost.map((says) => ({ says }))];
}
