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

/** The CFDI of a draft. Its figures are stored as stated, and it decides which invoice the draft belongs to. */
export interface InvoiceDocument extends CfdiCandidate {
  /** Candidates for its issuer; an id below zero is a supplier that is to be created. */
  supplierIds: readonly number[];
  badSupplier?: string;
  /** Why it is not stored: another document replaces it. */
  heldBack?: string;
}

/** The invoice that a document belongs to: one that has it already, one that it is linked to now, or a new one. */
export interface Identity {
  refused?: Remark;
  unchanged?: KnownInvoice;
  /** The warning given when an existing invoice is linked to the document. */
  message?: Remark;
  /** The invoice had another document before. */
  isReplaced?: boolean;
}

/** An invoice to write, from a form, the API, a table or a CFDI: new, changed or restored. */
export interface InvoiceInput extends Omit<InvoiceDraft, 'tasa'>, Omit<DocumentValues, 'formerUuid'> {
  /** Null where a document has several rates. */
  tasa?: Rate | null;
  /** The rate was stated, not inferred. */
  saysRate?: boolean;
  exchange?: Exchange;
  /** The invoice to change; fields that the input omits keep their values. */
  id?: number;
  /** The version that the author saw. Without it, a newer one is overwritten. */
  version?: number;
  deleted?: Invoice & KeptOfDeleted;
  /** The document that the input was read from; its amounts and texts are stored as stated. */
  cfdi?: InvoiceDocument;
  line?: number;
}

export interface Draft extends ReturnType<typeof complete> {
  identity?: Identity;
  /** A new invoice with a document as later drafts of the run find it. */
  entry?: DocumentedInvoice;
}

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
  // The texts of a document are stored as stated.
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
    // The replaced document is then recognized when it arrives later.
    formerUuid: before.formerUuid ?? (input.uuid && input.cfdi?.replaces[0]) ?? null,
    metodopago: texts.metodopago || null,
    moneda: input.exchange?.moneda ?? of('moneda'),
    tipocambio: of('tipocambio'),
    // Deletions recorded before this column existed have no such member.
    fechacaptura: before.fechacaptura ?? before.createdAt?.slice(0, 10) ?? today,
    seen: input.version,
    saidCents: input.subtotalCents,
    saysRate: input.saysRate ?? input.tasa !== undefined,
    /** The stored invoice in a change. Where a document is linked, only the members that rules need. */
    previous,
    invalid,
    /** Set where stated amounts differ from the computed ones. */
    disagrees,
  };
}

type TextName = Extract<(typeof INVOICE_FIELDS)[number], { maxLength: number }>['name'] | 'metodopago';

const TEXTS: readonly { name: TextName; label: string; maxLength: number; kind: string }[] = [
  ...INVOICE_FIELDS.flatMap((field) => ('maxLength' in field ? field : [])),
  { name: 'metodopago', label: 'Método de pago', maxLength: 20, kind: 'text' },
];

/** Amounts on file may break the rules of forms, since CFDI are stored as stated. They may stay. */
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
