import { z } from 'zod';
import { type Role, type User, userTexts } from '../../shared/users.ts';
import * as member from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';
import { flagField, idField, idsField, textField } from './fields.ts';

export const passwordField = (description: string) => z.string().max(200).optional().meta({ description });

export const newPasswordField = passwordField('De 8 a 200 caracteres, no común');

export const currentPasswordField = passwordField(
  'La propia contraseña de quien llama; hace falta si la dio (o entró) hace más de diez minutos',
);

const userMembers = {
  username: textField('Usuario', 200, 'username'),
  email: textField('Correo', 254, 'email'),
  roles: idsField('roles').meta({ description: 'Números de rol, de 1 a 6' }),
};

export const newUserShape = z
  .strictObject({
    employeenumber: textField('Número de empleado', 50, 'employeenumber'),
    userfirstname: textField('Nombre', 100, 'userfirstname'),
    userlastname: textField('Apellido', 100, 'userlastname'),
    ...userMembers,
    password: newPasswordField,
    currentpassword: currentPasswordField,
  })
  .meta({
    id: 'NewUser',
    required: ['userfirstname', 'userlastname', 'roles', 'password'],
    examples: [
      {
        userfirstname: 'Eva',
        userlastname: 'Luna',
        email: 'eva.luna@constructora.mx',
        roles: [2, 4],
        password: 'k3v9x0qa',
      },
    ],
  });

export const userChangeShape = z
  .strictObject({
    ...userMembers,
    active: flagField('active').meta({ description: 'false desactiva al usuario y cierra sus sesiones' }),
    id: idField('id'),
    currentpassword: currentPasswordField,
  })
  .meta({ id: 'UserChange', examples: [{ roles: [2, 4] }] });

export const roleAnswer = answerFor<Role>('Role', 'Un rol.').with({
  id: member.rowId('De 1 a 6'),
  rolename: member.text('Nombre del rol'),
});

export const userAnswer = answerFor<User>('User', 'Un usuario; nunca con su contraseña.').with({
  id: member.rowId('Número del usuario'),
  username: member.text('Nombre de usuario'),
  email: member.text('Correo; vacío donde no tiene'),
  employeenumber: member.text('Número de empleado'),
  userfirstname: member.text('Nombre'),
  userlastname: member.text('Apellido'),
  active: member.boolean('Si puede entrar'),
  roles: listAnswer(roleAnswer),
});

export const passwordResetAnswer = answerFor<User>('PasswordResetAnswer').with({
  message: [
    member.text('"Password has been reset. Please, share this information with {username}"'),
    ({ username }) => userTexts.passwordReset(username),
  ],
  ...userAnswer.members,
});

/** Missing fields become empty, because the rules then report them. */
export const toUserInput = ({
  userfirstname = '',
  userlastname = '',
  roles = [],
  password = '',
  currentpassword: _,
  ...rest
}: z.output<typeof newUserShape>) => ({ ...rest, userfirstname, userlastname, roles, password });
