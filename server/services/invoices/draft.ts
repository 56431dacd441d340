import { INVOICE_FIELDS, type Invoice, type InvoiceFieldValues } from '../../../shared/invoices.ts';
import type { Rate } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { documentNumberKey } from '../../../shared/text.ts';
import type { CfdiCandidate } from '../../formats/cfdi/candidates.ts';
import type { Actor } from '../audit/audit.ts';
import { cleanTexts } from '../write-drafts.ts';
import { type CurrencyAndRate, computeAmounts } from './amounts.ts';
import type { DocumentedInvoice, KnownInvoice } from './known-invoices.ts';
import type { InvoiceRestoreData } from './restoring.ts';
import { AMOUNT_COLUMNS, type Amounts, amountsOf, type DocumentValues } from './rows.ts';

/** The CFDI of a draft: its amounts are stored as stated, and it decides which invoice the draft belongs to. */
export interface InvoiceDocument extends CfdiCandidate {
  /** Suppliers that may be its issuer. Ids below zero are suppliers that are still to be created. */
  supplierIds: readonly number[];
  supplierProblem?: string;
  /** Why the document is not stored, if another one replaces it. */
  replacedReason?: string;
}

export interface DocumentMatch {
  refusal?: Remark;
  unchanged?: KnownInvoice;
  message?: Remark;
  isReplaced?: boolean;
}

export interface InvoiceInput extends Omit<InvoiceFieldValues, 'tasa'>, Omit<DocumentValues, 'formerUuid'> {
  /** Null where a document has several rates. */
  tasa?: Rate | null;
  hasStatedRate?: boolean;
  currencyAndRate?: CurrencyAndRate;
  /** The invoice to change; fields that the input omits keep their values. */
  id?: number;
  /** The version that the sender saw. Without it, a newer version is overwritten. */
  version?: number;
  deleted?: Invoice & InvoiceRestoreData;
  cfdi?: InvoiceDocument;
  line?: number;
}

export interface InvoiceDraft extends ReturnType<typeof completeDraft> {
  documentMatch?: DocumentMatch;
  /** A new invoice's entry in the book, by which later drafts of the run find it. */
  bookEntry?: DocumentedInvoice;
}

export function completeDraft(
  input: InvoiceInput,
  previous: Invoice | undefined,
  { today, defaultRate }: Pick<Actor, 'today'> & { defaultRate: () => Rate },
) {
  const before: Partial<Invoice> & InvoiceRestoreData = previous ?? input.deleted ?? {};
  const { amounts, disagreement } = input.cfdi
    ? { amounts: amountsOf(input as Amounts) }
    : computeAmounts(input, previous, defaultRate);
  const fieldValue = <Name extends keyof InvoiceInput & keyof Invoice>(name: Name) =>
    input[name] === undefined ? (before[name] ?? null) : (input[name] as Invoice[Name]);
  const statedTexts = Object.fromEntries(
    TEXT_FIELDS.map(({ name }) => [name, fieldValue(name) ?? '']),
  ) as Record<TextFieldName, string>;
  // The texts of a document are stored as stated.
  const { brokenRule, ...texts } = cleanTexts(input.cfdi ? [] : TEXT_FIELDS, statedTexts, before);
  return {
    id: input.id ?? input.deleted?.id,
    deleted: input.deleted,
    cfdi: input.cfdi,
    line: input.line,
    // An id below zero stands for a row that the caller creates.
    supplierId: fieldValue('supplierId'),
    jobId: fieldValue('jobId'),
    rubroId: fieldValue('rubroId'),
    ...texts,
    numfacturaKey: documentNumberKey(texts.numfactura),
    fechaemision: fieldValue('fechaemision'),
    fecharecepcion: fieldValue('fecharecepcion'),
    fechavencimiento: fieldValue('fechavencimiento'),
    ...amounts,
    uuid: fieldValue('uuid'),
    // Kept so that the replaced document is recognized if it arrives later.
    formerUuid: before.formerUuid ?? (input.uuid && input.cfdi?.replaces[0]) ?? null,
    metodopago: texts.metodopago || null,
    moneda: input.currencyAndRate?.moneda ?? fieldValue('moneda'),
    tipocambio: fieldValue('tipocambio'),
    // Deletions recorded before this column existed have no such member.
    fechacaptura: before.fechacaptura ?? before.createdAt?.slice(0, 10) ?? today,
    seenVersion: input.version,
    statedSubtotalCents: input.subtotalCents,
    hasStatedRate: input.hasStatedRate ?? input.tasa !== undefined,
    /** Where a CFDI was matched with a stored invoice, this has only the members that the rules need. */
    previous,
    brokenRule,
    disagreement,
  };
}

type TextFieldName = Extract<(typeof INVOICE_FIELDS)[number], { maxLength: number }>['name'] | 'metodopago';

const TEXT_FIELDS: readonly { name: TextFieldName; label: string; maxLength: number; kind: string }[] = [
  ...INVOICE_FIELDS.flatMap((field) => ('maxLength' in field ? field : [])),
  { name: 'metodopago', label: 'Método de pago', maxLength: 20, kind: 'text' },
];

/** Stored amounts of a CFDI may break the rules for typed ones, so amounts that do not change are not checked. */
export function keepsAmounts(draft: InvoiceDraft): boolean {
  const { previous, deleted } = draft;
  return (
    deleted !== undefined ||
    (previous !== undefined && AMOUNT_COLUMNS.every((name) => draft[name] === previous[name]))
  );
}

export const hasNewNumber = ({ previous, supplierId, numfacturaKey }: InvoiceDraft): boolean =>
  !previous || documentNumberKey(previous.numfactura) !== numfacturaKey || previous.supplierId !== supplierId;

export const needsLookalikeCheck = (draft: InvoiceDraft): boolean =>
  hasNewNumber(draft) || !keepsAmounts(draft) || draft.previous?.fechaemision !== draft.fechaemision;
