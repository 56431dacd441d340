import type { ReactNode } from 'react';
import { currentLanguage, localize } from '../../shared/language.ts';
import { mayEnter } from '../../shared/roles.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { Icon, isIconName } from '../../shared/ui/Icon.tsx';
import { pages } from '../../shared/urls.ts';
import { findScreen } from '../http/access.ts';
import { FIRST_STEPS } from '../services/first-steps/first-steps.ts';
import { getAssetUrls, listLoaderPreloads } from './assets.ts';
import { LocalizedText } from './localized-text.tsx';
import { type MenuEntry, menu } from './menu.ts';
import type { PageMessage, PageView } from './page-view.ts';
import { COLOR_SCHEME_BY_THEME, type Theme } from './theme.ts';
import { TopBar } from './top-bar.tsx';

interface DocumentProps {
  title: string;
  kind: 'app' | 'login' | 'error';
  theme?: Theme;
  user?: PageView['user'];
  /** whether the page is a list, which needs only the stylesheet of all pages */
  isList?: boolean;
  children: ReactNode;
}

/** Error pages have no script, because they must work when nothing else does. */
export function Document({ title, kind, theme, user, isList, children }: DocumentProps) {
  const { stylesheet, pagesStylesheet, font, loader, login, devClient } = getAssetUrls();
  const scheme = theme && COLOR_SCHEME_BY_THEME[theme];
  return (
    <html lang="es-MX" data-idioma={currentLanguage() === 'es' ? 'es' : undefined} data-theme={scheme}>
      <head>
        <meta charSet="utf-8" />
        {/* keeps a bar at the foot above the on-screen keyboard */}
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content={scheme ?? 'light dark'} />
        <meta name="description" content="Facturas de proveedores, pagos y saldos por obra" />
        <title>{`${title} · Saldo`}</title>
        {/* fonts are fetched without credentials; a preload is used only if its crossOrigin agrees */}
        {font && <link rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" />}
        {/* with this id React Aria does not add a style element, which the CSP would refuse */}
        <link rel="stylesheet" id="react-aria-pressable-style" href={stylesheet} />
        {!isList && <link rel="stylesheet" href={pagesStylesheet} />}
        {kind === 'app' &&
          listLoaderPreloads().map((href) => <link key={href} rel="modulepreload" href={href} />)}
        {kind !== 'error' && devClient && <script type="module" src={devClient} />}
        {kind !== 'error' && <script type="module" src={kind === 'app' ? loader : login} />}
      </head>
      <body data-user={user && JSON.stringify({ id: user.id, username: user.username, roles: user.roles })}>
        {children}
      </body>
    </html>
  );
}

export const SignInLayout = ({ empresa, children }: { empresa?: string; children: ReactNode }) => (
  <main className="login">
    <div className="login-cover">
      <div>
        <p aria-hidden="true">Facturas</p>
        <p aria-hidden="true">− Pagos</p>
        <strong>Saldo</strong>
      </div>
      <p>{empresa}</p>
    </div>
    <div className="login-body">{children}</div>
  </main>
);

/** A link to the page above, on a page that is not in the menu. */
export interface BackLink {
  href: string;
  text: string;
}

interface ShellProps {
  view: Omit<PageView, 'message'>;
  title: string;
  subtitle?: ReactNode;
  back?: BackLink;
  besideTitle?: ReactNode;
  actions?: ReactNode;
  /** the last change was saved, so the browser drops its draft */
  isSaved?: boolean;
  children: ReactNode;
}

export function Shell(props: ShellProps) {
  const { view, title, subtitle, back, besideTitle, actions, isSaved = false, children } = props;
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Saltar al contenido
      </a>
      <TopBar view={view} />
      <nav className="side" id="menu" popover="auto" aria-label="Menú principal">
        <div className="side-head">
          <p className="company">{view.empresa}</p>
          <Button
            type="button"
            icon="close"
            aria-label="Cerrar el menú"
            popoverTarget="menu"
            popoverTargetAction="hide"
          />
        </div>
        <MenuEntries entries={menu} view={view} />
      </nav>
      <main
        className="main"
        id="main"
        tabIndex={-1}
        data-posted={view.isPostAnswer ? '' : undefined}
        data-saved={isSaved ? '' : undefined}
        data-part={isSaved || view.isPostAnswer ? '' : undefined}
        data-dense={view.isDense ? '' : undefined}
      >
        <div className="page-head">
          {back && <a href={back.href} className="no-print">{`‹ ${back.text}`}</a>}
          <h1>{title}</h1>
          <HelpLink path={view.path} />
          {subtitle && <p className="which">{subtitle}</p>}
          {besideTitle}
          {actions}
        </div>
        {view.isDamaged && (
          <Alert tone="error" isDismissible={false}>
            La base de datos está dañada: se puede consultar, y no se guarda nada. Avisa al administrador.
          </Alert>
        )}
        {children}
      </main>
    </div>
  );
}

