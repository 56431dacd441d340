import type { Db } from '../../../db/schema.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import { type CfdiReading, namedUuids } from '../../formats/cfdi/candidates.ts';
import type { Actor } from '../audit/audit.ts';
import { type ClosingDate, holdClosing } from '../closing/closing.ts';
import { documentedBook, keyOfUuid, readDocumented } from '../invoices/known.ts';
import { PaymentRun } from '../payments/run.ts';
import type { CfdiImportOptions } from './outcomes.ts';
import { readSettlements, SettlementsOnFile } from './settlements-on-file.ts';
import { type Issued, Issuers, type KnownSupplier, refuseSupplier } from './suppliers.ts';
import { type CfdiProgress, CfdiWriter } from './write.ts';

/** Documents that are stored in one transaction. */
export interface CfdiPart {
  db: Db;
  actor: Actor;
  options: CfdiImportOptions;
  issuers: Issuers;
  /** the invoices that documents are, or are about */
  invoices: ReturnType<typeof documentedBook>;
  settlements: SettlementsOnFile;
  payments: PaymentRun;
  /** what is dated until then is refused */
  closing: ClosingDate;
  /** UUIDs of credit notes that documents of this import replace, with the file of each */
  replaced: Map<string, string>;
  writer: CfdiWriter;
}

/** @param before of an import whose earlier parts have been stored */
export async function openPart(
  db: Db,
  asked: Actor,
  options: CfdiImportOptions,
  before: { replaced?: ReadonlyMap<string, string>; progress?: CfdiProgress } = {},
): Promise<CfdiPart> {
  const closing = await holdClosing(db);
  const { fundingSourceId: sourceId = null } = options;
  // Imports do not override the closing date, whoever asks.
  const actor: Actor = {
    ...asked,
    roles: asked.roles.filter((role) => role !== ADMIN_ROLE),
    isImport: true,
  };
  return {
    db,
    actor,
    options,
    closing,
    issuers: new Issuers(),
    invoices: documentedBook(),
    settlements: new SettlementsOnFile(),
    payments: PaymentRun.open(actor, { closing, sourceId }),
    replaced: new Map(before.replaced),
    writer: new CfdiWriter(db, actor, options, before.progress),
  };
}

/**
 * Reads and locks the invoices on file that credit notes and receipts name: before anything is written and any budget
 * is locked, as whoever changes an invoice does, so that no two transactions wait for each other.
 */
export async function readNamed({ db, invoices }: CfdiPart, readings: readonly CfdiReading[]): Promise<void> {
  const named = readings.flatMap(namedUuids);
  if (named.length > 0) await readDocumented(db, invoices, named.map(keyOfUuid));
}

/** Reads and locks the credit notes and receipts on file, and those that wait for invoices of this part. */
export async function readSettling(
  { db, invoices, settlements, payments }: CfdiPart,
  readings: readonly CfdiReading[],
): Promise<void> {
  const notes = readings.flatMap((reading) => (reading.kind === 'E' ? [reading.issued] : []));
  const receipts = readings.flatMap((reading) => (reading.kind === 'P' ? [reading.issued.uuid] : []));
  const arriving = readings.flatMap(({ kind, uuid }) => (kind === 'I' && uuid ? [uuid] : []));
  const supplierIds = arriving.flatMap((uuid) => invoices.named(uuid)?.supplierId ?? []);
  await readSettlements(db, settlements, {
    notes,
    receipts,
    arriving,
    supplierIds: [...new Set(supplierIds)],
  });
  await payments.holdFund(db);
}

/**
 * Finds or creates the issuer of a credit note or a receipt.
 * @param found those on file that it may be
 */
export async function supplierOf(
  { issuers, writer, options }: CfdiPart,
  issued: Issued,
  found: readonly KnownSupplier[],
): Promise<{ supplier: KnownSupplier; warnings: string[] } | { problem: string }> {
  const problem = refuseSupplier(issued, found, options.createSuppliers);
  if (problem) return { problem };
  if (found[0]) return { supplier: found[0], warnings: [] };
  const supplier = issuers.coming(issued);
  await writer.addSupplier(issued, supplier);
  return { supplier, warnings: issuers.create(issued, supplier) };
}
