import { Hono } from 'hono';
import type { ReactNode } from 'react';
import { DomainError } from '../../../shared/errors.ts';
import { createRefusal, throwIfRefused, toFieldsRefusal } from '../../../shared/refusal.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Checkbox } from '../../../shared/ui/Checkbox.tsx';
import { Field, type FieldProps } from '../../../shared/ui/Field.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { userTexts } from '../../../shared/users.ts';
import { readForm, toLocalPath } from '../../http/request.ts';
import { type AppContext, type AppEnv, readSettingsOnce, setSessionCookie } from '../../http/session.ts';
import {
  readChallengeCookie,
  setChallengeCookie,
  signInByCodeFromRequest,
  signInFromRequest,
  signOutFromRequest,
} from '../../http/sign-in.ts';
import { readSession } from '../../services/session/session.ts';
import { Document, SignInLayout } from '../../shell/layout.tsx';
import { handleParsedForm, type RefusedForm, renderDocument } from '../../shell/render.tsx';
import { findStartPageHref } from '../first-steps/first-steps.tsx';

export const loginPages = new Hono<AppEnv>({ strict: false })
  .get(pages.login, async (c) => {
    const session = c.get('session');
    if (session)
      return c.redirect(
        toLocalPath(c.req.query('next')) ?? (await findStartPageHref(c.get('deps').db, session)),
        303,
      );
    return renderLogin(c, { values: { next: c.req.query('next') } });
  })
  .post(pages.login, async (c) => {
    const form = await readForm(c);
    return answerSignIn(c, form, renderLogin, async () => {
      const login = form.email?.trim() ?? '';
      throwIfRefused(
        toFieldsRefusal({
          email: !login && userTexts.signInUserMissing,
          password: !form.password && userTexts.signInPasswordMissing,
        }),
      );
      const entered = await signInFromRequest(c, { login, password: form.password ?? '' });
      if ('challenge' in entered) {
        await setChallengeCookie(c, entered.challenge);
        return redirectToStep(c, pages.loginCode, form.next);
      }
      return startSessionAndRedirect(c, entered.token, form.next);
    });
  })
  .get(pages.loginCode, async (c) => {
    const { next } = c.req.query();
    return readChallengeCookie(c)
      ? renderCodeForm(c, { values: { next } })
      : redirectToStep(c, pages.login, next);
  })
  .post(pages.loginCode, async (c) => {
    const form = await readForm(c);
    const { code = '', remember, next } = form;
    if (!readChallengeCookie(c)) return redirectToStep(c, pages.login, next);
    return answerSignIn(c, form, renderCodeForm, async () => {
      if (!code.trim()) throwIfRefused(createRefusal('Escribe el código.', 'code'));
      const { token } = await signInByCodeFromRequest(c, { code, remember: remember !== undefined });
      return startSessionAndRedirect(c, token, next);
    });
  })
  .post(pages.logout, async (c) => {
    await signOutFromRequest(c);
    return c.redirect(pages.login, 303);
  });

const redirectToStep = (c: AppContext, path: string, next: string | undefined) =>
  c.redirect(withQuery(path, { next: toLocalPath(next) }), 303);

async function startSessionAndRedirect(c: AppContext, token: string, next: string | undefined) {
  const { db } = c.get('deps');
  await setSessionCookie(c, token);
  const session = await readSession(db, token, c.get('now'));
  return c.redirect(
    toLocalPath(next) ?? (session ? await findStartPageHref(db, session) : pages.invoices),
    303,
  );
}

/** Renders the form again after the error "unauthenticated" too, which the forms of other pages do not handle. */
const answerSignIn = (
  c: AppContext,
  form: Record<string, string>,
  renderRefused: (c: AppContext, refused: RefusedForm) => Promise<Response>,
  save: () => Promise<Response>,
): Promise<Response> =>
  handleParsedForm(c, form, renderRefused, save).catch((error) => {
    if (!(error instanceof DomainError) || error.kind !== 'unauthenticated') throw error;
    return renderRefused(c, { values: form, problem: error, status: 401 });
  });

type SignInFormState = Omit<Partial<RefusedForm>, 'values'> & { values: Record<string, string | undefined> };

const renderLogin = (c: AppContext, state: SignInFormState) => {
  const email = state.values.email?.trim();
  return renderSignInPage(c, state, {
    action: pages.login,
    intro: 'Ingresa tu correo y contraseña para continuar',
    help: '¿Olvidaste tu contraseña? Quien administra Saldo en tu empresa te da otra.',
    fields: [
      { name: 'email', label: 'Correo', value: email, autoComplete: 'username', focus: !email },
      {
        name: 'password',
        label: 'Contraseña',
        kind: 'password',
        autoComplete: 'current-password',
        focus: Boolean(email),
      },
    ],
  });
};

const renderCodeForm = (c: AppContext, state: SignInFormState) =>
  renderSignInPage(c, state, {
    action: pages.loginCode,
    intro: 'Escribe el código de seis cifras de tu aplicación, o uno de tus códigos de respaldo',
    help: '¿Perdiste tu teléfono y tus códigos? Quien administra Saldo en tu empresa te deja entrar sin ellos.',
    fields: [{ name: 'code', label: 'Código', autoComplete: 'one-time-code', maxLength: 40, focus: true }],
    before: (
      <Checkbox name="remember" checked={state.values.remember !== undefined}>
        Recordar este equipo 30 días
      </Checkbox>
    ),
    after: <a href={pages.login}>Entrar con otra cuenta</a>,
  });

interface SignInPageProps {
  action: string;
  intro: string;
  help: string;
  fields: readonly FieldProps[];
  before?: ReactNode;
  after?: ReactNode;
}

async function renderSignInPage(
  c: AppContext,
  { values, problem, status = 200 }: SignInFormState,
  { action, intro, help, fields, before, after }: SignInPageProps,
) {
  const { empresa } = await readSettingsOnce(c);
  const next = toLocalPath(values.next);
  return renderDocument(
    c,
    <Document title="Ingresar" kind="login">
      <SignInLayout empresa={empresa}>
        <h1>Bienvenido al sistema de costos de obra</h1>
        <p>{intro}</p>
        <form method="post" action={action} data-busy noValidate>
          {next && <input type="hidden" name="next" value={next} />}
          {fields.map((field) => (
            <Field key={field.name} error={problem?.fields?.[field.name]} {...field} />
          ))}
          {before}
          <Button type="submit" look="primary">
            Ingresar
          </Button>
          {after}
        </form>
        {problem && <Alert tone="error">{problem.message}</Alert>}
        <p className="soft">{help}</p>
      </SignInLayout>
    </Document>,
    status,
  );
}
