import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { localize } from '../../shared/language.ts';
import { mayEnter } from '../../shared/roles.ts';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { pages } from '../../shared/urls.ts';
import { findScreen } from '../http/access.ts';
import { errorBody, explainError } from '../http/errors.ts';
import { sendJson } from '../http/send.ts';
import { type AppContext, isApiRequest } from '../http/session.ts';
import { LISTS } from '../lists/all.ts';
import { Document, Message, Shell, SignInLayout } from './layout.tsx';
import { langOf } from './localized-text.tsx';
import { type MenuEntry, menu } from './menu.ts';
import { readPageView, renderDocument } from './render.tsx';

export async function answerError(error: unknown, c: AppContext): Promise<Response> {
  const { problem, status } = explainError(c, error);
  if (isApiRequest(c)) return sendJson(c, errorBody(problem), status);
  return renderDocument(c, await buildErrorPage(c, status, problem.message), status);
}

/** Keeps the menu for signed-in users. After an unexpected error there is no menu, because it may be what failed. */
async function buildErrorPage(c: AppContext, status: ContentfulStatusCode, message: string) {
  const title = localize(TITLE_BY_STATUS[status] ?? 'Error');
  const links = listErrorPageLinks(c);
  const roles = c.get('session')?.roles ?? [];
  const hasShell = status < 500 && mayEnter('self', roles);
  const view = hasShell ? await readPageView(c).catch(() => undefined) : undefined;
  if (view) {
    return (
      <Document title={title} kind="error" theme={view.theme}>
        <Shell view={view} title={title} isSaved={view.message !== undefined}>
          {view.message && <Message {...view.message} />}
          <div className="error-note">
            <p className="code">{status}</p>
            <p role="alert" lang={langOf(message)}>
              {message}
            </p>
            <ErrorPageLinks links={links} />
          </div>
        </Shell>
      </Document>
    );
  }
  return (
    <Document title={title} kind="error">
      <SignInLayout>
        <p className="code">{status}</p>
        <h1 lang={langOf(title)}>{title}</h1>
        <p>{message}</p>
        <ErrorPageLinks links={links} />
      </SignInLayout>
    </Document>
  );
}

const ErrorPageLinks = ({ links }: { links: readonly ErrorPageLink[] }) => (
  <div className="actions">
    {links.map(({ href, label }, index) => (
      <LinkButton key={href} look={index === 0 ? 'primary' : undefined} href={href}>
        {label}
      </LinkButton>
    ))}
    {links.length === 0 && (
      <form method="post" action={pages.logout}>
        <Button look="primary">Cerrar sesión</Button>
      </form>
    )}
  </div>
);

interface ErrorPageLink {
  href: string;
  label: string;
}

function listErrorPageLinks(c: AppContext): ErrorPageLink[] {
  const session = c.get('session');
  if (!session) return [{ href: pages.login, label: 'Ingresar' }];
  if (!mayEnter('work', session.roles)) return [];
  const invoices = { href: pages.invoices, label: 'Ir a Facturas' };
  const list = findScreen(c.req.path)?.list ?? pages.invoices;
  const entry = flattenMenu(menu).find(({ href }) => href === list);
  if (!entry || list === pages.invoices || !mayEnter(entry.area, session.roles)) return [invoices];
  // Some labels of the menu are in capitals, so the title of the list is used.
  const name = LISTS.find(({ page }) => page === list)?.title ?? entry.label;
  return [{ href: list, label: `Ir a ${localize(name)}` }, invoices];
}

const flattenMenu = (entries: readonly MenuEntry[]): MenuEntry[] =>
  entries.flatMap((entry) => [entry, ...flattenMenu(entry.entries ?? [])]);

const TITLE_BY_STATUS: Record<number, string> = {
  400: 'Solicitud no válida',
  401: 'Inicia sesión',
  403: 'Sin permiso',
  404: 'No se encontró',
  405: 'Solicitud no válida',
  409: 'No se pudo guardar',
  413: 'Demasiado grande',
  422: 'No se pudo guardar',
  429: 'Demasiados intentos',
  500: 'Unexpected Application Error!',
  503: 'Ocupado',
};
