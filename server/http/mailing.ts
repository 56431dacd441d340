import { DomainError } from '../../shared/errors.ts';
import { requireArea } from '../services/area-access.ts';
import { mailTexts } from '../services/mails/mail.ts';
import { type MailOptions, type MailRequest, prepareMails, queueMails } from '../services/mails/queueing.ts';
import { languageOf, runInLanguage } from '../services/settings/language.ts';
import { mailAnswer } from '../shapes/mails.ts';
import { writeOnce } from './request.ts';
import { type AppContext, actorOf, readSettingsOnce } from './session.ts';

export const createMailClock = (c: AppContext) => ({
  now: c.get('now'),
  today: c.get('today'),
  timeZone: c.get('deps').config.timeZone,
});

/** @throws DomainError forbidden; conflict mail_off */
export function requireMailEnabled(c: AppContext): void {
  requireArea(actorOf(c), 'mail');
  if (!c.get('deps').config.mail) throw new DomainError('conflict', mailTexts.off, { code: 'mail_off' });
}

/**
 * Puts mails into the outbox, once for each Idempotency-Key. The mails are prepared before the transaction. An error of
 * the preparation is thrown within the transaction, so that a repeated request gets its first answer, even if the
 * supplier has no mail address any more.
 * @returns the entries of the outbox, in the form in which the API returns them
 */
export async function queueMailsOnce(
  c: AppContext,
  mailRequest: MailRequest,
  options: MailOptions,
  sentBody: Record<string, unknown>,
): Promise<object[]> {
  const { db, config } = c.get('deps');
  const language = languageOf(await readSettingsOnce(c));
  const prepareMailsOfRequest = () => prepareMails(db, mailRequest, options, createMailClock(c));
  const [prepared] = await Promise.allSettled([
    runInLanguage(language, prepareMailsOfRequest, config.timeZone),
  ]);
  return writeOnce(c, sentBody, async (trx) => {
    if (prepared.status === 'rejected') throw prepared.reason;
    return (await queueMails(trx, actorOf(c), prepared.value)).map(mailAnswer.toJson);
  });
}
