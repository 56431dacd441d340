import { formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { MIXED_RATE } from '../../../shared/invoice-form-amounts.ts';
import {
  checkInvoice,
  checkTotalRange,
  INVOICE_DATES,
  INVOICE_NOTES,
  invoiceNumberOrId,
  invoiceTexts,
} from '../../../shared/invoices.ts';
import { formatMoney, formatRate, MAX_CENTS } from '../../../shared/money.ts';
import { createRefusal } from '../../../shared/refusal.ts';
import {
  conflictRemark,
  createRemark,
  duplicateLineRemark,
  similarLineRemark,
  withRemedyCode,
} from '../../../shared/remarks.ts';
import { fold } from '../../../shared/text.ts';
import { findFieldByName } from '../../formats/tables/fields.ts';
import { toInvoiceCost } from '../budgets/budget-book.ts';
import { closedPeriodRefusal, dayOfInvoice } from '../closing/closing.ts';
import { issuerRfcOfDetail } from '../document-relations.ts';
import { missingReferenceRefusal } from '../missing-references.ts';
import { uuidTakenRefusal } from '../petty-cash/voucher-uuids.ts';
import { haveSameValues } from '../stored-rows.ts';
import { type RuleResult, refuseInvalidTexts, type Warning } from '../write-drafts.ts';
import { describeSameNumber, recordDocumentInBook } from './document-matching.ts';
import { hasNewNumber, type InvoiceDraft, keepsAmounts, needsLookalikeCheck } from './draft.ts';
import type { InvoiceFacts } from './facts.ts';
import { idIfStored, invoiceLabel, type KnownInvoice } from './known-invoices.ts';
import { type InvoiceValues, toInvoiceColumns } from './rows.ts';

type Rule = (draft: InvoiceDraft, facts: InvoiceFacts) => RuleResult;

type WarningRule = (draft: InvoiceDraft, facts: InvoiceFacts) => readonly Warning[];

/** Only the first broken rule is reported, so the order counts. */
export const rules: readonly Rule[] = [
  refuseMissingRow,
  refuseNotDeleted,
  refuseStaleVersion,
  refuseInvalidFields,
  refuseUnknownReferences,
  refuseInvalidTexts,
  refuseInvalidTotal,
  refuseDisagreeingAmounts,
  refuseChangedCfdiAmounts,
  refuseRestoringDuplicate,
  skipOrRefuseStored,
  refuseReplacementWithoutXml,
  refusePettyCashExpense,
  skipOrRefuseDocument,
  refuseFormerUuid,
  skipStoredWithoutUuid,
  refuseDuplicateNumber,
  refuseClosedPeriod,
  skipUnchanged,
  refuseTotalBelowPaid,
  refuseCreditedSupplierChange,
  refuseBudgetExcess,
];

export const warningRules: readonly WarningRule[] = [
  warnOfLink,
  warnOfSameSupplierNumber,
  warnOfLookalikes,
  warnOfBudget,
];

function refuseMissingRow({ id, previous, deleted }: InvoiceDraft): RuleResult {
  if (id === undefined || previous || deleted) return undefined;
  return { kind: 'not-found', message: `No existe la factura ${id}.` };
}

function refuseNotDeleted({ id, deleted }: InvoiceDraft, { existingIds }: InvoiceFacts): RuleResult {
  if (!deleted || !existingIds.has(id!)) return undefined;
  return { kind: 'conflict', message: `La factura ${id} no está eliminada.`, code: 'not_deleted' };
}

function refuseStaleVersion({ seenVersion, previous }: InvoiceDraft): RuleResult {
  if (!previous || seenVersion === undefined || seenVersion === previous.version) return undefined;
  return { kind: 'stale', message: invoiceTexts.stale, extra: { current: previous } };
}

/** A document may amount to zero (100 % discount), and its other taxes may be negative. */
function refuseInvalidFields(draft: InvoiceDraft): RuleResult {
  const { supplierId, jobId, previous, statedSubtotalCents } = draft;
  if (keepsAmounts(draft)) return checkInvoice({ supplierId, jobId, subtotalCents: 1 });
  const { otrosimpuestosCents, retencionesCents } = draft;
  const subtotalCents = previous ? draft.subtotalCents : statedSubtotalCents;
  if (!hasDocument(draft))
    return checkInvoice({ supplierId, jobId, subtotalCents, otrosimpuestosCents, retencionesCents });
  return checkInvoice({
    supplierId,
    jobId,
    subtotalCents: subtotalCents === 0 ? 1 : subtotalCents,
    retencionesCents,
  });
}

const hasDocument = ({ uuid, cfdi }: InvoiceDraft): boolean => uuid !== null || cfdi !== undefined;

function refuseUnknownReferences(draft: InvoiceDraft, { suppliers, jobs, rubros }: InvoiceFacts): RuleResult {
  for (const [field, existing] of [
    ['supplierId', suppliers],
    ['jobId', jobs],
    ['rubroId', rubros],
  ] as const) {
    const id = draft[field];
    if (id !== null && id > 0 && id !== draft.previous?.[field] && !existing.has(id))
      return missingReferenceRefusal(field, id);
  }
  return undefined;
}

function refuseInvalidTotal(draft: InvoiceDraft): RuleResult {
  if (keepsAmounts(draft)) return undefined;
  const { subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = draft;
  if (subtotalCents < 0 || (subtotalCents === 0 && !hasDocument(draft)))
    return createRefusal('El subtotal debe ser mayor que cero.', 'subtotal');
  if (ivaCents < 0) return createRefusal('El IVA no puede ser negativo.', 'iva');
  if (Math.max(subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents) > MAX_CENTS)
    return createRefusal('El subtotal no puede pasar de $9,999,999,999.99.', 'subtotal');
  return hasDocument(draft) && totalCents === 0 ? undefined : checkTotalRange(totalCents);
}

/** Where a table states no rate, the message offers to set one for all its rows. */
function refuseDisagreeingAmounts(
  { disagreement, hasStatedRate }: InvoiceDraft,
  { options }: InvoiceFacts,
): RuleResult {
  const canSetRate = disagreement && options.skipsExisting && !hasStatedRate;
  return canSetRate
    ? { ...disagreement, message: withRemedyCode(disagreement.message, 'set-rate') }
    : disagreement;
}

function refuseChangedCfdiAmounts(draft: InvoiceDraft): RuleResult {
  if (!draft.previous?.uuid || draft.cfdi || keepsAmounts(draft)) return undefined;
  return { kind: 'conflict', message: invoiceTexts.cfdiLocked, code: 'cfdi_locked' };
}

/** A restored invoice conflicts only with invoices of its number that were captured after its deletion. */
function refuseRestoringDuplicate(
  { deleted, supplierId, ...draft }: InvoiceDraft,
  facts: InvoiceFacts,
): RuleResult {
  if (!deleted) return undefined;
  const { uuid, numfactura, numfacturaKey } = draft;
  if (uuid) {
    const duplicate = facts.book.withAnyUuid(uuid);
    const message = `Su CFDI ya está en la factura ${duplicate && invoiceNumberOrId(duplicate.numfactura, duplicate.id)}.`;
    return (
      duplicate && { kind: 'conflict', message, code: DUPLICATE_CODE, extra: { existingId: duplicate.id } }
    );
  }
  const { newestId = deleted.id } = deleted;
  const same = facts.book.withSupplierAndNumber(supplierId!, numfacturaKey);
  if (!numfacturaKey || !same.some(({ id }) => id! > newestId)) return undefined;
  return duplicateRefusal({ supplierId: supplierId!, numfactura }, same[0]!, facts);
}

/** Refuses an invoice without its XML if its CFDI replaces that of another invoice, or was itself replaced. */
function refuseReplacementWithoutXml(
  draft: InvoiceDraft,
  { suppliers, replacements, book }: InvoiceFacts,
): RuleResult {
  const { uuid, supplierId, previous, cfdi, deleted } = draft;
  if (previous || cfdi) return undefined;
  const document = {
    uuid,
    rfc: issuerRfcOfDetail(deleted?.document?.detail) ?? suppliers.get(supplierId!)?.rfc,
  };
  const replaced = replacements.predecessorsOf(document).flatMap((one) => book.withUuid(one) ?? [])[0];
  if (!replaced) return replacements.replacedRefusal(document);
  const label = invoiceNumberOrId(replaced.numfactura, replaced.id);
  return createRefusal(`Sustituye a la factura ${label}: carga su XML.`, 'uuid');
}

function skipOrRefuseStored(draft: InvoiceDraft, facts: InvoiceFacts): RuleResult {
  const { options, book } = facts;
  if (!options.skipsExisting) return undefined;
  const { uuid, numfacturaKey, fechaemision } = draft;
  const existing = uuid ? book.withUuid(uuid) : undefined;
  if (existing) return compareWithExisting(draft, existing, 'La factura con ese UUID', facts);
  const [first] = uuid || options.allowDuplicate ? [] : findSameInvoices(draft, facts);
  if (!first) return undefined;
  const same = findInvoicesToCompare(draft, facts);
  const equalsDraft = (one: KnownInvoice) => !findDifference(draft, one, facts);
  const equal = same.find(equalsDraft);
  if (!equal || numfacturaKey || fechaemision)
    return compareWithExisting(draft, equal ?? first, 'La factura', facts);
  // Equal rows are matched one to one with equal stored invoices. Only a person can tell whether a further equal row is
  // another invoice.
  const unmatched = same.find(
    (one) => one.id !== undefined && one.matchedLine === undefined && equalsDraft(one),
  );
  if (!unmatched) return createRefusal(similarLineRemark(equal.line ?? equal.matchedLine!), 'numfactura');
  unmatched.matchedLine = draft.line;
  return { unchanged: true, warnings: [] };
}

function refusePettyCashExpense(
  { uuid, previous, cfdi }: InvoiceDraft,
  { expenses, replacements }: InvoiceFacts,
): RuleResult {
  if (!uuid || (previous && !cfdi)) return undefined;
  for (const one of [uuid, ...(cfdi?.replaces ?? replacements.predecessorsOf({ uuid, rfc: undefined }))]) {
    const expense = expenses.get(one);
    if (expense) return uuidTakenRefusal(expense, uuid);
  }
  return undefined;
}

function skipOrRefuseDocument({ documentMatch }: InvoiceDraft): RuleResult {
  if (documentMatch?.unchanged) return { unchanged: true, warnings: [] };
  return documentMatch?.refusal === undefined ? undefined : createRefusal(documentMatch.refusal, 'uuid');
}

function refuseFormerUuid(
  { uuid, previous, deleted, supplierId }: InvoiceDraft,
  { book }: InvoiceFacts,
): RuleResult {
  const other = uuid && !previous && !deleted ? book.withFormerUuid(uuid) : undefined;
  // A document can replace only documents of its own issuer.
  if (!other || other.supplierId !== supplierId) return undefined;
  const message = other.uuid
    ? createRemark`Lo sustituyó el CFDI ${other.uuid}, que es la factura ${invoiceLabel(other)}: no se vuelve a importar.`
    : createRemark`Es el CFDI del que se desligó la factura ${invoiceLabel(other)}: no se guarda, para no duplicarla.`;
  return createRefusal(message, 'uuid');
}

/** Skips a row with a UUID if a stored invoice without a UUID is equal in everything that the row states. */
function skipStoredWithoutUuid(draft: InvoiceDraft, facts: InvoiceFacts): RuleResult {
  const { skipsExisting, allowDuplicate } = facts.options;
  if (!skipsExisting || allowDuplicate || !draft.uuid) return undefined;
  const same = findInvoicesToCompare(draft, facts).find(
    (one) => !one.uuid && one.matchedLine === undefined && !findDifference(draft, one, facts),
  );
  if (!same) return undefined;
  same.matchedLine = draft.line;
  const message = createRemark`Ya está la factura ${invoiceLabel(same)}, sin UUID: carga su XML para ligarla.`;
  return { unchanged: true, warnings: [{ message }] };
}

function refuseDuplicateNumber(draft: InvoiceDraft, facts: InvoiceFacts): RuleResult {
  const { skipsExisting, allowDuplicate } = facts.options;
  const { id, deleted, cfdi, supplierId, numfactura, numfacturaKey } = draft;
  if (skipsExisting || allowDuplicate || deleted || cfdi || !numfacturaKey || !hasNewNumber(draft))
    return undefined;
  const duplicate = facts.book
    .withSupplierAndNumber(supplierId!, numfacturaKey)
    .find((one) => !id || one.id !== id);
  return duplicate && duplicateRefusal({ supplierId: supplierId!, numfactura }, duplicate, facts);
}

const DUPLICATE_CODE = 'duplicate_invoice';

function duplicateRefusal(
  { supplierId, numfactura }: { supplierId: number; numfactura: string },
  duplicate: KnownInvoice,
  { suppliers }: InvoiceFacts,
): RuleResult {
  const message = invoiceTexts.duplicate(numfactura, suppliers.get(supplierId)!.suppliername);
  return {
    ...createRefusal(message, 'numfactura'),
    kind: 'conflict',
    code: DUPLICATE_CODE,
    extra: { existingId: duplicate.id },
  };
}

function refuseClosedPeriod(draft: InvoiceDraft, { actor, closing }: InvoiceFacts): RuleResult {
  const { previous } = draft;
  const broken =
    (previous && closedPeriodRefusal(actor, dayOfInvoice(previous), closing)) ??
    closedPeriodRefusal(actor, dayOfInvoice(draft), closing);
  return broken && { ...broken, field: 'fechaemision' };
}

function skipUnchanged(draft: InvoiceDraft): RuleResult {
  const { previous, cfdi } = draft;
  if (
    !previous ||
    cfdi ||
    !haveSameValues(toInvoiceColumns(draft as InvoiceValues & InvoiceDraft, 0), toInvoiceColumns(previous, 0))
  )
    return undefined;
  return { unchanged: true, warnings: [] };
}

function refuseTotalBelowPaid(draft: InvoiceDraft): RuleResult {
  const { previous, cfdi, totalCents } = draft;
  if (!previous || keepsAmounts(draft) || totalCents > previous.paidCents) return undefined;
  if (!cfdi) return createRefusal(invoiceTexts.notBelowPaid, 'subtotal');
  // Unlike a typed total, a document's total may equal what was paid.
  if (totalCents === previous.paidCents) return undefined;
  const figures = `${formatMoney(totalCents)}, y hay ${formatMoney(previous.paidCents)} pagados`;
  const message = createRemark`${invoiceTexts.notBelowPaid} Sustituye a la factura ${invoiceLabel(previous)} con un total de ${figures}.`;
  return createRefusal(message, 'subtotal');
}

/** A supplier's credit notes pay only that supplier's invoices. */
function refuseCreditedSupplierChange({ previous }: InvoiceDraft, { creditedIds }: InvoiceFacts): RuleResult {
  return previous && creditedIds.has(previous.id)
    ? createRefusal(invoiceTexts.hasCredit, 'supplierId')
    : undefined;
}

function refuseBudgetExcess(draft: InvoiceDraft, facts: InvoiceFacts): RuleResult {
  if (facts.options.allowExcess) return undefined;
  const refused = facts.budgets?.refuseExcess(
    facts.actor,
    toInvoiceCost(draft as InvoiceValues),
    previousCost(draft),
  );
  return refused && { ...refused, field: 'subtotal' };
}

function warnOfLink({ documentMatch }: InvoiceDraft): readonly Warning[] {
  return documentMatch?.message === undefined ? [] : [{ message: documentMatch.message }];
}

function warnOfSameSupplierNumber(draft: InvoiceDraft, facts: InvoiceFacts): readonly Warning[] {
  const sameNumber = findSameNumber(draft, facts);
  if (!sameNumber) return [];
  if (draft.cfdi) return [{ message: describeSameNumber(sameNumber, draft.totalCents) }];
  return [{ message: createRemark`El proveedor ya tiene la factura ${invoiceLabel(sameNumber)}.` }];
}

/** Tables and documents are not refused for the number alone; they get a warning. */
const findSameNumber = (draft: InvoiceDraft, facts: InvoiceFacts) =>
  facts.options.skipsExisting || (draft.cfdi && !draft.previous)
    ? findSameInvoices(draft, facts)[0]
    : undefined;

function warnOfLookalikes(draft: InvoiceDraft, facts: InvoiceFacts): readonly Warning[] {
  const { id, supplierId, fechaemision, totalCents } = draft;
  if (!fechaemision || !needsLookalikeCheck(draft) || (draft.cfdi && draft.previous)) return [];
  return facts.book
    .findLookalikes({ id, supplierId: supplierId!, fechaemision, totalCents }, findSameNumber(draft, facts))
    .map((one) => ({ message: lookalikeWarning(one), about: idIfStored(one.id) }));
}

function warnOfBudget(draft: InvoiceDraft, { budgets }: InvoiceFacts): readonly Warning[] {
  const warning = budgets?.warnOfExcess(toInvoiceCost(draft as InvoiceValues), previousCost(draft));
  return warning ? [warning] : [];
}

const previousCost = ({ previous }: InvoiceDraft) => ({ previous: previous && toInvoiceCost(previous) });

export function addAcceptedDraftToFacts(draft: InvoiceDraft, facts: InvoiceFacts): void {
  facts.budgets?.recordSpending(toInvoiceCost(draft as InvoiceValues), previousCost(draft).previous);
  if (draft.cfdi) recordDocumentInBook(draft, facts);
  else if (!draft.previous) facts.book.add(draft as KnownInvoice);
}

const findSameInvoices = (draft: InvoiceDraft, { book }: InvoiceFacts) =>
  book.withSameIdentity(draft as KnownInvoice);

/**
 * Returns the stored invoices with the same identity, and a limited number of the new ones of the same run. A row that
 * equals only a new one beyond that limit conflicts with the first, or is stored as another invoice if it has a UUID.
 */
function findInvoicesToCompare(draft: InvoiceDraft, facts: InvoiceFacts): readonly KnownInvoice[] {
  const same = findSameInvoices(draft, facts);
  let onFile = 0;
  while (same[onFile]?.id !== undefined) onFile += 1;
  return same.slice(0, onFile + MAX_COMPARED_NEW_INVOICES);
}

const MAX_COMPARED_NEW_INVOICES = 50;

function compareWithExisting(
  draft: InvoiceDraft,
  existing: KnownInvoice,
  what: string,
  facts: InvoiceFacts,
): RuleResult {
  const difference = findDifference(draft, existing, facts);
  if (difference) {
    const { field, label, stored, here } = difference;
    return createRefusal(
      conflictRemark(createRemark`${what} ${invoiceLabel(existing)}`, label, stored, here),
      field,
    );
  }
  return {
    unchanged: true,
    warnings: existing.line === undefined ? [] : [{ message: duplicateLineRemark(existing.line) }],
  };
}

const COMPARED_FIELDS = [
  ['place', 'supplierId', 'proveedor'],
  ['money', 'totalCents', 'total'],
  ['money', 'subtotalCents', 'subtotal'],
  ['money', 'ivaCents', 'IVA'],
  ['money', 'otrosimpuestosCents', 'otros impuestos'],
  ['money', 'retencionesCents', 'retenciones'],
  ['rate', 'tasa', 'tasa'],
  ['place', 'jobId', 'obra'],
  ['place', 'rubroId', 'rubro'],
  ['text', 'moneda', 'moneda del CFDI'],
  ['text', 'tipocambio', 'tipo de cambio del CFDI'],
  ...[...INVOICE_DATES, 'metodopago' as const, ...INVOICE_NOTES].map(
    (name) => ['text', name, findFieldByName('invoices', name).label.toLowerCase()] as const,
  ),
] as const;

/** Fields that the draft leaves empty are not compared. */
function findDifference(draft: InvoiceDraft, existing: KnownInvoice, { options }: InvoiceFacts) {
  const { nameOf = (_field, id) => String(id) } = options;
  for (const [kind, member, label] of COMPARED_FIELDS) {
    const [here, before] = [draft[member], existing[member]];
    const isUnstated = kind === 'rate' ? !draft.hasStatedRate : here === null || here === '';
    const isSameText = kind === 'text' && fold(String(here)) === fold(String(before ?? ''));
    if (isUnstated || here === before || isSameText) continue;
    const formatValue = (value: typeof here) => {
      if (kind === 'rate') return value === null ? MIXED_RATE : `${formatRate(Number(value))} %`;
      if (value === null || kind === 'text') return String(value ?? '');
      return kind === 'money' ? formatMoney(Number(value)) : nameOf(member, Number(value));
    };
    return {
      field: member.replace(/Cents$/, ''),
      label,
      stored: formatValue(before),
      here: formatValue(here),
    };
  }
  return undefined;
}

type Lookalike = { id?: number; numfactura: string; fechaemision: PlainDate | null };

const lookalikeWarning = ({ id, numfactura, fechaemision }: Lookalike): string =>
  `Se parece a la factura ${invoiceNumberOrId(numfactura, id)}${fechaemision ? ` del ${formatLongDate(fechaemision)}` : ''}: mismo proveedor y total.`;
