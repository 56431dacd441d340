import { formatDayFirst } from '../../shared/dates.ts';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { pages } from '../../shared/urls.ts';
import type { PageView } from './view.ts';

/** Who is signed in and when, the way to anywhere, the bell, and out. */
export function TopBar({ view: { empresa, today, user, notices } }: { view: Omit<PageView, 'message'> }) {
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
        <Bell notices={notices} />
        <LinkButton href={pages.profile} icon="user" tip="Ver y editar tu perfil" />
        <form method="post" action={pages.logout}>
          <Button icon="logout" tip="Clic para cerrar sesión" />
        </form>
      </div>
    </header>
  );
}

function Bell({ notices }: { notices: PageView['notices'] }) {
  const count = notices.reduce((sum, notice) => sum + notice.count, 0);
  const tip = 'Ver tus notificaciones';
  const waiting = count === 1 ? '1 pendiente' : `${count} pendientes`;
  return (
    <div className="bell">
      <Button
        type="button"
        icon="bell"
        tip={tip}
        aria-label={count > 0 ? `${tip}, ${waiting}` : tip}
        popoverTarget="notices"
      />
      {count > 0 && (
        <span className={`count ${worst(notices)}`} aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
      <Notices notices={notices} />
    </div>
  );
}

function Notices({ notices }: { notices: PageView['notices'] }) {
  return (
    <div className="notices" id="notices" popover="auto">
      <h2>Notificaciones</h2>
      {notices.length === 0 && <p>Nada vencido ni por vencer esta semana.</p>}
      <ul>
        {notices.map((notice) => (
          <li key={notice.href + notice.label}>
            <a href={notice.href}>
              <Icon name={notice.tone === 'info' ? 'check' : 'warning'} className={`tone-${notice.tone}`} />
              {notice.label}
            </a>
          </li>
        ))}
      </ul>
      <form method="post" action={pages.logout}>
        <button type="submit">
          <Icon name="logout" />
          Cerrar sesión
        </button>
      </form>
    </div>
  );
}

const worst = (notices: PageView['notices']) =>
  (['danger', 'warn', 'info'] as const).find((tone) => notices.some((notice) => notice.tone === tone));
