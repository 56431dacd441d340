import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { type MailOptions, prepareMails, queueMails } from '../../server/services/mails/queueing.ts';
import { addActor, addSupplier, DAY, NOW } from './rows.ts';

interface MailOverrides extends MailOptions {
  supplierId?: number;
  by?: Actor;
}

/** Puts a supplier's statement into the outbox, as of NOW; returns the mail's id. */
export async function addMail(db: Db, { supplierId, by, ...options }: MailOverrides = {}): Promise<number> {
  const subject = { supplierId: supplierId ?? (await addSupplier(db)) };
  const mails = await prepareMails(db, subject, options, { now: new Date(NOW), ...DAY });
  const sender = by ?? (await addActor(db, { roles: [2] }));
  const [queued] = await inTransaction(db, (trx) => queueMails(trx, sender, mails));
  return queued!.id;
}
