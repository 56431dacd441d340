import { type PlainDate, sayDate } from '../../../shared/dates.ts';
import {
  checkInvoice,
  checkTotal,
  INVOICE_DATES,
  INVOICE_NOTES,
  invoiceTexts,
  numberOrId,
} from '../../../shared/invoices.ts';
import { MIXED_RATE } from '../../../shared/invoices-typing.ts';
import { formatMoney, MAX_CENTS, rateText } from '../../../shared/money.ts';
import { refusal } from '../../../shared/refusal.ts';
import { alikeAsLine, conflictText, remark, sameAsLine, withRemedy } from '../../../shared/remarks.ts';
import { fold } from '../../../shared/text.ts';
import { fieldNamed } from '../../formats/tables/fields.ts';
import { costOf } from '../budgets/budget-book.ts';
import { dayOfInvoice, refuseClosed } from '../closing/closing.ts';
import { issuerIn } from '../document-relations.ts';
import { uuidTaken } from '../petty-cash/uuids.ts';
import { missingReference } from '../references.ts';
import { isSame } from '../stored-rows.ts';
import { hasFittingTexts, type RuleResult, type Warning } from '../writing.ts';
import { type Asked, isRenamed, keepsAmounts, looksNew } from './asked.ts';
import { countDocument, sayNumbered } from './documents.ts';
import type { InvoiceFacts } from './facts.ts';
import { type KnownInvoice, labelOf, storedId } from './known.ts';
import { type InvoiceValues, invoiceColumns } from './rows.ts';

type Rule = (asked: Asked, facts: InvoiceFacts) => RuleResult;

type Warn = (asked: Asked, facts: InvoiceFacts) => readonly Warning[];

/** The rules of invoices in their order, the same for every door: the first that is broken is reported. */
export const rules: readonly Rule[] = [
  isThere,
  wasDeleted,
  wasSeen,
  hasWhatItNeeds,
  namesWhatThereIs,
  hasFittingTexts,
  hasASoundTotal,
  hasAgreeingAmounts,
  keepsItsDocument,
  wasNotCapturedAgain,
  isNotStoredYet,
  isNotReplaced,
  isNoExpense,
  isWhatItsDocumentSays,
  isNotUnlinked,
  isNotStoredWithoutUuid,
  hasItsOwnNumber,
  isInOpenPeriod,
  isChanged,
  isAbovePaid,
  keepsItsCredit,
  isWithinBudget,
];

export const warnings: readonly Warn[] = [getsADocument, hasATakenNumber, looksLikeOthers, exceedsItsBudget];

function isThere({ id, former, deleted }: Asked): RuleResult {
  if (id === undefined || former || deleted) return undefined;
  return { kind: 'not-found', message: `No existe la factura ${id}.` };
}

function wasDeleted({ id, deleted }: Asked, { present }: InvoiceFacts): RuleResult {
  if (!deleted || !present.has(id!)) return undefined;
  return { kind: 'conflict', message: `La factura ${id} no está eliminada.`, code: 'not_deleted' };
}

function wasSeen({ seen, former }: Asked): RuleResult {
  if (!former || seen === undefined || seen === former.version) return undefined;
  return { kind: 'stale', message: invoiceTexts.stale, extra: { current: former } };
}

/** A document may amount to zero (100 % discount), and its other taxes may be negative. */
function hasWhatItNeeds(asked: Asked): RuleResult {
  const { supplierId, jobId, former, saidCents } = asked;
  if (keepsAmounts(asked)) return checkInvoice({ supplierId, jobId, subtotalCents: 1 });
  const { otrosimpuestosCents, retencionesCents } = asked;
  const subtotalCents = former ? asked.subtotalCents : saidCents;
  if (!isOfDocument(asked))
    return checkInvoice({ supplierId, jobId, subtotalCents, otrosimpuestosCents, retencionesCents });
  return checkInvoice({
    supplierId,
    jobId,
    subtotalCents: subtotalCents === 0 ? 1 : subtotalCents,
    retencionesCents,
  });
}

const isOfDocument = ({ uuid, cfdi }: Asked): boolean => uuid !== null || cfdi !== undefined;

function namesWhatThereIs(asked: Asked, { suppliers, jobs, rubros }: InvoiceFacts): RuleResult {
  for (const [field, there] of [
    ['supplierId', suppliers],
    ['jobId', jobs],
    ['rubroId', rubros],
  ] as const) {
    const id = asked[field];
    if (id !== null && id > 0 && id !== asked.former?.[field] && !there.has(id))
      return missingReference(field, id);
  }
  return undefined;
}

