import { invoiceTexts } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { type Remark, remark, rowId, withRemedy } from '../../../shared/remarks.ts';
import { numberKey, oneLine } from '../../../shared/text.ts';
import type { CfdiCandidate } from '../../formats/cfdi/candidates.ts';
import { sameAmounts } from '../../formats/cfdi/figures.ts';
import { nearTo } from '../invoices/book.ts';
import { lookalikeWarning } from '../invoices/rules.ts';
import { sayTaken } from '../petty-cash/uuids.ts';
import { judgeSupplier, warnOfNewSupplier } from './judging-suppliers.ts';
import type { KnownInvoice, KnownOnFile, KnownSupplier } from './known-invoices.ts';

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
  createSuppliers: boolean;
  /** UUIDs that documents of this import replace, with the file of each */
  replaced: ReadonlyMap<string, string>;
  /** a document that replaces another one takes its place */
  replace: boolean;
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
  if (twin)
    return sameDocument(candidate, twin) ? { unchanged: twin } : refuse(otherFigures(candidate, twin));
  const successor = draft.uuid && options.replaced.get(draft.uuid);
  if (successor) return refuse(`Lo sustituye (relación 04) el CFDI de «${successor}»: se retiene.`);
  const former = draft.uuid ? known.invoices.formerly(draft.uuid) : undefined;
  if (former) return refuse(sayFormer(former));
  const [supplier, ...others] = known.suppliersOf(candidate);
  const alike = supplier ? known.invoices.same(identityOf(candidate, supplier, options.jobId)) : [];
  if (!draft.uuid && alike[0]) {
    const same = alike.find((one) => sameFigures(candidate, one));
    return same ? { unchanged: same } : refuse(otherFigures(candidate, alike[0]));
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
  replace: boolean,
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
 * The invoice without UUID that is this document's: of the same number and total, else of the same total at about the
 * same time, where no document is behind it. A number decides nothing against a document that has its UUID.
 */
function judgeUnstamped(
  { draft, detail }: CfdiCandidate,
  supplier: KnownSupplier,
  alike: readonly KnownInvoice[],
  known: KnownOnFile,
  { isClaimed }: JudgingOptions,
): CfdiVerdict | undefined {
  const byFolio = known.invoices.numbered(supplier.id, numberKey(detail.folio));
  const numbered = [...new Set([...alike, ...byFolio])].filter((one) => !one.uuid);
  const same = numbered.filter((one) => one.totalCents === draft.totalCents);
  if (same.length === 1) return link(draft.numfactura, same[0]!);
  if (same.length > 1 || alike.some((one) => !one.uuid)) return undefined;
  const isNear = nearTo(draft.fechaemision);
  const near = known.invoices
    .withTotal(supplier.id, draft.totalCents)
    .filter((one) => !one.uuid && !one.detail)
    .filter(({ fechaemision }) => !fechaemision || isNear(fechaemision))
    .filter(({ numfacturaKey }) => !isClaimed(supplier.id, numfacturaKey));
  if (near.length > 1)
    return refuse(remark`Puede ser el CFDI de varias facturas sin UUID (${listed(near)}): se retiene.`);
  return near[0] && link(draft.numfactura, near[0]);
}

function link(numfactura: string, invoice: KnownInvoice): CfdiVerdict {
  const renamed = invoice.numfacturaKey !== numberKey(numfactura);
  const now = renamed ? ` Su número es ahora ${numfactura}.` : '';
  return { linked: invoice, warnings: [remark`Se ligó a ${label(invoice)}, que no tenía UUID.${now}`] };
}

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
  const warnings = alike.map(lookalikeWarning);
  return numbered ? [sayNumbered(numbered, totalCents), ...warnings] : warnings;
}

function sayNumbered(numbered: KnownInvoice, totalCents: Cents): Remark {
  if (numbered.uuid) return remark`El proveedor ya tiene ${label(numbered)}, con otro UUID.`;
  const [here, there] = [totalCents, numbered.totalCents].map(formatMoney);
  const total = here === there ? 'del mismo total' : `de otro total (${there}; en este archivo ${here})`;
  return remark`El proveedor ya tiene ${label(numbered)}, sin UUID y ${total}: revisa que no sean la misma.`;
}

/** The same document again: compared by what it says itself, for its invoice may have been corrected since. */
function sameDocument(candidate: CfdiCandidate, stored: KnownInvoice): boolean {
  const { detail } = stored;
  if (!detail) return sameFigures(candidate, stored);
  const own = candidate.detail;
  return (
    candidate.moneda === stored.documentMoneda &&
    sameAmounts(own, detail) &&
    own.emisor.rfc === detail.emisor.rfc &&
    own.fecha === detail.fecha &&
    numberKey(`${own.serie}-${own.folio}`) === numberKey(`${detail.serie}-${detail.folio}`)
  );
}

const sameFigures = ({ draft }: CfdiCandidate, stored: KnownInvoice): boolean =>
  sameAmounts(draft, stored) && (stored.fechaemision === null || stored.fechaemision === draft.fechaemision);

function otherFigures({ draft, detail, moneda }: CfdiCandidate, stored: KnownInvoice): Remark {
  const same = draft.uuid ? 'El mismo UUID' : 'El mismo número de este proveedor';
  const [here, there] =
    draft.uuid && stored.detail
      ? [
          `${formatMoney(detail.totalCents)} ${moneda}`,
          `${formatMoney(stored.detail.totalCents)} ${stored.documentMoneda}`,
        ]
      : [formatMoney(draft.totalCents), formatMoney(stored.totalCents)];
  const difference = here === there ? `el mismo total, ${here}` : `total ${there}; en este archivo ${here}`;
  return remark`${same} ya está en ${label(stored)} con otros datos (${oneLine(difference)}): es un conflicto.`;
}

/** "la factura A-12", with its id beside it. */
export const label = ({ id, numfactura }: KnownInvoice): Remark =>
  remark`la factura ${numfactura || 'sin número'}${id === undefined ? ' (de esta importación)' : rowId(id)}`;

const listed = (invoices: readonly KnownInvoice[]): Remark =>
  invoices.map(label).reduce((all, one) => remark`${all}, ${one}`);
