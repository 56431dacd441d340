import type { Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';

export type MailState = 'espera' | 'enviado' | 'fallo';

export interface MailsTables {
  /** The outbox. A mail's text and PDF are stored as they were when a user requested it. */
  mails: {
    id: Generated<number>;
    supplierId: number;
    para: string;
    asunto: string;
    texto: string;
    filename: string;
    /** the PDF; null once it was sent */
    sha256: string | null;
    /** the same at every attempt to send the mail, so that the recipient's mail program recognizes duplicates */
    messageId: string;
    estado: MailState;
    intentos: Generated<number>;
    /** what the mail server said last, or why it was not reached */
    respuesta: string | null;
    /** when the mail is tried next; null where it was sent, or is not tried again automatically */
    proximo: Instant | null;
    /** until this moment one server process is sending the mail, and no other process tries to */
    claimedUntil: Generated<Instant | null>;
    /** 1 once the mail's text is being transmitted: if the connection then breaks, nobody knows whether it arrived */
    handedOver: Generated<number>;
    userId: number;
    createdAt: Instant;
    updatedAt: Instant;
  };
}
