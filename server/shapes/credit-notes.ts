import { z } from 'zod';
import { CREDIT_NOTE_FIELDS, type CreditNote, unappliedOf } from '../../shared/credit-notes.ts';
import { COMPUTED_AMOUNT_FIELDS } from '../../shared/invoices.ts';
import { toDecimal } from '../../shared/money.ts';
import { toFieldValues } from '../../shared/record-fields.ts';
import * as member from './answer-members.ts';
import { answerFor, savedAnswer } from './answers.ts';
import { idField, moneyField, motivoField } from './fields.ts';
import { toRequestMembers } from './record-fields.ts';

const REQUEST_FIELDS = [...CREDIT_NOTE_FIELDS, ...COMPUTED_AMOUNT_FIELDS] as const;

const creditedInvoiceShape = z.strictObject({
  facturaproveedorId: idField('Factura'),
  importe: moneyField('Importe').meta({ description: 'Lo que se aplica a la factura' }),
});

export const newCreditNoteShape = z
  .strictObject({
    ...toRequestMembers(REQUEST_FIELDS),
    aplicar: z
      .array(creditedInvoiceShape)
      .max(1000)
      .optional()
      .meta({ description: 'A qué facturas del proveedor se aplica; todo o nada' }),
    motivo: motivoField,
  })
  .meta({
    id: 'NewCreditNote',
    required: ['supplierId', 'numero', 'fecha', 'subtotal'],
    examples: [{ supplierId: 1, numero: 'NC-12', fecha: '2026-11-20', subtotal: 100, tasa: 16 }],
  });

export const creditNoteAnswer = answerFor<CreditNote>(
  'CreditNote',
  'Una nota de crédito de un proveedor.',
).with({
  id: member.rowId('Número de la nota en el sistema'),
  supplierId: member.rowId('Proveedor'),
  supplier: { suppliername: member.text('Proveedor'), rfc: member.nullableText('RFC') },
  numero: member.text('Número de la nota'),
  uuid: member.nullableText('Folio fiscal de su CFDI; nulo: se capturó a mano o vino en una tabla'),
  fecha: member.day('Fecha de la nota'),
  subtotal: member.amount('Subtotal'),
  iva: member.amount('IVA'),
  otrosimpuestos: member.amount('Otros impuestos'),
  retenciones: member.amount('Retenciones'),
  total: member.amount('subtotal + iva + otrosimpuestos − retenciones'),
  aplicado: [member.amount('Lo que de ella se ha aplicado a facturas'), 'appliedCents'],
  pendiente: [
    member.amount('Lo que queda por aplicar: saldo a favor'),
    (note) => toDecimal(unappliedOf(note)),
  ],
  comments: member.text('Observaciones'),
  createdAt: member.moment('Cuándo se capturó'),
  version: member.rowVersion,
});

export const savedCreditNoteAnswer = savedAnswer('creditNote', creditNoteAnswer, { id: 'SavedCreditNote' });

export const toCreditNoteFieldValues = ({ aplicar, ...fields }: z.output<typeof newCreditNoteShape>) => ({
  ...toFieldValues(REQUEST_FIELDS, fields),
  aplicar: aplicar?.map(({ facturaproveedorId, importe = 0 }) => ({
    facturaproveedorId: facturaproveedorId ?? 0,
    amountCents: importe,
  })),
});
