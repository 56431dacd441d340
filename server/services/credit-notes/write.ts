import { forNoKeyUpdate, isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import {
  CREDIT_NOTE_FIELDS,
  type CreditNote,
  type CreditNoteDraft,
  checkCreditNote,
  creditNoteTexts as texts,
} from '../../../shared/credit-notes.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { formatDate } from '../../../shared/dates.ts';
import { checkTotal } from '../../../shared/invoices.ts';
import { type Cents, formatMoney, MAX_CENTS, parseRate } from '../../../shared/money.ts';
import { fieldIn } from '../../../shared/record-fields.ts';
import { refusal } from '../../../shared/refusal.ts';
import { conflictText, remark, rowId } from '../../../shared/remarks.ts';
import { numberKey } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import { holdClosing, refuseClosed } from '../closing/closing.ts';
import { amountsAsked } from '../invoices/amounts.ts';
import { writePayments } from '../payments/write.ts';
import { missingReference } from '../references.ts';
import { readSettings } from '../settings/settings.ts';
import { append, distinct } from '../stored-rows.ts';
import {
  allWritten,
  alreadyKnown,
  auditEach,
  type BulkOptions,
  fittingTexts,
  hasFittingTexts,
  type RuleResult,
  type Saved,
  type StoredDraft,
  saved,
  storeRows,
  type UnreadDraft,
  type Written,
  write,
} from '../writing.ts';
import { creditNoteColumns, creditNotesWith } from './reading.ts';

/** A part of the note that is applied to one of its supplier's invoices at once. */
interface AppliedPart {
  facturaproveedorId: number;
  amountCents: Cents;
}

/** What a CFDI of type E says of its note beside its amounts; its figures stand as they are. */
interface NoteDocument {
  uuid: string | null;
  moneda: string;
  tipocambio: string | null;
  /** JSON */
  detail: string;
  sha256: string | null;
}

export interface CreditNoteToWrite extends CreditNoteDraft {
  document?: NoteDocument;
  /** payments of kind `credito`, by the rules of payments: all of them or none */
  aplicar?: readonly AppliedPart[];
  line?: number;
}

/** A draft completed with what it leaves out. */
export type Draft = ReturnType<typeof complete>;

interface CreditNoteOptions {
  /** of a table: what is on file already and equal is not stored again */
  isKnownOnce?: boolean;
}

type Facts = Awaited<ReturnType<typeof readFacts>>['facts'];

/** The rules of credit notes in their order, the same for every door: the first that is broken is reported. */
export const rules: readonly ((draft: Draft, facts: Facts) => RuleResult)[] = [
  hasWhatItNeeds,
  namesASupplier,
  hasFittingTexts,
  hasASoundTotal,
  hasAgreeingAmounts,
  isNotStoredYet,
  hasItsOwnNumber,
  isInOpenPeriod,
];

/** Writes credit notes, typed, of a table or of a CFDI, by the one list of rules that there is for them. */
export const writeCreditNotes = (
  db: Db,
  actor: Actor,
  drafts: readonly (CreditNoteToWrite | UnreadDraft)[],
  options: CreditNoteOptions & BulkOptions<Draft> = {},
): Promise<Written<Draft, CreditNote>[]> =>
  write(
    db,
    drafts,
    {
      read: (trx, read) => readFacts(trx, actor, read, options),
      rules,
      warn: () => [],
      accept: (draft, { numbered }) => append(numbered, placeOf(draft.supplierId, draft.numeroKey), draft),
      async store(trx, stored, _facts, bulk) {
        const { userId } = actor;
        await storeRows(trx, actor, 'credit_notes', stored, {
          ...bulk,
          rowOf: (draft) => rowOf(draft, userId),
        });
        if (bulk.importId !== null) return;
        const ids = stored.map(({ id }) => id);
        auditEach(trx, actor, 'credit-notes', stored, await creditNotesWith(trx, ids));
        for (const written of stored) await applyParts(trx, actor, written);
      },
    },
    options,
  );

/** @throws DomainError of the rule that refuses it, or one of its parts */
export const createCreditNote = async (
  db: Db,
  actor: Actor,
  draft: CreditNoteToWrite,
): Promise<Saved<'creditNote', CreditNote>> =>
  saved('creditNote', await writeCreditNotes(db, actor, [draft]));

async function readFacts(
  trx: Trx,
  actor: Actor,
  drafts: readonly CreditNoteToWrite[],
  options: CreditNoteOptions,
) {
  const asksRate = drafts.some(({ tasa, document }) => tasa === undefined && !document);
  const rate = asksRate ? parseRate((await readSettings(trx)).tasa) : 0;
  const asked = drafts.map((draft) => complete(draft, () => rate));
  const closing = await holdClosing(trx);
  // The identity of a document is its UUID, and whoever reads it has found its issuer.
  const supplierIds = distinct(asked.map(({ document, supplierId }) => (document ? null : supplierId)));
  // The lock keeps two users from capturing the same note.
  const there = trx
    .selectFrom('suppliers')
    .select(['id', 'suppliername'])
    .where(isOneOf(trx, 'id', supplierIds));
  const suppliers =
    supplierIds.length > 0
      ? await there.orderBy('id').modifyEnd(forNoKeyUpdate(trx, 'suppliers')).execute()
      : [];
  const numbered = new Map<string, Known[]>();
  const onFile = trx
    .selectFrom('credit_notes')
    .select(['id', 'supplierId', 'numero', 'numeroKey', 'fecha', 'totalCents', 'ivaCents'])
    .where(isOneOf(trx, 'supplierId', supplierIds))
    .orderBy('id');
  if (supplierIds.length > 0)
    for (const note of await onFile.execute())
      append(numbered, placeOf(note.supplierId, note.numeroKey), note);
  const names = new Map(suppliers.map(({ id, suppliername }) => [id, suppliername]));
  return { asked, facts: { actor, options, closing, suppliers: names, numbered } };
}

interface Known {
  id?: number;
  line?: number;
  numero: string;
  fecha: PlainDate | null;
  totalCents: Cents;
  ivaCents: Cents;
}

const placeOf = (supplierId: number | null, numeroKey: string): string => `${supplierId}/${numeroKey}`;

function complete(draft: CreditNoteToWrite, usual: () => number) {
  const { supplierId = null, fecha = null, numero = '', comments = '', document, aplicar = [], line } = draft;
  const { unfit, ...clean } = document
    ? { numero, comments, unfit: undefined }
    : fittingTexts(TEXTS, { numero, comments });
  const { amounts, disagrees } = amountsAsked({ ...draft, uuid: document?.uuid }, undefined, usual);
  const figures = document ? { ...amounts, ...figuresOf(draft) } : amounts;
  return {
    id: undefined,
    former: undefined,
    deleted: undefined,
    ...{ document, aplicar, line, supplierId, fecha, ...clean, unfit, ...figures },
    numeroKey: numberKey(clean.numero),
    /** the subtotal that it says; nothing: none was said */
    saidCents: draft.subtotalCents,
    disagrees: document ? undefined : disagrees,
  };
}

const figuresOf = (draft: CreditNoteDraft) => ({
  subtotalCents: draft.subtotalCents!,
  ivaCents: draft.ivaCents!,
  otrosimpuestosCents: draft.otrosimpuestosCents!,
  retencionesCents: draft.retencionesCents!,
  totalCents: draft.totalCents!,
});

const TEXTS = [fieldIn(CREDIT_NOTE_FIELDS, 'numero'), fieldIn(CREDIT_NOTE_FIELDS, 'comments')];

function hasWhatItNeeds(draft: Draft): RuleResult {
  const { supplierId, fecha, numero, saidCents, document } = draft;
  if (document) return undefined;
  const { otrosimpuestosCents, retencionesCents } = draft;
  return checkCreditNote({
    ...{ supplierId, numero, fecha, subtotalCents: saidCents, otrosimpuestosCents, retencionesCents },
  });
}

function namesASupplier({ supplierId, document }: Draft, { suppliers }: Facts): RuleResult {
  if (document || supplierId! < 0 || suppliers.has(supplierId!)) return undefined;
  return missingReference('supplierId', supplierId!);
}

function hasASoundTotal({ document, ...draft }: Draft): RuleResult {
  if (document) return undefined;
  const { subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = draft;
  if (Math.max(subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents) > MAX_CENTS)
    return refusal('El subtotal no puede pasar de $9,999,999,999.99.', 'subtotal');
  return checkTotal(totalCents);
}

function hasAgreeingAmounts({ disagrees }: Draft): RuleResult {
  return disagrees;
}

/** A row of a table that is on file already, or an earlier one of its file. */
function isNotStoredYet(draft: Draft, { options, numbered }: Facts): RuleResult {
  const known = options.isKnownOnce
    ? numbered.get(placeOf(draft.supplierId, draft.numeroKey))?.[0]
    : undefined;
  if (!known) return undefined;
  const where = known.id === undefined ? ` (renglón ${known.line})` : rowId(known.id);
  const what = remark`La nota de crédito ${known.numero}${where}`;
  for (const [field, label, stored, here] of [
    ['fecha', 'fecha', known.fecha && formatDate(known.fecha), draft.fecha && formatDate(draft.fecha)],
    ['total', 'total', formatMoney(known.totalCents), formatMoney(draft.totalCents)],
    ['iva', 'IVA', formatMoney(known.ivaCents), formatMoney(draft.ivaCents)],
  ] as const)
    if (stored !== here) return refusal(conflictText(what, label, stored ?? '', here ?? ''), field);
  return alreadyKnown(known.line);
}

function hasItsOwnNumber({ document, supplierId, numero, numeroKey }: Draft, facts: Facts): RuleResult {
  const [taken] = document ? [] : (facts.numbered.get(placeOf(supplierId, numeroKey)) ?? []);
  if (!taken || !numeroKey) return undefined;
  return {
    ...refusal(texts.duplicate(numero, facts.suppliers.get(supplierId!)!), 'numero'),
    kind: 'conflict',
    code: 'duplicate_credit',
    extra: { existingId: taken.id },
  };
}

function isInOpenPeriod({ fecha }: Draft, { actor, closing }: Facts): RuleResult {
  const broken = refuseClosed(actor, fecha!, closing);
  return broken && { ...broken, field: 'fecha' };
}

const rowOf = (draft: Draft, userId: number): object => ({
  ...creditNoteColumns({
    ...draft,
    supplierId: draft.supplierId!,
    fecha: draft.fecha!,
    uuid: null,
    moneda: 'MXN',
    detail: '{}',
    ...draft.document,
  }),
  userId,
});

/** @throws DomainError of the rule of payments that refuses one of them */
async function applyParts(trx: Trx, actor: Actor, written: StoredDraft<Draft, CreditNote>): Promise<void> {
  const { aplicar } = written.asked;
  if (aplicar.length === 0) return;
  const parts = aplicar.map((part) => ({ ...part, creditNoteId: written.id }));
  const paid = allWritten(await writePayments(trx, actor, parts));
  written.warnings = [...written.warnings, ...paid.flatMap(({ warnings }) => warnings)];
  const [row] = await creditNotesWith(trx, [written.id]);
  written.row = row;
}
