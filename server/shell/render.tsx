import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { z } from 'zod';
import { catalogs } from '../../shared/catalogs/all.ts';
import { clockTimeIn, formatDayFirst, type PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { mayEnter } from '../../shared/roles.ts';
import { SavedRowHrefContext } from '../../shared/ui/DataTable.tsx';
import { pages, restoreRowPath, withQuery } from '../../shared/urls.ts';
import { coversPath, findScreen } from '../http/access.ts';
import { REAUTHENTICATION_CODE } from '../http/confirmation.ts';
import { explainError } from '../http/errors.ts';
import { readForm } from '../http/request.ts';
import { sendMarkup } from '../http/send.ts';
import {
  type AppContext,
  actorOf,
  type Deps,
  messageCookieName,
  readPreferencesOnce,
  readSettingsOnce,
  requireSession,
  usesHttps,
} from '../http/session.ts';
import { LISTS } from '../lists/all.ts';
import { lastViewHref, listViews } from '../lists/views.ts';
import type { Actor } from '../services/audit/audit.ts';
import { isMarkedDamaged } from '../services/database/damage.ts';
import {
  countRemainingSteps,
  FIRST_STEPS_HIDDEN_PREFERENCE,
  readFirstSteps,
} from '../services/first-steps/first-steps.ts';
import { readNotices } from '../services/notices/notices.ts';
import { separateSnoozed, snoozesPreference } from '../services/notices/snooze.ts';
import { readTasks } from '../services/notices/tasks.ts';
import {
  denseRowsPreference,
  lastListStatePreference,
  userViewsPreference,
} from '../services/preferences/list-views.ts';
import type { PreferenceReader } from '../services/preferences/preferences.ts';
import { type BackLink, Document, FirstStepsOffer, Message, Shell } from './layout.tsx';
import type { BellContent, PageMessage, PageView, Warning } from './page-view.ts';
import { THEME_PREFERENCE } from './theme.ts';

export interface PageOptions {
  title: string;
  /** what this page is about, such as an invoice's number, next to a title that is the same on all such pages */
  subtitle?: ReactNode;
  /** the same for the browser's tab, where it comes first; a subtitle that is text serves for both */
  subject?: string;
  back?: BackLink;
  /** such as links to the page of other months, or a state */
  besideTitle?: ReactNode;
  actions?: ReactNode;
  status?: ContentfulStatusCode;
  isList?: boolean;
  /** the content itself states the time of its figures */
  showsOwnTime?: boolean;
  bell?: BellContent;
}

export async function renderPage(
  c: AppContext,
  {
    title,
    subtitle,
    subject = typeof subtitle === 'string' ? subtitle : undefined,
    back,
    besideTitle,
    actions,
    status,
    isList,
    showsOwnTime,
    bell,
  }: PageOptions,
  content: ReactNode,
): Promise<Response> {
  const { message, ...view } = await readPageView(c);
  const tabTitle = [subject, title].filter(Boolean).join(' · ');
  return renderDocument(
    c,
    <Document title={tabTitle} kind="app" user={view.user} theme={view.theme} isList={isList}>
      <Shell
        view={{ ...view, bell }}
        title={title}
        subtitle={subtitle}
        back={back ?? findBackLink(c)}
        besideTitle={besideTitle}
        actions={actions && <div className="actions">{actions}</div>}
        isSaved={message !== undefined}
      >
        <FirstStepsOffer remaining={view.remainingSteps} />
        {!showsOwnTime && <PrintTimeStamp c={c} />}
        {message && <Message {...message} />}
        <SavedRowHrefContext value={message?.about?.href}>{content}</SavedRowHrefContext>
      </Shell>
    </Document>,
    status,
  );
}

const NESTED_LISTS = [
  {
    page: pages.doublePayments,
    text: 'Posibles pagos dobles',
    above: { href: pages.payments, text: 'Pagos' },
  },
  {
    page: pages.bankStatements,
    text: 'Estados de cuenta',
    above: { href: pages.paymentBatches, text: 'Programación' },
  },
];

function findBackLink({ req }: AppContext): BackLink | undefined {
  const list = NESTED_LISTS.find(({ page }) => coversPath(page, req.path));
  if (list) return req.path === list.page ? list.above : { href: list.page, text: list.text };
  if (req.path === pages.fiscal || findScreen(req.path)?.list !== pages.fiscal) return undefined;
  const mes = req.query('mes') ?? req.query('corte')?.slice(0, 7);
  return { href: withQuery(pages.fiscal, { mes }), text: 'Fiscal' };
}

export const PrintTimeStamp = ({ c, children }: { c: AppContext; children?: ReactNode }) => (
  <p className="print-only">
    {formatDayFirst(c.get('today'))}, {clockTimeIn(c.get('now'), c.get('deps').config.timeZone)}.{children}
  </p>
);

/** Renders static markup, because only islands hydrate. */
export const renderDocument = (c: AppContext, document: ReactNode, status?: ContentfulStatusCode) =>
  sendMarkup(c, `<!doctype html>${renderToStaticMarkup(document)}`, status);

export function redirectWithMessage(c: AppContext, to: string, message: string | PageMessage) {
  const text = JSON.stringify(typeof message === 'string' ? { text: message } : message);
  const { config } = c.get('deps');
  setCookie(c, messageCookieName(config), text, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: usesHttps(config),
    maxAge: 60,
  });
  return c.redirect(to, 303);
}

