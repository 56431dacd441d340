import type { MailState } from '../../../db/tables/mails.ts';
import type { Instant } from '../../../shared/dates.ts';

export const MAIL_STATE_LABELS = {
  espera: 'En espera',
  enviado: 'Enviado',
  fallo: 'No salió',
} as const satisfies Record<MailState, string>;

/** A letter to a supplier in the outbox, without its text and its PDF. */
export interface Mail {
  id: number;
  supplierId: number;
  suppliername: string;
  para: string;
  asunto: string;
  estado: MailState;
  intentos: number;
  respuesta: string | null;
  proximo: Instant | null;
  /** who queued it */
  username: string;
  createdAt: Instant;
  updatedAt: Instant;
}

export const MAIL_SORTS = {
  id: 'ID',
  createdAt: 'Pedido',
  suppliername: 'Proveedor',
  para: 'Para',
  asunto: 'Asunto',
  estado: 'Estado',
  intentos: 'Intentos',
} as const;
export type MailSort = keyof typeof MAIL_SORTS;

export const mailTexts = {
  off: 'El correo no está configurado en este servidor.',
  badAddress: 'Escribe una sola dirección de correo, como pagos@proveedor.mx.',
  noAddress: (names: readonly string[]) => `Sin una dirección de correo: ${names.join(', ')}.`,
  noReceiptDue: (name?: string) => (name ? `De ${name} no falta ningún REP.` : 'No falta ningún REP.'),
  unpaid: 'La programación todavía no está pagada.',
  sentAlready: 'Ese correo ya se envió.',
  queued: (count: number) =>
    count === 1
      ? 'El correo quedó en la bandeja de salida.'
      : `Quedaron ${count} correos en la bandeja de salida.`,
  retried: 'El correo se intenta otra vez.',
  unknown: 'No se sabe si salió: se cortó al entregarlo. No se intenta otra vez solo.',
  restored: 'No se sabe si salió: se restauró un respaldo. No se intenta otra vez solo.',
  interrupted: 'El servidor de Saldo se detuvo antes de entregarlo.',
} as const;
