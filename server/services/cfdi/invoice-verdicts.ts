import { sayDate } from '../../../shared/dates.ts';
import { invoiceTexts } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { type Remark, remark, rowId, withRemedy } from '../../../shared/remarks.ts';
import { numberKey } from '../../../shared/text.ts';
import type { CfdiCandidate, CfdiDetail } from '../../formats/cfdi/candidates.ts';
import { nearTo } from '../invoices/book.ts';
import { lookalikeWarning } from '../invoices/rules.ts';
import { sayTaken } from '../petty-cash/uuids.ts';
import {
  amountDifferences,
  type Difference,
  dateDifferences,
  documentDifferences,
  numberDifferences,
  sayDifferences,
} from './differences.ts';
import { type KnownInvoice, type KnownOnFile, type KnownSupplier, storedId } from './on-file.ts';
import { judgeSupplier, warnOfNewSupplier } from './suppliers.ts';

export type CfdiVerdict =
  | { unchanged: KnownInvoice }
  | { refused: Remark }
  /** on file without UUID, and this is its document */
  | { linked: KnownInvoice; warnings: Remark[] }
  /** its document was replaced by this one */
  | { replaced: KnownInvoice; warnings: Remark[] }
  /** supplier undefined: to be created */
  | { supplier: KnownSupplier | undefined; warnings: Remark[] };

export interface JudgingOptions {
  jobId: number;
  createSuppliers: boolean | undefined;
  /** UUIDs that documents of this import replace, with the file of each */
  replaced: ReadonlyMap<string, string>;
  /** a document that replaces another one takes its place */
  replace: boolean | undefined;
  /** whether a document of this import has that number: its invoice is not another document's */
  isClaimed: (supplierId: number, numfacturaKey: string) => boolean;
}

/**
 * Stored, known already, or refused: by what is on file. A stamped document is its UUID alone; one without
 * a stamp is its supplier and number, and where it has none either, supplier, date, total and job.
 */
export function judgeCandidate(
  candidate: CfdiCandidate,
  known: KnownOnFile,
  options: JudgingOptions,
): CfdiVerdict {
  const { draft } = candidate;
  const twin = draft.uuid ? known.invoices.withUuid(draft.uuid) : undefined;
  const expense = draft.uuid ? known.expenses.get(draft.uuid) : undefined;
  if (expense) return refuse(sayTaken(expense));
  if (twin) {
    const differences = differencesFrom(twin, candidate);
    return differences.length === 0 ? { unchanged: twin } : refuse(sayConflict(candidate, twin, differences));
  }
  const successor = draft.uuid && options.replaced.get(draft.uuid);
  if (successor) return refuse(`Lo sustituye (relación 04) el CFDI de «${successor}»: se retiene.`);
  const former = draft.uuid ? known.invoices.formerly(draft.uuid) : undefined;
  if (former) return refuse(sayFormer(former));
  const [supplier, ...others] = known.suppliersOf(candidate);
  const alike = supplier ? known.invoices.same(identityOf(candidate, supplier, options.jobId)) : [];
  if (!draft.uuid && alike[0]) {
    const same = alike.find((one) => capturedDifferences(one, candidate).length === 0);
    if (same) return { unchanged: same };
    return refuse(sayConflict(candidate, alike[0], capturedDifferences(alike[0], candidate)));
  }
  if (candidate.mismatch) return refuse(candidate.mismatch);
  const replacement = judgeReplacement(candidate, known, options.replace);
  if (replacement) return replacement;
  const problem = judgeSupplier(candidate, [supplier, ...others], options.createSuppliers);
  if (problem) return refuse(problem);
  if (!supplier) return { supplier, warnings: warnOfNewSupplier(candidate, known) };
  return (
    (draft.uuid ? judgeUnstamped(candidate, supplier, alike, known, options) : undefined) ?? {
      supplier,
      warnings: warnOfOthers(candidate, supplier, alike[0], known),
    }
  );
}

const refuse = (refused: Remark): CfdiVerdict => ({ refused });

