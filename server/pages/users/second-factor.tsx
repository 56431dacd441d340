import { Hono } from 'hono';
import encodeQR from 'qr';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import { OwnPasswordField } from '../../../shared/ui/OwnPasswordField.tsx';
import { pages } from '../../../shared/urls.ts';
import { needsPasswordConfirmation, requirePasswordConfirmation } from '../../http/confirmation.ts';
import {
  type AppContext,
  type AppEnv,
  actorOf,
  readClientAddress,
  requireSession,
} from '../../http/session.ts';
import { hasSecondFactor } from '../../services/session/second-factor.ts';
import {
  confirmSecondFactor,
  countBackupCodes,
  type Enrolment,
  readPendingEnrolment,
  removeOwnTrustedDevices,
  removeSecondFactor,
  renewBackupCodes,
  startSecondFactor,
} from '../../services/users/second-factor.ts';
import { handleForm, type RefusedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';

/** Every step requires a recently confirmed password; steps that weaken the factor also require a code. */
export const secondFactorPages = new Hono<AppEnv>({ strict: false })
  .get(pages.secondFactor, (c) => renderSecondFactor(c))
  .post(pages.secondFactor, (c) =>
    handleForm(c, renderRefused, async ({ form: { step, code = '', currentpassword }, db, actor }) => {
      const { auth } = c.get('deps');
      const { token } = requireSession(c);
      const address = readClientAddress(c);
      await requirePasswordConfirmation(c, currentpassword);
      switch (step) {
        case 'confirm':
          return renderBackupCodes(c, await confirmSecondFactor(db, auth, actor, { code, keepToken: token }));
        case 'codes':
          return renderBackupCodes(c, await renewBackupCodes(db, auth, actor, { code, address }));
        case 'devices':
          await removeOwnTrustedDevices(db, actor);
          return redirectWithMessage(c, pages.secondFactor, 'Todos los equipos piden el código otra vez.');
        case 'remove':
          await removeSecondFactor(db, auth, actor, { code, address, keepToken: token });
          return redirectWithMessage(c, pages.profile, 'Se quitó el doble factor.');
        default:
          return renderEnrolment(c, await startSecondFactor(db, auth, actor));
      }
    }),
  );

async function renderRefused(c: AppContext, refused: RefusedForm) {
  const { db, auth } = c.get('deps');
  const isConfirming = refused.values.step === 'confirm' && !needsPasswordConfirmation(c);
  const pending = isConfirming ? await readPendingEnrolment(db, auth, actorOf(c)) : undefined;
  return pending ? renderEnrolment(c, pending, refused) : renderSecondFactor(c, refused);
}

async function renderSecondFactor(c: AppContext, { values, problem, status }: Partial<RefusedForm> = {}) {
  const { db } = c.get('deps');
  const { userId, mustAddSecondFactor } = requireSession(c);
  const isOn = await hasSecondFactor(db, userId);
  const step = values?.step;
  return renderPage(
    c,
    { title: 'Doble factor', status },
    <div className="stack">
      {problem && <Alert tone={problem.kind === 'forbidden' ? 'info' : 'error'}>{problem.message}</Alert>}
      {mustAddSecondFactor && !problem && (
        <Alert tone="warning">Tu rol pide doble factor. Actívalo para continuar.</Alert>
      )}
      <form method="post" action={pages.secondFactor} className="form halves" data-busy noValidate>
        <div className="guide-text">
          <p>
            {isOn
              ? `Activo: al entrar se pide un código. Te quedan ${await countBackupCodes(db, userId)} códigos de respaldo.`
              : 'Además de la contraseña, al entrar se pide un código de una aplicación de tu teléfono, como Google Authenticator, Microsoft Authenticator o Aegis. Quien averigüe tu contraseña no entra.'}
          </p>
          {!isOn && (
            <ol>
              <li>Instala la aplicación en tu teléfono.</li>
              <li>Activa el doble factor y lee con ella el código que aparece.</li>
              <li>Escribe las seis cifras que da, y guarda tus códigos de respaldo.</li>
            </ol>
          )}
        </div>
        <div className="fields">
          {needsPasswordConfirmation(c) && <OwnPasswordField error={problem?.fields?.currentpassword} />}
          {isOn && (
            <Field
              name="code"
              label="Código"
              hint="De la aplicación o de respaldo. Hace falta para pedir códigos nuevos y para quitar el doble factor."
              error={problem?.fields?.code}
              focus={problem?.fields?.code !== undefined}
              autoComplete="one-time-code"
              maxLength={40}
            />
          )}
        </div>
        <div className="form-actions">
          {(isOn ? ACTIONS_WHEN_ON : ACTIONS_WHEN_OFF).map(([name, label], index) => (
            <Button
              key={name}
              name="step"
              value={name}
              look={(step ? step === name : index === 0) ? 'primary' : undefined}
            >
              {label}
            </Button>
          ))}
          {!mustAddSecondFactor && <LeaveLink href={pages.profile} savesNothing />}
        </div>
      </form>
    </div>,
  );
}

const ACTIONS_WHEN_OFF = [['start', 'Activar']] as const;
const ACTIONS_WHEN_ON = [
  ['codes', 'Códigos de respaldo nuevos'],
  ['devices', 'Olvidar los equipos recordados'],
  ['remove', 'Quitar doble factor'],
] as const;

function renderEnrolment(
  c: AppContext,
  { secretText, otpauthUri }: Enrolment,
  { problem, status }: Partial<RefusedForm> = {},
) {
  return renderPage(
    c,
    { title: 'Activar doble factor', status },
    <form method="post" action={pages.secondFactor} className="form halves" data-busy noValidate>
      <div className="stack">
        {problem && <Alert tone="error">{problem.message}</Alert>}
        <p>Lee este código con la aplicación de tu teléfono, o escribe la clave en ella.</p>
        <QrCode text={otpauthUri} />
        <Facts facts={{ Clave: <a href={otpauthUri}>{secretText}</a> }} />
      </div>
      <div className="fields">
        <input type="hidden" name="step" value="confirm" />
        <Field
          name="code"
          label="Código de la aplicación"
          hint="Seis cifras; cambian cada medio minuto."
          error={problem?.fields?.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          required
          focus
        />
      </div>
      <div className="form-actions">
        <Button look="primary">Confirmar</Button>
        <LeaveLink href={pages.secondFactor} />
      </div>
    </form>,
  );
}

/** The backup codes are shown only in this answer. */
function renderBackupCodes(c: AppContext, codes: readonly string[]) {
  return renderPage(
    c,
    { title: 'Códigos de respaldo' },
    <div className="form">
      <Alert tone="success" isDismissible={false}>
        El doble factor está activo. Guarda estos códigos fuera del teléfono: se muestran una sola vez, y cada
        uno sirve una vez si no tienes la aplicación a la mano.
      </Alert>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="form-actions">
        <LinkButton href={pages.profile} look="primary">
          Ya los guardé
        </LinkButton>
      </div>
    </div>,
  );
}

/** Black on white in dark mode too, since many apps cannot scan inverted codes. */
function QrCode({ text }: { text: string }) {
  const rows = encodeQR(text, 'raw');
  const path = rows.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      role="img"
      aria-label="Código QR con la clave"
      width="220"
      height="220"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
