import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import type { DomainError } from '../../shared/errors.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { pages } from '../../shared/urls.ts';
import { localPath } from '../http/local-path.ts';
import { readForm } from '../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../http/session.ts';
import { LANGUAGE_ASKED } from '../services/first-steps.ts';
import { setPreference } from '../services/preferences/preferences.ts';
import {
  SETTING_GROUPS,
  SETTINGS,
  type SettingKey,
  type Settings,
  settingDefinition,
} from '../services/settings/definitions.ts';
import {
  changeSetting,
  changeSettings,
  readSettings,
  type SettingChange,
} from '../services/settings/settings.ts';
import { answerForm, redirectWith, renderPage } from '../shell/render.tsx';
import { Reason } from './ui/closed-period.tsx';

export const settingsPages = new Hono<AppEnv>({ strict: false })
  .get(pages.settings, async (c) => {
    const stored = await readSettings(c.get('deps').db);
    return renderSettings(c, { typed: stored, former: stored });
  })
  .post(pages.settings, async (c) => {
    const { db } = c.get('deps');
    const form = await readForm(c);
    const changes = changesOf(form);
    return answerForm(
      c,
      async () => {
        const changed = await changeSettings(db, actorOf(c, form.motivo), changes);
        return redirectWith(c, pages.settings, changed === 0 ? NOTHING_CHANGED : SAVED);
      },
      async (problem, status) => {
        const stored = (problem.extra?.current as Settings | undefined) ?? (await readSettings(db));
        return renderSettings(c, {
          ...typedAgain(changes, stored, problem),
          motivo: form.motivo,
          problem,
          status,
        });
      },
    );
  })
  .post(pages.settingsLanguage, async (c) => {
    const { db } = c.get('deps');
    const { idioma = '', next } = await readForm(c);
    await changeSetting(db, actorOf(c), 'idioma', idioma);
    await setPreference(db, requireSession(c).userId, LANGUAGE_ASKED, true);
    return redirectWith(c, localPath(next) ?? pages.invoices, LANGUAGE_CHOSEN);
  });

const LANGUAGE_CHOSEN = 'Se guardó el idioma. Se cambia en Configuración.';
const SAVED = 'Se guardó la configuración.';
const NOTHING_CHANGED = 'No había nada que guardar: la configuración quedó igual.';
const KEYS = Object.keys(SETTINGS) as SettingKey[];

/** The hidden field beside each: what it held when the form was shown. */
const formerName = (key: SettingKey) => `antes:${key}`;

/** What was edited; the rest is as others may have left it meanwhile. */
function changesOf(form: Record<string, string>): SettingChange[] {
  return KEYS.flatMap((key) => {
    const value = oneBreak(form[key]);
    const former = oneBreak(form[formerName(key)]);
    return value === undefined || value === former ? [] : [{ key, value, former }];
  });
}

/** Forms post line breaks as CR LF. */
const oneBreak = (text: string | undefined) => text?.replaceAll('\r\n', '\n');

/** What was edited stays as typed. After somebody else's save the next one is meant. */
function typedAgain(changes: readonly SettingChange[], stored: Settings, { kind }: DomainError) {
  const typed = { ...stored };
  const former = { ...stored };
  for (const change of changes) {
    const key = change.key as SettingKey;
    typed[key] = change.value;
    if (kind !== 'stale') former[key] = change.former ?? stored[key];
  }
  return { typed, former };
}

interface FormState {
  typed: Settings;
  former: Settings;
  /** why a closed period is opened again */
  motivo?: string;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

function renderSettings(c: AppContext, { typed, former, motivo, problem, status }: FormState) {
  const wrong = KEYS.find((key) => problem?.fields?.[key]);
  return renderPage(
    c,
    { title: 'Configuración', status },
    <form method="post" action={pages.settings} className="form" data-busy="" noValidate>
      {problem && (
        <Alert tone="error">
          {problem.kind === 'invalid' && problem.fields
            ? 'No se guardó nada: revisa los campos marcados.'
            : problem.message}
          {problem.kind === 'stale' && ' Si guardas de nuevo, queda lo tuyo.'}
        </Alert>
      )}
      <Reason problem={problem} values={{ motivo }} />
      {SETTING_GROUPS.map((group) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {GROUP_NOTES[group] && <p className="note">{GROUP_NOTES[group]}</p>}
          <div className="fields">
            {KEYS.filter((key) => SETTINGS[key].group === group).map((key) => (
              <div key={key} className={controlOf(key).wide ? 'wide' : undefined}>
                <input type="hidden" name={formerName(key)} value={former[key]} />
                <Field
                  name={key}
                  label={SETTINGS[key].label}
                  value={typed[key]}
                  error={problem?.fields?.[key]}
                  autoComplete="off"
                  focus={key === wrong}
                  {...controlOf(key)}
                  hint={hintOf(key)}
                />
              </div>
            ))}
          </div>
        </fieldset>
      ))}
      <div className="form-actions">
        <Button look="primary">Guardar</Button>
      </div>
    </form>,
  );
}

/** What it means, and what it was before anybody changed it. */
function hintOf(key: SettingKey): string | undefined {
  const { hint: meaning, default: initial } = settingDefinition(key);
  return [meaning, initial && `Valor inicial: ${initial}.`].filter(Boolean).join(' ') || undefined;
}

const controlOf = (key: SettingKey) => settingDefinition(key).control ?? {};

const GROUP_NOTES: Partial<Record<(typeof SETTING_GROUPS)[number], ReactNode>> = {
  Empresa: 'Quién es la empresa que recibe las facturas.',
  Captura: 'Con estos valores empiezan las facturas y los proveedores nuevos; lo ya guardado no cambia.',
  Cierre: (
    <>
      Un mes se revisa y se cierra en <a href={pages.closing}>Cierre de mes</a>; ahí también se reabre.
    </>
  ),
  Sesiones: 'Al cumplirse cualquiera de los dos plazos hay que ingresar de nuevo.',
  Roles: 'Cambia el nombre de cada rol. Lo que permite ver no cambia.',
};
