import { Hono } from 'hono';
import { throwIfRefused } from '../../../shared/refusal.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Field, type FieldProps } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { checkNewPassword, userTexts } from '../../../shared/users.ts';
import { readForm } from '../../http/request.ts';
import {
  type AppContext,
  type AppEnv,
  readClientAddress,
  readPreferencesOnce,
  requireSession,
} from '../../http/session.ts';
import { denseRowsPreference } from '../../services/preferences/list-views.ts';
import { type PreferenceDefinition, setPreference } from '../../services/preferences/preferences.ts';
import { hasSecondFactor } from '../../services/session/second-factor.ts';
import { changePassword } from '../../services/users/passwords.ts';
import { getUser } from '../../services/users/reading.ts';
import { handleForm, type RefusedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { THEME_PREFERENCE } from '../../shell/theme.ts';
import { findStartPageHref } from '../first-steps/first-steps.tsx';
import { RefusedAlert } from '../ui/refused-alert.tsx';
import { renderOwnSessions } from './own-sessions.tsx';

export const profilePages = new Hono<AppEnv>({ strict: false })
  .get(pages.profile, (c) => renderProfile(c))
  .post(pages.profile, (c) =>
    handleForm(c, renderProfile, async ({ form, db, actor }) => {
      throwIfRefused(checkNewPassword(form.newpassword ?? '', form.confirmpassword ?? ''));
      await changePassword(db, actor, {
        current: form.currentpassword ?? '',
        next: form.newpassword ?? '',
        keepToken: requireSession(c).token,
        address: readClientAddress(c),
      });
      const session = requireSession(c);
      const to = session.mustChangePassword ? await findStartPageHref(db, session) : pages.profile;
      return redirectWithMessage(c, to, userTexts.passwordUpdated);
    }),
  );

/** Preferences of appearance. Printouts are always light. */
const LOOK_PREFERENCES: readonly LookPreference[] = [
  {
    title: 'Tema',
    action: pages.theme,
    name: 'tema',
    preference: THEME_PREFERENCE,
    choices: [
      ['', 'Como el sistema'],
      ['claro', 'Claro', 'claro'],
      ['oscuro', 'Oscuro', 'oscuro'],
    ],
  },
  {
    title: 'Filas de las tablas',
    action: pages.denseRows,
    name: 'densas',
    preference: denseRowsPreference,
    choices: [
      ['', 'Amplias'],
      ['1', 'Densas', true],
    ],
  },
];

interface LookPreference {
  title: string;
  action: string;
  name: string;
  preference: PreferenceDefinition<unknown>;
  /** posted text, label and stored value; a choice without a value removes the preference */
  choices: readonly (readonly [posted: string, label: string, value?: unknown])[];
}

for (const { action, name, preference, choices } of LOOK_PREFERENCES)
  profilePages.post(action, async (c) => {
    const { [name]: posted } = await readForm(c);
    const value = choices.find(([one]) => one === posted)?.[2];
    await setPreference(c.get('deps').db, requireSession(c).userId, preference, value);
    return c.redirect(pages.profile, 303);
  });

async function renderProfile(c: AppContext, { problem, status }: Partial<RefusedForm> = {}) {
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
      <RefusedAlert problem={problem} fields={PASSWORD_FIELDS} />
      <Facts
        facts={{
          Nombre: user.userfirstname || '—',
          Apellido: user.userlastname || '—',
          Correo: user.email || '—',
          Usuario: user.username || '—',
        }}
      />
      <div className="side-by-side">
        <form method="post" action={pages.profile} className="form" data-busy>
          <h2>Cambiar contraseña</h2>
          {/* the hidden field tells the browser's password manager the account */}
          <input hidden readOnly autoComplete="username" value={user.email || user.username} />
          <div className="fields">
            {PASSWORD_FIELDS.map((field) => (
              <Field
                key={field.name}
                kind="password"
                required
                error={problem?.fields?.[field.name]}
                focus={wrong === field.name}
                {...field}
              />
            ))}
          </div>
          <div className="form-actions">
            <Button look="primary">Guardar</Button>
          </div>
        </form>
        {!forced && (
          <div className="stack">
            <section className="form" aria-labelledby="second-factor">
              <h2 id="second-factor">Doble factor</h2>
              <p>
                {(await hasSecondFactor(c.get('deps').db, user.id))
                  ? 'Activo: al entrar se pide un código de tu teléfono.'
                  : 'Sin activar: para entrar basta la contraseña.'}{' '}
                <a href={pages.secondFactor}>Configurar doble factor</a>
              </p>
            </section>
            {await renderLookForms(c)}
          </div>
        )}
      </div>
      {!forced && (await renderOwnSessions(c))}
    </div>,
  );
}

const PASSWORD_FIELDS: readonly FieldProps[] = [
  { name: 'currentpassword', label: 'Contraseña actual', autoComplete: 'current-password', wide: true },
  {
    name: 'newpassword',
    label: 'Contraseña nueva',
    autoComplete: 'new-password',
    hint: 'Al menos 8 caracteres.',
  },
  { name: 'confirmpassword', label: 'Confirmar contraseña', autoComplete: 'new-password' },
];

async function renderLookForms(c: AppContext) {
  const chosen = await readPreferencesOnce(c);
  return LOOK_PREFERENCES.map(({ title, action, name, preference, choices }) => (
    <section key={name} className="form" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      <form method="post" action={action} className="actions">
        {choices.map(([posted, label, value]) => (
          <Button key={posted} name={name} value={posted} aria-pressed={value === chosen(preference)}>
            {label}
          </Button>
        ))}
      </form>
    </section>
  ));
}
