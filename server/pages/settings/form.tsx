import type { ReactNode } from 'react';
import { clockTimeIn, formatDate, plainDateIn } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Check } from '../../../shared/ui/Check.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { PictureFile } from '../../formats/picture.ts';
import { FUTURE_CLOSING } from '../../services/closing/closing.ts';
import {
  isSettingKey,
  SETTING_GROUPS,
  SETTINGS,
  type SettingKey,
  type Settings,
  settingDefinition,
} from '../../services/settings/definitions.ts';
import type { FormerValue } from '../../services/settings/former-values.ts';
import { LOGO } from '../../services/settings/logo.ts';
import { Reason } from '../ui/closed-period.tsx';
import { CONTROLS } from '../ui/remedies.ts';
import { LogoField } from './logo.tsx';
import { sectionId } from './sections.tsx';

interface SettingsFormProps {
  typed: Settings;
  former: Settings;
  problem: DomainError | undefined;
  motivo: string | undefined;
  logo: PictureFile | undefined;
  changes: ReadonlyMap<string, FormerValue[]>;
  timeZone: string;
}

type Group = (typeof SETTING_GROUPS)[number];

const KEYS = Object.keys(SETTINGS) as SettingKey[];

/** The hidden field beside each: what it held when the form was shown. */
export const formerName = (key: SettingKey) => `antes:${key}`;

export function SettingsForm({ typed, former, problem, motivo, logo, changes, timeZone }: SettingsFormProps) {
  const errors = problem?.fields ?? {};
  const wrong = KEYS.find((key) => errors[key]);
  const below = (key: string) => <FormerValues name={key} changes={changes.get(key)} timeZone={timeZone} />;
  return (
    <form method="post" action={pages.settings} className="form" data-busy="" noValidate>
      <Reason problem={problem} values={{ motivo }} />
      {problem?.code === FUTURE_CLOSING && (
        <Check name="allowFuture" focus>
          {CONTROLS['allow-future']}
        </Check>
      )}
      {SETTING_GROUPS.map((group) => (
        <fieldset key={group} id={sectionId(group)}>
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
                  error={errors[key]}
                  autoComplete="off"
                  focus={key === wrong}
                  {...controlOf(key)}
                  hint={hintOf(key)}
                  below={below(key)}
                />
              </div>
            ))}
            {group === 'Empresa' && <LogoField logo={logo} error={errors[LOGO]} below={below(LOGO)} />}
          </div>
        </fieldset>
      ))}
      <div className="form-actions">
        <Button look="primary">Guardar</Button>
      </div>
    </form>
  );
}

function hintOf(key: SettingKey): string | undefined {
  const { hint: meaning, default: initial } = settingDefinition(key);
  return [meaning, initial && `Valor inicial: ${initial}.`].filter(Boolean).join(' ') || undefined;
}

const controlOf = (key: SettingKey) => settingDefinition(key).control ?? {};

const GROUP_NOTES: Partial<Record<Group, ReactNode>> = {
  Empresa: 'Quién es la empresa que recibe las facturas.',
  Captura: 'Con estos valores empiezan las facturas y los proveedores nuevos; lo ya guardado no cambia.',
  Reglas: 'Lo que Saldo calcula y avisa.',
  'Estados de cuenta': 'Con qué encabezados escribe el banco las columnas de sus estados de cuenta.',
  Sesiones: 'Al cumplirse cualquiera de los dos plazos hay que ingresar de nuevo.',
  Roles: 'Cambia el nombre de cada rol. Lo que permite ver no cambia.',
  Cierre: (
    <>
      Un mes se revisa y se cierra en <a href={pages.closing}>Cierre de mes</a>; ahí también se reabre.
    </>
  ),
};

interface FormerValuesProps {
  name: string;
  changes: readonly FormerValue[] | undefined;
  timeZone: string;
}

/** The changes of a setting, newest first; nothing of one that nobody ever changed. */
function FormerValues({ name, changes, timeZone }: FormerValuesProps) {
  if (!changes) return null;
  return (
    <Disclosure summary="Valores anteriores" className="said">
      <ul className="changes">
        {changes.map(({ at, username, before, after }) => {
          const moment = new Date(at);
          return (
            <li key={at + before + after}>
              <time dateTime={at}>
                {formatDate(plainDateIn(moment, timeZone))} {clockTimeIn(moment, timeZone)}
              </time>{' '}
              · {username}: {shown(name, before)} → {shown(name, after)}
            </li>
          );
        })}
      </ul>
      <a href={withQuery(pages.audit, { entity: 'settings', entityId: name })}>Ver en la bitácora</a>
    </Disclosure>
  );
}

function shown(name: string, value: string): string {
  const { options } = (isSettingKey(name) && settingDefinition(name).control) || {};
  return options?.find((option) => option.value === value)?.label ?? (value || '—');
}
