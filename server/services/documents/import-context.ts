import { sql } from 'kysely';
import { isOneOfTexts, lockTables } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { Payment } from '../../../shared/payments.ts';
import { createRemark, type Remark } from '../../../shared/remarks.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import {
  type CfdiDetail,
  type CfdiReading,
  listParsedDocuments,
  listReferencedInvoiceUuids,
} from '../../formats/cfdi/candidates.ts';
import type { Actor } from '../audit/audit.ts';
import { type LastClosedDay, lockAndReadClosing } from '../closing/closing.ts';
import { Replacements } from '../document-relations.ts';
import {
  createDocumentedInvoiceBook,
  type DocumentedInvoice,
  documentedRowMapping,
  invoiceKeysOfUuid,
  invoiceLabel,
  lockAndReadDocumentedInvoices,
} from '../invoices/known-invoices.ts';
import { fillInvoiceBookByIds } from '../invoices/read-invoice-book.ts';
import { StagedPayments } from '../payments/staged-payments.ts';
import { type ExpenseWithUuid, readExpensesByUuid } from '../petty-cash/voucher-uuids.ts';
import { CfdiWriter, type ImportIdAndHash } from './cfdi-writer.ts';
import { findSupplierProblem, type IssuedDocument, IssuerSuppliers, type KnownSupplier } from './issuers.ts';
import type { CfdiImportOptions } from './outcomes.ts';
import { readSettlements, StoredSettlements } from './stored-settlements.ts';

/** The state of one transaction of an import: the rows that it has read and locked, and its writers. */
export interface CfdiImportContext {
  db: Db;
  actor: Actor;
  options: CfdiImportOptions;
  issuers: IssuerSuppliers;
  invoices: ReturnType<typeof createDocumentedInvoiceBook>;
  settlements: StoredSettlements;
  payments: StagedPayments;
  closing: LastClosedDay;
  replacements: Replacements;
  /** Petty cash expenses whose CFDI is in a chain of replacements, by UUID. */
  expensesByUuid: ReadonlyMap<string, ExpenseWithUuid>;
  writer: CfdiWriter;
}

export async function createCfdiImportContext(
  db: Db,
  caller: Actor,
  options: CfdiImportOptions,
  previousPart: { progress?: ImportIdAndHash } = {},
): Promise<CfdiImportContext> {
  const closing = await lockAndReadClosing(db);
  const { fundingSourceId: sourceId = null } = options;
  // Imports never override the closing date, whoever runs them.
  const actor: Actor = {
    ...caller,
    roles: caller.roles.filter((role) => role !== ADMIN_ROLE),
    isImport: true,
  };
  return {
    db,
    actor,
    options,
    closing,
    issuers: new IssuerSuppliers(),
    invoices: createDocumentedInvoiceBook(),
    settlements: new StoredSettlements(),
    payments: StagedPayments.create(actor, { closing, sourceId }),
    replacements: new Replacements(),
    expensesByUuid: new Map(),
    writer: new CfdiWriter(db, actor, options, previousPart.progress),
  };
}

export async function prepareImportContext(
  context: CfdiImportContext,
  readings: readonly CfdiReading[],
): Promise<void> {
  const { db, options, issuers } = context;
  context.replacements = await Replacements.readForReadings(db, readings);
  if (!options.dryRun) await context.replacements.store(db as Trx, context.actor);
  const issued = listParsedDocuments(readings);
  await issuers.read(db, issued);
  // Locks in the same order as a change of a supplier: the list of suppliers before any invoice.
  const addsSuppliers =
    options.createSuppliers && issued.some((one) => issuers.findSuppliersFor(one).length === 0);
  if (addsSuppliers && !options.dryRun) await lockTables(db as Trx, 'suppliers');
  const chainedUuids = context.replacements.replacementChains.flat();
  context.expensesByUuid = await readExpensesByUuid(db, chainedUuids);
  await readNamedInvoices(context, readings, chainedUuids);
}

/**
 * Reads and locks the stored invoices that credit notes and receipts name, and those in chains of replacements. As in
 * every change of an invoice, this comes before any write and before budgets are locked, so that no two transactions
 * wait for each other.
 */
async function readNamedInvoices(
  { db, invoices }: CfdiImportContext,
  readings: readonly CfdiReading[],
  uuids: readonly string[],
): Promise<void> {
  if (uuids.length > 0)
    await fillInvoiceBookByIds(db, invoices, documentedRowMapping, await readInvoiceIdsSettledBy(db, uuids));
  const named = [...readings.flatMap(listReferencedInvoiceUuids), ...uuids];
  if (named.length > 0) await lockAndReadDocumentedInvoices(db, invoices, named.map(invoiceKeysOfUuid));
}

