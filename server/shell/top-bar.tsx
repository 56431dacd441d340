import { pluralize } from '../../shared/counts.ts';
import { formatDayFirst } from '../../shared/dates.ts';
import { currentLanguage } from '../../shared/language.ts';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { pages } from '../../shared/urls.ts';
import { TaskAndNoticeRows } from './notice-rows.tsx';
import type { BellContent, PageView } from './page-view.ts';

export function TopBar({ view: { empresa, today, user, bell } }: { view: Omit<PageView, 'message'> }) {
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
        <Bell content={bell} />
        <LinkButton href={pages.profile} icon="user" tip="Ver y editar tu perfil" />
        <form method="post" action={pages.logout}>
          <Button icon="logout" tip="Clic para cerrar sesión" />
        </form>
      </div>
    </header>
  );
}

export function Bell({ content }: { content?: BellContent }) {
  const { tasks, notices } = content ?? { tasks: [], notices: [] };
  const tip = 'Ver tus notificaciones';
  const count = tasks.filter(({ kind }) => kind !== 'pagar').length;
  const waiting = pluralize(count, 'pendiente', 'pendientes');
  return (
    <div className="bell" data-bell={content ? undefined : pages.bell}>
      <Button
        type="button"
        icon="bell"
        tip={tip}
        aria-label={count > 0 ? `${tip}, ${waiting}` : tip}
        popoverTarget="notices"
      />
      {count > 0 && (
        <span className="count" aria-hidden="true">
          {count}
        </span>
      )}
      <section className="notices" id="notices" popover="auto" aria-label="Notificaciones">
        <p className="hint">Notificaciones</p>
        <TaskAndNoticeRows tasks={tasks} notices={notices} />
        {content && tasks.length + notices.length === 0 && <p>Nada que atender por ahora.</p>}
        <a href={pages.notices}>Ver todas</a>
        {/* In the specification the bell's menu signs out too; in Spanish only the bar has that button. */}
        {currentLanguage() === 'mixto' && (
          <form method="post" action={pages.logout}>
            <button type="submit">
              <Icon name="logout" />
              Cerrar sesión
            </button>
          </form>
        )}
      </section>
    </div>
  );
}