export function FirstStepsOffer({ remaining: remainingSteps = 0 }: { remaining?: number }) {
  if (remainingSteps === 0) return null;
  return (
    <section aria-label="Para empezar">
      <Alert tone="info" heading="Para empezar" isDismissible={false}>
        {FIRST_STEPS.length - remainingSteps} de {FIRST_STEPS.length} pasos hechos.{' '}
        <a href={pages.firstSteps}>Ver los pasos</a>
      </Alert>
    </section>
  );
}

function HelpLink({ path }: { path: string }) {
  if (path === pages.help || path.startsWith(`${pages.help}/`)) return null;
  const tip = 'Ayuda de esta pantalla';
  return <LinkButton href={helpHref(path)} look="quiet" icon="help" tip={tip} className="about" />;
}

export function Message({ text, about, warnings, undo, returnTo }: PageMessage) {
  return (
    <>
      <Alert tone="success" footer={about && <a href={about.href}>{about.link}</a>}>
        <LocalizedText text={text} />
        {undo && (
          <form method="post" action={undo} data-busy>
            <input type="hidden" name="returnTo" value={returnTo} />
            <Button look="quiet" icon="undo">
              Deshacer
            </Button>
          </form>
        )}
      </Alert>
      {warnings
        ?.map((warning) => (typeof warning === 'string' ? { text: warning, href: '', link: '' } : warning))
        .map(({ text: warningText, href, link }) => (
          <Alert key={warningText} tone="warning">
            {warningText} {href && <a href={href}>{link}</a>}
          </Alert>
        ))}
    </>
  );
}

function MenuEntries({
  entries,
  view,
  nested = false,
}: {
  entries: readonly MenuEntry[];
  view: ShellProps['view'];
  nested?: boolean;
}) {
  const { roles } = view.user;
  const isAllowed = ({ area }: MenuEntry) =>
    mayEnter(area === 'mail' && !view.sendsMail ? 'admin' : area, roles);
  const allowed = entries.filter(isAllowed);
  const className = nested ? undefined : 'top';
  const list = findScreen(view.path)?.list;
  const isCurrent = ({ href }: MenuEntry) => href !== undefined && (href === view.path || href === list);
  return (
    <ul>
      {allowed.map((entry) => (
        <li key={entry.label}>
          {entry.entries ? (
            <details open={entry.entries.some(isCurrent)}>
              <summary className={className}>
                <EntryIcon entry={entry} />
                {localize(entry.label)}
                <Icon name="chevron" className="chevron" />
              </summary>
              <MenuEntries entries={entry.entries} view={view} nested />
            </details>
          ) : (
            <a
              className={className}
              href={view.listAddresses[entry.href ?? ''] ?? entry.href}
              aria-current={isCurrent(entry) ? (entry.href === view.path ? 'page' : 'true') : undefined}
            >
              <EntryIcon entry={entry} />
              {localize(entry.label)}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

const EntryIcon = ({ entry }: { entry: MenuEntry }) =>
  isIconName(entry.icon) ? <Icon name={entry.icon} /> : null;

export function helpHref(path: string): string {
  const { help } = findScreen(path) ?? {};
  return help ? pages.helpTopic(help) : pages.help;
}
