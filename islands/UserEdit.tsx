import { type MouseEvent, useEffect, useRef } from 'react';
import { currentLanguage } from '../shared/language.ts';
import { generatePassword } from '../shared/passwords.ts';
import { Alert } from '../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../shared/ui/Button.tsx';
import { Checkbox } from '../shared/ui/Checkbox.tsx';
import { Field, FieldNote, type FieldProps } from '../shared/ui/Field.tsx';
import { LeaveLink } from '../shared/ui/LeaveLink.tsx';
import { OwnPasswordField } from '../shared/ui/OwnPasswordField.tsx';
import type { Role } from '../shared/users.ts';
import { PasswordField } from './passwords/PasswordField.tsx';

interface UserEditProps {
  action: string;
  back: string;
  id: number;
  values: { username: string; email: string; roles: number[]; active: boolean };
  version: string;
  roles: Role[];
  profile?: string;
  asksPassword: boolean;
  problem?: string;
  errors: Partial<Record<string, string>>;
  hints: Partial<Record<string, string>>;
  done?: string;
  password?: string;
}

/** The server sends an open <dialog> that works without script. This makes it modal and generates the new password. */
export default function UserEdit(props: UserEditProps) {
  const { action, back, id, values, version, roles, profile, asksPassword } = props;
  const { problem, errors, hints, done, password = '' } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const secret = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (dialog.current) showAsModal(dialog.current);
  }, []);

  const closeDialog = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    dialog.current?.close();
  };

  const restoreAddressAndFocus = () => {
    history.replaceState(history.state, '', back);
    document.querySelector<HTMLElement>(`a.btn[href="${CSS.escape(action)}"]`)?.focus();
  };

  const isSpanish = currentLanguage() === 'es';
  const first = FIELD_NAMES.find((name) => errors[name]);
  return (
    <dialog
      ref={dialog}
      open
      className="dialog sent"
      aria-labelledby="user-edit"
      onClose={restoreAddressAndFocus}
    >
      <form method="post" action={action} data-busy="" noValidate>
        {/* Enter presses the first submit button, which must not be the one that resets */}
        <input type="submit" hidden />
        <input type="hidden" name="version" value={version} />
        <div className="dialog-head">
          <h2 id="user-edit">{isSpanish ? 'Editar usuario' : 'Actualizar'}</h2>
          <LinkButton href={back} icon="close" aria-label="Cerrar" onClick={closeDialog} />
        </div>
        <div className="dialog-body">
          {problem && <Alert tone="error">{problem}</Alert>}
          <div className="fields">
            {!isSpanish && <Field name="id" label="ID" value={id} readOnly />}
            {TEXT_FIELDS.map((field) => (
              <Field
                key={field.name}
                id={`user-${field.name}`}
                value={values[field.name]}
                error={errors[field.name]}
                hint={hints[field.name]}
                focus={first ? first === field.name : field.required && !done}
                autoComplete="off"
                {...field}
              />
            ))}
            <div className="field">
              <span className="label">Acceso</span>
              <Checkbox name="active" checked={values.active} describedBy={hints.active && 'active-note'}>
                Activo
              </Checkbox>
              <FieldNote id="active-note" hint={hints.active} />
            </div>
            <fieldset
              className="field wide"
              aria-describedby={errors.roles || hints.roles ? 'roles-note' : undefined}
            >
              <legend className="label req">Roles</legend>
              <div className="checks">
                {roles.map((role, index) => (
                  <Checkbox
                    key={role.id}
                    name="roles"
                    value={role.id}
                    checked={values.roles.includes(role.id)}
                    focus={index === 0 && first === 'roles'}
                  >
                    {role.rolename}
                  </Checkbox>
                ))}
              </div>
              <FieldNote id="roles-note" error={errors.roles} hint={hints.roles} />
            </fieldset>
            {done && (
              <div className="wide">
                <Alert tone="success" isDismissible={false}>
                  {done}
                </Alert>
              </div>
            )}
            {profile ? (
              <div className="field wide">
                <span className="label">Contraseña</span>
                <a href={profile}>Cámbiala en Mi perfil, con la actual.</a>
              </div>
            ) : (
              <>
                <PasswordField
                  name="newpassword"
                  value={password}
                  input={secret}
                  canCopy={password !== ''}
                  focus={password !== ''}
                  error={errors.newpassword}
                  placeholder="Se genera al restablecerla"
                  hint={
                    password
                      ? 'Se muestra una sola vez. Sirve 72 horas y hay que cambiarla al entrar.'
                      : 'Al restablecerla se cierran las sesiones del usuario.'
                  }
                />
                <div className="field">
                  <span className="label" aria-hidden="true">
                    &nbsp;
                  </span>
                  <Button
                    name="step"
                    value="reset"
                    onClick={() => {
                      if (secret.current) secret.current.value = generatePassword();
                    }}
                  >
                    Restablecer contraseña
                  </Button>
                </div>
              </>
            )}
            {asksPassword && <OwnPasswordField error={errors.currentpassword} />}
          </div>
        </div>
        <div className="dialog-foot">
          <LeaveLink href={back} onClick={closeDialog} />
          <Button look="primary">Guardar</Button>
        </div>
      </form>
    </dialog>
  );
}

const TEXT_FIELDS: readonly (FieldProps & { name: 'username' | 'email' })[] = [
  { name: 'username', label: 'Usuario', required: true, maxLength: 60 },
  { name: 'email', label: 'Correo', kind: 'email', maxLength: 254 },
];
const FIELD_NAMES = ['username', 'email', 'roles', 'newpassword', 'currentpassword'];

function showAsModal(dialog: HTMLDialogElement) {
  const focused = document.activeElement;
  dialog.removeAttribute('open'); // close() would dispatch the close event
  dialog.showModal();
  if (focused instanceof HTMLElement && dialog.contains(focused)) focused.focus();
}
