import type { DomainError } from '../../../shared/errors.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Checkbox } from '../../../shared/ui/Checkbox.tsx';
import { Field, type FieldProps } from '../../../shared/ui/Field.tsx';
import { Radios } from '../../../shared/ui/Radios.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { FUTURE_CLOSING_CODE } from '../../services/closing/closing.ts';
import {
  getSettingDefinition,
  SECTION_NOTES,
  type SettingKey,
  type SettingSubject,
  type Settings,
  SOME_ROLES_OPTION,
  settingKeysOf,
} from '../../services/settings/definitions.ts';
import type { RefusedForm } from '../../shell/render.tsx';
import { ReasonField } from '../ui/refusal-reason.tsx';
import { REMEDY_CONTROL_LABELS } from '../ui/remedies.ts';

export type RenderRefused = (
  c: AppContext,
  refused: Pick<RefusedForm, 'problem' | 'status'>,
) => Promise<Response>;

interface SettingsFormProps {
  subject: SettingSubject;
  typed: Settings;
  previous: Settings;
  problem: DomainError | undefined;
  motivo: string | undefined;
}

/** Name of the hidden field with the value of a setting when the form was shown. */
export const previousFieldName = (key: SettingKey) => `antes:${key}`;

export const rolesFieldName = (key: SettingKey) => `${key}:rol`;

export function SettingsForm({ subject, typed, previous, problem, motivo }: SettingsFormProps) {
  const errors = problem?.fields ?? {};
  const keys = settingKeysOf(subject);
  const wrong = keys.find((key) => errors[key]);
  const sections = Map.groupBy(keys, (key) => getSettingDefinition(key).section);
  return (
    <form method="post" action={pages.settings} className="form" data-busy="" noValidate>
      <ReasonField problem={problem} values={{ motivo }} />
      {problem?.code === FUTURE_CLOSING_CODE && (
        <Checkbox name="allowFuture" focus>
          {REMEDY_CONTROL_LABELS['allow-future']}
        </Checkbox>
      )}
      {[...sections].map(([section, ones]) => (
        <fieldset key={section ?? ''}>
          {section && <legend>{section}</legend>}
          {section && <p className="note">{SECTION_NOTES[section]}</p>}
          <div className="fields">
            {ones.map((key) => (
              <Setting
                key={key}
                name={key}
                typed={typed}
                previous={previous}
                error={errors[key]}
                isFocused={key === wrong}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <div className="form-actions">
        <Button look="primary">Guardar</Button>
      </div>
    </form>
  );
}

interface SettingProps extends Pick<SettingsFormProps, 'typed' | 'previous'> {
  name: SettingKey;
  error: string | undefined;
  isFocused: boolean;
}

function Setting({ name, typed, previous, error, isFocused }: SettingProps) {
  const { label, hint, control: { kind, wide, ...control } = {} } = getSettingDefinition(name);
  const value = typed[name];
  const field: FieldProps = { name, label, hint, error, focus: isFocused, value, ...control };
  return (
    <div className={wide || kind === 'radio' || kind === 'roles' ? 'wide' : undefined}>
      <input type="hidden" name={previousFieldName(name)} value={previous[name]} />
      {kind === 'radio' && <Radios {...field} />}
      {kind === 'roles' && <RoleChoice field={field} settings={typed} />}
      {kind !== 'radio' && kind !== 'roles' && <Field {...field} kind={kind} autoComplete="off" />}
    </div>
  );
}

function RoleChoice({ field, settings }: { field: FieldProps; settings: Settings }) {
  const name = field.name as SettingKey;
  const value = String(field.value);
  const isNamed = field.options?.some((option) => option.value === value);
  return (
    <>
      <Radios {...field} value={isNamed ? value : SOME_ROLES_OPTION} />
      <fieldset className="checks" aria-label={`${field.label}: estos roles`}>
        {ROLE_IDS.map((role) => (
          <Checkbox
            key={role}
            name={rolesFieldName(name)}
            value={role}
            checked={!isNamed && value.split(',').includes(role)}
          >
            {settings[`rol.${role}`]}
          </Checkbox>
        ))}
      </fieldset>
    </>
  );
}

const ROLE_IDS = ['1', '2', '3', '4', '5', '6'] as const;
