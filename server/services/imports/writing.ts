import { reserveIds } from '../../../db/bulk.ts';
import { addPaid, type StoredPayments } from '../../../db/open-imports.ts';
import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { type CatalogValue, cleanCatalogDraft } from '../../../shared/catalogs/rules.ts';
import type { Actor } from '../audit/audit.ts';
import { tableNameOf } from '../catalogs/reading.ts';
import { creditNoteRow } from '../credit-notes.ts';
import { readCreditDays } from '../invoices/due-day.ts';
import { invoiceRow } from '../invoices/rows.ts';
import { linkReceiptsOfImport } from '../payment-receipts.ts';
import { paymentRow } from '../payments/rows.ts';
import type { SettingKey } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { subtotalOf } from './credit-notes-rows.ts';
import type { NewInvoice } from './invoices-drafts.ts';
import type { ListEntry } from './known-catalogs.ts';
import type { KnownCredit } from './known-credit-notes.ts';
import type { NewPayment } from './payments-rows.ts';

/** What rows need to be made: they are complete before any of them is stored. */
export interface MakingContext {
  db: Db;
  actor: Actor;
  importId: number;
}

/** New rows of one table, with the ids that they will have. */
export interface NewRows {
  /** as the audit trail names their list */
  entity: string;
  table: keyof Schema;
  ids: number[];
  /** those with these indexes, made when they are about to be stored: all of them at once would fill the memory */
  make(from: number, to: number): object[];
}

/** New rows of a list; each entry gets its id, and the fields that it is stored with. */
export async function makeEntries(
  { db, actor, importId }: MakingContext,
  catalog: Catalog,
  entries: readonly ListEntry[],
): Promise<NewRows> {
  const table = tableNameOf(catalog);
  const defaults = await defaultsOf(db, catalog);
  const ids = await reserveIds(db, table, entries.length);
  for (const [index, entry] of entries.entries()) entry.id = ids[index]!;
  const columns = catalog.fields.flatMap(({ name, fold: folded }) => (folded ? [name, folded] : [name]));
  const rows = entries.map((entry) => {
    const clean = cleanCatalogDraft(catalog, { ...defaults, ...entry.fields });
    const parent = catalog.fields.find(({ ref }) => ref);
    if (parent) clean[parent.name] = entry.parent?.id ?? null;
    const row: Record<string, CatalogValue> = {
      id: entry.id,
      importId,
      createdAt: actor.at,
      updatedAt: actor.at,
    };
    for (const name of columns) row[name] = clean[name] ?? null;
    entry.fields = clean;
    return row;
  });
  return { entity: catalog.noun, table, ids, make: (from, to) => rows.slice(from, to) };
}

export async function makeInvoices(
  { db, actor, importId }: MakingContext,
  accepted: readonly NewInvoice[],
): Promise<NewRows> {
  const ids = await reserveIds(db, 'invoices', accepted.length);
  const stamp = { ...actor, importId };
  const onFile = await readCreditDays(
    db,
    accepted.map(({ supplier }) => supplier.id),
  );
  const makeOne = ({ invoice, supplier, job, rubro }: NewInvoice, id: number) => {
    const references = { supplierId: supplier.id, jobId: job.id, rubroId: rubro?.id ?? null };
    const creditDays = onFile.get(supplier.id) ?? Number(supplier.fields.diascredito);
    return { id, ...invoiceRow({ ...invoice, ...references }, creditDays, stamp) };
  };
  return { entity: 'invoices', table: 'invoices', ids, make: makeEach(accepted, ids, makeOne) };
}

/** The credit notes that these payments are parts of and that are not on file; each gets its id. */
export async function makeCredits(
  { db, actor, importId }: MakingContext,
  accepted: readonly NewPayment[],
): Promise<NewRows> {
  const notes = new Set(accepted.flatMap(({ note }) => (note && note.id < 0 ? note : [])));
  const ids = await reserveIds(db, 'credit_notes', notes.size);
  const stamp = { ...actor, importId };
  const rows = [...notes].map((note: KnownCredit, index) => {
    note.id = ids[index]!;
    // A table is no document.
    const values = { ...note, subtotalCents: subtotalOf(note), moneda: 'MXN', detail: '{}' };
    return { id: note.id, ...creditNoteRow(values, stamp) };
  });
  return { entity: 'credit-notes', table: 'credit_notes', ids, make: (from, to) => rows.slice(from, to) };
}

export async function makePayments(
  { db, actor, importId }: MakingContext,
  accepted: readonly NewPayment[],
): Promise<NewRows> {
  const ids = await reserveIds(db, 'payments', accepted.length);
  const stamp = { ...actor, importId };
  const makeOne = ({ payment, source, note }: NewPayment, id: number) => {
    const references = { origenderecursoId: source?.id ?? null, creditNoteId: note?.id ?? null };
    return { id, ...paymentRow({ ...payment, ...references }, stamp) };
  };
  return { entity: 'payments', table: 'payments', ids, make: makeEach(accepted, ids, makeOne) };
}

const makeEach =
  <New>(accepted: readonly New[], ids: readonly number[], makeOne: (one: New, id: number) => object) =>
  (from: number, to: number): object[] =>
    accepted.slice(from, to).map((one, index) => makeOne(one, ids[from + index]!));

/** What stored payments add to the paid sums and to what is applied of credit notes; and the receipts that tell of them. */
export async function settlePayments(trx: Trx, payments: StoredPayments): Promise<void> {
  await addPaid(trx, payments);
  await linkReceiptsOfImport(trx, payments);
}

/** What a new row has where the file says nothing: its setting, 0, no date, no text. */
async function defaultsOf(db: Db, catalog: Catalog): Promise<Record<string, CatalogValue>> {
  const settings = await readSettings(db);
  return Object.fromEntries(
    catalog.fields.map(({ name, type, setting }) => [
      name,
      setting ? Number(settings[setting as SettingKey]) : type === 'whole' ? 0 : null,
    ]),
  );
}

/** Lists in the order in which they refer to each other: what is referred to comes first. */
export const inOrder = (nouns: Iterable<Catalog['noun']>): Catalog[] =>
  [...nouns].map(catalogOf).sort((a, b) => references(a) - references(b));

const references = (catalog: Catalog): number => catalog.fields.filter(({ ref }) => ref).length;
