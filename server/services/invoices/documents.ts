import { sayDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { type Remark, remark, withRemedy } from '../../../shared/remarks.ts';
import { numberKey } from '../../../shared/text.ts';
import type { CfdiDetail } from '../../formats/cfdi/candidates.ts';
import {
  amountDifferences,
  type Difference,
  dateDifferences,
  documentDifferences,
  numberDifferences,
  sayDifferences,
} from '../../formats/cfdi/differences.ts';
import type { Asked, Identity, InvoiceDocument } from './asked.ts';
import { nearTo } from './book.ts';
import type { InvoiceFacts } from './facts.ts';
import { claimOf, type DocumentedInvoice, type KnownInvoice, labelOf } from './known.ts';
import { amountsOf, plainColumns } from './rows.ts';

/**
 * Finds the invoice that a draft's document belongs to. That one is then changed, and keeps what people chose: obra,
 * rubro, dates of reception and maturity, notes, and the payments.
 */
export function identify(asked: Asked, facts: InvoiceFacts): void {
  if (!asked.cfdi) return;
  const { former, ...identity } = identityOf(asked, asked.cfdi, facts);
  asked.identity = identity;
  if (!former) return;
  const { detail, uuid, formerUuid } = former;
  const formers = [...(detail?.formerUuids ?? []), ...(detail?.replaces ?? []), formerUuid, uuid];
  const formerUuids = [...new Set(formers.filter((one) => one !== null))];
  if (formerUuids.length > 0) asked.cfdi = { ...asked.cfdi, detail: { ...asked.cfdi.detail, formerUuids } };
  const { id, supplierId, jobId, rubroId, fechacaptura } = former;
  const kept = { ...plainColumns(former), supplierId, jobId, rubroId, fechacaptura };
  // A captured date may be corrected; a document that replaces another one has a date of its own.
  const fechaemision = (!identity.isReplaced && former.fechaemision) || asked.fechaemision;
  Object.assign(asked, kept, { id, former, fechaemision, formerUuid: uuid ?? formerUuid });
}

interface Found extends Identity {
  former?: KnownInvoice;
}

/**
 * A stamped document is identified by its UUID alone; one without a stamp by supplier and number, or without a number
 * by supplier, date, total and obra.
 */
function identityOf(asked: Asked, cfdi: InvoiceDocument, facts: InvoiceFacts): Found {
  const { book } = facts;
  const { uuid } = asked;
  const twin = uuid ? book.withUuid(uuid) : undefined;
  if (twin) {
    const differences = differencesFrom(twin, asked, cfdi);
    return differences.length === 0 ? { unchanged: twin } : refuse(sayConflict(asked, twin, differences));
  }
  if (cfdi.heldBack) return refuse(cfdi.heldBack);
  const replacement = replacedBy(asked, cfdi, facts);
  // Another rule refuses these.
  if (uuid && !replacement && book.formerly(uuid)) return {};
  const alike = book.same(asked as KnownInvoice);
  if (!uuid && alike[0]) {
    const same = alike.find((one) => capturedDifferences(one, asked).length === 0);
    if (same) return { unchanged: same };
    return refuse(sayConflict(asked, alike[0], capturedDifferences(alike[0], asked)));
  }
  if (cfdi.mismatch) return refuse(cfdi.mismatch);
  if (replacement) return replacement;
  if (cfdi.badSupplier) return refuse(cfdi.badSupplier);
  return (uuid ? unstamped(asked, cfdi, alike, facts) : undefined) ?? {};
}

const refuse = (refused: Remark): Found => ({ refused });

/**
 * Two invoices are never owed where one document replaces the other: it takes the other's place, or waits for
 * somebody to say so where that one has payments. Of several former ones, the one with most payments becomes this
 * document's invoice.
 */
function replacedBy(
  { totalCents }: Asked,
  { replaces, supplierIds }: InvoiceDocument,
  { book, options }: InvoiceFacts,
): Found | undefined {
  // What a document says of another issuer's does not count.
  const found = replaces.flatMap((uuid) => book.withUuid(uuid) ?? []);
  const formers = [...new Set(found)].filter(({ supplierId }) => supplierIds.includes(supplierId));
  formers.sort((a, b) => (b as DocumentedInvoice).paidCents - (a as DocumentedInvoice).paidCents);
  const [former] = formers;
  if (!former) return undefined;
  const named = remark`la factura ${labelOf(former)}`;
  const says = remark`Sustituye (relación 04) al CFDI ${former.uuid ?? ''}, que es ${named}: no se guarda, para no duplicarla.`;
  if (!options.replace && (former as DocumentedInvoice).paidCents > 0)
    return refuse(withRemedy(says, 'replace-former'));
  const totals = `${formatMoney(former.totalCents)} → ${formatMoney(totalCents)}`;
  return {
    former,
    isReplaced: true,
    says: remark`Sustituye al CFDI ${former.uuid ?? ''} de ${named}: ${totals}.`,
  };
}

/**
 * The invoice without a UUID that is this document's: of the same total at about the same time, with its number or,
 * where it has no document, another one. One of the same number and total from another time may be another debt, so
 * neither is silently taken for the other. A number decides nothing against a document that has its UUID.
 */
function unstamped(
  asked: Asked,
  { detail }: InvoiceDocument,
  alike: readonly KnownInvoice[],
  { book, claimed }: InvoiceFacts,
): Found | undefined {
  const { totalCents } = asked;
  const supplierId = asked.supplierId!;
  const isNear = nearTo(asked.fechaemision!);
  const isOfThatTime = ({ fechaemision }: KnownInvoice) => !fechaemision || isNear(fechaemision);
  const byFolio = book.numbered(supplierId, numberKey(detail.folio));
  const numbered = [...new Set([...alike, ...byFolio])].filter((one) => !one.uuid);
  const same = numbered.filter((one) => one.totalCents === totalCents);
  const [mine, ...others] = same.filter(isOfThatTime);
  if (mine && others.length === 0) return link(asked, mine);
  if (same[0] && !mine) return refuse(sayOtherTime(asked, same[0]));
  if (mine || alike.some((one) => !one.uuid)) return undefined;
  const near = book
    .withTotal(supplierId, totalCents)
    .filter((one) => !one.uuid && !one.detail)
    .filter(isOfThatTime)
    .filter(({ numfacturaKey }) => !claimed.has(claimOf({ supplierId, numfacturaKey })));
  if (near.length > 1)
    return refuse(remark`Puede ser el CFDI de varias facturas sin UUID (${listed(near)}): no se guarda.`);
  return near[0] && link(asked, near[0]);
}

/** Says both numbers and both days: nothing else shows that the two are one debt. */
const link = (asked: Asked, former: KnownInvoice): Found => ({
  former,
  says: remark`Se ligó a ${datedLabel(former)}, que no tenía UUID; el CFDI es ${ofDocument(asked)}.`,
});

const sayOtherTime = (asked: Asked, invoice: KnownInvoice): Remark =>
  remark`Es ${ofDocument(asked)}, con el número y el total de ${datedLabel(invoice)}, que no tiene UUID: es un conflicto. Si es la misma, corrige su fecha de emisión; si es otra, su número o su CFDI.`;

const datedLabel = (invoice: KnownInvoice): Remark =>
  remark`la factura ${labelOf(invoice)} ${invoice.fechaemision ? `del ${sayDate(invoice.fechaemision)}` : 'sin fecha'}`;

const ofDocument = ({ numfactura, fechaemision }: Asked): string =>
  `${numfactura ? `la ${numfactura}` : 'una sin número'} del ${sayDate(fechaemision!)}`;

export function sayNumbered(numbered: KnownInvoice, totalCents: Cents): Remark {
  const invoice = remark`El proveedor ya tiene la factura ${labelOf(numbered)}`;
  if (numbered.uuid) return remark`${invoice}, con otro UUID.`;
  const [here, there] = [totalCents, numbered.totalCents].map(formatMoney);
  const total = here === there ? 'del mismo total' : `de otro total (${there}; en este archivo ${here})`;
  return remark`${invoice}, sin UUID y ${total}: revisa que no sean la misma.`;
}

/** Documents are compared with each other, since the invoice may have been corrected. */
function differencesFrom(stored: KnownInvoice, asked: Asked, { detail, moneda }: InvoiceDocument) {
  if (!stored.detail) return capturedDifferences(stored, asked);
  const before = { moneda: stored.documentMoneda ?? null, detail: stored.detail };
  return [
    ...documentDifferences(before, { moneda, detail }),
    ...numberDifferences(numberOf(stored.detail), numberOf(detail)),
  ];
}

const numberOf = ({ serie, folio }: CfdiDetail): string => [serie, folio].filter(Boolean).join('-');

/** A date that nobody captured is no difference. */
const capturedDifferences = (stored: KnownInvoice, asked: Asked): Difference[] => [
  ...amountDifferences(stored, asked),
  ...dateDifferences(stored.fechaemision ?? asked.fechaemision!, asked.fechaemision!),
];

function sayConflict({ uuid }: Asked, stored: KnownInvoice, differences: readonly Difference[]): Remark {
  const same = uuid ? 'El mismo UUID' : 'El mismo número de este proveedor';
  return remark`${same} ya está en la factura ${labelOf(stored)} con otros datos (${sayDifferences(differences)}): es un conflicto.`;
}

const listed = (invoices: readonly KnownInvoice[]): Remark =>
  invoices
    .map((invoice) => remark`la factura ${labelOf(invoice)}`)
    .reduce((all, one) => remark`${all}, ${one}`);

/** From here on the book knows the invoice by this document; a new one has an id below zero until it is stored. */
export function countDocument(asked: Asked, { book, documents }: InvoiceFacts): void {
  const { former } = asked;
  const { moneda: documentMoneda, detail } = asked.cfdi!;
  if (!former) {
    const made = { id: -1 - documents.length, paidCents: 0, documentMoneda, detail };
    asked.entry = { ...(asked as KnownInvoice), ...made };
    documents.push(asked.entry);
    book.add(asked.entry);
    return;
  }
  const { numfactura, numfacturaKey, fechaemision, uuid, formerUuid, moneda, tipocambio } = asked;
  const changed = { numfactura, numfacturaKey, fechaemision, uuid, formerUuid, moneda, tipocambio };
  book.change(former as Former, { ...changed, ...amountsOf(asked), documentMoneda, detail });
}

/** An invoice that gets a document was found in the book. */
type Former = NonNullable<Asked['former']> & DocumentedInvoice;
