import type { Db } from '../../../db/schema.ts';
import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import type { Actor } from '../audit/audit.ts';
import { BudgetBook } from '../budgets/budget-book.ts';
import { type ClosingDate, holdClosing } from '../closing/closing.ts';
import { PaymentRun } from '../payments/run.ts';
import { KnownOnFile, readKnown } from './on-file.ts';
import type { CfdiImportOptions } from './outcomes.ts';
import { readSettlements, SettlementsOnFile } from './settlements-on-file.ts';
import { type CfdiProgress, CfdiWriter } from './write.ts';

/** Documents that are stored together: what they are decided by, and where they go. */
export interface CfdiPart {
  db: Db;
  actor: Actor;
  options: CfdiImportOptions;
  known: KnownOnFile;
  settlements: SettlementsOnFile;
  payments: PaymentRun;
  budgets: BudgetBook;
  /** what is dated until then is refused */
  closing: ClosingDate;
  /** UUIDs that documents of this import replace, with the file of each */
  replaced: Map<string, string>;
  writer: CfdiWriter;
}

/** @param before of an import whose earlier parts have been stored */
export async function openPart(
  db: Db,
  actor: Actor,
  options: CfdiImportOptions,
  before: { replaced?: ReadonlyMap<string, string>; progress?: CfdiProgress } = {},
): Promise<CfdiPart> {
  const closing = await holdClosing(db);
  const { fundingSourceId: sourceId = null } = options;
  return {
    db,
    actor,
    options,
    closing,
    known: new KnownOnFile(),
    settlements: new SettlementsOnFile(),
    budgets: await BudgetBook.open(db),
    payments: PaymentRun.open(actor, { closing, sourceId }),
    replaced: new Map(before.replaced),
    writer: new CfdiWriter(db, actor, options, before.progress),
  };
}

/** What is on file about documents, held where they are to be stored. */
export async function readAll(
  { db, known, settlements, payments }: CfdiPart,
  part: readonly CfdiReading[],
): Promise<void> {
  const candidates = part.flatMap((reading) => ('candidate' in reading ? [reading.candidate] : []));
  const notes = part.flatMap((reading) => ('note' in reading ? [reading.note] : []));
  const receipts = part.flatMap((reading) => ('receipt' in reading ? [reading.receipt] : []));
  const lines = receipts.flatMap((receipt) => receipt.lines);
  const uuids = [...notes.flatMap(({ credits }) => credits), ...lines.map(({ invoiceUuid }) => invoiceUuid)];
  await readKnown(db, known, { candidates, issued: [...notes, ...receipts], uuids });
  const supplierIds = candidates.flatMap((one) => known.suppliersOf(one).map(({ id }) => id));
  await readSettlements(db, settlements, {
    notes,
    receipts: receipts.map(({ uuid }) => uuid),
    arriving: candidates.flatMap(({ draft }) => draft.uuid ?? []),
    supplierIds: [...new Set(supplierIds)],
  });
  await payments.holdBox(db);
}
