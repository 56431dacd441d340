import { Readable } from 'node:stream';
import { oneLine } from '../../../shared/text.ts';
import type { MailAccount } from '../../formats/mail-account.ts';

export interface OutgoingMail {
  para: string;
  asunto: string;
  texto: string;
  filename: string;
  pdf: Uint8Array;
  /** The id is written without brackets and host. */
  messageId: string;
}

export interface DeliveryOutcome {
  /** failed: can be tried again; refused: cannot; stopped: Saldo was stopping; unknown: no answer to the whole text */
  kind: 'sent' | 'refused' | 'failed' | 'stopped' | 'unknown';
  response: string;
}

export interface DeliveryTimeouts {
  /** the limit until the server is ready for the text of the mail */
  untilTextMs: number;
  /** the limit after that; RFC 5321 4.5.3.2.6 gives a server ten minutes for its last answer */
  afterTextMs: number;
}

const DEFAULT_TIMEOUTS: DeliveryTimeouts = { untilTextMs: 60_000, afterTextMs: 600_000 };

interface DeliveryOptions {
  /** called when the mail server is ready, before the text's first byte @throws if another Saldo server has the mail */
  handOver(): Promise<void>;
  signal: AbortSignal;
  now: Date;
  limits?: DeliveryTimeouts;
}

const QUIT_TIMEOUT_MS = 5000;

const CHUNK_BYTES = 64 * 1024;

/** Opens a connection for each mail, because a pool would resend a mail that may have been delivered. */
export async function sendMail(
  { from, server }: MailAccount,
  mail: OutgoingMail,
  { handOver, signal, now, limits = DEFAULT_TIMEOUTS }: DeliveryOptions,
): Promise<DeliveryOutcome> {
  // Loaded with the first mail, since most installations send none.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const host = from.address.slice(from.address.lastIndexOf('@') + 1);
  const node = new MailComposer({
    from,
    to: { name: '', address: mail.para },
    subject: mail.asunto,
    text: mail.texto,
    messageId: `<${mail.messageId}@${host}>`,
    date: now,
    attachments: [
      { filename: mail.filename, content: Buffer.from(mail.pdf), contentType: 'application/pdf' },
    ],
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  }).compile();
  const message = await node.build();
  const { login, ...line } = server;
  const connection = new SMTPConnection({
    ...line,
    connectionTimeout: limits.untilTextMs,
    greetingTimeout: limits.untilTextMs,
    socketTimeout: limits.afterTextMs,
    socketCloseTimeout: 0,
  });
  const { promise, resolve } = Promise.withResolvers<DeliveryOutcome>();
  let hasBegun = false;
  let hasEnded = false;
  let isOver = false;
  const resolveFailure = (error?: SmtpError) => resolve(toFailureOutcome(error, hasEnded));
  const failByTimeout = () => resolveFailure({ code: 'ETIMEDOUT' });
  const stopBeforeSending = () => {
    if (!hasBegun) resolve({ kind: 'stopped', response: '' });
  };
  let timer = setTimeout(failByTimeout, limits.untilTextMs);

  /** Nodemailer reads this once the server has answered DATA, and then sends the dot that ends a mail. */
  async function* handOverText() {
    await handOver();
    // Returning here would make nodemailer send the final dot, and with it an empty mail.
    if (signal.aborted || isOver) throw new Error('the delivery was given up');
    hasBegun = true;
    clearTimeout(timer);
    timer = setTimeout(failByTimeout, limits.afterTextMs);
    for (let at = 0; at < message.length; at += CHUNK_BYTES) yield message.subarray(at, at + CHUNK_BYTES);
    hasEnded = true;
  }

  const sendEnvelope = (error?: SmtpError | null) => {
    if (error) return resolveFailure(error);
    const stream = Readable.from(handOverText(), { objectMode: false, highWaterMark: CHUNK_BYTES });
    connection.send(node.getEnvelope(), stream, (refused, info) =>
      refused ? resolveFailure(refused) : resolve({ kind: 'sent', response: cleanResponse(info.response) }),
    );
  };
  signal.addEventListener('abort', stopBeforeSending);
  connection.on('error', resolveFailure);
  connection.on('end', () => resolveFailure());
  connection.connect((error) => {
    if (error) resolveFailure(error);
    else if (login && connection.allowsAuth) connection.login({ ...login }, sendEnvelope);
    else sendEnvelope();
  });
  const outcome = await promise;
  isOver = true;
  clearTimeout(timer);
  signal.removeEventListener('abort', stopBeforeSending);
  if (outcome.kind === 'sent') connection.quit();
  else connection.close();
  setTimeout(() => connection.close(), QUIT_TIMEOUT_MS).unref();
  return outcome;
}

interface SmtpError {
  code?: string;
  originalCode?: string;
  response?: string;
  responseCode?: number;
}

/** The server's answer to a login is left out, since it may repeat the password. */
function toFailureOutcome(error: SmtpError = {}, hasEnded: boolean): DeliveryOutcome {
  const { code = 'ECONNECTION', originalCode = code, response = '', responseCode = 0 } = error;
  // The answer of a server without STARTTLS is about the connection, not about the mail.
  const isAnswer = responseCode >= 400 && responseCode <= 599 && code !== 'ETLS';
  if (hasEnded && !isAnswer) return { kind: 'unknown', response: '' };
  const kind = responseCode >= 500 && isAnswer ? 'refused' : 'failed';
  if (code === 'EAUTH')
    return {
      kind,
      response: `El servidor de correo no aceptó el usuario o la contraseña (${responseCode}).`,
    };
  if (isAnswer) return { kind, response: cleanResponse(response) };
  const text = code === 'ETLS' ? 'No se pudo cifrar la línea' : 'No se pudo hablar';
  const reason = code === 'ETIMEDOUT' ? 'no contestó a tiempo' : originalCode;
  return { kind, response: `${text} con el servidor de correo (${reason}).` };
}

const MAX_RESPONSE_LENGTH = 300;

const cleanResponse = (response: string): string =>
  [...oneLine(response.replace(/\p{Cc}/gu, ' '))].slice(0, MAX_RESPONSE_LENGTH).join('');
