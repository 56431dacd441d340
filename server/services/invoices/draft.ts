import { INVOICE_FIELDS, type Invoice, type InvoiceDraft } from '../../../shared/invoices.ts';
import type { Rate } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { numberKey } from '../../../shared/text.ts';
import type { CfdiCandidate } from '../../formats/cfdi/candidates.ts';
import type { Actor } from '../audit/audit.ts';
import { cleanTexts } from '../writing.ts';
import { amountsAsked, type Exchange } from './amounts.ts';
import type { DocumentedInvoice, KnownInvoice } from './known.ts';
import type { KeptOfDeleted } from './restoring.ts';
import { AMOUNTS, type Amounts, amountsOf, type DocumentValues } from './rows.ts';

/** The CFDI of a draft: its figures stand as they are, and it decides which invoice the draft is. */
export interface InvoiceDocument extends CfdiCandidate {
  /** the suppliers that its issuer may be; below zero: one that is to be created */
  supplierIds: readonly number[];
  badSupplier?: string;
  /** why it does not count: another document replaces it */
  heldBack?: string;
}

/** The invoice that a document is: one that has it already, one that gets it now, or a new one. */
export interface Identity {
  refused?: Remark;
  unchanged?: KnownInvoice;
  /** the message where an existing invoice gets it */
  message?: Remark;
  /** the invoice had another document */
  isReplaced?: boolean;
}

/** An invoice to be written, from any door: a new one, a changed one, or one that comes back. */
export interface InvoiceInput extends Omit<InvoiceDraft, 'tasa'>, Omit<DocumentValues, 'formerUuid'> {
  /** null: several rates, in a document */
  tasa?: Rate | null;
  /** the rate was given, not inferred */
  saysRate?: boolean;
  exchange?: Exchange;
  /** the changed invoice; fields that the draft does not name stay */
  id?: number;
  /** the version that was seen; without it, whatever is stored is overwritten */
  version?: number;
  /** a deleted invoice, as it was: it comes back under its id */
  deleted?: Invoice & KeptOfDeleted;
  /** the document that it was read from, whose amounts and texts stand as they are */
  cfdi?: InvoiceDocument;
  line?: number;
}

export interface Draft extends ReturnType<typeof complete> {
  /** for a draft with a document: the invoice that this makes it */
  identity?: Identity;
  /** for a new one with a document: as later drafts know it */
  entry?: DocumentedInvoice;
}

/** @param previous the stored invoice, in a change */
export function complete(
  input: InvoiceInput,
  previous: Invoice | undefined,
  { today, usual }: Pick<Actor, 'today'> & { usual: () => Rate },
) {
  const before: Partial<Invoice> & KeptOfDeleted = previous ?? input.deleted ?? {};
  const { amounts, disagrees } = input.cfdi
    ? { amounts: amountsOf(input as Amounts) }
    : amountsAsked(input, previous, usual);
  const of = <Name extends keyof InvoiceInput & keyof Invoice>(name: Name) =>
    input[name] === undefined ? (before[name] ?? null) : (input[name] as Invoice[Name]);
  const said = Object.fromEntries(TEXTS.map(({ name }) => [name, of(name) ?? ''])) as Record<
    TextName,
    string
  >;
  // Texts of a document stand as they are.
  const { invalid, ...texts } = cleanTexts(input.cfdi ? [] : TEXTS, said, before);
  return {
    id: input.id ?? input.deleted?.id,
    deleted: input.deleted,
    cfdi: input.cfdi,
    line: input.line,
    // An id below zero is a row that the caller creates.
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
    // So that the document that this one replaces is recognized when it comes in later.
    formerUuid: before.formerUuid ?? (input.uuid && input.cfdi?.replaces[0]) ?? null,
    metodopago: texts.metodopago || null,
    moneda: input.exchange?.moneda ?? of('moneda'),
    tipocambio: of('tipocambio'),
    // Old deletions in the audit trail have no such member.
    fechacaptura: before.fechacaptura ?? before.createdAt?.slice(0, 10) ?? today,
    seen: input.version,
    /** the stated subtotal, in its own currency */
    saidCents: input.subtotalCents,
    saysRate: input.saysRate ?? input.tasa !== undefined,
    /** the stored invoice in a change; where it gets a document, only what rules ask */
    previous,
    invalid,
    /** stated amounts that differ from the computed ones */
    disagrees,
  };
}

type TextName = Extract<(typeof INVOICE_FIELDS)[number], { maxLength: number }>['name'] | 'metodopago';

const TEXTS: readonly { name: TextName; label: string; maxLength: number; kind: string }[] = [
  ...INVOICE_FIELDS.flatMap((field) => ('maxLength' in field ? field : [])),
  { name: 'metodopago', label: 'Método de pago', maxLength: 20, kind: 'text' },
];

/** Amounts on file may be such as no form would take: those of a CFDI. */
export function keepsAmounts(draft: Draft): boolean {
  const { previous, deleted } = draft;
  return (
    deleted !== undefined ||
    (previous !== undefined && AMOUNTS.every((name) => draft[name] === previous[name]))
  );
}

export const isRenamed = ({ previous, supplierId, numfacturaKey }: Draft): boolean =>
  !previous || numberKey(previous.numfactura) !== numfacturaKey || previous.supplierId !== supplierId;

export const looksNew = (draft: Draft): boolean =>
  isRenamed(draft) || !keepsAmounts(draft) || draft.previous?.fechaemision !== draft.fechaemision;
