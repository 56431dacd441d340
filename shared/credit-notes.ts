import type { Instant, PlainDate } from './dates.ts';
import { type COMPUTED_AMOUNT_FIELDS, findAmountProblems, INVOICE_FIELDS } from './invoices.ts';
import { type Cents, formatMoney, type Rate } from './money.ts';
import { type FieldValuesOf, getField, type RecordField } from './record-fields.ts';
import { type Refusal, toFieldsRefusal } from './refusal.ts';

/** The part that is not applied is the supplier's saldo a favor. */
export interface CreditNote {
  id: number;
  supplierId: number;
  suppliername: string;
  rfc: string | null;
  numero: string;
  /** null: it was captured by hand or imported with a table */
  uuid: string | null;
  fecha: PlainDate;
  subtotalCents: Cents;
  ivaCents: Cents;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  totalCents: Cents;
  /** invariant: the sum of its applications */
  appliedCents: Cents;
  comments: string;
  createdAt: Instant;
  version: number;
}

export const CREDIT_NOTE_FIELDS = [
  { name: 'supplierId', label: 'Proveedor', kind: 'ref', catalog: 'suppliers', required: true },
  {
    name: 'numero',
    label: 'Número de la nota',
    shortLabel: 'Nota de crédito',
    kind: 'text',
    maxLength: 100,
    required: true,
  },
  { name: 'fecha', label: 'Fecha de la nota', shortLabel: 'Fecha', kind: 'date', required: true },
  getField(INVOICE_FIELDS, 'subtotal'),
  getField(INVOICE_FIELDS, 'tasa'),
  getField(INVOICE_FIELDS, 'otrosimpuestos'),
  getField(INVOICE_FIELDS, 'retenciones'),
  getField(INVOICE_FIELDS, 'comments'),
] as const satisfies readonly RecordField[];

export type CreditNoteFieldValues = Omit<FieldValuesOf<typeof CREDIT_NOTE_FIELDS>, 'tasa'> &
  FieldValuesOf<typeof COMPUTED_AMOUNT_FIELDS> & { tasa?: Rate };

export const CREDIT_NOTE_SORTS = {
  id: 'ID',
  numero: 'Nota de crédito',
  uuid: 'UUID',
  suppliername: 'Proveedor',
  fecha: 'Fecha',
  total: 'Total',
  applied: 'Aplicado',
  left: 'Por aplicar',
} as const;
export type CreditNoteSort = keyof typeof CREDIT_NOTE_SORTS;

export const CREDIT_STATE_LABELS = { 'con-saldo': 'Con saldo', aplicada: 'Aplicada' } as const;
export type CreditState = keyof typeof CREDIT_STATE_LABELS;

export const unappliedOf = ({
  totalCents,
  appliedCents,
}: Pick<CreditNote, 'totalCents' | 'appliedCents'>): Cents => totalCents - appliedCents;

export const creditNoteTexts = {
  required: 'Ingrese proveedor, número, fecha y subtotal de la nota de crédito.',
  alreadySaved: 'Este formulario ya se guardó con otros datos. Si es otra nota de crédito, guarda de nuevo.',
  duplicate: (numero: string, suppliername: string) =>
    `Ya existe la nota de crédito ${numero} de ${suppliername}.`,
  saved: (numero: string, leftCents: Cents) =>
    `Se guardó la nota de crédito ${numero}.${leftCents > 0 ? ` Quedan ${formatMoney(leftCents)} como saldo a favor.` : ''}`,
  nameless: 'No trae número ni UUID: se reconoce por su fecha y su total.',
  restored: (numero: string) => `Se recuperó la nota de crédito ${numero}.`,
  deleted: (numero: string) => `Se eliminó la nota de crédito ${numero}.`,
} as const;

export function checkCreditNote(draft: Omit<CreditNoteFieldValues, 'tasa'>): Refusal | undefined {
  const { required } = creditNoteTexts;
  return toFieldsRefusal({
    supplierId: !draft.supplierId && required,
    numero: !draft.numero && required,
    fecha: !draft.fecha && required,
    ...findAmountProblems(draft, required),
  });
}
