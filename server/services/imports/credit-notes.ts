import { reserveIds } from '../../../db/bulk.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { formatDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney, parseRate } from '../../../shared/money.ts';
import { conflictRemark, createRemark, type Remark, rowIdRemark } from '../../../shared/remarks.ts';
import { cleanLine, documentNumberKey } from '../../../shared/text.ts';
import type { RowValues, TableImportResult } from '../../formats/tables/table.ts';
import type { KnownCreditNote, KnownNotes, StatedCreditNote } from '../credit-notes/known-notes.ts';
import {
  type CreditNoteDraft,
  type CreditNoteInput,
  NO_DOCUMENT_VALUES,
  toCreditNoteColumns,
  writeCreditNotes,
} from '../credit-notes/write.ts';
import type { StoredInvoiceIdentity } from '../invoices/invoice-book.ts';
import { readSettings } from '../settings/settings.ts';
import { importDrafts, readEachRow } from './import-drafts.ts';
import type { ImportContext, NewRows, TableImportRun } from './import-run.ts';
import { describeDefaultRate, readAmounts, statesNoTax } from './invoice-amounts.ts';
import { centsOf, dateOf, RowRefusalError, textOf } from './row-values.ts';

/** The imported notes are applied later, by a table of payments or by hand. */
export async function importCreditNotes(run: TableImportRun): Promise<TableImportResult> {
  const defaultRate = parseRate((await readSettings(run.db)).tasa);
  return importDrafts<CreditNoteInput, CreditNoteDraft>(run, {
    entity: 'credit-notes',
    names: { supplierId: suppliers },
    readInputs: () =>
      readEachRow(run, ({ line, values }, warnings) => {
        if (statesNoTax(values)) warnings.push(describeDefaultRate(defaultRate));
        const uuid = textOf(values, 'uuid').toUpperCase() || null;
        const { tasa, ...amounts } = readAmounts(values, { defaultRate, isDocument: uuid !== null });
        return {
          line,
          supplierId: run.references.findOrAddSupplier(values, warnings)?.id ?? null,
          numero: textOf(values, 'numero'),
          uuid,
          fecha: dateOf(values, 'fecha'),
          comments: textOf(values, 'comments'),
          ...amounts,
          tasa: tasa ?? undefined,
        };
      }),
    write: (trx, actor, drafts, options) =>
      writeCreditNotes(trx, actor, drafts, { ...options, skipsExisting: true }),
  });
}

const NOTE_AMOUNT_FIELDS = [
  ['totalCents', 'credittotal', 'total'],
  ['ivaCents', 'creditiva', 'IVA'],
  ['otrosimpuestosCents', 'creditotrosimpuestos', 'otros impuestos'],
  ['retencionesCents', 'creditretenciones', 'retenciones'],
] as const;

type NoteAmountName = (typeof NOTE_AMOUNT_FIELDS)[number][0];

/** Amounts are null where the row does not state them. */
export type StatedCreditNoteWithAmounts = StatedCreditNote & Record<NoteAmountName, Cents | null>;

/** A note is identified by its UUID, else by its number, else by its date and total. @throws RowRefusalError */
export function readStatedNote(values: RowValues): StatedCreditNoteWithAmounts {
  for (const field of ['checknum', 'origenderecursonombre', 'importebanco'])
    if (textOf(values, field))
      throw new RowRefusalError(
        field,
        'Una nota de crédito no mueve dinero: no lleva cheque, origen de recurso ni importe del banco.',
      );
  const draft = {
    numero: cleanLine(textOf(values, 'creditnumero'), 'Nota de crédito', 'creditnumero', 100),
    uuid: textOf(values, 'credituuid').toUpperCase() || null,
    fecha: dateOf(values, 'paymentdate'),
    totalCents: centsOf(values, 'credittotal'),
    ivaCents: centsOf(values, 'creditiva'),
    otrosimpuestosCents: centsOf(values, 'creditotrosimpuestos'),
    retencionesCents: centsOf(values, 'creditretenciones'),
  };
  if (draft.uuid || draft.numero || (draft.fecha && draft.totalCents !== null)) return draft;
  throw new RowRefusalError('creditnumero', 'Falta el número o el UUID de la nota de crédito.');
}

