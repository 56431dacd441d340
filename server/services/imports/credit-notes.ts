import { reserveIds } from '../../../db/bulk.ts';
import { isOneOf, isOneOfTexts } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney, parseRate } from '../../../shared/money.ts';
import { conflictText, type Remark, remark, rowId } from '../../../shared/remarks.ts';
import { cleanLine, numberKey } from '../../../shared/text.ts';
import type { RowValues, TableImport } from '../../formats/tables/table.ts';
import { creditNoteRow } from '../credit-notes/reading.ts';
import { type CreditNoteToWrite, type Draft, writeCreditNotes } from '../credit-notes/write.ts';
import type { InvoiceOnFile } from '../invoices/book.ts';
import { readSettings } from '../settings/settings.ts';
import { append } from '../stored-rows.ts';
import { draftEach, importDrafts } from './drafts.ts';
import { readAmounts, saysNoTax, takesUsualRate } from './invoice-amounts.ts';
import { centsOf, dateOf, Refused, textOf } from './row-values.ts';
import type { MakingContext, NewRows, Run } from './run.ts';

/** A table of credit notes; what is applied of them comes with a table of payments, or is chosen later. */
export async function importCreditNotes(run: Run): Promise<TableImport> {
  const usual = parseRate((await readSettings(run.db)).tasa);
  return importDrafts<CreditNoteToWrite, Draft>(run, {
    entity: 'credit-notes',
    names: { supplierId: suppliers },
    draftRows: () =>
      draftEach(run, ({ line, values }, warnings) => {
        if (saysNoTax(values)) warnings.push(takesUsualRate(usual));
        const { tasa, ...amounts } = readAmounts(values, { usual, isDocument: false });
        return {
          line,
          supplierId: run.references.supplier(values, warnings)?.id ?? null,
          numero: textOf(values, 'numero'),
          fecha: dateOf(values, 'fecha'),
          comments: textOf(values, 'comments'),
          ...amounts,
          tasa: tasa ?? undefined,
        };
      }),
    write: (trx, actor, drafts, options) =>
      writeCreditNotes(trx, actor, drafts, { ...options, isKnownOnce: true }),
  });
}

/** The amounts of a credit note, with the field of a row and the label of each. */
const AMOUNTS = [
  ['totalCents', 'credittotal', 'total'],
  ['ivaCents', 'creditiva', 'IVA'],
  ['otrosimpuestosCents', 'creditotrosimpuestos', 'otros impuestos'],
  ['retencionesCents', 'creditretenciones', 'retenciones'],
] as const;

type Amount = (typeof AMOUNTS)[number][0];

interface KnownCredit extends Record<Amount, Cents> {
  /** below zero: of this import, not stored yet */
  id: number;
  supplierId: number;
  numero: string;
  uuid: string | null;
  fecha: PlainDate;
  appliedCents: Cents;
}

/** The credit notes that rows of a table may be parts of, and those that come with it. */
export class KnownCredits {
  readonly #byUuid = new Map<string, KnownCredit>();
  readonly #byNumber = new Map<string, KnownCredit[]>();
  /** of this import, in their order: ids from -1 downwards, until they are made */
  readonly added: KnownCredit[] = [];

  async read(db: Db, uuids: readonly string[], supplierIds: readonly number[]): Promise<void> {
    const notes = await db
      .selectFrom('credit_notes')
      .select(['id', 'supplierId', 'numero', 'uuid', 'fecha', 'appliedCents'])
      .select(AMOUNTS.map(([name]) => name))
      .where((eb) => eb.or([isOneOfTexts(db, 'uuid', uuids), isOneOf(db, 'supplierId', supplierIds)]))
      .orderBy('id')
      .execute();
    for (const note of notes) this.#add(note);
  }

  #add(note: KnownCredit): void {
    if (note.uuid) this.#byUuid.set(note.uuid, note);
    append(this.#byNumber, numberedKey(note.supplierId, note.numero), note);
  }

  addNew(note: KnownCredit): void {
    this.added.push(note);
    note.id = -this.added.length;
    this.#add(note);
  }

  find(
    { uuid, numero, fecha, totalCents }: Pick<CreditDraft, 'numero' | 'uuid' | 'fecha' | 'totalCents'>,
    supplierId: number,
  ): KnownCredit | undefined {
    if (uuid) return this.#byUuid.get(uuid);
    const agrees = (note: KnownCredit) =>
      (!fecha || note.fecha === fecha) && (totalCents === null || note.totalCents === totalCents);
    const all = this.#byNumber.get(numberedKey(supplierId, numero)) ?? [];
    // A number is its supplier's own; without one, day and total have to do.
    const isNumbered = numberKey(numero) !== '';
    const unstamped = all.filter((note) => !note.uuid);
    return unstamped.find(agrees) ?? (isNumbered ? (unstamped[0] ?? all.find(agrees)) : undefined);
  }
}