export interface RefusedForm {
  values: Record<string, string>;
  problem: DomainError;
  status: ContentfulStatusCode;
}

/** The actor includes the form's `motivo`, the reason for a change that needs one. */
export interface FormRequest {
  form: Record<string, string>;
  db: Deps['db'];
  actor: Actor;
}

type HandleForm = (request: FormRequest) => Response | Promise<Response>;
type RenderRefused = (c: AppContext, refused: RefusedForm) => Response | Promise<Response>;

export const handleForm = async (c: AppContext, renderRefused: RenderRefused, handle: HandleForm) =>
  handleParsedForm(c, await readForm(c), renderRefused, handle);

export function handleParsedForm(
  c: AppContext,
  form: Record<string, string>,
  renderRefused: RenderRefused,
  handle: HandleForm,
) {
  const request = {
    form,
    db: c.get('deps').db,
    // A getter, because during a sign-in there is no actor yet.
    get actor() {
      return actorOf(c, form.motivo);
    },
  };
  return saveOrRerender(
    c,
    () => handle(request),
    (problem, status) => renderRefused(c, { values: form, problem, status }),
  );
}

/** Renders the form again after any error but one of access, so that nothing typed is lost. */
export async function saveOrRerender(
  c: AppContext,
  save: () => Response | Promise<Response>,
  renderRefused: (problem: DomainError, status: ContentfulStatusCode) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await save();
  } catch (error) {
    const isAccessError =
      error instanceof DomainError && (error.kind === 'unauthenticated' || error.kind === 'forbidden');
    // If the password has to be confirmed, the form is rendered again, because its page asks for the password.
    if (isAccessError && error.code !== REAUTHENTICATION_CODE) throw error;
    const { problem, status } = explainError(c, error);
    return renderRefused(problem, status);
  }
}

export async function readPageView(c: AppContext): Promise<PageView> {
  const { db, config } = c.get('deps');
  const today = c.get('today');
  const session = requireSession(c);
  const settings = await readSettingsOnce(c);
  const choices = await readPreferencesOnce(c);
  const offersSteps =
    c.req.path === pages.invoices &&
    mayEnter('admin', session.roles) &&
    !choices(FIRST_STEPS_HIDDEN_PREFERENCE);
  return {
    user: { id: session.userId, username: session.username, roles: session.roles },
    today,
    path: c.req.path,
    theme: choices(THEME_PREFERENCE),
    remainingSteps: offersSteps ? countRemainingSteps(await readFirstSteps(db, settings)) : undefined,
    message: consumeMessage(c),
    isPostAnswer: c.req.method === 'POST',
    listAddresses: readLastViewHrefs(choices, today),
    isDense: choices(denseRowsPreference) === true,
    empresa: settings.empresa,
    isDamaged: isMarkedDamaged(db),
    sendsMail: config.mail !== undefined,
  };
}

