import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { conflictText, type Remark, remark, rowId } from '../../../shared/remarks.ts';
import { cleanText, numberKey } from '../../../shared/text.ts';
import type { RowValues } from '../../formats/tables/table.ts';
import type { InvoiceOnFile } from '../invoices/book.ts';
import type { KnownCredit, KnownCredits } from './known-credit-notes.ts';
import { centsOf, dateOf, Refused, textOf } from './row-values.ts';

type Invoiced = Pick<InvoiceOnFile, 'supplierId'>;

/** What a row of kind `credito` says of the note that it is a part of; null where it says nothing. */
export interface CreditDraft {
  numero: string;
  uuid: string | null;
  fecha: PlainDate | null;
  totalCents: Cents | null;
  ivaCents: Cents | null;
  otrosimpuestosCents: Cents | null;
  retencionesCents: Cents | null;
}

/**
 * Reads what identifies a credit note: its UUID, its number, or where it has neither, its day and total.
 * @throws Refused
 */
export function draftCredit(values: RowValues): CreditDraft {
  // It moves no money.
  for (const field of ['checknum', 'origenderecursonombre', 'importebanco'])
    if (textOf(values, field))
      throw new Refused(
        field,
        'Una nota de crédito no mueve dinero: no lleva cheque, origen de recurso ni importe del banco.',
      );
  const draft = {
    numero: cleanText(textOf(values, 'creditnumero'), 'Nota de crédito', 'creditnumero', 100),
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
 * The note that a row is a part of: the one on file or of an earlier row, or a new one, which the caller registers
 * once the row is accepted.
 * @throws Refused where the note differs from what the row says, or nothing says what a new one comes to
 */
export function creditOf(
  known: KnownCredits,
  draft: CreditDraft,
  invoice: Invoiced,
): { note: KnownCredit; isNew: boolean } {
  const found = findCredit(known, draft, invoice.supplierId);
  if (!found) return { note: newCredit(draft, invoice.supplierId), isNew: true };
  compareCredit(draft, found, invoice);
  return { note: found, isNew: false };
}

/** The note that is meant, as far as it is known. */
export function findCredit(
  known: KnownCredits,
  draft: Pick<CreditDraft, 'numero' | 'uuid' | 'fecha' | 'totalCents'>,
  supplierId: number,
): KnownCredit | undefined {
  if (draft.uuid) return known.withUuid(draft.uuid);
  const { fecha, totalCents } = draft;
  const agrees = (note: KnownCredit) =>
    (!fecha || note.fecha === fecha) && (totalCents === null || note.totalCents === totalCents);
  const all = known.numbered(supplierId, draft.numero);
  // A number is its supplier's own; without one, day and total have to do.
  const isNumbered = numberKey(draft.numero) !== '';
  const unstamped = all.filter(({ uuid }) => !uuid);
  return unstamped.find(agrees) ?? (isNumbered ? (unstamped[0] ?? all.find(agrees)) : undefined);
}

function newCredit(draft: CreditDraft, supplierId: number): KnownCredit {
  const { numero, uuid, fecha, totalCents } = draft;
  if (!fecha) throw new Refused('paymentdate', 'Falta la fecha de la nota de crédito.');
  if (totalCents === null) throw new Refused('credittotal', 'Falta el total de la nota de crédito.');
  if (totalCents <= 0)
    throw new Refused('credittotal', 'El total de la nota de crédito debe ser mayor que cero.');
  const ivaCents = draft.ivaCents ?? 0;
  const otrosimpuestosCents = draft.otrosimpuestosCents ?? 0;
  const retencionesCents = draft.retencionesCents ?? 0;
  if (ivaCents < 0) throw new Refused('creditiva', 'El IVA no puede ser negativo.');
  if (retencionesCents < 0)
    throw new Refused('creditretenciones', 'Las retenciones no pueden ser negativas.');
  const note: KnownCredit = {
    id: 0,
    supplierId,
    numero,
    uuid,
    fecha,
    ivaCents,
    otrosimpuestosCents,
    retencionesCents,
    totalCents,
    appliedCents: 0,
  };
  if (subtotalOf(note) < 0)
    throw new Refused('credittotal', 'Los impuestos de la nota de crédito son mayores que su total.');
  return note;
}

/** What is left of the total without its taxes: a note's CHECK in the database. */
export const subtotalOf = (note: KnownCredit): Cents =>
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

const AMOUNTS = [
  ['totalCents', 'credittotal', 'total'],
  ['ivaCents', 'creditiva', 'IVA'],
  ['otrosimpuestosCents', 'creditotrosimpuestos', 'otros impuestos'],
  ['retencionesCents', 'creditretenciones', 'retenciones'],
] as const;

/** "nota de crédito NC-1", with its id beside it. */
const labelOf = ({ id, numero }: KnownCredit): Remark =>
  remark`nota de crédito ${numero || 'sin número'}${id > 0 ? rowId(id) : ' (de este archivo)'}`;
