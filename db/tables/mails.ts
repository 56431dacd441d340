import type { Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';

export type MailState = 'espera' | 'enviado' | 'fallo';

export interface MailsTables {
  /** The outbox. A letter and its PDF are stored as they were when somebody pressed the button. */
  mails: {
    id: Generated<number>;
    supplierId: number;
    para: string;
    asunto: string;
    texto: string;
    filename: string;
    /** the PDF; null once it was sent */
    sha256: string | null;
    /** the same at every try, so that a mailbox can tell that two are one */
    messageId: string;
    estado: MailState;
    intentos: Generated<number>;
    /** what the mail server said last, or why it was not reached */
    respuesta: string | null;
    /** when it is tried next; null where it was sent or is not tried again by itself */
    proximo: Instant | null;
    /** until then one server tries it, and no other does */
    claimedUntil: Generated<Instant | null>;
    /** 1 from the moment its text goes out: if that is cut off, nobody knows whether it arrived */
    handedOver: Generated<number>;
    userId: number;
    createdAt: Instant;
    updatedAt: Instant;
  };
}
