import { forNoKeyUpdate, forUpdate, isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  CREDIT_NOTE_FIELDS,
  type CreditNote,
  type CreditNoteFieldValues,
  checkCreditNote,
  creditNoteTexts as texts,
} from '../../../shared/credit-notes.ts';
import { formatDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { checkTotalRange } from '../../../shared/invoices.ts';
import { type Cents, formatMoney, MAX_CENTS, parseRate } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { getField } from '../../../shared/record-fields.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { conflictRemark, createRemark, rowIdRemark, toPlainText } from '../../../shared/remarks.ts';
import { documentNumberKey } from '../../../shared/text.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { closedPeriodRefusal, lockAndReadClosing, requireOpenPeriod } from '../closing/closing.ts';
import { issuerRfcOfDetail, lockCfdiImport } from '../document-relations.ts';
import { retainDeletedFiles } from '../files.ts';
import { computeAmounts } from '../invoices/amounts.ts';
import type { Amounts } from '../invoices/rows.ts';
import { missingReferenceRefusal } from '../missing-references.ts';
import { writePayments } from '../payments/write.ts';
import { readSettings } from '../settings/settings.ts';
import { distinctIds, mapById, readLastDeleted } from '../stored-rows.ts';
import {
  auditStoredDrafts,
  type BulkOptions,
  cleanTexts,
  type RuleResult,
  refuseInvalidTexts,
  requireOneWritten,
  type SavedResult,
  type StoredDraft,
  storeRows,
  toSavedResult,
  type UnreadableInput,
  unchangedResult,
  type WriteOutcome,
  writeDrafts,
} from '../write-drafts.ts';
import { KnownNotes } from './known-notes.ts';
import { noteNotFoundError, readCreditNotes } from './reading.ts';

interface CreditApplication {
  facturaproveedorId: number;
  amountCents: Cents;
  /** The form field for errors about this application; `aplicar` by default. */
  field?: string;
}

/** What a CFDI of type E states besides the amounts. */
interface NoteDocument {
  uuid: string | null;
  moneda: string;
  tipocambio: string | null;
  detail: string;
  sha256: string | null;
}

export const NO_DOCUMENT_VALUES = { moneda: 'MXN', tipocambio: null, detail: '{}', sha256: null };

type DeletedNote = Omit<CreditNote, 'suppliername' | 'rfc'> & NoteDocument;

export interface CreditNoteInput extends CreditNoteFieldValues {
  uuid?: string | null;
  document?: NoteDocument;
  deleted?: DeletedNote;
  /** Amounts to apply as payments of kind `credito`, all of them or none. */
  aplicar?: readonly CreditApplication[];
  line?: number;
}

export type CreditNoteDraft = ReturnType<typeof completeDraft>;

interface CreditNoteOptions {
  skipsExisting?: boolean;
}

type CreditNoteFacts = Awaited<ReturnType<typeof readDraftsAndFacts>>['facts'];

/** Forms, tables and CFDI are all checked by these rules. Only the first broken rule is reported. */
export const rules: readonly ((draft: CreditNoteDraft, facts: CreditNoteFacts) => RuleResult)[] = [
  refuseNotDeleted,
  skipOrRefuseStored,
  refuseInvalidFields,
  refuseUnknownSupplier,
  refuseInvalidTexts,
  refuseInvalidTotal,
  refuseDisagreeingAmounts,
  refuseReplaced,
  refuseDuplicateNumber,
  refuseClosedPeriod,
];

export const writeCreditNotes = (
  db: Db,
  actor: Actor,
  inputs: readonly (CreditNoteInput | UnreadableInput)[],
  options: CreditNoteOptions & BulkOptions<CreditNoteDraft> = {},
): Promise<WriteOutcome<CreditNoteDraft, CreditNote>[]> =>
  writeDrafts(
    db,
    inputs,
    {
      read: (trx, read) => readDraftsAndFacts(trx, actor, read, options),
      rules,
      idOf: ({ id }) => id,
      warn: ({ hasNoNumber }) => (hasNoNumber ? [{ message: texts.nameless }] : []),
      accept: ({ supplierId, fecha, ...draft }, { notesOnFile }) =>
        notesOnFile.add({ ...draft, id: 0, supplierId: supplierId!, fecha: fecha!, appliedCents: 0 }),
      async store(trx, stored, _facts, bulk) {
        const { userId } = actor;
        await storeRows(trx, actor, 'credit_notes', stored, {
          ...bulk,
          rowOf: (draft) => ({ ...columnsOf(draft), userId }),
        });
        if (bulk.importId !== null) return;
        const ids = stored.map(({ id }) => id);
        auditStoredDrafts(trx, actor, 'credit-notes', stored, await readCreditNotes(trx, ids));
        for (const storedDraft of stored) await applyToInvoices(trx, actor, storedDraft);
      },
    },
    options,
  );

/** @throws DomainError of the rule that the note or one of its applications breaks */
export const createCreditNote = async (
  db: Db,
  actor: Actor,
  draft: CreditNoteInput,
): Promise<SavedResult<'creditNote', CreditNote>> =>
  toSavedResult('creditNote', await writeCreditNotes(db, actor, [draft]));

/** @throws DomainError not-found where no row with this id was deleted; otherwise the error of the broken rule */
export const restoreCreditNote = (
  db: Db,
  actor: Actor,
  id: number,
): Promise<SavedResult<'creditNote', CreditNote>> =>
  inTransaction(db, async (trx) => {
    const deleted = await readLastDeleted<DeletedNote>(trx, 'credit-notes', id);
    if (!deleted) throw new DomainError('not-found', `No existe una nota de crédito eliminada ${id}.`);
    const { sha256 } = deleted;
    const file = trx.selectFrom('files').select('sha256').where('sha256', '=', sha256);
    const document = { ...deleted, sha256: (await file.executeTakeFirst())?.sha256 ?? null };
    return toSavedResult(
      'creditNote',
      await writeCreditNotes(trx, actor, [{ ...deleted, document, deleted }]),
    );
  });

async function readDraftsAndFacts(
  trx: Trx,
  actor: Actor,
  inputs: readonly CreditNoteInput[],
  { skipsExisting = false }: CreditNoteOptions,
) {
  const needsDefaultRate = inputs.some(({ tasa, document }) => tasa === undefined && !document);
  const rate = needsDefaultRate ? parseRate((await readSettings(trx)).tasa) : 0;
  const drafts = inputs.map((draft) => completeDraft(draft, () => rate));
  const closing = await lockAndReadClosing(trx);
  // A CFDI needs none of these facts, because its UUID identifies it and its import has already found the issuer.
  const undocumented = drafts.filter(({ isDocument }) => !isDocument);
  const supplierIds = distinctIds(undocumented.map(({ supplierId }) => supplierId));
  const uuids = undocumented.flatMap(({ uuid }) => uuid ?? []);
  const notesOnFile = new KnownNotes();
  if (supplierIds.length === 0)
    return { drafts, facts: { actor, skipsExisting, closing, notesOnFile, ...NO_SUPPLIERS } };
  if (uuids.length > 0) await lockCfdiImport(trx);
  // The lock keeps two users from capturing the same note.
  const suppliers = await trx
    .selectFrom('suppliers')
    .select(['id', 'suppliername', 'rfc'])
    .where(isOneOf(trx, 'id', supplierIds))
    .orderBy('id')
    .modifyEnd(forNoKeyUpdate(trx, 'suppliers'))
    .execute();
  await notesOnFile.read(trx, uuids, supplierIds);
  return {
    drafts,
    facts: { actor, skipsExisting, closing, notesOnFile, suppliers: mapById(suppliers) },
  };
}

type NoteSupplier = Pick<CreditNote, 'id' | 'suppliername' | 'rfc'>;
const NO_SUPPLIERS = { suppliers: new Map<number, NoteSupplier>() };

function completeDraft(draft: CreditNoteInput, defaultRate: () => number) {
  const { supplierId = null, fecha = null, numero = '', comments = '', aplicar = [], line } = draft;
  const { document, deleted, uuid = document?.uuid ?? null } = draft;
  const { brokenRule, ...clean } = document
    ? { numero, comments, brokenRule: undefined }
    : cleanTexts(TEXT_FIELDS, { numero, comments });
  const documentAmounts = document && (draft as Amounts);
  const { amounts, disagreement } = computeAmounts(
    { ...draft, uuid, deleted: documentAmounts },
    undefined,
    defaultRate,
  );
  return {
    id: deleted?.id,
    previous: undefined,
    ...{
      deleted,
      document,
      uuid,
      aplicar,
      line,
      supplierId,
      fecha,
      ...clean,
      brokenRule,
      ...amounts,
      disagreement,
    },
    numeroKey: documentNumberKey(clean.numero),
    isDocument: document !== undefined && !deleted,
    hasNoNumber: !document && !uuid && !clean.numero,
    statedAmounts: {
      subtotalCents: draft.subtotalCents,
      ivaCents: draft.ivaCents,
      totalCents: draft.totalCents,
    },
  };
}

const TEXT_FIELDS = [getField(CREDIT_NOTE_FIELDS, 'numero'), getField(CREDIT_NOTE_FIELDS, 'comments')];

function refuseNotDeleted(
  { deleted, ...draft }: CreditNoteDraft,
  { notesOnFile }: CreditNoteFacts,
): RuleResult {
  if (!deleted) return undefined;
  if (notesOnFile.listWithNumber(draft.supplierId!, draft.numero).some(({ id }) => id === deleted.id))
    return {
      kind: 'conflict',
      message: `La nota de crédito ${deleted.id} no está eliminada.`,
      code: 'not_deleted',
    };
  const duplicate = draft.uuid ? notesOnFile.find(draft, draft.supplierId!) : undefined;
  return (
    duplicate &&
    duplicateRefusal(
      `Su CFDI ya está en la nota de crédito ${duplicate.numero || duplicate.id}.`,
      duplicate.id,
    )
  );
}

const duplicateRefusal = (message: string, existingId: number): RuleResult => ({
  ...createRefusal(message, 'numero'),
  kind: 'conflict',
  code: 'duplicate_credit',
  extra: { existingId },
});

/** Empty cells are not compared. */
function skipOrRefuseStored(
  draft: CreditNoteDraft,
  { skipsExisting, notesOnFile }: CreditNoteFacts,
): RuleResult {
  const { supplierId, fecha, statedAmounts } = draft;
  const { totalCents = draft.totalCents, ivaCents = draft.ivaCents } = statedAmounts;
  const same = skipsExisting ? notesOnFile.find({ ...draft, totalCents }, supplierId!) : undefined;
  if (!same) return undefined;
  const where = same.id > 0 ? rowIdRemark(same.id) : ` (renglón ${same.line})`;
  const what = createRemark`La nota de crédito ${same.numero || 'sin número'}${where}`;
  if (same.supplierId !== supplierId)
    return createRefusal(createRemark`${what} es de otro proveedor.`, 'uuid');
  for (const [field, label, stored, here] of [
    ['fecha', 'fecha', formatDate(same.fecha), fecha && formatDate(fecha)],
    ['total', 'total', formatMoney(same.totalCents), formatMoney(totalCents)],
    ['iva', 'IVA', formatMoney(same.ivaCents), formatMoney(ivaCents)],
  ] as const)
    if (here && stored !== here) return createRefusal(conflictRemark(what, label, stored, here), field);
  return unchangedResult(same.line);
}

/** A row of a table may lack a number, since other systems export notes without one. */
function refuseInvalidFields(draft: CreditNoteDraft, { skipsExisting }: CreditNoteFacts): RuleResult {
  if (draft.document) return undefined;
  const numero = draft.numero || (skipsExisting ? NUMBER_PLACEHOLDER : '');
  // Because of rounding, the other taxes of a CFDI can be negative by a cent.
  const otrosimpuestosCents = draft.uuid ? 0 : draft.otrosimpuestosCents;
  return checkCreditNote({ ...draft, numero, otrosimpuestosCents, ...draft.statedAmounts });
}

const NUMBER_PLACEHOLDER = '-';

function refuseUnknownSupplier(
  { supplierId, isDocument }: CreditNoteDraft,
  { suppliers }: CreditNoteFacts,
): RuleResult {
  if (isDocument || supplierId! < 0 || suppliers.has(supplierId!)) return undefined;
  return missingReferenceRefusal('supplierId', supplierId!);
}

function refuseInvalidTotal({ document, ...draft }: CreditNoteDraft): RuleResult {
  if (document) return undefined;
  const { subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = draft;
  if (Math.max(subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents) > MAX_CENTS)
    return createRefusal('El subtotal no puede pasar de $9,999,999,999.99.', 'subtotal');
  return checkTotalRange(totalCents);
}

function refuseDisagreeingAmounts({ disagreement }: CreditNoteDraft): RuleResult {
  return disagreement;
}

function refuseReplaced(
  { uuid, isDocument, supplierId, deleted }: CreditNoteDraft,
  { notesOnFile }: CreditNoteFacts,
): RuleResult {
  if (isDocument) return undefined;
  return notesOnFile.replacedRefusal({ uuid, supplierId: supplierId! }, issuerRfcOfDetail(deleted?.detail));
}

function refuseDuplicateNumber(
  { isDocument, supplierId, numero, uuid }: CreditNoteDraft,
  facts: CreditNoteFacts,
): RuleResult {
  const duplicate = isDocument
    ? undefined
    : facts.notesOnFile.findNoteOfSameNumber({ supplierId: supplierId!, numero, uuid });
  return (
    duplicate &&
    duplicateRefusal(texts.duplicate(numero, facts.suppliers.get(supplierId!)!.suppliername), duplicate.id)
  );
}

function refuseClosedPeriod({ fecha }: CreditNoteDraft, { actor, closing }: CreditNoteFacts): RuleResult {
  const broken = closedPeriodRefusal(actor, fecha!, closing);
  return broken && { ...broken, field: 'fecha' };
}

const columnsOf = ({ supplierId, fecha, ...draft }: CreditNoteDraft) =>
  toCreditNoteColumns({
    ...NO_DOCUMENT_VALUES,
    ...draft,
    ...draft.document,
    supplierId: supplierId!,
    fecha: fecha!,
  });

interface CreditNoteValues
  extends Pick<CreditNote, 'supplierId' | 'numero' | 'fecha' | 'totalCents' | 'subtotalCents' | 'ivaCents'>,
    Pick<CreditNote, 'otrosimpuestosCents' | 'retencionesCents'>,
    NoteDocument {
  comments?: string;
}

export function toCreditNoteColumns(note: CreditNoteValues) {
  const { supplierId, numero, uuid, fecha, moneda, tipocambio, detail, sha256, comments = '' } = note;
  const { subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = note;
  return {
    ...{ supplierId, numero, numeroKey: documentNumberKey(numero), uuid, fecha },
    ...{ subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents },
    ...{ moneda, tipocambio, detail, sha256, comments },
  };
}

/** @throws DomainError of the rule of payments that refuses a part, reported under that part's field */
async function applyToInvoices(
  trx: Trx,
  actor: Actor,
  storedDraft: StoredDraft<CreditNoteDraft, CreditNote>,
): Promise<void> {
  const { aplicar } = storedDraft.draft;
  if (aplicar.length === 0) return;
  const parts = aplicar.map(({ field: _, ...part }) => ({ ...part, creditNoteId: storedDraft.id }));
  const paid = await writePayments(trx, actor, parts);
  const wrong = paid.findIndex(({ outcome }) => outcome === 'refused');
  const { field = 'aplicar' } = aplicar[wrong] ?? {};
  for (const one of paid)
    if (one.outcome === 'refused')
      throwIfRefused({
        ...one.refused,
        field: undefined,
        fields: { [field]: toPlainText(one.refused.message) },
      });
    else storedDraft.warnings = [...storedDraft.warnings, ...one.warnings];
  const [row] = await readCreditNotes(trx, [storedDraft.id]);
  storedDraft.row = row;
}

/**
 * Applies part of a credit note to an invoice, as a payment of kind `credito` with the date of the note.
 * @throws DomainError of the broken rule
 */
export async function applyCredit(
  db: Db,
  actor: Actor,
  { invoiceId, ...part }: { creditNoteId: number; invoiceId: number; amountCents: Cents },
): Promise<Payment> {
  return requireOneWritten(await writePayments(db, actor, [{ facturaproveedorId: invoiceId, ...part }])).row;
}

/** @throws DomainError not-found, conflict (in_use where part of it is applied, closed_period) */
export async function deleteCreditNote(
  db: Db,
  actor: Actor,
  id: number,
): Promise<Pick<CreditNote, 'numero'>> {
  return inTransaction(db, async (trx) => {
    const before = await trx
      .selectFrom('credit_notes')
      .selectAll()
      .where('id', '=', id)
      .modifyEnd(forUpdate(trx))
      .executeTakeFirst();
    if (!before) throw noteNotFoundError(id);
    await requireOpenPeriod(trx, actor, [before.fecha]);
    if (before.appliedCents > 0) {
      const message = `No se puede eliminar la nota de crédito ${before.numero}: hay ${formatMoney(before.appliedCents)} aplicados a facturas.`;
      throw new DomainError('conflict', message, { code: 'in_use' });
    }
    await trx.deleteFrom('credit_notes').where('id', '=', id).execute();
    await retainDeletedFiles(trx, before.sha256 === null ? [] : [before.sha256], actor.at);
    queueAuditEntry(trx, actor, { action: 'delete', entity: 'credit-notes', entityId: id, before });
    return before;
  });
}
