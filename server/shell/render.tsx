import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { mayEnter } from '../../shared/roles.ts';
import { pages, restoreRowPath } from '../../shared/urls.ts';
import type { Config } from '../config.ts';
import { REAUTHENTICATION } from '../http/confirmation.ts';
import { explain, statusOf } from '../http/errors.ts';
import { type AppContext, hostCookie, isSecure, requireSession } from '../http/session.ts';
import { LISTS } from '../lists/all.ts';
import { leftAddress, viewsOf } from '../lists/views.ts';
import { isDamaged } from '../services/database/damage.ts';
import { countLeft, FIRST_STEPS_HIDDEN, LANGUAGE_ASKED, readFirstSteps } from '../services/first-steps.ts';
import { readNotices } from '../services/notices/notices.ts';
import { PUT_OFF, sortNotices, withNewest } from '../services/notices/put-off.ts';
import { SEEN_NOTICES, unseenNotices } from '../services/notices/seen.ts';
import { denseRows } from '../services/preferences/dense-rows.ts';
import { leftWith, ownViews } from '../services/preferences/list-views.ts';
import { type Choices, readChoices } from '../services/preferences/preferences.ts';
import { readSettings } from '../services/settings/settings.ts';
import { drawnOnce, drawPart } from './drawings.tsx';
import { Frame, type FrameProps, Message } from './layout.tsx';
import { THEME } from './theme.ts';
import type { PageMessage, PageView, Warning } from './view.ts';

export interface PageOptions {
  title: string;
  /** which one the page is about, where its title says it of all: the number of an invoice */
  which?: string;
  /** beside the title: the page's main buttons */
  actions?: ReactNode;
  status?: ContentfulStatusCode;
  /** it draws: with the stylesheet of charts beside that of all pages */
  draws?: boolean;
}

/** A signed-in page: the shell around `content`, with the message that the last change left. */
export const renderPage = (c: AppContext, { actions, ...options }: PageOptions, content: ReactNode) =>
  sendPage(c, options, drawPage(actions, content));

/** What is the page's own, drawn; nothing of who asks is in it. */
export interface DrawnPage {
  buttons: Uint8Array;
  content: Uint8Array;
}

export const drawPage = (actions: ReactNode, content: ReactNode): DrawnPage => ({
  // Islands beside the title get other ids than those below it, which are drawn apart.
  buttons: Buffer.concat(actions ? drawPart(<div className="actions">{actions}</div>, 'a') : []),
  content: Buffer.concat(drawPart(content)),
});

/** The same, of what was drawn before. @param own what only this user sees, ahead of the content */
export async function sendPage(
  c: AppContext,
  { title, which, status, draws }: Omit<PageOptions, 'actions'>,
  { buttons, content }: DrawnPage,
  own: Uint8Array = Buffer.alloc(0),
) {
  const { message, ...view } = await readView(c);
  const [start, between, end] = frameOf({
    title,
    which,
    view,
    draws,
    isSaved: message?.tone === 'success',
  });
  const shown = showSaved(content, message);
  const said = shown.message ? drawPart(<Message {...shown.message} />) : [];
  return sendMarkup(c, [start, buttons, between, ...said, own, shown.content, end], status);
}

/** The row of what was just saved is tinted; where a list does not show it, the message says so beside the way there. */
function showSaved(content: Uint8Array, message: PageMessage | undefined) {
  if (!message?.about) return { content, message };
  const page = Buffer.from(content);
  const row = page.indexOf(`<tr data-href="${message.about.href}"`);
  if (row >= 0) {
    const tinted = Buffer.from('<tr class="saved"');
    const rest = page.subarray(row + '<tr'.length);
    return { content: Buffer.concat([page.subarray(0, row), tinted, rest]), message };
  }
  if (!page.includes('id="results"')) return { content, message };
  return { content, message: { ...message, text: `${message.text} No está entre las filas de abajo.` } };
}

/** Parts of a page, as c.html() sends a whole one. */
export const sendMarkup = (c: AppContext, parts: readonly Uint8Array[], status: ContentfulStatusCode = 200) =>
  c.body(Buffer.concat(parts), status, { 'Content-Type': 'text/html; charset=UTF-8' });

/** What stands before, between and after a page's own two parts. */
function frameOf(frame: FrameProps) {
  const page = drawnOnce(
    JSON.stringify(frame),
    () => `<!doctype html>${renderToStaticMarkup(<Frame {...frame} />)}`,
  );
  const [one, other] = [page.indexOf(SLOT), page.lastIndexOf(SLOT)];
  return [
    page.subarray(0, one),
    page.subarray(one + SLOT.length, other),
    page.subarray(other + SLOT.length),
  ] as const;
}

/** No text can hold it, since React writes &lt; there. */
const SLOT = '<slot></slot>';

/** React writes no doctype; static markup, because only islands hydrate. */
export function renderDocument(c: AppContext, document: ReactNode, status: ContentfulStatusCode = 200) {
  return c.html(`<!doctype html>${renderToStaticMarkup(document)}`, status);
}

/** Leads on after a change; the message shows on the next page, with warnings and the way back where given. */
export function redirectWith(c: AppContext, to: string, message: string | Omit<PageMessage, 'tone'>) {
  const text = JSON.stringify(typeof message === 'string' ? { text: message } : message);
  const { config } = c.get('deps');
  setCookie(c, messageCookie(config), text, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(config),
    maxAge: 60,
  });
  return c.redirect(to, 303);
}

/**
 * Answers a posted form: where a rule refuses, `again` renders the page once more with what was typed, the
 * status and the message; a 500 shows its id there too, so that nothing typed is lost.
 */
