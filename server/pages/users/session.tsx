import { Hono } from 'hono';
import { refuse } from '../../../shared/refusal.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { checkNewPassword, userTexts } from '../../../shared/users.ts';
import { readForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, clientAddress, requireSession } from '../../http/session.ts';
import { denseRows } from '../../services/preferences/list-views.ts';
import { readChoices, setPreference } from '../../services/preferences/preferences.ts';
import { hasSecondFactor } from '../../services/session/second-factor.ts';
import { changePassword } from '../../services/users/passwords.ts';
import { getUser } from '../../services/users/reading.ts';
import { type RefusedForm, redirectWith, renderPage, takeForm } from '../../shell/render.tsx';
import { THEME, type Theme } from '../../shell/theme.ts';
import { startPage } from '../first-steps/first-steps.tsx';
import { Refused } from '../ui/refused.tsx';
import { renderOwnSessions } from './own-sessions.tsx';

export const profilePages = new Hono<AppEnv>({ strict: false })
  .get(pages.profile, (c) => renderProfile(c))
  .post(pages.profile, (c) =>
    takeForm(c, renderProfile, async ({ form, db, actor }) => {
      refuse(checkNewPassword(form.newpassword ?? '', form.confirmpassword ?? ''));
      await changePassword(db, actor, {
        current: form.currentpassword ?? '',
        next: form.newpassword ?? '',
        keepToken: requireSession(c).token,
        address: clientAddress(c),
      });
      // Who had to change it wanted to get on with something else.
      const session = requireSession(c);
      const to = session.mustChangePassword ? await startPage(db, session) : pages.profile;
      return redirectWith(c, to, userTexts.passwordUpdated);
    }),
  )
  .post(pages.theme, async (c) => {
    const { tema } = await readForm(c);
    const [theme] = THEME_CHOICES.find(([one]) => one === tema) ?? [''];
    await setPreference(c.get('deps').db, requireSession(c).userId, THEME, theme || undefined);
    return c.redirect(pages.profile, 303);
  })
  /** Dense rows are a choice of the user for all tables at once. */
  .post(pages.denseRows, async (c) => {
    const { densas } = await readForm(c);
    await setPreference(c.get('deps').db, requireSession(c).userId, denseRows, densas ? true : undefined);
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
      <Refused problem={problem} />
      <Facts
        facts={{
          Nombre: user.userfirstname || '—',
          Apellido: user.userlastname || '—',
          Correo: user.email || '—',
          Usuario: user.username || '—',
        }}
      />
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
      {!forced && (
        <section className="form" aria-labelledby="second-factor">
          <h2 id="second-factor">Doble factor</h2>
          <p>
            {(await hasSecondFactor(c.get('deps').db, user.id))
              ? 'Activo: al entrar se pide un código de tu teléfono.'
              : 'Sin activar: para entrar basta la contraseña.'}{' '}
            <a href={pages.secondFactor}>Configurar doble factor</a>
          </p>
        </section>
      )}
      {!forced && (await renderLooks(c))}
      {!forced && (await renderOwnSessions(c))}
    </div>,
  );
}

const THEME_CHOICES: readonly (readonly [theme: Theme | '', label: string])[] = [
  ['', 'Como el sistema'],
  ['claro', 'Claro'],
  ['oscuro', 'Oscuro'],
];

const ROW_CHOICES = [
  ['', 'Amplias'],
  ['1', 'Densas'],
] as const;

/** Paper is always light, whatever the theme. */
async function renderLooks(c: AppContext) {
  const choices = await readChoices(c.get('deps').db, requireSession(c).userId);
  return (
    <>
      <Look
        title="Tema"
        action={pages.theme}
        name="tema"
        labels={THEME_CHOICES}
        chosen={choices(THEME) ?? ''}
      />
      <Look
        title="Filas de las tablas"
        action={pages.denseRows}
        name="densas"
        labels={ROW_CHOICES}
        chosen={choices(denseRows) ? '1' : ''}
      />
    </>
  );
}

interface LookProps {
  title: string;
  action: string;
  name: string;
  labels: readonly (readonly [value: string, label: string])[];
  chosen: string;
}

const Look = ({ title, action, name, labels, chosen }: LookProps) => (
  <section className="form" aria-labelledby={name}>
    <h2 id={name}>{title}</h2>
    <form method="post" action={action} className="actions">
      {labels.map(([value, label]) => (
        <Button key={value} name={name} value={value} aria-pressed={value === chosen}>
          {label}
        </Button>
      ))}
    </form>
  </section>
);
