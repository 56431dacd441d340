import { z } from 'zod';
import { plainAnswer } from './answers.ts';
import { textField } from './fields.ts';
import { rowId, text } from './wire.ts';

const passwordField = (description: string) => z.string().max(200).optional().meta({ description });
const ownId = z
  .unknown()
  .optional()
  .meta({
    type: ['integer', 'null'],
    description: 'Solo puede ser el usuario de la sesión',
  });

export const signInShape = z
  .strictObject({
    email: textField('Correo', 254, 'email').meta({ description: 'Correo o nombre de usuario' }),
    username: textField('Usuario', 254, 'username').meta({ description: 'Lo mismo, en lugar de email' }),
    password: passwordField('Contraseña'),
    code: textField('Código', 40, 'code').meta({
      description: 'Del doble factor: el de la aplicación, o uno de respaldo',
    }),
  })
  .meta({
    id: 'SignIn',
    required: ['password'],
    anyOf: [{ required: ['email'] }, { required: ['username'] }],
    examples: [{ email: 'admin@saldo.test', password: 'demostracion-2026' }],
  });

export const changePasswordShape = z
  .strictObject({
    id: ownId,
    userid: ownId,
    currpassword: passwordField('La contraseña actual'),
    currentpassword: passwordField('Lo mismo, en lugar de currpassword'),
    newpassword: passwordField('La nueva: de 8 a 200 caracteres, no común, distinta de la actual'),
  })
  .meta({
    id: 'PasswordChange',
    required: ['newpassword'],
    anyOf: [{ required: ['currpassword'] }, { required: ['currentpassword'] }],
    examples: [{ currpassword: 'demostracion-2026', newpassword: 'grúa torre 9' }],
  });

const session = z
  .strictObject({
    accessToken: text('La llave de la sesión, solo para quien la mandó en un encabezado').optional(),
    id: rowId('Número del usuario'),
    username: text('Nombre de usuario'),
    email: text('Correo; vacío donde no tiene'),
    roles: z.array(z.int()).meta({ description: 'Números de rol' }),
  })
  .meta({ id: 'Session', description: 'Quién tiene la sesión.' });

export const sessionAnswer = plainAnswer(session);

export const signInAnswer = session
  .extend({ accessToken: text('Se manda como `x-access-token` o `Authorization: Bearer`') })
  .meta({ id: 'SignedIn' });
