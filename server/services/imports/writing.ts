import { type RawBuilder, sql } from 'kysely';
import { insertRows, listed, ROWS_AT_ONCE, reserveIds } from '../../../db/bulk.ts';
import type { Trx } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { type CatalogValue, cleanCatalogDraft } from '../../../shared/catalogs/rules.ts';
import { foldNumber, keyOfNumber } from '../../formats/tables/number-keys.ts';
import type { Actor } from '../audit/audit.ts';
import { tableNameOf } from '../catalogs/reading.ts';
import { linkReceiptsOfImport } from '../payment-receipts.ts';
import type { SettingKey } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { subtotalOf } from './credit-notes-rows.ts';
import type { NewInvoice } from './invoices-drafts.ts';
import type { ListEntry } from './known-catalogs.ts';
import type { KnownCredit } from './known-credit-notes.ts';
import type { NewPayment } from './payments-rows.ts';

export interface WritingContext {
  trx: Trx;
  actor: Actor;
  importId: number;
  /** told after each batch how many rows of the file are in */
  onStored: (rows: number) => Promise<void>;
}

/** New rows of a list; each entry gets its id. */
export async function writeEntries(
  { trx, actor, importId }: WritingContext,
  catalog: Catalog,
  entries: readonly ListEntry[],
): Promise<number[]> {
  const defaults = await defaultsOf(trx, catalog);
  const ids = await reserveIds(trx, tableNameOf(catalog), entries.length);
  const columns = catalog.fields.flatMap(({ name, fold: folded }) => (folded ? [name, folded] : [name]));
  const rows = entries.map((entry, index) => {
    entry.id = ids[index]!;
    const row = cleanCatalogDraft(catalog, { ...defaults, ...entry.fields });
    const parent = catalog.fields.find(({ ref }) => ref);
    if (parent) row[parent.name] = entry.parent?.id ?? null;
    return [entry.id, ...columns.map((name) => row[name] ?? null), importId, actor.at, actor.at];
  });
  await insertRows(trx, tableNameOf(catalog), ['id', ...columns, 'importId', 'createdAt', 'updatedAt'], rows);
  return ids;
}

export async function writeInvoices(
  { trx, actor, importId, onStored }: WritingContext,
  accepted: readonly NewInvoice[],
): Promise<number[]> {
  const ids = await reserveIds(trx, 'invoices', accepted.length);
  const { at, userId } = actor;
  const rows = accepted.map(({ invoice, supplier, job, rubro }, index) => [
    ids[index]!,
    supplier.id,
    job.id,
    rubro?.id ?? null,
    invoice.numfactura,
    foldNumber(invoice.numfactura),
    invoice.numfacturaKey,
    invoice.fechaemision,
    invoice.fecharecepcion,
    invoice.fechavencimiento,
    invoice.subtotalCents,
    invoice.tasa,
    invoice.ivaCents,
    invoice.otrosimpuestosCents,
    invoice.retencionesCents,
    invoice.totalCents,
    0,
    invoice.comments,
    invoice.uuid,
    invoice.metodopago,
    userId,
    importId,
    at,
    at,
    1,
  ]);
  await insertRows(trx, 'invoices', INVOICE_COLUMNS, rows, onStored);
  return ids;
}

const INVOICE_COLUMNS = [
  'id',
  'supplierId',
  'jobId',
  'rubroId',
  'numfactura',
  'numfacturaFold',
  'numfacturaKey',
  'fechaemision',
  'fecharecepcion',
  'fechavencimiento',
  'subtotalCents',
  'tasa',
  'ivaCents',
  'otrosimpuestosCents',
  'retencionesCents',
  'totalCents',
  'paidCents',
  'comments',
  'uuid',
  'metodopago',
  'userId',
  'importId',
  'createdAt',
  'updatedAt',
  'version',
];

