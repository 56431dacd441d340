import type { Db } from '../../../db/schema.ts';
import { type BudgetExcess, sayExceeded } from '../../../shared/budgets.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { InvoiceCost } from '../../../shared/invoices-typing.ts';
import { numberKey } from '../../../shared/text.ts';
import type { CfdiCandidate, CfdiReading } from '../../formats/cfdi/candidates.ts';
import type { Actor } from '../audit/audit.ts';
import { type BudgetBook, costOf, mayOverrun } from '../budgets/budget-book.ts';
import { dayOfInvoice, holdClosing, isClosed, sayClosed } from '../closing/closing.ts';
import { amountsOf } from '../invoices/rows.ts';
import type { ImportContext } from './import-context.ts';
import { type CfdiVerdict, type JudgingOptions, judgeCandidate } from './judging.ts';
import type { KnownInvoice, KnownOnFile, KnownSupplier } from './known-invoices.ts';
import { readKnown } from './known-invoices-reading.ts';
import { type KnownSettlements, readSettlements } from './known-settlements.ts';
import type { CfdiImportOptions, CfdiOutcome, CostPlace } from './outcomes.ts';
import { settleArrival } from './settling.ts';
import { settleNote } from './settling-credit-notes.ts';
import { settleReceipt } from './settling-payment-receipts.ts';
import type { CfdiStore } from './store.ts';

/** What is on file, and where what is decided goes. */
export interface CfdiBooks {
  known: KnownOnFile;
  settlements: KnownSettlements;
  store: CfdiStore;
  budgets: BudgetBook;
}

/** What invoices are decided by beside. */
interface InvoiceContext extends ImportContext {
  budgets: BudgetBook;
  /** what goes beyond its budget is stored all the same */
  allowsExcess: boolean;
}

/** What is the same for every part of an import; `replaced`: by the parts before. */
interface DecidedRun {
  actor: Actor;
  options: CfdiImportOptions;
  replaced: ReadonlyMap<string, string>;
}

/**
 * Each document judged by what is on file and what the ones before it have added: first the invoices in the order
 * of the files, then the credit notes, then the receipts, so that a folder's order decides nothing.
 * @returns the outcomes in the order of the files
 */
export async function decidePart(
  db: Db,
  { actor, options, replaced: before }: DecidedRun,
  part: readonly CfdiReading[],
  books: CfdiBooks,
): Promise<{ outcomes: CfdiOutcome[]; replaced: Map<string, string> }> {
  const { createSuppliers = false, fundingSourceId = null } = options;
  const closing = await holdClosing(db);
  const allows = { createSuppliers, allowsExcess: options.allowExcess || mayOverrun(actor) };
  const context: InvoiceContext = { db, ...books, ...allows, fundingSourceId, closing };
  const replaced = new Map(before);
  await readAll(db, part, books);
  const places = part.map(({ file }) => options.places?.get(file) ?? options);
  await books.budgets.read([...places, ...books.known.invoices].map(({ jobId }) => jobId));
  const judging: Omit<JudgingOptions, 'jobId'> = {
    createSuppliers,
    replaced,
    replace: options.replace ?? false,
    isClaimed: claimedNumbers(part, books.known),
  };
  const outcomes: CfdiOutcome[] = [];
  for (const [index, reading] of part.entries()) {
    const { file, uuid } = reading;
    if ('refused' in reading) outcomes[index] = { file, outcome: 'refused', reason: reading.refused, uuid };
    if (!('candidate' in reading)) continue;
    const place = options.places?.get(file) ?? options;
    const verdict = judgeCandidate(reading.candidate, books.known, { ...judging, jobId: place.jobId });
    const outcome = await storeCandidate({ ...context, index }, reading.candidate, verdict, place);
    outcomes[index] = { file, ...outcome, kind: 'I', uuid };
    if (outcome.outcome !== 'refused')
      for (const former of reading.candidate.replaces) replaced.set(former, file);
  }
  for (const { at, text } of books.budgets.tellExceeded()) {
    const { warnings = [], ...outcome } = outcomes[at]!;
    outcomes[at] = { ...outcome, outcome: 'warned', warnings: [...warnings, text] };
  }
  for (const [index, reading] of part.entries()) {
    const { file, uuid } = reading;
    if (!('note' in reading)) continue;
    const outcome = await settleNote(context, reading, replaced);
    outcomes[index] = { file, ...outcome, kind: 'E', uuid };
    if (outcome.outcome !== 'refused') for (const former of reading.note.replaces) replaced.set(former, file);
  }
  for (const [index, reading] of part.entries()) {
    const { file, uuid } = reading;
    if (!('receipt' in reading)) continue;
    outcomes[index] = { file, ...(await settleReceipt(context, reading)), kind: 'P', uuid };
  }
  return { outcomes, replaced };
}

async function readAll(
  db: Db,
  part: readonly CfdiReading[],
  { known, settlements }: CfdiBooks,
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
}

/** Which numbers the documents of this part have. */
function claimedNumbers(part: readonly CfdiReading[], known: KnownOnFile): JudgingOptions['isClaimed'] {
  const claimed = new Set<string>();
  for (const reading of part) {
    if (!('candidate' in reading)) continue;
    const key = numberKey(reading.candidate.draft.numfactura);
    for (const { id } of known.suppliersOf(reading.candidate)) if (key) claimed.add(`${id}:${key}`);
  }
  return (supplierId, numfacturaKey) => claimed.has(`${supplierId}:${numfacturaKey}`);
}

