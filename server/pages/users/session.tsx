import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DomainError } from '../../../shared/errors.ts';
import { refuse } from '../../../shared/refusal.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { checkNewPassword, userTexts } from '../../../shared/users.ts';
import { localPath } from '../../http/local-path.ts';
import { readForm } from '../../http/request.ts';
import {
  type AppContext,
  type AppEnv,
  actorOf,
  clientAddress,
  requireSession,
  setSessionCookie,
} from '../../http/session.ts';
import { signInFrom, signOutFrom } from '../../http/sign-in.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { changePassword } from '../../services/users/passwords.ts';
import { getUser } from '../../services/users/reading.ts';
import { Document } from '../../shell/layout.tsx';
import { answerForm, redirectWith, renderDocument, renderPage } from '../../shell/render.tsx';
import { renderOwnSessions } from './own-sessions.tsx';

export const sessionPages = new Hono<AppEnv>({ strict: false })
  .get(pages.login, async (c) => {
    if (c.get('session')) return c.redirect(localPath(c.req.query('next')) ?? startPage(c), 303);
    return renderLogin(c, { next: c.req.query('next') });
  })
  .post(pages.login, async (c) => {
    const form = await readForm(c);
    const login = form.email?.trim() ?? '';
    const again = (problem: DomainError, status: ContentfulStatusCode) =>
      renderLogin(c, { login, next: form.next, problem, status });
    return answerForm(
      c,
      async () => {
        const fields = {
          ...(login ? {} : { email: userTexts.signInUserMissing }),
          ...(form.password ? {} : { password: userTexts.signInPasswordMissing }),
        };
        const [missing] = Object.values(fields);
        if (missing) throw new DomainError('invalid', missing, { fields });
        const { token } = await signInFrom(c, { login, password: form.password ?? '' });
        await setSessionCookie(c, token);
        return c.redirect(localPath(form.next) ?? pages.invoices, 303);
      },
      again,
    ).catch((error) => {
      // A refused sign-in is the one "unauthenticated" that belongs on this very page.
      if (error instanceof DomainError && error.kind === 'unauthenticated') return again(error, 401);
      throw error;
    });
  })
  .post(pages.logout, async (c) => {
    await signOutFrom(c);
    return c.redirect(pages.login, 303);
  })
  .get(pages.profile, (c) => renderProfile(c))
  .post(pages.profile, async (c) => {
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        refuse(checkNewPassword(form.newpassword ?? '', form.confirmpassword ?? ''));
        await changePassword(c.get('deps').db, actorOf(c), {
          current: form.currentpassword ?? '',
          next: form.newpassword ?? '',
          keepToken: requireSession(c).token,
          address: clientAddress(c),
        });
        return redirectWith(c, pages.profile, userTexts.passwordUpdated);
      },
      (problem, status) => renderProfile(c, problem, status),
    );
  });

function startPage(c: AppContext): string {
  return mayEnter('work', requireSession(c).roles) ? pages.invoices : pages.profile;
}

interface LoginState {
  login?: string;
  next?: string;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

async function renderLogin(c: AppContext, { login = '', next, problem, status = 200 }: LoginState) {
  const { empresa } = await readSettings(c.get('deps').db);
  return renderDocument(
    c,
    <Document title="Ingresar" kind="login">
      <main className="login">
        <div className="login-cover">
          <strong>Saldo</strong>
          <p>{empresa}</p>
        </div>
        <div className="login-body">
          <h1>Bienvenido al sistema de costos de obra</h1>
          <p>Ingresa tu correo y contraseña para continuar</p>
          <form method="post" action={pages.login} data-busy noValidate>
            {localPath(next) && <input type="hidden" name="next" value={localPath(next)} />}
            <Field
              name="email"
              label="Correo"
              value={login}
              error={problem?.fields?.email}
              autoComplete="username"
              focus={!login}
            />
            <Field
              name="password"
              label="Contraseña"
              kind="password"
              error={problem?.fields?.password}
              autoComplete="current-password"
              focus={Boolean(login)}
            />
            <Button type="submit" look="primary">
              Ingresar
            </Button>
          </form>
          {problem && <Alert tone="error">{problem.message}</Alert>}
        </div>
      </main>
    </Document>,
    status,
  );
}

async function renderProfile(c: AppContext, problem?: DomainError, status: ContentfulStatusCode = 200) {
  const user = await getUser(c.get('deps').db, requireSession(c).userId);
  const forced = requireSession(c).mustChangePassword;
  const [wrong] = Object.keys(problem?.fields ?? {});
  return renderPage(
    c,
    { title: 'Mi perfil', status },
    <div className="stack">
      {forced && !problem && (
        <Alert tone="warning">Tu contraseña es temporal. Cámbiala para continuar.</Alert>
      )}
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <dl className="facts">
        <Fact label="Nombre" value={user.userfirstname} />
        <Fact label="Apellido" value={user.userlastname} />
        <Fact label="Correo" value={user.email} />
        <Fact label="Usuario" value={user.username} />
      </dl>
      <form method="post" action={pages.profile} className="form" data-busy>
        <h2>Cambiar contraseña</h2>
        {/* whose password it is, for the browser that keeps them */}
        <input hidden readOnly autoComplete="username" value={user.email || user.username} />
        <div className="fields">
          <Field
            name="currentpassword"
            required
            label="Contraseña actual"
            kind="password"
            error={problem?.fields?.currentpassword}
            focus={wrong === 'currentpassword'}
            autoComplete="current-password"
            wide
          />
          <Field
            name="newpassword"
            required
            label="Contraseña nueva"
            kind="password"
            hint="Al menos 8 caracteres."
            error={problem?.fields?.newpassword}
            focus={wrong === 'newpassword'}
            autoComplete="new-password"
          />
          <Field
            name="confirmpassword"
            required
            label="Confirmar contraseña"
            kind="password"
            error={problem?.fields?.confirmpassword}
            focus={wrong === 'confirmpassword'}
            autoComplete="new-password"
          />
        </div>
        <div className="form-actions">
          <Button type="submit" look="primary">
            Guardar
          </Button>
        </div>
      </form>
      {!forced && (await renderOwnSessions(c))}
    </div>,
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value || '—'}</dd>
    </div>
  );
}