const sayFormer = (invoice: KnownInvoice): Remark =>
  invoice.uuid
    ? remark`Lo sustituyó el CFDI ${invoice.uuid}, que es ${label(invoice)}: no se vuelve a importar.`
    : remark`Es el CFDI del que se desligó ${label(invoice)}: se retiene para no duplicarla.`;

/** What one replaces and the one that replaces it are never owed both: it waits, or takes the other's place. */
function judgeReplacement(
  { draft, detail, replaces, suppliername }: CfdiCandidate,
  known: KnownOnFile,
  replace: boolean | undefined,
): CfdiVerdict | undefined {
  const formers = new Set(replaces.flatMap((uuid) => known.invoices.withUuid(uuid) ?? []));
  const [former, ...more] = formers;
  if (!former) return undefined;
  if (more.length > 0) {
    const named = listed([...formers]);
    return refuse(remark`Sustituye (relación 04) a varios CFDI que ya están (${named}): se retiene.`);
  }
  if (!replace)
    return refuse(
      withRemedy(
        remark`Sustituye (relación 04) al CFDI ${former.uuid ?? ''}, que es ${label(former)}: se retiene para no duplicarla.`,
        'replace-former',
      ),
    );
  const ofIssuer = known.suppliersOf({ suppliername, detail });
  if (!ofIssuer.some(({ id }) => id === former.supplierId))
    return refuse(remark`Sustituye (relación 04) a ${label(former)}, que es de otro proveedor: se retiene.`);
  if (draft.totalCents < former.paidCents) {
    const figures = `${formatMoney(draft.totalCents)}, y hay ${formatMoney(former.paidCents)} pagados`;
    return refuse(
      remark`${invoiceTexts.notBelowPaid} Sustituye a ${label(former)} con un total de ${figures}.`,
    );
  }
  return {
    replaced: former,
    warnings: [
      remark`Sustituye al CFDI ${former.uuid ?? ''} de ${label(former)}: ${formatMoney(former.totalCents)} → ${formatMoney(draft.totalCents)}.`,
    ],
  };
}

/**
 * The invoice without UUID that is this document's: of the same total at about the same time, with its number or, where
 * no document is behind it, another one. One of the same number and total from another time may be another debt: neither
 * is taken for the other in silence. A number decides nothing against a document that has its UUID.
 */
function judgeUnstamped(
  { draft, detail }: CfdiCandidate,
  supplier: KnownSupplier,
  alike: readonly KnownInvoice[],
  known: KnownOnFile,
  { isClaimed }: JudgingOptions,
): CfdiVerdict | undefined {
  const isNear = nearTo(draft.fechaemision);
  const isOfThatTime = ({ fechaemision }: KnownInvoice) => !fechaemision || isNear(fechaemision);
  const byFolio = known.invoices.numbered(supplier.id, numberKey(detail.folio));
  const numbered = [...new Set([...alike, ...byFolio])].filter((one) => !one.uuid);
  const same = numbered.filter((one) => one.totalCents === draft.totalCents);
  const [mine, ...others] = same.filter(isOfThatTime);
  if (mine && others.length === 0) return link(draft, mine);
  if (same[0] && !mine) return refuse(sayOtherTime(draft, same[0]));
  if (mine || alike.some((one) => !one.uuid)) return undefined;
  const near = known.invoices
    .withTotal(supplier.id, draft.totalCents)
    .filter((one) => !one.uuid && !one.detail)
    .filter(isOfThatTime)
    .filter(({ numfacturaKey }) => !isClaimed(supplier.id, numfacturaKey));
  if (near.length > 1)
    return refuse(remark`Puede ser el CFDI de varias facturas sin UUID (${listed(near)}): se retiene.`);
  return near[0] && link(draft, near[0]);
}

/** Both numbers and both days are said: that the two are one debt is taken from nothing else. */
const link = (draft: CfdiCandidate['draft'], invoice: KnownInvoice): CfdiVerdict => ({
  linked: invoice,
  warnings: [remark`Se ligó a ${datedLabel(invoice)}, que no tenía UUID; el CFDI es ${ofDocument(draft)}.`],
});