type Outcome = Omit<CfdiOutcome, 'file' | 'uuid'>;

async function storeCandidate(
  context: InvoiceContext & { index: number },
  candidate: CfdiCandidate,
  verdict: CfdiVerdict,
  place: CostPlace,
): Promise<Outcome> {
  if ('refused' in verdict) return { outcome: 'refused', reason: verdict.refused };
  if ('unchanged' in verdict) return { outcome: 'unchanged', invoiceId: verdict.unchanged.id };
  const closed = (await daysOf(context, candidate, verdict)).find((day) => isClosed(day, context.closing));
  if (closed) return { outcome: 'refused', reason: sayClosed(closed, context.closing) };
  const former = 'linked' in verdict ? verdict.linked : 'replaced' in verdict ? verdict.replaced : undefined;
  const { jobId, rubroId = null } = former ?? place;
  const excess = holdToBudget(context, costOf({ ...candidate.draft, jobId, rubroId }), former);
  if (excess) return { outcome: 'refused', reason: sayExceeded(excess), excess };
  if ('supplier' in verdict) {
    const invoice = await addInvoice(context, candidate, verdict.supplier, place);
    const arrival = await settleArrival(context, invoice);
    const warnings = [...candidate.warnings, ...verdict.warnings, ...arrival];
    return warnings.length > 0
      ? { outcome: 'warned', warnings, invoiceId: invoice.id }
      : { outcome: 'created', invoiceId: invoice.id };
  }
  const invoice = 'linked' in verdict ? verdict.linked : verdict.replaced;
  await changeInvoice(context, candidate, invoice);
  const arrival = await settleArrival(context, invoice);
  const warnings = [...verdict.warnings, ...candidate.warnings, ...arrival];
  return { outcome: 'warned', warnings, linked: true, invoiceId: invoice.id };
}

/** @returns what it is refused for; else what goes beyond its budget is told once all are decided */
function holdToBudget(
  { budgets, allowsExcess, index }: InvoiceContext & { index: number },
  spending: InvoiceCost,
  known: KnownInvoice | undefined,
): BudgetExcess | undefined {
  const former = known && costOf(known);
  const excess = budgets.judge(spending, former);
  if (excess && budgets.refuses && !allowsExcess) return excess;
  budgets.take(spending, former);
  if (excess) budgets.exceed(index, spending, excess);
  return undefined;
}

/** The document's own, and the one that its invoice has now. */
async function daysOf(
  { db }: ImportContext,
  { draft }: CfdiCandidate,
  verdict: Exclude<CfdiVerdict, { refused: unknown } | { unchanged: unknown }>,
): Promise<PlainDate[]> {
  if ('supplier' in verdict) return [draft.fechaemision];
  const { id } = 'linked' in verdict ? verdict.linked : verdict.replaced;
  // Of this import, which a dry run does not store: it was looked at when it came.
  if (id === undefined) return [draft.fechaemision];
  const stored = await db
    .selectFrom('invoices')
    .select(['fechaemision', 'fechacaptura'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  // The date that somebody captured stays.
  const isKept = 'linked' in verdict && stored.fechaemision !== null;
  return [dayOfInvoice(stored), ...(isKept ? [] : [draft.fechaemision])];
}

async function addInvoice(
  { known, store }: ImportContext,
  candidate: CfdiCandidate,
  found: KnownSupplier | undefined,
  place: CostPlace,
): Promise<KnownInvoice> {
  const supplier = found ?? (await store.addSupplier(candidate));
  if (!found) known.addSupplier(supplier);
  const id = await store.addInvoice(candidate, supplier, place);
  const { draft, detail, moneda } = candidate;
  const invoice: KnownInvoice = {
    ...draft,
    id,
    tasa: draft.rate,
    supplierId: supplier.id,
    jobId: place.jobId,
    rubroId: place.rubroId ?? null,
    numfacturaKey: numberKey(draft.numfactura),
    paidCents: 0,
    formerUuid: draft.uuid ? (candidate.replaces[0] ?? null) : null,
    documentMoneda: moneda,
    detail,
  };
  known.invoices.add(invoice);
  return invoice;
}

/** The document is that of an invoice which is on file. What it had before is noted in what is kept of the new one. */
async function changeInvoice(
  { known, store }: ImportContext,
  candidate: CfdiCandidate,
  invoice: KnownInvoice,
): Promise<void> {
  const { draft, moneda } = candidate;
  const formers = [...(invoice.detail?.formerUuids ?? []), ...(invoice.detail?.replaces ?? [])];
  for (const uuid of [invoice.formerUuid, invoice.uuid]) if (uuid) formers.push(uuid);
  const formerUuids = [...new Set(formers)];
  const changed: CfdiCandidate = {
    ...candidate,
    detail: { ...candidate.detail, ...(formerUuids.length > 0 ? { formerUuids } : {}) },
  };
  if (invoice.id !== undefined) await store.changeInvoice(changed, invoice);
  known.invoices.change(invoice, {
    numfactura: draft.numfactura,
    numfacturaKey: numberKey(draft.numfactura),
    fechaemision: invoice.uuid ? draft.fechaemision : (invoice.fechaemision ?? draft.fechaemision),
    ...amountsOf({ ...draft, tasa: draft.rate }),
    uuid: draft.uuid,
    formerUuid: invoice.uuid ?? invoice.formerUuid,
    moneda: draft.moneda,
    tipocambio: draft.tipocambio,
    documentMoneda: moneda,
    detail: changed.detail,
  });
}
