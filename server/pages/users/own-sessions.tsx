import { Hono } from 'hono';
import type { ReactNode } from 'react';
import { formatMoment } from '../../../shared/dates.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { pages } from '../../../shared/urls.ts';
import { readForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, requireSession } from '../../http/session.ts';
import {
  endOtherSessionsAndTrustedDevices,
  endSession,
  listSessions,
  type SessionSummary,
} from '../../services/session/session.ts';
import { parseId } from '../../shapes/fields.ts';
import { type RefusedForm, redirectWithMessage } from '../../shell/render.tsx';
import { handleFormWithPassword } from '../ui/password-form.tsx';

const CLOSE_PATH = `${pages.profile}/sesiones`;

export const ownSessionsPages = new Hono<AppEnv>({ strict: false }).post(CLOSE_PATH, async (c) => {
  const form = await readForm(c);
  const isOthers = form.id === ALL_OTHER_SESSIONS_VALUE;
  const title = isOthers ? 'Cerrar las demás sesiones' : 'Cerrar una sesión';
  const rethrowProblem = (_: AppContext, { problem }: RefusedForm) => {
    throw problem;
  };
  return handleFormWithPassword(
    c,
    { form, title, button: 'Cerrar', back: pages.profile },
    rethrowProblem,
    async ({ db }) => {
      const session = requireSession(c);
      await (isOthers
        ? endOtherSessionsAndTrustedDevices(db, session)
        : endSession(db, session, parseId(form.id)));
      // If the user has ended the current session, the profile page redirects to the sign-in.
      return redirectWithMessage(
        c,
        pages.profile,
        isOthers ? 'Se cerraron las demás sesiones.' : 'Se cerró la sesión.',
      );
    },
  );
});

const ALL_OTHER_SESSIONS_VALUE = 'others';

export async function renderOwnSessions(c: AppContext) {
  const sessions = await listSessions(c.get('deps').db, requireSession(c), c.get('now'));
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Mis sesiones</h2>
      <DataTable
        caption="Mis sesiones"
        columns={sessionColumns(c.get('deps').config.timeZone)}
        rows={sessions}
        rowKey={(session) => session.id}
      />
      {sessions.length > 1 && (
        <div className="pager">
          <span>{sessions.length} sesiones</span>
          <CloseForm id={ALL_OTHER_SESSIONS_VALUE}>
            <Button>Cerrar las demás</Button>
          </CloseForm>
        </div>
      )}
    </section>
  );
}

const sessionColumns = (timeZone: string): Column<SessionSummary>[] => [
  {
    key: 'browser',
    label: 'Navegador',
    card: 'title',
    render: ({ userAgent, isCurrent }) => (
      <>
        {browserName(userAgent)} {isCurrent && <Chip tone="accent">Esta sesión</Chip>}
      </>
    ),
  },
  { key: 'address', label: 'Dirección' },
  { key: 'since', label: 'Desde', render: ({ startedAt }) => formatMoment(startedAt, timeZone) },
  { key: 'use', label: 'Último uso', render: ({ lastUsedAt }) => formatMoment(lastUsedAt, timeZone) },
  {
    key: 'close',
    label: 'Cerrar',
    card: 'actions',
    className: 'btn-text',
    render: ({ id, userAgent }) => (
      <CloseForm id={id}>
        <Button look="quiet" aria-label={`Cerrar la sesión de ${browserName(userAgent)}`}>
          Cerrar
        </Button>
      </CloseForm>
    ),
  },
];

const CloseForm = ({ id, children }: { id: number | string; children: ReactNode }) => (
  <form method="post" action={CLOSE_PATH} data-busy="">
    <input type="hidden" name="id" value={id} />
    {children}
  </form>
);

/** Returns "Firefox en Windows"; for unknown programs, the name with which the user agent begins. */
function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser && system) return `${browser} en ${system}`;
  return browser ?? (userAgent.split(/[/\s]/)[0]?.slice(0, 40) || 'Desconocido');
}

/** The first match counts, because user agents also name browsers that come later in this list. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;
