import { randomUUID } from 'node:crypto';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inSnapshot } from '../../../db/transaction.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { isSafeMailAddress } from '../../../shared/text.ts';
import type { ListExport } from '../../formats/sheets/sheet.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { makeExport } from '../exports/make-export.ts';
import { adviceExport } from '../exports/payment-advice.ts';
import { readBatchAdvices } from '../exports/payment-batches.ts';
import { receiptsRequestExport } from '../exports/receipts-due.ts';
import { statementExport } from '../exports/supplier-statement.ts';
import { storeFile, toSafeFilename } from '../files.ts';
import { readReceiptsDue, sumBySupplier } from '../fiscal/receipts-due.ts';
import { getBatch } from '../payment-batches/reading.ts';
import { readSettings } from '../settings/settings.ts';
import { readPaymentAdvice } from '../statements/payment-advice.ts';
import { getSupplier } from '../statements/supplier-statement.ts';
import {
  composePaymentAdviceLetter,
  composeReceiptsRequestLetter,
  composeSupplierStatementLetter,
  type Letter,
} from './letters.ts';
import { type Mail, mailTexts as texts } from './mail.ts';
import { readMailsWhere } from './reading.ts';

/**
 * A request sends a statement, asks for receipts, or sends the advice of a payment (with `dia`: of all payments to its
 * supplier that day) or the advices of a batch.
 */
export type MailRequest =
  | { supplierId: number; desde?: PlainDate | null; hasta?: PlainDate | null }
  | { receiptsOf: number | 'todos'; corte?: PlainDate | null }
  | { paymentId: number; dia?: boolean }
  | { batchId: number };

export interface MailOptions {
  /** another address than the supplier's */
  para?: string;
  /** suppliers without an address are left out */
  omitir?: boolean;
}

interface NowTodayAndTimeZone {
  now: Date;
  today: PlainDate;
  timeZone: string;
}

export interface ComposedMail {
  date?: PlainDate;
  paidCents?: Cents;
  supplier: { id: number; suppliername: string };
  letter: Letter;
  list: ListExport<unknown>;
}

interface PreparedMail extends Letter {
  supplierId: number;
  filename: string;
  pdf: Uint8Array;
}

/** @throws DomainError not-found; conflict batch_state */
export function composeMails(
  db: Db,
  request: MailRequest,
  { today, timeZone }: NowTodayAndTimeZone,
): Promise<ComposedMail[]> {
  return inSnapshot(db, async (snapshot) => {
    const { empresa } = await readSettings(snapshot);
    if ('supplierId' in request) {
      const { statement, list } = await statementExport(snapshot, request, { today, timeZone });
      const letter = composeSupplierStatementLetter(statement, empresa);
      return [{ supplier: statement.supplier, letter, list: list as ListExport<unknown> }];
    }
    if ('receiptsOf' in request) {
      const { receiptsOf, corte: asked = null } = request;
      const only = receiptsOf === 'todos' ? undefined : await getSupplier(snapshot, receiptsOf);
      const { corte, rows } = await readReceiptsDue(snapshot, asked ?? today, only?.id);
      if (rows.length === 0) throw new DomainError('not-found', texts.noReceiptDue(only?.suppliername));
      const drafts: ComposedMail[] = [];
      for (const due of sumBySupplier(rows)) {
        const supplier = only ?? { ...due, id: due.supplierId };
        drafts.push({
          ...{ supplier, paidCents: due.faltaCents },
          letter: composeReceiptsRequestLetter(supplier, { ...due, corte }, empresa),
          list: await receiptsRequestExport(snapshot, supplier, corte),
        });
      }
      return drafts;
    }
    const advices = await readAdvices(snapshot, request);
    return advices.map((advice) => ({
      supplier: advice.supplier,
      date: advice.date,
      paidCents: advice.payments.reduce((sum, { amountCents }) => sum + amountCents, 0),
      letter: composePaymentAdviceLetter(advice, empresa),
      list: adviceExport(advice) as ListExport<unknown>,
    }));
  });
}

async function readAdvices(
  db: Db,
  subject: Extract<MailRequest, { paymentId: number } | { batchId: number }>,
) {
  if ('batchId' in subject) {
    const batch = await getBatch(db, subject.batchId);
    if (batch.estado !== 'pagada') throw new DomainError('conflict', texts.unpaid, { code: 'batch_state' });
    return readBatchAdvices(db, batch);
  }
  const advice = await readPaymentAdvice(db, { paymentIds: [subject.paymentId] });
  const { supplier, date } = advice;
  return [subject.dia ? await readPaymentAdvice(db, { supplierId: supplier.id, date }) : advice];
}

/**
 * Makes each PDF now and not when the mail is sent, because it has to state what was true when the mail was asked for.
 * No transaction is needed: drawing two hundred PDFs inside one would make every other writer wait.
 * @throws DomainError invalid: `para` is not one address; no_address, naming the suppliers without one
 */
export async function prepareMails(
  db: Db,
  request: MailRequest,
  { para, omitir }: MailOptions,
  context: NowTodayAndTimeZone,
): Promise<PreparedMail[]> {
  if (para !== undefined && !isSafeMailAddress(para))
    throw new DomainError('invalid', texts.badAddress, { fields: { para: texts.badAddress } });
  const drafts = (await composeMails(db, request, context)).map((draft) => ({
    ...draft,
    letter: { ...draft.letter, to: para ?? draft.letter.to.trim() },
  }));
  const reachable = drafts.filter(({ letter }) => isSafeMailAddress(letter.to));
  const missing = drafts.flatMap(({ letter, supplier }) =>
    isSafeMailAddress(letter.to) ? [] : supplier.suppliername,
  );
  if (reachable.length === 0 || (missing.length > 0 && !omitir)) {
    const message = texts.noAddress(missing);
    throw new DomainError('invalid', message, { code: 'no_address', fields: { para: message } });
  }
  const mails: PreparedMail[] = [];
  for (const { supplier, letter, list } of reachable) {
    const { name, chunks } = makeExport({ db, format: 'pdf', ...context }, list);
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(Buffer.from(chunk));
    const pdf = Buffer.concat(parts);
    mails.push({ ...letter, supplierId: supplier.id, filename: toSafeFilename(name), pdf });
  }
  return mails;
}

/** @returns the entries of the outbox, in their order */
export async function queueMails(trx: Trx, actor: Actor, mails: readonly PreparedMail[]): Promise<Mail[]> {
  const ids: number[] = [];
  for (const { supplierId, to, subject, text, filename, pdf } of mails) {
    const sha256 = await storeFile(trx, pdf, actor.at);
    const { id } = await trx
      .insertInto('mails')
      .values({
        supplierId,
        para: to,
        asunto: subject,
        texto: text,
        filename,
        sha256,
        messageId: `saldo-${randomUUID()}`,
        estado: 'espera',
        respuesta: null,
        proximo: actor.at,
        userId: actor.userId,
        createdAt: actor.at,
        updatedAt: actor.at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
  const queued = await readMailsWhere(trx, isOneOf(trx, 'mails.id', ids));
  for (const after of queued)
    queueAuditEntry(trx, actor, { action: 'create', entity: 'mails', entityId: after.id, after });
  return queued;
}