/** @param options includesSlow: also the notices that take long to read, which the bell leaves out */
export async function readOwnTasksAndNotices(c: AppContext, options?: { includesSlow: true }) {
  const { db, config } = c.get('deps');
  const session = requireSession(c);
  const day = { today: c.get('today'), timeZone: config.timeZone };
  const settings = await readSettingsOnce(c);
  const [found, choices, tasks] = await Promise.all([
    readNotices(db, session.roles, settings, day, options),
    readPreferencesOnce(c),
    readTasks(db, session, settings, day, c.get('now')),
  ]);
  const { shown: notices, snoozed } = await separateSnoozed(db, found, choices(snoozesPreference), day);
  return { tasks, notices, snoozed };
}

function readLastViewHrefs(choices: PreferenceReader, today: PlainDate): PageView['listAddresses'] {
  const addresses: Record<string, string> = {};
  for (const list of LISTS.filter(({ views }) => views)) {
    const last = choices(lastListStatePreference(list.page));
    if (last)
      addresses[list.page] = lastViewHref(
        list,
        listViews(list, choices(userViewsPreference(list.page)) ?? [], today),
        last,
      );
  }
  return addresses;
}

export const savedRowHrefInMessage = (c: AppContext): string | undefined => readMessage(c)?.about?.href;

function consumeMessage(c: AppContext): PageMessage | undefined {
  const { config } = c.get('deps');
  const message = readMessage(c);
  if (getCookie(c, messageCookieName(config)))
    deleteCookie(c, messageCookieName(config), { path: '/', secure: usesHttps(config) });
  return message;
}

/** The cookie is not signed: whatever does not look like a message is ignored. */
function readMessage(c: AppContext): PageMessage | undefined {
  const cookie = getCookie(c, messageCookieName(c.get('deps').config));
  if (!cookie) return undefined;
  const { pathname, search } = new URL(c.req.url);
  try {
    const { data } = messageShape.safeParse(JSON.parse(cookie));
    return data && { ...data, returnTo: pathname + search };
  } catch {
    return undefined;
  }
}

/** Paths to which "Deshacer" may post: they restore deleted rows, reopen a bank movement, or unlink a CFDI. */
const UNDO_PATH_PATTERNS = [
  pages.restorePayment,
  pages.restorePettyCashMovement,
  pages.restoreInvoice,
  pages.restoreCreditNote,
  pages.unlinkInvoice,
  ...catalogs.map(
    ({ paths }) =>
      (id: string) =>
        restoreRowPath(paths.edit, id),
  ),
  (id: string) => `${pages.bankMovementStep(id, 'soltar')}(\\?(siempre|capturado)=\\d{1,16})?`,
].map((path) => new RegExp(`^${path('\\d{1,16}')}$`));

const rowLinkShape = z.object({
  href: z.string().regex(/^\/[\w-]+(\/[\w-]+)*(#[\w-]+)?$/),
  link: z.string(),
});

const warningShape = z.union([
  z.string(),
  rowLinkShape.extend({ text: z.string() }),
  z.object({ text: z.string() }).transform(({ text }) => text),
]);

const messageShape = z.object({
  text: z.string(),
  about: rowLinkShape.optional().catch(undefined),
  warnings: z.array(warningShape).optional().catch(undefined),
  undo: z
    .string()
    .refine((path) => UNDO_PATH_PATTERNS.some((pattern) => pattern.test(path)))
    .optional()
    .catch(undefined),
});

export const linkWarnings = (
  warnings: readonly string[],
  rowIds: readonly number[],
  hrefOf: (id: number) => string,
  linkText: string,
): Warning[] =>
  warnings.map((text, index) => {
    const id = rowIds[index];
    return id === undefined ? text : { text, href: hrefOf(id), link: linkText };
  });
