import { formatDayFirst } from '../../shared/dates.ts';
import { ESTIMATED_MARK } from '../../shared/invoices-due.ts';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { pages, withQuery } from '../../shared/urls.ts';
import type { Seen } from '../services/notices/seen.ts';
import { Snooze } from './snooze.tsx';
import type { PageView } from './view.ts';

export function TopBar({
  view: { empresa, today, user, notices, unseen },
}: {
  view: Omit<PageView, 'message'>;
}) {
  return (
    <header className="bar">
      <div className="brand">
        <button type="button" popoverTarget="menu" aria-label="Menú">
          <Icon name="menu" />
        </button>
        <a href={pages.results}>
          <span>Saldo</span>
        </a>
      </div>
      <div className="company">{empresa}</div>
      <div className="who">
        <span>{user.username}</span>
        <time dateTime={today}>{formatDayFirst(today)}</time>
      </div>
      <div className="bar-actions">
        <button
          type="button"
          className="find needs-script"
          data-palette=""
          data-tip="Ir a… (Ctrl+K)"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K"
        >
          <Icon name="search" />
          <span>Buscar</span>
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd takes no focus; aria-keyshortcuts says it */}
          <kbd aria-hidden="true">Ctrl K</kbd>
        </button>
        <Bell notices={notices} unseen={unseen} />
        <LinkButton href={pages.profile} icon="user" tip="Ver y editar tu perfil" />
        <form method="post" action={pages.logout}>
          <Button icon="logout" tip="Clic para cerrar sesión" />
        </form>
      </div>
    </header>
  );
}

function Bell({ notices, unseen }: Pick<PageView, 'notices' | 'unseen'>) {
  const tip = 'Ver tus notificaciones';
  const news = unseen?.count === 1 ? '1 nueva' : `${unseen?.count} nuevas`;
  return (
    <div className="bell">
      <Button
        type="button"
        icon="bell"
        tip={tip}
        aria-label={unseen ? `${tip}, ${news}` : tip}
        popoverTarget="notices"
      />
      {unseen && (
        <span className={unseen.isLate ? 'count' : 'count warn'} aria-hidden="true">
          {unseen.count > 99 ? '99+' : unseen.count}
        </span>
      )}
      <Notices notices={notices} seen={unseen && seenAddress(unseen.until)} />
    </div>
  );
}

/** `seen`: where to say that they were looked at, which with script opening them does. */
function Notices({ notices, seen }: { notices: PageView['notices']; seen?: string }) {
  return (
    <div className="notices" id="notices" popover="auto" data-seen={seen}>
      <h2>Notificaciones</h2>
      {notices.length === 0 && <p>Nada que atender por ahora.</p>}
      <ul>
        {notices.map((notice) => (
          <li key={notice.key}>
            <a href={notice.href}>
              <Icon name={notice.tone === 'info' ? 'check' : 'warning'} className={`tone-${notice.tone}`} />
              {notice.label}
            </a>
            <Snooze notice={notice} />
          </li>
        ))}
      </ul>
      {notices.some(({ label }) => label.endsWith(ESTIMATED_MARK)) && (
        <p>{ESTIMATED_MARK} Con vencimientos estimados.</p>
      )}
      <a href={pages.notices}>
        <Icon name="bell" />
        Ver todas
      </a>
      {seen && (
        <noscript>
          <form method="post" action={seen}>
            <button type="submit">
              <Icon name="check" />
              Marcar como vistas
            </button>
          </form>
        </noscript>
      )}
      <form method="post" action={pages.logout}>
        <button type="submit">
          <Icon name="logout" />
          Cerrar sesión
        </button>
      </form>
    </div>
  );
}

const seenAddress = (until: Seen) => withQuery(pages.seenNotices, { ...until });