async function readInvoiceIdsSettledBy(db: Db, uuids: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p."facturaproveedorId" as id from credit_notes join payments p on p."creditNoteId" = credit_notes.id
      where ${isOneOfTexts(db, 'credit_notes.uuid', uuids)}
    union select lines."invoiceId" from payment_receipts join payment_receipt_lines lines
        on lines."receiptId" = payment_receipts.id and lines."invoiceId" is not null
      where ${isOneOfTexts(db, 'payment_receipts.uuid', uuids)}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Finds the stored invoice that a UUID stands for: the invoice itself, or the one that replaces it. The invoice itself
 * is also returned if only invoices replace it and none of them is stored. If several are stored, none is returned.
 * @param key `rfc` is the issuer of the document that names the UUID, and so of the invoice; empty if it is not stated
 */
export function findNamedInvoice(
  { invoices, replacements }: CfdiImportContext,
  { uuid, rfc }: { uuid: string; rfc: string | undefined },
): { invoice?: DocumentedInvoice; reason: Remark } {
  const invoice = invoices.withAnyUuid(uuid);
  const reason = 'no está registrada';
  const issuer = rfc || issuerRfcOf(invoices.withUuid(uuid));
  // Without a known issuer no stated replacement counts, because it may be another issuer's.
  if (!issuer)
    return { invoice: invoice?.uuid === uuid || invoice?.uuid === null ? invoice : undefined, reason };
  const key = { uuid, rfc: issuer };
  const successors = replacements.findSuccessors(key);
  const stored = [...new Set(successors.flatMap((one) => invoices.withUuid(one.uuid) ?? []))];
  if (stored.length > 1)
    return {
      reason: createRemark`la sustituyen varias (${stored.map(invoiceLabel).reduce((all, one) => createRemark`${all}, ${one}`)})`,
    };
  const isInvoiceItself =
    successors.length > 0 ? successors.every(({ kind }) => kind === 'I') : !replacements.isReplaced(key);
  return { invoice: stored[0] ?? (isInvoiceItself ? invoice : undefined), reason };
}

export const issuerRfcOf = (document: { detail: CfdiDetail | null } | undefined): string | undefined =>
  document?.detail ? normalizeRfc(document.detail.emisor.rfc) : undefined;

export function stagePaymentRemoval({ payments, settlements }: CfdiImportContext, payment: Payment): void {
  if (!payments.stageDeletion(payment)) settlements.removePayment(payment);
}

export async function readSettlingDocuments(
  { db, invoices, settlements, payments, replacements }: CfdiImportContext,
  readings: readonly CfdiReading[],
): Promise<void> {
  const uuids = replacements.replacementChains.flat();
  const notes = readings.flatMap((reading) => (reading.kind === 'E' ? [reading.issued] : []));
  const settlingUuids = readings.flatMap(({ kind, uuid }) => (kind && kind !== 'I' && uuid ? [uuid] : []));
  const newInvoiceUuids = readings.flatMap(({ kind, uuid }) => (kind === 'I' && uuid ? [uuid] : []));
  const supplierIds = [...newInvoiceUuids, ...uuids].flatMap(
    (uuid) => invoices.withAnyUuid(uuid)?.supplierId ?? [],
  );
  await readSettlements(db, settlements, {
    notes,
    uuids: [...settlingUuids, ...uuids],
    newInvoiceUuids,
    chainedUuids: uuids,
    supplierIds: [...new Set(supplierIds)].filter((id) => id > 0),
    replacedInvoiceIds: uuids.flatMap((uuid) => invoices.withUuid(uuid)?.id ?? []).filter((id) => id > 0),
  });
  await payments.lockFunds(db);
}

export async function findOrCreateSupplier(
  { issuers, writer, options }: CfdiImportContext,
  issued: IssuedDocument,
  foundSuppliers: readonly KnownSupplier[],
): Promise<{ supplier: KnownSupplier; warnings: string[] } | { problem: string }> {
  const problem = findSupplierProblem(issued, foundSuppliers, options.createSuppliers);
  if (problem) return { problem };
  if (foundSuppliers[0]) return { supplier: foundSuppliers[0], warnings: [] };
  const supplier = issuers.getOrAddPendingSupplier(issued);
  await writer.addSuppliers(new Map([[supplier, issued]]));
  return { supplier, warnings: issuers.markCreatedAndWarn(issued, supplier) };
}