export async function answerForm(
  c: AppContext,
  save: () => Promise<Response>,
  again: (problem: DomainError, status: ContentfulStatusCode) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await save();
  } catch (error) {
    const isDoor =
      error instanceof DomainError && (error.kind === 'unauthenticated' || error.kind === 'forbidden');
    // Who is asked for the password again is asked where the form stands.
    if (isDoor && error.code !== REAUTHENTICATION) throw error;
    const problem = explain(c, error);
    const status = problem.status ?? statusOf(problem);
    if (problem.retryAfter) c.header('Retry-After', String(Math.ceil(problem.retryAfter)));
    return again(problem, status);
  }
}

const messageCookie = (config: Config) => hostCookie(config, 'saldo-message');

/** What the shell shows around a page. */
export async function readView(c: AppContext): Promise<PageView> {
  const { db } = c.get('deps');
  const today = c.get('today');
  const session = requireSession(c);
  const settings = await readSettings(db);
  const choices = await readChoices(db, session.userId);
  // where the first sign-in leads
  const mayDecide = c.req.path === pages.invoices && mayEnter('admin', session.roles);
  const isLanguageAsked = choices(LANGUAGE_ASKED) === true;
  const steps = mayDecide && !choices(FIRST_STEPS_HIDDEN) && (await readFirstSteps(db, { isLanguageAsked }));
  return {
    user: { id: session.userId, username: session.username, roles: session.roles },
    today,
    path: c.req.path,
    ...(await readBell(c, choices)),
    theme: choices(THEME),
    offersLanguage: mayDecide && settings.idioma === 'mixto' && !isLanguageAsked,
    stepsLeft: steps ? countLeft(steps) : undefined,
    message: readMessage(c),
    isPosted: c.req.method === 'POST',
    left: leftLists(choices, today),
    isDense: choices(denseRows) === true,
    empresa: settings.empresa,
    isDamaged: isDamaged(db),
  };
}

/** What the bell tells; a page is not withheld for want of it. */
async function readBell(c: AppContext, choices: Choices): Promise<Pick<PageView, 'notices' | 'unseen'>> {
  const { db, config, log } = c.get('deps');
  const today = c.get('today');
  const day = { today, timeZone: config.timeZone };
  try {
    const notices = await readNotices(db, requireSession(c).roles, day);
    const { told } = await sortNotices(db, notices, choices(PUT_OFF), day);
    return {
      notices: await withNewest(db, told, today),
      unseen: await unseenNotices(db, told, choices(SEEN_NOTICES), day),
    };
  } catch (error) {
    log.error({ err: error, id: c.get('requestId') }, 'the notices cannot be read');
    return { notices: [], unseen: undefined };
  }
}

/** Where the menu leads: each list that has views as the user left it. */
function leftLists(choices: Choices, today: PlainDate): PageView['left'] {
  const left: Record<string, string> = {};
  for (const list of LISTS.filter(({ views }) => views)) {
    const last = choices(leftWith(list.page));
    if (last)
      left[list.page] = leftAddress(list, viewsOf(list, choices(ownViews(list.page)) ?? [], today), last);
  }
  return left;
}

/** The cookie is ours but comes from outside: whatever does not look like a message is none. */
function readMessage(c: AppContext): PageMessage | undefined {
  const { config } = c.get('deps');
  const cookie = getCookie(c, messageCookie(config));
  if (!cookie) return undefined;
  deleteCookie(c, messageCookie(config), { path: '/', secure: isSecure(config) });
  const { pathname, search } = new URL(c.req.url);
  try {
    const { text, about, warnings, undo } = JSON.parse(cookie) as Record<string, unknown>;
    if (typeof text !== 'string') return undefined;
    return {
      tone: 'success',
      text,
      about: readAbout(about),
      warnings: Array.isArray(warnings) ? warnings.map(readWarning) : undefined,
      undo: isUndoing(undo) ? undo : undefined,
      returnTo: pathname + search,
    };
  } catch {
    return undefined;
  }
}

function readWarning(value: unknown): Warning {
  const { text } = (value ?? {}) as Record<string, unknown>;
  if (typeof text !== 'string') return String(value);
  const about = readAbout(value);
  return about ? { text, ...about } : text;
}

function readAbout(value: unknown): PageMessage['about'] {
  const { href, link } = (value ?? {}) as Record<string, unknown>;
  return isPath(href) && typeof link === 'string' ? { href, link } : undefined;
}

/** What "Deshacer" may post to: bringing back what was deleted, nothing else. */
const UNDOING = [
  pages.restorePayment,
  pages.restorePettyCashMovement,
  pages.restoreInvoice,
  ...catalogs.map(
    ({ paths }) =>
      (id: string) =>
        restoreRowPath(paths.edit, id),
  ),
];

const isUndoing = (value: unknown): value is string =>
  typeof value === 'string' &&
  UNDOING.some((path) => {
    const [before = '', after = ''] = path('#').split('#');
    const id = value.slice(before.length, -after.length);
    return value === path(id) && /^\d{1,16}$/.test(id);
  });

const isPath = (value: unknown): value is string =>
  typeof value === 'string' && /^\/[\w-]+(\/[\w-]+)*$/.test(value);

/** Each warning with the way to what it is about. */
export const linked = (
  warnings: readonly string[],
  about: readonly number[],
  page: (id: number) => string,
  link: string,
): Warning[] =>
  warnings.map((text, index) => {
    const id = about[index];
    return id === undefined ? text : { text, href: page(id), link };
  });
