import { Hono } from 'hono';
import { DomainError } from '../../shared/errors.ts';
import { ESTIMATED_MARK } from '../../shared/invoices-due.ts';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { pages } from '../../shared/urls.ts';
import { cameFrom, readForm } from '../http/request.ts';
import { type AppContext, type AppEnv, requireSession } from '../http/session.ts';
import { NOTICE_KEYS, type Notice } from '../services/notices/notice.ts';
import { readNotices } from '../services/notices/notices.ts';
import { markSeen, seenIn } from '../services/notices/seen.ts';
import { newestIn, SNOOZED, snoozeNotice, sortNotices, withNewest } from '../services/notices/snooze.ts';
import { readPreference } from '../services/preferences/preferences.ts';
import { renderPage } from '../shell/render.tsx';
import { Snooze } from '../shell/snooze.tsx';

export const noticePages = new Hono<AppEnv>({ strict: false })
  .get(pages.notices, (c) => showNotices(c))
  /** The bell was opened: its notices are not counted again. */
  .post(pages.seenNotices, async (c) => {
    await markSeen(c.get('deps').db, requireSession(c).userId, seenIn(c.req.query()));
    return c.redirect(cameFrom(c) ?? pages.invoices, 303);
  })
  .post(pages.snoozeNotice, async (c) => {
    const { aviso, hasta, ...rest } = await readForm(c);
    const key = NOTICE_KEYS.find((one) => one === aviso);
    if (!key || !['manana', 'otra', 'nada'].includes(hasta ?? ''))
      throw new DomainError('malformed', 'No se entiende qué notificación se pospone.');
    const how = hasta === 'manana' ? 'day' : hasta === 'otra' ? newestIn(rest) : undefined;
    await snoozeNotice(c.get('deps').db, requireSession(c).userId, c.get('today'), key, how);
    return c.redirect(cameFrom(c) ?? pages.notices, 303);
  });

/** All notices, those too that a large firm's other pages do not count for want of time, and those that were snoozed. */
async function showNotices(c: AppContext): Promise<Response> {
  const { db, config } = c.get('deps');
  const { userId, roles } = requireSession(c);
  const day = { today: c.get('today'), timeZone: config.timeZone };
  const notices = await readNotices(db, roles, day, { whole: true });
  const { shown, snoozed } = await sortNotices(db, notices, await readPreference(db, userId, SNOOZED), day);
  return renderPage(
    c,
    { title: 'Notificaciones' },
    <div className="stack">
      {shown.length === 0 && (
        <EmptyState title="Nada que atender">
          Aquí se avisa de lo vencido, lo que vence esta semana, las facturas que se parecen a otra y los REP
          que faltan; a los administradores, también de los respaldos.
        </EmptyState>
      )}
      <ul className="stack">
        {(await withNewest(db, shown, day.today)).map((notice) => (
          <li key={notice.key}>
            <LinkButton href={notice.href} icon={notice.tone === 'info' ? 'check' : 'warning'}>
              {notice.label}
            </LinkButton>
            <Snooze notice={notice} isOnPage />
          </li>
        ))}
      </ul>
      {shown.some(({ label }) => label.endsWith(ESTIMATED_MARK)) && (
        <p className="note">{ESTIMATED_MARK} Con vencimientos estimados.</p>
      )}
      {snoozed.length > 0 && (
        <section className="stack" aria-labelledby="pospuestas">
          <h2 id="pospuestas">Pospuestas</h2>
          <ul className="stack">
            {snoozed.map((notice) => (
              <li key={notice.key}>
                <ShowAgain notice={notice} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>,
  );
}

const ShowAgain = ({ notice: { key, href, label } }: { notice: Notice }) => (
  <form method="post" action={pages.snoozeNotice} className="actions">
    <a href={href}>{label}</a>
    <input type="hidden" name="aviso" value={key} />
    <Button look="quiet" name="hasta" value="nada" aria-label={`Mostrar otra vez: ${label}`}>
      Mostrar otra vez
    </Button>
  </form>
);
