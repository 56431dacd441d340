import { Hono } from 'hono';
import NewPassword from '../../../islands/NewPassword.tsx';
import { localize } from '../../../shared/language.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import { OwnPasswordField } from '../../../shared/ui/OwnPasswordField.tsx';
import { pages } from '../../../shared/urls.ts';
import { type User, userTexts } from '../../../shared/users.ts';
import { generateStrongPassword } from '../../formats/passwords/common-passwords.ts';
import { needsPasswordConfirmation, requirePasswordConfirmation } from '../../http/confirmation.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { listRoles } from '../../services/users/reading.ts';
import { createUser } from '../../services/users/users.ts';
import { parseShape } from '../../shapes/fields.ts';
import { newUserShape, toUserInput } from '../../shapes/users.ts';
import { Island } from '../../shell/island.tsx';
import { langOf } from '../../shell/localized-text.tsx';
import { handleForm, type RefusedForm, renderPage } from '../../shell/render.tsx';
import { findFirstWrongField, renderControls } from '../ui/record-fields.tsx';
import { RefusedAlert } from '../ui/refused-alert.tsx';

export const newUserPages = new Hono<AppEnv>({ strict: false })
  .get(pages.newUser, (c) => renderForm(c))
  .post(pages.newUser, (c) =>
    handleForm(c, renderForm, async ({ form, db, actor }) => {
      await requirePasswordConfirmation(c, form.currentpassword);
      const { roles, password: typed, ...rest } = form;
      const password = typed || generateStrongPassword();
      const sent = { ...rest, roles: roles ? [roles] : [], password };
      const draft = toUserInput(parseShape(newUserShape, sent));
      return renderCreated(c, await createUser(db, actor, draft), password);
    }),
  );

/** The password is shown only in this answer: no redirect, cookie or address contains it. */
function renderCreated(c: AppContext, { username }: User, password: string) {
  return renderPage(
    c,
    { title: 'Nuevo usuario' },
    <div className="form">
      <Alert tone="success" isDismissible={false}>
        {userTexts.created(username, password)}
      </Alert>
      <div className="fields">
        <Island
          component={NewPassword}
          props={{
            value: password,
            hint: 'Se muestra una sola vez. Sirve 72 horas y hay que cambiarla al entrar.',
          }}
        />
      </div>
      <div className="form-actions">
        <LinkButton href={pages.newUser} icon="plus" data-new="">
          Nuevo usuario
        </LinkButton>
        <LeaveLink href={pages.users} savesNothing />
      </div>
    </div>,
  );
}

async function renderForm(c: AppContext, { values = {}, problem, status }: Partial<RefusedForm> = {}) {
  const { db } = c.get('deps');
  const roles = (await listRoles(db)).map(({ id, rolename }) => ({ value: id, label: rolename }));
  const fields = FIELDS.map((field) =>
    field.name === 'roles' ? { ...field, options: [{ value: '', label: 'Selecciona…' }, ...roles] } : field,
  );
  const errors = problem?.fields ?? {};
  const focus = findFirstWrongField(FIELDS, errors) ?? (errors.currentpassword ? undefined : 'roles');
  return renderPage(
    c,
    { title: 'Nuevo usuario', status },
    <form method="post" action={pages.newUser} className="form across" data-busy="" noValidate>
      <RefusedAlert problem={problem} fields={FIELDS} />
      <div className="fields">
        {await renderControls(db, fields, { values, errors, focus })}
        <Island
          component={NewPassword}
          on="idle"
          props={{
            value: values.password,
            error: errors.password,
            hint: 'Compártela tú; se verá otra vez al guardar.',
          }}
        />
        {needsPasswordConfirmation(c) && <OwnPasswordField error={errors.currentpassword} />}
      </div>
      <div className="form-actions">
        <Button look="primary" lang={langOf(SAVE_LABEL)}>
          {localize(SAVE_LABEL)}
        </Button>
        <LeaveLink href={pages.users} />
      </div>
    </form>,
  );
}

const SAVE_LABEL = 'Save User';

const FIELDS: readonly RecordField[] = [
  { name: 'roles', label: 'Tipo de usuario', kind: 'select', required: true, autoComplete: 'off' },
  { name: 'employeenumber', label: 'Número de empleado', kind: 'text', maxLength: 50 },
  { name: 'userfirstname', label: 'Nombre', kind: 'text', maxLength: 100, required: true },
  { name: 'userlastname', label: 'Apellido', kind: 'text', maxLength: 100, required: true },
  {
    name: 'username',
    label: 'Usuario',
    kind: 'text',
    maxLength: 60,
    hint: 'Si lo dejas vacío, se forma con el nombre y el apellido.',
  },
  { name: 'email', label: 'Correo', kind: 'email', maxLength: 254, autoComplete: 'off' },
];