function hasASoundTotal(asked: Asked): RuleResult {
  if (keepsAmounts(asked)) return undefined;
  const { subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = asked;
  if (subtotalCents < 0 || (subtotalCents === 0 && !isOfDocument(asked)))
    return refusal('El subtotal debe ser mayor que cero.', 'subtotal');
  if (ivaCents < 0) return refusal('El IVA no puede ser negativo.', 'iva');
  if (Math.max(subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents) > MAX_CENTS)
    return refusal('El subtotal no puede pasar de $9,999,999,999.99.', 'subtotal');
  return isOfDocument(asked) && totalCents === 0 ? undefined : checkTotal(totalCents);
}

/** A table that gives no rate may get one for all its rows. */
function hasAgreeingAmounts({ disagrees, saysRate }: Asked, { options }: InvoiceFacts): RuleResult {
  const helps = disagrees && options.isKnownOnce && !saysRate;
  return helps ? { ...disagrees, message: withRemedy(disagrees.message, 'set-rate') } : disagrees;
}

function keepsItsDocument(asked: Asked): RuleResult {
  if (!asked.former?.uuid || asked.cfdi || keepsAmounts(asked)) return undefined;
  return { kind: 'conflict', message: invoiceTexts.cfdiLocked, code: 'cfdi_locked' };
}

/** An invoice that was captured in place of the deleted one stands; what stood beside it before may do so again. */
function wasNotCapturedAgain({ deleted, supplierId, ...asked }: Asked, facts: InvoiceFacts): RuleResult {
  if (!deleted) return undefined;
  const { uuid, numfactura, numfacturaKey } = asked;
  if (uuid) {
    const taken = facts.book.named(uuid);
    const says = `Su CFDI ya está en la factura ${taken && numberOrId(taken.numfactura, taken.id)}.`;
    return taken && { kind: 'conflict', message: says, code: DUPLICATE, extra: { existingId: taken.id } };
  }
  const { newestId = deleted.id } = deleted;
  const same = facts.book.numbered(supplierId!, numfacturaKey);
  if (!numfacturaKey || !same.some(({ id }) => id! > newestId)) return undefined;
  return sayDuplicate({ supplierId: supplierId!, numfactura }, same[0]!, facts);
}

/** Without its document an invoice neither comes in beside the one that replaces it nor takes the place of another. */
function isNotReplaced(asked: Asked, { suppliers, replacements, book }: InvoiceFacts): RuleResult {
  const { uuid, supplierId, former, cfdi, deleted } = asked;
  if (former || cfdi) return undefined;
  const named = { uuid, rfc: issuerIn(deleted?.document?.detail) ?? suppliers.get(supplierId!)?.rfc };
  const replaced = replacements.formersOf(named).flatMap((one) => book.withUuid(one) ?? [])[0];
  if (!replaced) return replacements.refuse(named);
  const label = numberOrId(replaced.numfactura, replaced.id);
  return refusal(`Sustituye a la factura ${label}: carga su XML.`, 'uuid');
}

function isNotStoredYet(asked: Asked, facts: InvoiceFacts): RuleResult {
  const { options, book } = facts;
  if (!options.isKnownOnce) return undefined;
  const { uuid, numfacturaKey, fechaemision } = asked;
  const twin = uuid ? book.withUuid(uuid) : undefined;
  if (twin) return compare(asked, twin, 'La factura con ese UUID', facts);
  const [first] = uuid || options.allowDuplicate ? [] : sameAs(asked, facts);
  if (!first) return undefined;
  const same = comparedWith(asked, facts);
  const isEqual = (one: KnownInvoice) => !differenceOf(asked, one, facts);
  const equal = same.find(isEqual);
  if (!equal || numfacturaKey || fechaemision) return compare(asked, equal ?? first, 'La factura', facts);
  // As many rows as are on file are those; of one more, only a person knows whether it is another.
  const free = same.find((one) => one.id !== undefined && one.takenFor === undefined && isEqual(one));
  if (!free) return refusal(alikeAsLine(equal.line ?? equal.takenFor!), 'numfactura');
  free.takenFor = asked.line;
  return { unchanged: true, warnings: [] };
}

function isNoExpense({ uuid, former, cfdi }: Asked, { expenses, replacements }: InvoiceFacts): RuleResult {
  if (!uuid || (former && !cfdi)) return undefined;
  for (const one of [uuid, ...(cfdi?.replaces ?? replacements.formersOf({ uuid, rfc: undefined }))]) {
    const expense = expenses.get(one);
    if (expense) return uuidTaken(expense, uuid);
  }
  return undefined;
}

function isWhatItsDocumentSays({ identity }: Asked): RuleResult {
  if (identity?.unchanged) return { unchanged: true, warnings: [] };
  return identity?.refused === undefined ? undefined : refusal(identity.refused, 'uuid');
}

function isNotUnlinked({ uuid, former, deleted, supplierId }: Asked, { book }: InvoiceFacts): RuleResult {
  const other = uuid && !former && !deleted ? book.formerly(uuid) : undefined;
  // What another supplier's document says that it replaces does not count.
  if (!other || other.supplierId !== supplierId) return undefined;
  const says = other.uuid
    ? remark`Lo sustituyó el CFDI ${other.uuid}, que es la factura ${labelOf(other)}: no se vuelve a importar.`
    : remark`Es el CFDI del que se desligó la factura ${labelOf(other)}: no se guarda, para no duplicarla.`;
  return refusal(says, 'uuid');
}

/** A row with a UUID whose invoice is on file without one and says the same; a number alone decides nothing. */
function isNotStoredWithoutUuid(asked: Asked, facts: InvoiceFacts): RuleResult {
  const { isKnownOnce, allowDuplicate } = facts.options;
  if (!isKnownOnce || allowDuplicate || !asked.uuid) return undefined;
  const same = comparedWith(asked, facts).find(
    (one) => !one.uuid && one.takenFor === undefined && !differenceOf(asked, one, facts),
  );
  if (!same) return undefined;
  same.takenFor = asked.line;
  const says = remark`Ya está la factura ${labelOf(same)}, sin UUID: carga su XML para ligarla.`;
  return { unchanged: true, warnings: [{ says }] };
}

function hasItsOwnNumber(asked: Asked, facts: InvoiceFacts): RuleResult {
  const { isKnownOnce, allowDuplicate } = facts.options;
  const { id, deleted, cfdi, supplierId, numfactura, numfacturaKey } = asked;
  if (isKnownOnce || allowDuplicate || deleted || cfdi || !numfacturaKey || !isRenamed(asked))
    return undefined;
  const taken = facts.book.numbered(supplierId!, numfacturaKey).find((one) => !id || one.id !== id);
  return taken && sayDuplicate({ supplierId: supplierId!, numfactura }, taken, facts);
}

const DUPLICATE = 'duplicate_invoice';

function sayDuplicate(
  { supplierId, numfactura }: { supplierId: number; numfactura: string },
  taken: KnownInvoice,
  { suppliers }: InvoiceFacts,
): RuleResult {
  const message = invoiceTexts.duplicate(numfactura, suppliers.get(supplierId)!.suppliername);
  return {
    ...refusal(message, 'numfactura'),
    kind: 'conflict',
    code: DUPLICATE,
    extra: { existingId: taken.id },
  };
}

function isInOpenPeriod(asked: Asked, { actor, closing }: InvoiceFacts): RuleResult {
  const { former } = asked;
  const broken =
    (former && refuseClosed(actor, dayOfInvoice(former), closing)) ??
    refuseClosed(actor, dayOfInvoice(asked), closing);
  return broken && { ...broken, field: 'fechaemision' };
}

function isChanged(asked: Asked): RuleResult {
  const { former, cfdi } = asked;
  if (
    !former ||
    cfdi ||
    !isSame(invoiceColumns(asked as InvoiceValues & Asked, 0), invoiceColumns(former, 0))
  )
    return undefined;
  return { unchanged: true, warnings: [] };
}

function isAbovePaid(asked: Asked): RuleResult {
  const { former, cfdi, totalCents } = asked;
  if (!former || keepsAmounts(asked) || totalCents > former.paidCents) return undefined;
  if (!cfdi) return refusal(invoiceTexts.notBelowPaid, 'subtotal');
  // A document may leave nothing to pay.
  if (totalCents === former.paidCents) return undefined;
  const figures = `${formatMoney(totalCents)}, y hay ${formatMoney(former.paidCents)} pagados`;
  const says = remark`${invoiceTexts.notBelowPaid} Sustituye a la factura ${labelOf(former)} con un total de ${figures}.`;
  return refusal(says, 'subtotal');
}

/** A supplier's saldo a favor pays only that supplier's invoices. */
function keepsItsCredit({ former }: Asked, { credited }: InvoiceFacts): RuleResult {
  return former && credited.has(former.id) ? refusal(invoiceTexts.hasCredit, 'supplierId') : undefined;
}

function isWithinBudget(asked: Asked, facts: InvoiceFacts): RuleResult {
  if (facts.options.allowExcess) return undefined;
  const refused = facts.budgets?.check(facts.actor, costOf(asked as InvoiceValues), costBefore(asked));
  return refused && { ...refused, field: 'subtotal' };
}

function getsADocument({ identity }: Asked): readonly Warning[] {
  return identity?.says === undefined ? [] : [{ says: identity.says }];
}

function hasATakenNumber(asked: Asked, facts: InvoiceFacts): readonly Warning[] {
  const numbered = otherNumbered(asked, facts);
  if (!numbered) return [];
  if (asked.cfdi) return [{ says: sayNumbered(numbered, asked.totalCents) }];
  return [{ says: remark`El proveedor ya tiene la factura ${labelOf(numbered)}.` }];
}

/** For a table or a document, which a number alone does not refuse. */
const otherNumbered = (asked: Asked, facts: InvoiceFacts) =>
  facts.options.isKnownOnce || (asked.cfdi && !asked.former) ? sameAs(asked, facts)[0] : undefined;

function looksLikeOthers(asked: Asked, facts: InvoiceFacts): readonly Warning[] {
  const { id, supplierId, fechaemision, totalCents } = asked;
  if (!fechaemision || !looksNew(asked) || (asked.cfdi && asked.former)) return [];
  return facts.book
    .lookalikes({ id, supplierId: supplierId!, fechaemision, totalCents }, otherNumbered(asked, facts))
    .map((one) => ({ says: lookalikeWarning(one), about: storedId(one.id) }));
}

function exceedsItsBudget(asked: Asked, { budgets }: InvoiceFacts): readonly Warning[] {
  const warning = budgets?.warn(costOf(asked as InvoiceValues), costBefore(asked));
  return warning ? [warning] : [];
}

const costBefore = ({ former }: Asked) => ({ former: former && costOf(former) });

/** Later drafts are validated as if this one were stored. */
export function take(asked: Asked, facts: InvoiceFacts): void {
  facts.budgets?.take(costOf(asked as InvoiceValues), costBefore(asked).former);
  if (asked.cfdi) countDocument(asked, facts);
  else if (!asked.former) facts.book.add(asked as KnownInvoice);
}

const sameAs = (asked: Asked, { book }: InvoiceFacts) => book.same(asked as KnownInvoice);

/**
 * All of these on file, and the first of the same run; a further row is in conflict with the first, or stored beside
 * it where it has a UUID.
 */
function comparedWith(asked: Asked, facts: InvoiceFacts): readonly KnownInvoice[] {
  const same = sameAs(asked, facts);
  let onFile = 0;
  while (same[onFile]?.id !== undefined) onFile += 1;
  return same.slice(0, onFile + MOST_COMPARED);
}

const MOST_COMPARED = 50;

function compare(asked: Asked, known: KnownInvoice, what: string, facts: InvoiceFacts): RuleResult {
  const difference = differenceOf(asked, known, facts);
  if (difference) {
    const { field, label, stored, here } = difference;
    return refusal(conflictText(remark`${what} ${labelOf(known)}`, label, stored, here), field);
  }
  return { unchanged: true, warnings: known.line === undefined ? [] : [{ says: sameAsLine(known.line) }] };
}

const COMPARED = [
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
    (name) => ['text', name, fieldNamed('invoices', name).label.toLowerCase()] as const,
  ),
] as const;