/** The credit notes that these payments are parts of and that are not on file; each gets its id. */
export async function writeCredits(
  { trx, actor, importId }: WritingContext,
  accepted: readonly NewPayment[],
): Promise<number[]> {
  const notes = new Set(accepted.flatMap(({ note }) => (note && note.id < 0 ? note : [])));
  const ids = await reserveIds(trx, 'credit_notes', notes.size);
  const { at, userId } = actor;
  const rows = [...notes].map((note: KnownCredit, index) => {
    note.id = ids[index]!;
    return [
      note.id,
      note.supplierId,
      note.numero,
      keyOfNumber(note.numero),
      note.uuid,
      note.fecha,
      subtotalOf(note),
      note.ivaCents,
      note.otrosimpuestosCents,
      note.retencionesCents,
      note.totalCents,
      0,
      'MXN',
      '{}', // a table is no document
      '',
      importId,
      userId,
      at,
      at,
      1,
    ];
  });
  await insertRows(trx, 'credit_notes', CREDIT_COLUMNS, rows);
  return ids;
}

const CREDIT_COLUMNS = [
  'id',
  'supplierId',
  'numero',
  'numeroKey',
  'uuid',
  'fecha',
  'subtotalCents',
  'ivaCents',
  'otrosimpuestosCents',
  'retencionesCents',
  'totalCents',
  'appliedCents',
  'moneda',
  'detail',
  'comments',
  'importId',
  'userId',
  'createdAt',
  'updatedAt',
  'version',
];

/**
 * The payments, then what they add to the paid sums, and to what is applied of credit notes: each invoice and note
 * is changed once, however often it is paid.
 */
export async function writePayments(
  { trx, actor, importId, onStored }: WritingContext,
  accepted: readonly NewPayment[],
): Promise<number[]> {
  const ids = await reserveIds(trx, 'payments', accepted.length);
  const { at, userId } = actor;
  const paid = new Map<number, number>();
  const applied = new Map<number, number>();
  const rows = accepted.map(({ payment, source, note }, index) => {
    const { facturaproveedorId, amountCents, checknum, checkFold } = payment;
    paid.set(facturaproveedorId, (paid.get(facturaproveedorId) ?? 0) + amountCents);
    if (note) applied.set(note.id, (applied.get(note.id) ?? 0) + amountCents);
    return [
      ids[index]!,
      facturaproveedorId,
      source?.id ?? null,
      checknum,
      checkFold,
      payment.paymentdate,
      amountCents,
      payment.comments,
      userId,
      note ? 'credito' : 'pago',
      note?.id ?? null,
      importId,
      at,
      at,
      1,
    ];
  });
  await insertRows(trx, 'payments', PAYMENT_COLUMNS, rows, onStored);
  const onSum = () => onStored(rows.length);
  await addSums(trx, sql`invoices`, sql`"paidCents"`, paid, onSum);
  await addSums(trx, sql`credit_notes`, sql`"appliedCents"`, applied, onSum);
  await linkReceiptsOfImport(trx, importId);
  return ids;
}

const PAYMENT_COLUMNS = [
  'id',
  'facturaproveedorId',
  'origenderecursoId',
  'checknum',
  'checknumFold',
  'paymentdate',
  'amountCents',
  'comments',
  'userId',
  'kind',
  'creditNoteId',
  'importId',
  'createdAt',
  'updatedAt',
  'version',
];

/** Invoices and notes are held since they were judged; the database's own CHECKs stand behind that. */
async function addSums(
  trx: Trx,
  table: RawBuilder<unknown>,
  column: RawBuilder<unknown>,
  sums: ReadonlyMap<number, number>,
  onBatch: () => Promise<void>,
): Promise<void> {
  const rows = [...sums].sort(([a], [b]) => a - b);
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const part = listed(trx, { id: 'bigint', cents: 'bigint' }, rows.slice(at, at + ROWS_AT_ONCE));
    await sql`update ${table} set ${column} = ${column} + w.cents from ${part} as w where ${table}.id = w.id`.execute(
      trx,
    );
    await onBatch();
  }
}

/** What a new row has where the file says nothing: its setting, 0, no date, no text. */
async function defaultsOf(trx: Trx, catalog: Catalog): Promise<Record<string, CatalogValue>> {
  const settings = await readSettings(trx);
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
