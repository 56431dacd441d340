import type { Db } from '../../../db/schema.ts';
import type { Remark } from '../../../shared/remarks.ts';
import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import type { ClosingDate } from '../closing/closing.ts';
import { judgeSupplier, warnOfNewSupplier } from './judging-suppliers.ts';
import type { Issued, KnownOnFile, KnownSupplier } from './known-invoices.ts';
import type { KnownSettlements } from './known-settlements.ts';
import type { CfdiOutcome } from './outcomes.ts';
import type { CfdiStore } from './store.ts';

/** What a part of an import is decided by, and where it goes. */
export interface ImportContext {
  db: Db;
  known: KnownOnFile;
  settlements: KnownSettlements;
  store: CfdiStore;
  createSuppliers: boolean;
  /** where the payments come from that only receipts tell of; null: those are not captured */
  fundingSourceId: number | null;
  /** what is dated until then is refused */
  closing: ClosingDate;
}

export type Outcome = Omit<CfdiOutcome, 'file' | 'uuid'>;
/** A document of one kind, read. */
export type Reading<K extends string> = Extract<CfdiReading, Record<K, unknown>>;

export async function supplierOf(
  { known, store, createSuppliers }: ImportContext,
  issued: Issued,
  suppliers: readonly KnownSupplier[],
): Promise<{ supplier: KnownSupplier; warnings: string[] } | { problem: string }> {
  const problem = judgeSupplier(issued, suppliers, createSuppliers);
  if (problem) return { problem };
  if (suppliers[0]) return { supplier: suppliers[0], warnings: [] };
  const warnings = warnOfNewSupplier(issued, known);
  const supplier = await store.addSupplier(issued);
  known.addSupplier(supplier);
  return { supplier, warnings };
}

export const refused = (reason: Remark): Outcome => ({ outcome: 'refused', reason });

export const told = (warnings: Remark[]): Outcome =>
  warnings.length > 0 ? { outcome: 'warned', warnings } : { outcome: 'created' };
