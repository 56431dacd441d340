import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import { DomainError } from '../../../shared/errors.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Check } from '../../../shared/ui/Check.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { userTexts } from '../../../shared/users.ts';
import { localPath, readForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, requireSession, setSessionCookie } from '../../http/session.ts';
import {
  keepChallenge,
  readChallenge,
  signInByCodeFrom,
  signInFrom,
  signOutFrom,
} from '../../http/sign-in.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { Document } from '../../shell/layout.tsx';
import { answerForm, renderDocument } from '../../shell/render.tsx';

export const loginPages = new Hono<AppEnv>({ strict: false })
  .get(pages.login, async (c) => {
    if (c.get('session')) return c.redirect(localPath(c.req.query('next')) ?? startPage(c), 303);
    return renderLogin(c, { next: c.req.query('next') });
  })
  .post(pages.login, async (c) => {
    const form = await readForm(c);
    const login = form.email?.trim() ?? '';
    return answerSignIn(
      c,
      async () => {
        const fields = {
          ...(login ? {} : { email: userTexts.signInUserMissing }),
          ...(form.password ? {} : { password: userTexts.signInPasswordMissing }),
        };
        const [missing] = Object.values(fields);
        if (missing) throw new DomainError('invalid', missing, { fields });
        const entered = await signInFrom(c, { login, password: form.password ?? '' });
        if ('challenge' in entered) {
          await keepChallenge(c, entered.challenge);
          return c.redirect(withQuery(pages.loginCode, { next: localPath(form.next) }), 303);
        }
        return enter(c, entered.token, form.next);
      },
      (problem, status) => renderLogin(c, { login, next: form.next, problem, status }),
    );
  })
  .get(pages.loginCode, async (c) => {
    const { next } = c.req.query();
    if (!readChallenge(c)) return c.redirect(withQuery(pages.login, { next: localPath(next) }), 303);
    return renderCode(c, { next });
  })
  .post(pages.loginCode, async (c) => {
    const { code = '', remember, next } = await readForm(c);
    if (!readChallenge(c)) return c.redirect(withQuery(pages.login, { next: localPath(next) }), 303);
    return answerSignIn(
      c,
      async () => {
        const missing = 'Escribe el código.';
        if (!code.trim()) throw new DomainError('invalid', missing, { fields: { code: missing } });
        const { token } = await signInByCodeFrom(c, { code, remember: remember !== undefined });
        return enter(c, token, next);
      },
      (problem, status) => renderCode(c, { next, remember: remember !== undefined, problem, status }),
    );
  })
  .post(pages.logout, async (c) => {
    await signOutFrom(c);
    return c.redirect(pages.login, 303);
  });

async function enter(c: AppContext, token: string, next: string | undefined) {
  await setSessionCookie(c, token);
  return c.redirect(localPath(next) ?? pages.invoices, 303);
}

/** A refused sign-in is the one "unauthenticated" that belongs on its very page. */
const answerSignIn = (
  c: AppContext,
  save: () => Promise<Response>,
  again: (problem: DomainError, status: ContentfulStatusCode) => Promise<Response>,
): Promise<Response> =>
  answerForm(c, save, again).catch((error) => {
    if (error instanceof DomainError && error.kind === 'unauthenticated') return again(error, 401);
    throw error;
  });

function startPage(c: AppContext): string {
  return mayEnter('work', requireSession(c).roles) ? pages.invoices : pages.profile;
}

interface FormState {
  next?: string;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

const renderLogin = (c: AppContext, { login = '', next, problem, status }: FormState & { login?: string }) =>
  renderFrame(c, {
    status,
    problem,
    lead: 'Ingresa tu correo y contraseña para continuar',
    form: (
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
    ),
  });

const renderCode = (
  c: AppContext,
  { next, remember = false, problem, status }: FormState & { remember?: boolean },
) =>
  renderFrame(c, {
    status,
    problem,
    lead: 'Escribe el código de seis cifras de tu aplicación, o uno de tus códigos de respaldo',
    form: (
      <form method="post" action={pages.loginCode} data-busy noValidate>
        {localPath(next) && <input type="hidden" name="next" value={localPath(next)} />}
        <Field
          name="code"
          label="Código"
          error={problem?.fields?.code}
          autoComplete="one-time-code"
          maxLength={40}
          focus
        />
        <Check name="remember" checked={remember}>
          Recordar este equipo 30 días
        </Check>
        <Button type="submit" look="primary">
          Ingresar
        </Button>
        <a href={pages.login}>Entrar con otra cuenta</a>
      </form>
    ),
  });

async function renderFrame(
  c: AppContext,
  {
    lead,
    form,
    problem,
    status = 200,
  }: { lead: string; form: ReactNode; problem?: DomainError; status?: ContentfulStatusCode },
) {
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
          <p>{lead}</p>
          {form}
          {problem && <Alert tone="error">{problem.message}</Alert>}
        </div>
      </main>
    </Document>,
    status,
  );
}