const numberedKey = (supplierId: number, numero: string): string => `${supplierId}:${numberKey(numero)}`;

type Invoiced = Pick<InvoiceOnFile, 'supplierId'>;

/** null: the row says nothing of it */
export interface CreditDraft extends Record<Amount, Cents | null> {
  numero: string;
  uuid: string | null;
  fecha: PlainDate | null;
}

/**
 * Reads what identifies a credit note: its UUID, its number, or where it has neither, its day and total.
 * @throws Refused
 */
export function draftCredit(values: RowValues): CreditDraft {
  // A credit note moves no money.
  for (const field of ['checknum', 'origenderecursonombre', 'importebanco'])
    if (textOf(values, field))
      throw new Refused(
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
  throw new Refused('creditnumero', 'Falta el número o el UUID de la nota de crédito.');
}

/**
 * Finds the note that a row is a part of, or makes a new one, which the caller registers once the row is accepted.
 * @throws Refused where the note differs from what the row says, or nothing says what a new one comes to
 */
export function creditOf(
  known: KnownCredits,
  draft: CreditDraft,
  invoice: Invoiced,
): { note: KnownCredit; isNew: boolean } {
  const found = known.find(draft, invoice.supplierId);
  if (!found) return { note: newCredit(draft, invoice.supplierId), isNew: true };
  compareCredit(draft, found, invoice);
  return { note: found, isNew: false };
}

function newCredit(draft: CreditDraft, supplierId: number): KnownCredit {
  const { numero, uuid, fecha, totalCents } = draft;
  if (!fecha) throw new Refused('paymentdate', 'Falta la fecha de la nota de crédito.');
  if (totalCents === null) throw new Refused('credittotal', 'Falta el total de la nota de crédito.');
  if (totalCents <= 0)
    throw new Refused('credittotal', 'El total de la nota de crédito debe ser mayor que cero.');
  const { ivaCents, otrosimpuestosCents, retencionesCents } = draft;
  const note: KnownCredit = {
    ...{ id: 0, supplierId, numero, uuid, fecha, totalCents, appliedCents: 0 },
    ivaCents: ivaCents ?? 0,
    otrosimpuestosCents: otrosimpuestosCents ?? 0,
    retencionesCents: retencionesCents ?? 0,
  };
  if (note.ivaCents < 0) throw new Refused('creditiva', 'El IVA no puede ser negativo.');
  if (note.retencionesCents < 0)
    throw new Refused('creditretenciones', 'Las retenciones no pueden ser negativas.');
  if (subtotalOf(note) < 0)
    throw new Refused('credittotal', 'Los impuestos de la nota de crédito son mayores que su total.');
  return note;
}

/** A CHECK in the database wants no subtotal below zero. */
const subtotalOf = (note: KnownCredit): Cents =>
  note.totalCents - note.ivaCents - note.otrosimpuestosCents + note.retencionesCents;

function compareCredit(draft: CreditDraft, note: KnownCredit, invoice: Invoiced): void {
  const what = remark`La ${labelOf(note)}`;
  if (note.supplierId !== invoice.supplierId)
    throw new Refused(
      draft.uuid ? 'credituuid' : 'creditnumero',
      remark`${what} es de otro proveedor que la factura.`,
    );
  if (draft.numero && numberKey(draft.numero) !== numberKey(note.numero))
    throw new Refused('creditnumero', conflictText(what, 'número', note.numero, draft.numero));
  if (draft.fecha && draft.fecha !== note.fecha)
    throw new Refused(
      'paymentdate',
      conflictText(what, 'fecha', formatDate(note.fecha), formatDate(draft.fecha)),
    );
  for (const [name, field, label] of AMOUNTS) {
    const said = draft[name];
    if (said !== null && said !== note[name])
      throw new Refused(field, conflictText(what, label, formatMoney(note[name]), formatMoney(said)));
  }
}

const labelOf = ({ id, numero }: KnownCredit): Remark =>
  remark`nota de crédito ${numero || 'sin número'}${id > 0 ? rowId(id) : ' (de este archivo)'}`;

export async function makeCredits(
  { trx, actor, importId }: MakingContext,
  notes: readonly KnownCredit[],
): Promise<NewRows> {
  const ids = await reserveIds(trx, 'credit_notes', notes.length);
  const rows = notes.map((note, index) => {
    note.id = ids[index]!;
    // A table is no document.
    const values = { ...note, subtotalCents: subtotalOf(note), moneda: 'MXN', detail: '{}' };
    return { id: note.id, ...creditNoteRow(values, { ...actor, importId }) };
  });
  return { entity: 'credit-notes', table: 'credit_notes', rows };
}
