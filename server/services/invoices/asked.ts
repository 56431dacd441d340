import { INVOICE_FIELDS, type Invoice, type InvoiceDraft } from '../../../shared/invoices.ts';
import type { Rate } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { numberKey } from '../../../shared/text.ts';
import type { CfdiCandidate } from '../../formats/cfdi/candidates.ts';
import type { Actor } from '../audit/audit.ts';
import { fittingTexts } from '../writing.ts';
import { amountsAsked, type Exchange } from './amounts.ts';
import type { DocumentedInvoice, KnownInvoice } from './known.ts';
import type { KeptOfDeleted } from './restoring.ts';
import { AMOUNTS, type Amounts, amountsOf, type DocumentValues } from './rows.ts';

/** The CFDI that a draft is of: its figures stand as they are, and it decides which invoice the draft is. */
export interface InvoiceDocument extends CfdiCandidate {
  /** its issuer, who may be one of several; below zero: one that is to be created */
  supplierIds: readonly number[];
  /** why no supplier will do */
  badSupplier?: string;
  /** why it does not count: another document replaces it */
  heldBack?: string;
}

/** Which invoice a document is: one that has it already, one that gets it now, or a new one. */
export interface Identity {
  refused?: Remark;
  unchanged?: KnownInvoice;
  /** what is said where an invoice gets it */
  says?: Remark;
  /** the invoice had another document */
  isReplaced?: boolean;
}

/** An invoice that somebody wants written, by whatever door: a new one, a changed one, or one that comes back. */
export interface InvoiceToWrite extends Omit<InvoiceDraft, 'tasa'>, Omit<DocumentValues, 'formerUuid'> {
  /** null: several rates, of a document */
  tasa?: Rate | null;
  /** the rate was not inferred */
  saysRate?: boolean;
  /** where its amounts are in another currency */
  exchange?: Exchange;
  /** of the invoice that is changed; what the draft does not name stays as it is */
  id?: number;
  /** the version of it that was seen; without one, whatever is stored is written over */
  version?: number;
  /** a deleted invoice, as it was: it comes back under its id */
  deleted?: Invoice & KeptOfDeleted;
  /** the document that it is read from, whose amounts and texts stand as they are */
  cfdi?: InvoiceDocument;
  line?: number;
}

/** A draft completed with what it leaves out. */
export interface Asked extends ReturnType<typeof complete> {
  /** of one with a document: what that makes of it */
  identity?: Identity;
  /** of a new one with a document: as it is known to those after it */
  entry?: DocumentedInvoice;
}

/** @param former the stored invoice, of one that is changed */
export function complete(
  draft: InvoiceToWrite,
  former: Invoice | undefined,
  { today, usual }: Pick<Actor, 'today'> & { usual: () => Rate },
) {
  const before: Partial<Invoice> & KeptOfDeleted = former ?? draft.deleted ?? {};
  const { amounts, disagrees } = draft.cfdi
    ? { amounts: amountsOf(draft as Amounts) }
    : amountsAsked(draft, former, usual);
  const of = <Name extends keyof InvoiceToWrite & keyof Invoice>(name: Name) =>
    draft[name] === undefined ? (before[name] ?? null) : (draft[name] as Invoice[Name]);
  const said = Object.fromEntries(TEXTS.map(({ name }) => [name, of(name) ?? ''])) as Record<
    TextName,
    string
  >;
  // Those of a document stand as they are.
  const { unfit, ...texts } = fittingTexts(draft.cfdi ? [] : TEXTS, said, before);
  return {
    id: draft.id ?? draft.deleted?.id,
    deleted: draft.deleted,
    cfdi: draft.cfdi,
    line: draft.line,
    // An id below zero is of what whoever brings it makes.
    supplierId: of('supplierId'),
    jobId: of('jobId'),
    rubroId: of('rubroId'),
    ...texts,
    numfacturaKey: numberKey(texts.numfactura),
    fechaemision: of('fechaemision'),
    fecharecepcion: of('fecharecepcion'),
    fechavencimiento: of('fechavencimiento'),
    ...amounts,
    uuid: of('uuid'),
    // The document that this one replaces is recognized when it comes in later.
    formerUuid: before.formerUuid ?? (draft.uuid && draft.cfdi?.replaces[0]) ?? null,
    metodopago: texts.metodopago || null,
    moneda: draft.exchange?.moneda ?? of('moneda'),
    tipocambio: of('tipocambio'),
    // The audit trail of old deletions has no such member.
    fechacaptura: before.fechacaptura ?? before.createdAt?.slice(0, 10) ?? today,
    seen: draft.version,
    /** the subtotal that it says, in its own currency */
    saidCents: draft.subtotalCents,
    saysRate: draft.saysRate ?? draft.tasa !== undefined,
    /** as it is stored, of one that is changed; of one that gets a document, as far as rules ask */
    former,
    /** text that cannot be stored */
    unfit,
    /** amounts that the draft says and that are not what it comes to */
    disagrees,
  };
}

type TextName = Extract<(typeof INVOICE_FIELDS)[number], { maxLength: number }>['name'] | 'metodopago';

const TEXTS: readonly { name: TextName; label: string; maxLength: number; kind: string }[] = [
  ...INVOICE_FIELDS.flatMap((field) => ('maxLength' in field ? field : [])),
  { name: 'metodopago', label: 'Método de pago', maxLength: 20, kind: 'text' },
];

/** Amounts on file may be ones that no form would take: those of a CFDI. */
export function keepsAmounts(asked: Asked): boolean {
  const { former, deleted } = asked;
  return (
    deleted !== undefined || (former !== undefined && AMOUNTS.every((name) => asked[name] === former[name]))
  );
}

export const isRenamed = ({ former, supplierId, numfacturaKey }: Asked): boolean =>
  !former || numberKey(former.numfactura) !== numfacturaKey || former.supplierId !== supplierId;

export const looksNew = (asked: Asked): boolean =>
  isRenamed(asked) || !keepsAmounts(asked) || asked.former?.fechaemision !== asked.fechaemision;