const sayOtherTime = (draft: CfdiCandidate['draft'], invoice: KnownInvoice): Remark =>
  remark`Es ${ofDocument(draft)}, con el número y el total de ${datedLabel(invoice)}, que no tiene UUID: es un conflicto. Si es la misma, corrige su fecha de emisión; si es otra, su número o su CFDI.`;

const datedLabel = (invoice: KnownInvoice): Remark =>
  remark`${label(invoice)} ${invoice.fechaemision ? `del ${sayDate(invoice.fechaemision)}` : 'sin fecha'}`;

const ofDocument = ({ numfactura, fechaemision }: CfdiCandidate['draft']): string =>
  `${numfactura ? `la ${numfactura}` : 'una sin número'} del ${sayDate(fechaemision)}`;

/** What the invoice of this document would be known by. */
const identityOf = ({ draft }: CfdiCandidate, { id: supplierId }: KnownSupplier, jobId: number) => ({
  supplierId,
  jobId,
  numfacturaKey: numberKey(draft.numfactura),
  fechaemision: draft.fechaemision,
  totalCents: draft.totalCents,
});

function warnOfOthers(
  candidate: CfdiCandidate,
  supplier: KnownSupplier,
  numbered: KnownInvoice | undefined,
  { invoices }: KnownOnFile,
): Remark[] {
  const { fechaemision, totalCents } = candidate.draft;
  const alike = invoices.lookalikes({ supplierId: supplier.id, fechaemision, totalCents }, numbered);
  const warnings = alike.map(({ id, ...one }) => lookalikeWarning({ ...one, id: storedId(id) }));
  return numbered ? [sayNumbered(numbered, totalCents), ...warnings] : warnings;
}

function sayNumbered(numbered: KnownInvoice, totalCents: Cents): Remark {
  if (numbered.uuid) return remark`El proveedor ya tiene ${label(numbered)}, con otro UUID.`;
  const [here, there] = [totalCents, numbered.totalCents].map(formatMoney);
  const total = here === there ? 'del mismo total' : `de otro total (${there}; en este archivo ${here})`;
  return remark`El proveedor ya tiene ${label(numbered)}, sin UUID y ${total}: revisa que no sean la misma.`;
}

/** The same document again: compared by what it says itself, for its invoice may have been corrected since. */
function differencesFrom(stored: KnownInvoice, candidate: CfdiCandidate): Difference[] {
  if (!stored.detail) return capturedDifferences(stored, candidate);
  const { detail, moneda } = candidate;
  return [
    ...documentDifferences({ moneda: stored.documentMoneda, detail: stored.detail }, { moneda, detail }),
    ...numberDifferences(numberOf(stored.detail), numberOf(detail)),
  ];
}

const numberOf = ({ serie, folio }: CfdiDetail): string => [serie, folio].filter(Boolean).join('-');

/** A date that nobody captured differs from none. */
const capturedDifferences = (stored: KnownInvoice, { draft }: CfdiCandidate): Difference[] => [
  ...amountDifferences(stored, draft),
  ...dateDifferences(stored.fechaemision ?? draft.fechaemision, draft.fechaemision),
];

function sayConflict(
  { draft }: CfdiCandidate,
  stored: KnownInvoice,
  differences: readonly Difference[],
): Remark {
  const same = draft.uuid ? 'El mismo UUID' : 'El mismo número de este proveedor';
  return remark`${same} ya está en ${label(stored)} con otros datos (${sayDifferences(differences)}): es un conflicto.`;
}

export const OF_THIS_RUN = ' (de esta importación)';

/** "la factura A-12", with its id beside it. */
export const label = ({ id, numfactura }: KnownInvoice): Remark =>
  remark`la factura ${numfactura || 'sin número'}${id < 0 ? OF_THIS_RUN : rowId(id)}`;

const listed = (invoices: readonly KnownInvoice[]): Remark =>
  invoices.map(label).reduce((all, one) => remark`${all}, ${one}`);
