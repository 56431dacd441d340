import type { Instant, PlainDate } from './dates.ts';
import type { Cents } from './money.ts';
import { type Refusal, refusal } from './refusal.ts';

export interface Payment {
  id: number;
  facturaproveedorId: number;
  numfactura: string;
  suppliername: string;
  origenderecursoId: number | null;
  origenderecursonombre: string | null;
  checknum: string;
  paymentdate: PlainDate;
  amountCents: Cents;
  comments: string;
  userId: number;
  /** the bulk import it came with */
  importId: number | null;
  createdAt: Instant;
  version: number;
}

export interface PaymentDraft {
  facturaproveedorId?: number | null;
  origenderecursoId?: number | null;
  checknum?: string;
  paymentdate?: PlainDate | null;
  amountCents?: Cents;
  comments?: string;
}

/** The fields of a payment's form, from first to last. */
export const PAYMENT_FIELDS = [
  'facturaproveedorId',
  'origenderecursoId',
  'checknum',
  'paymentdate',
  'paymentamount',
  'comments',
] as const;
export type PaymentField = (typeof PAYMENT_FIELDS)[number];
export type PaymentTexts = Record<PaymentField, string>;

export const PAYMENT_SORTS = ['id', 'paymentdate'] as const;
export type PaymentSort = (typeof PAYMENT_SORTS)[number];

export const paymentTexts = {
  required: 'Seleccione una factura e ingrese la cantidad del pago recibido.',
  beyondTotal: 'El total pagado no puede ser mayor que el total de la factura.',
  created: 'Se registró el pago.',
  updated: 'Se actualizó el pago.',
  deleted: 'Se eliminó el pago.',
  restored: 'Se recuperó el pago.',
  createdLine: (moment: string) => `Creado: ${moment}`,
  pendingIncludes: 'El total pendiente ya incluye este pago.',
  alreadySaved: 'Este formulario ya se guardó con otros datos. Si es otro pago, guarda de nuevo.',
  loadFailed: 'Ocurrió un error al cargar los proveedores.',
} as const;

/** The specification's message for what is missing, or nothing. */
export function checkPayment(draft: PaymentDraft): Refusal | undefined {
  const missing = [
    !draft.facturaproveedorId && 'facturaproveedorId',
    !draft.amountCents && 'paymentamount',
  ].filter((name) => typeof name === 'string');
  if (missing.length > 0) return refusal(paymentTexts.required, ...missing);
  if (draft.amountCents! < 0) return refusal('El pago debe ser mayor que cero.', 'paymentamount');
  return undefined;
}