/** @throws RowRefusalError where the note differs from what the row states, or is new and has no total */
export function findOrAddNote(
  notes: KnownNotes,
  draft: StatedCreditNoteWithAmounts,
  invoice: Pick<StoredInvoiceIdentity, 'supplierId'>,
): KnownCreditNote {
  const found = notes.find(draft, invoice.supplierId);
  if (!found) {
    const newNote = toNewNote(draft, invoice.supplierId);
    const replaced = notes.replacedRefusal(newNote);
    if (replaced && 'message' in replaced) throw new RowRefusalError('credituuid', replaced.message);
    const duplicate = notes.findNoteOfSameNumber(newNote);
    if (duplicate) {
      const [before, here] = [duplicate.uuid ?? 'ninguno', newNote.uuid ?? 'ninguno'];
      throw new RowRefusalError(
        'credituuid',
        conflictRemark(createRemark`La ${formatNoteLabel(duplicate)}`, 'UUID', before, here),
      );
    }
    return notes.addWithProvisionalId(newNote);
  }
  requireSameFacts(draft, found, invoice);
  return found;
}

function toNewNote(draft: StatedCreditNoteWithAmounts, supplierId: number): KnownCreditNote {
  const { numero, uuid, fecha, totalCents } = draft;
  if (!fecha) throw new RowRefusalError('paymentdate', 'Falta la fecha de la nota de crédito.');
  if (totalCents === null) throw new RowRefusalError('credittotal', 'Falta el total de la nota de crédito.');
  if (totalCents <= 0)
    throw new RowRefusalError('credittotal', 'El total de la nota de crédito debe ser mayor que cero.');
  const { ivaCents, otrosimpuestosCents, retencionesCents } = draft;
  const note: KnownCreditNote = {
    ...{ id: 0, supplierId, numero, uuid, fecha, totalCents, appliedCents: 0 },
    ivaCents: ivaCents ?? 0,
    otrosimpuestosCents: otrosimpuestosCents ?? 0,
    retencionesCents: retencionesCents ?? 0,
  };
  if (note.ivaCents < 0) throw new RowRefusalError('creditiva', 'El IVA no puede ser negativo.');
  if (note.retencionesCents < 0)
    throw new RowRefusalError('creditretenciones', 'Las retenciones no pueden ser negativas.');
  if (subtotalOf(note) < 0)
    throw new RowRefusalError('credittotal', 'Los impuestos de la nota de crédito son mayores que su total.');
  return note;
}

/** A negative subtotal is refused by `toNewNote`, and by a CHECK in the database. */
const subtotalOf = (note: KnownCreditNote): Cents =>
  note.totalCents - note.ivaCents - note.otrosimpuestosCents + note.retencionesCents;

function requireSameFacts(
  draft: StatedCreditNoteWithAmounts,
  note: KnownCreditNote,
  invoice: Pick<StoredInvoiceIdentity, 'supplierId'>,
): void {
  const what = createRemark`La ${formatNoteLabel(note)}`;
  if (note.supplierId !== invoice.supplierId)
    throw new RowRefusalError(
      draft.uuid ? 'credituuid' : 'creditnumero',
      createRemark`${what} es de otro proveedor que la factura.`,
    );
  if (draft.numero && documentNumberKey(draft.numero) !== documentNumberKey(note.numero))
    throw new RowRefusalError('creditnumero', conflictRemark(what, 'número', note.numero, draft.numero));
  if (draft.fecha && draft.fecha !== note.fecha)
    throw new RowRefusalError(
      'paymentdate',
      conflictRemark(what, 'fecha', formatDate(note.fecha), formatDate(draft.fecha)),
    );
  for (const [name, field, label] of NOTE_AMOUNT_FIELDS) {
    const stated = draft[name];
    if (stated !== null && stated !== note[name])
      throw new RowRefusalError(
        field,
        conflictRemark(what, label, formatMoney(note[name]), formatMoney(stated)),
      );
  }
}

const formatNoteLabel = ({ id, numero }: KnownCreditNote): Remark =>
  createRemark`nota de crédito ${numero || 'sin número'}${id > 0 ? rowIdRemark(id) : ' (de este archivo)'}`;

export async function buildNewNoteRows(
  { trx, actor: { userId, at }, importId }: ImportContext,
  notes: readonly KnownCreditNote[],
): Promise<NewRows> {
  const ids = await reserveIds(trx, 'credit_notes', notes.length);
  const rows = notes.map((note, index) => {
    note.id = ids[index]!;
    const columns = toCreditNoteColumns({ ...note, ...NO_DOCUMENT_VALUES, subtotalCents: subtotalOf(note) });
    return { id: note.id, ...columns, importId, userId, createdAt: at, updatedAt: at };
  });
  return { entity: 'credit-notes', table: 'credit_notes', rows };
}