/** The first thing in which a row differs; what it leaves empty says nothing. */
function differenceOf(asked: Asked, known: KnownInvoice, { options }: InvoiceFacts) {
  const { nameOf = (_field, id) => String(id) } = options;
  for (const [kind, member, label] of COMPARED) {
    const [here, before] = [asked[member], known[member]];
    const saysNothing = kind === 'rate' ? !asked.saysRate : here === null || here === '';
    const isAlike = kind === 'text' && fold(String(here)) === fold(String(before ?? ''));
    if (saysNothing || here === before || isAlike) continue;
    const inWords = (value: typeof here) => {
      if (kind === 'rate') return value === null ? MIXED_RATE : `${rateText(Number(value))} %`;
      if (value === null || kind === 'text') return String(value ?? '');
      return kind === 'money' ? formatMoney(Number(value)) : nameOf(member, Number(value));
    };
    return { field: member.replace(/Cents$/, ''), label, stored: inWords(before), here: inWords(here) };
  }
  return undefined;
}

type Lookalike = { id?: number; numfactura: string; fechaemision: PlainDate | null };

const lookalikeWarning = ({ id, numfactura, fechaemision }: Lookalike): string =>
  `Se parece a la factura ${numberOrId(numfactura, id)}${fechaemision ? ` del ${sayDate(fechaemision)}` : ''}: mismo proveedor y total.`;
