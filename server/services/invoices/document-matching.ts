import { formatLongDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { createRemark, type Remark, withRemedyCode } from '../../../shared/remarks.ts';
import { documentNumberKey } from '../../../shared/text.ts';
import type { CfdiDetail } from '../../formats/cfdi/candidates.ts';
import {
  type Difference,
  describeDifferences,
  findAmountDifferences,
  findDateDifferences,
  findDocumentDifferences,
  findDocumentNumberDifferences,
} from '../../formats/cfdi/differences.ts';
import type { DocumentMatch, InvoiceDocument, InvoiceDraft } from './draft.ts';
import type { InvoiceFacts } from './facts.ts';
import { createLookalikeDayTest, supplierNumberKey } from './invoice-book.ts';
import { type DocumentedInvoice, invoiceLabel, type KnownInvoice } from './known-invoices.ts';
import { amountsOf, pickDatesAndNotes } from './rows.ts';

/**
 * Finds the invoice that the document belongs to, and keeps what people entered in that invoice by copying it into the
 * draft: obra, rubro, dates of reception and maturity, and notes.
 */
export function matchDocument(draft: InvoiceDraft, facts: InvoiceFacts): void {
  if (!draft.cfdi) return;
  const { previous, ...match } = findMatch(draft, draft.cfdi, facts);
  draft.documentMatch = match;
  if (!previous) return;
  const { detail, uuid, formerUuid } = previous;
  const earlierUuids = [...(detail?.formerUuids ?? []), ...(detail?.replaces ?? []), formerUuid, uuid];
  const earlierLinkedUuids = [...new Set(earlierUuids.filter((one) => one !== null))];
  if (earlierLinkedUuids.length > 0)
    draft.cfdi = { ...draft.cfdi, detail: { ...draft.cfdi.detail, formerUuids: earlierLinkedUuids } };
  const { id, supplierId, jobId, rubroId, fechacaptura } = previous;
  const retained = { ...pickDatesAndNotes(previous), supplierId, jobId, rubroId, fechacaptura };
  // The captured date is kept because somebody may have corrected it. A replacing document brings its own date.
  const fechaemision = (!match.isReplaced && previous.fechaemision) || draft.fechaemision;
  Object.assign(draft, retained, { id, previous, fechaemision, formerUuid: uuid ?? formerUuid });
}

interface FoundMatch extends DocumentMatch {
  previous?: KnownInvoice;
}

/**
 * A stamped document is identified by its UUID alone, an unstamped one by supplier and number, or without a number by
 * supplier, date, total and obra.
 */
function findMatch(draft: InvoiceDraft, cfdi: InvoiceDocument, facts: InvoiceFacts): FoundMatch {
  const { book } = facts;
  const { uuid } = draft;
  const existing = uuid ? book.withUuid(uuid) : undefined;
  if (existing) {
    const differences = findDifferences(existing, draft, cfdi);
    return differences.length === 0
      ? { unchanged: existing }
      : createRefusedMatch(describeConflict(draft, existing, differences));
  }
  if (cfdi.replacedReason) return createRefusedMatch(cfdi.replacedReason);
  const replacement = matchReplacedInvoice(draft, cfdi, facts);
  // The rule `refuseFormerUuid` refuses a document that was unlinked from its invoice or replaced.
  if (uuid && !replacement && book.withFormerUuid(uuid)) return {};
  const similar = book.withSameIdentity(draft as KnownInvoice);
  if (!uuid && similar[0]) {
    const same = similar.find((one) => findCapturedDifferences(one, draft).length === 0);
    if (same) return { unchanged: same };
    return createRefusedMatch(
      describeConflict(draft, similar[0], findCapturedDifferences(similar[0], draft)),
    );
  }
  if (cfdi.totalMismatch) return createRefusedMatch(cfdi.totalMismatch);
  if (replacement) return replacement;
  if (cfdi.supplierProblem) return createRefusedMatch(cfdi.supplierProblem);
  return (uuid ? matchUnstampedInvoice(draft, cfdi, similar, facts) : undefined) ?? {};
}

const createRefusedMatch = (refusal: Remark): FoundMatch => ({ refusal });

/**
 * Finds the invoice whose document this one replaces, because only one of the two may be owed: the new document takes
 * the old one's place in the invoice. If that invoice has payments, the document is refused until somebody confirms it.
 * Of several replaced invoices, the one with the largest paid sum is linked to the document.
 */
function matchReplacedInvoice(
  { totalCents }: InvoiceDraft,
  { replaces, supplierIds }: InvoiceDocument,
  { book, options }: InvoiceFacts,
): FoundMatch | undefined {
  // A document can replace only documents of its own issuer.
  const found = replaces.flatMap((uuid) => book.withUuid(uuid) ?? []);
  const replacedInvoices = [...new Set(found)].filter(({ supplierId }) => supplierIds.includes(supplierId));
  replacedInvoices.sort((a, b) => (b as DocumentedInvoice).paidCents - (a as DocumentedInvoice).paidCents);
  const [previous] = replacedInvoices;
  if (!previous) return undefined;
  const named = createRemark`la factura ${invoiceLabel(previous)}`;
  const message = createRemark`Sustituye (relación 04) al CFDI ${previous.uuid ?? ''}, que es ${named}: no se guarda, para no duplicarla.`;
  if (!options.replace && (previous as DocumentedInvoice).paidCents > 0)
    return createRefusedMatch(withRemedyCode(message, 'replace-former'));
  const totals = `${formatMoney(previous.totalCents)} → ${formatMoney(totalCents)}`;
  return {
    previous,
    isReplaced: true,
    message: createRemark`Sustituye al CFDI ${previous.uuid ?? ''} de ${named}: ${totals}.`,
  };
}

/**
 * Finds the invoice without a UUID that this document belongs to: it has the same total, a close date and the same
 * number, or any number if it was captured without a document. With the same number and total but a distant date it may
 * be a separate debt, so the document is refused.
 */
function matchUnstampedInvoice(
  draft: InvoiceDraft,
  { detail }: InvoiceDocument,
  similarInvoices: readonly KnownInvoice[],
  { book, documentNumberKeys }: InvoiceFacts,
): FoundMatch | undefined {
  const { totalCents } = draft;
  const supplierId = draft.supplierId!;
  const isNearDay = createLookalikeDayTest(draft.fechaemision!);
  const isNearInTime = ({ fechaemision }: KnownInvoice) => !fechaemision || isNearDay(fechaemision);
  const byFolio = book.withSupplierAndNumber(supplierId, documentNumberKey(detail.folio));
  const numbered = [...new Set([...similarInvoices, ...byFolio])].filter((one) => !one.uuid);
  const same = numbered.filter((one) => one.totalCents === totalCents);
  const [invoice, ...others] = same.filter(isNearInTime);
  if (invoice && others.length === 0) return createLinkedMatch(draft, invoice);
  if (same[0] && !invoice) return createRefusedMatch(describeDistantDate(draft, same[0]));
  if (invoice || similarInvoices.some((one) => !one.uuid)) return undefined;
  const near = book
    .withTotal(supplierId, totalCents)
    .filter((one) => !one.uuid && !one.detail)
    .filter(isNearInTime)
    .filter(({ numfacturaKey }) => !documentNumberKeys.has(supplierNumberKey({ supplierId, numfacturaKey })));
  if (near.length > 1)
    return createRefusedMatch(
      createRemark`Puede ser el CFDI de varias facturas sin UUID (${joinLabels(near)}): no se guarda.`,
    );
  return near[0] && createLinkedMatch(draft, near[0]);
}

/** The message names both numbers and both dates, so that the reader can check that the two are the same debt. */
const createLinkedMatch = (draft: InvoiceDraft, previous: KnownInvoice): FoundMatch => ({
  previous,
  message: createRemark`Se ligó a ${formatDatedInvoiceLabel(previous)}, que no tenía UUID; el CFDI es ${documentLabel(draft)}.`,
});

const describeDistantDate = (draft: InvoiceDraft, invoice: KnownInvoice): Remark =>
  createRemark`Es ${documentLabel(draft)}, con el número y el total de ${formatDatedInvoiceLabel(invoice)}, que no tiene UUID: es un conflicto. Si es la misma, corrige su fecha de emisión; si es otra, su número o su CFDI.`;

const formatDatedInvoiceLabel = (invoice: KnownInvoice): Remark =>
  createRemark`la factura ${invoiceLabel(invoice)} ${invoice.fechaemision ? `del ${formatLongDate(invoice.fechaemision)}` : 'sin fecha'}`;

const documentLabel = ({ numfactura, fechaemision }: InvoiceDraft): string =>
  `${numfactura ? `la ${numfactura}` : 'una sin número'} del ${formatLongDate(fechaemision!)}`;

export function describeSameNumber(existingInvoice: KnownInvoice, totalCents: Cents): Remark {
  const invoice = createRemark`El proveedor ya tiene la factura ${invoiceLabel(existingInvoice)}`;
  if (existingInvoice.uuid) return createRemark`${invoice}, con otro UUID.`;
  const [here, there] = [totalCents, existingInvoice.totalCents].map(formatMoney);
  const total = here === there ? 'del mismo total' : `de otro total (${there}; en este archivo ${here})`;
  return createRemark`${invoice}, sin UUID y ${total}: revisa que no sean la misma.`;
}

/** Compares the draft with the stored document, if any, because the invoice may have been corrected by hand. */
function findDifferences(stored: KnownInvoice, draft: InvoiceDraft, { detail, moneda }: InvoiceDocument) {
  if (!stored.detail) return findCapturedDifferences(stored, draft);
  const before = { moneda: stored.documentMoneda ?? null, detail: stored.detail };
  return [
    ...findDocumentDifferences(before, { moneda, detail }),
    ...findDocumentNumberDifferences(documentNumberOf(stored.detail), documentNumberOf(detail)),
  ];
}

const documentNumberOf = ({ serie, folio }: CfdiDetail): string => [serie, folio].filter(Boolean).join('-');

/** A missing captured date is no difference. */
const findCapturedDifferences = (stored: KnownInvoice, draft: InvoiceDraft): Difference[] => [
  ...findAmountDifferences(stored, draft),
  ...findDateDifferences(stored.fechaemision ?? draft.fechaemision!, draft.fechaemision!),
];

function describeConflict(
  { uuid }: InvoiceDraft,
  stored: KnownInvoice,
  differences: readonly Difference[],
): Remark {
  const same = uuid ? 'El mismo UUID' : 'El mismo número de este proveedor';
  return createRemark`${same} ya está en la factura ${invoiceLabel(stored)} con otros datos (${describeDifferences(differences)}): es un conflicto.`;
}

const joinLabels = (invoices: readonly KnownInvoice[]): Remark =>
  invoices
    .map((invoice) => createRemark`la factura ${invoiceLabel(invoice)}`)
    .reduce((all, one) => createRemark`${all}, ${one}`);

/** Lets later drafts find the invoice by its document. A new invoice has an id below zero until it is stored. */
export function recordDocumentInBook(draft: InvoiceDraft, { book, documents }: InvoiceFacts): void {
  const { previous } = draft;
  const { moneda: documentMoneda, detail } = draft.cfdi!;
  if (!previous) {
    const created = { id: -1 - documents.length, paidCents: 0, documentMoneda, detail };
    draft.bookEntry = { ...(draft as KnownInvoice), ...created };
    documents.push(draft.bookEntry);
    book.add(draft.bookEntry);
    return;
  }
  const { numfactura, numfacturaKey, fechaemision, uuid, formerUuid, moneda, tipocambio } = draft;
  const changed = { numfactura, numfacturaKey, fechaemision, uuid, formerUuid, moneda, tipocambio };
  book.change(previous as PreviousWithDocument, { ...changed, ...amountsOf(draft), documentMoneda, detail });
}

type PreviousWithDocument = NonNullable<InvoiceDraft['previous']> & DocumentedInvoice;
