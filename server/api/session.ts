import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { userTexts } from '../../shared/users.ts';
import { readJson } from '../http/request.ts';
import { sendJson } from '../http/send.ts';
import { readClientAddress, requireSession, setSessionCookie } from '../http/session.ts';
import { signInFromRequest, signOutFromRequest } from '../http/sign-in.ts';
import { changePassword } from '../services/users/passwords.ts';
import { getUser } from '../services/users/reading.ts';
import * as member from '../shapes/answer-members.ts';
import { plainAnswer } from '../shapes/answers.ts';
import { parseId, parseShape, textField } from '../shapes/fields.ts';
import { passwordField, userAnswer } from '../shapes/users.ts';
import { createEndpoints } from './calls.ts';

const ownIdField = z
  .unknown()
  .optional()
  .meta({
    type: ['integer', 'null'],
    description: 'Solo puede ser el usuario de la sesión',
  });

const signInShape = z
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

const changePasswordShape = z
  .strictObject({
    id: ownIdField,
    userid: ownIdField,
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

const sessionShape = z
  .strictObject({
    accessToken: member.text('La llave de la sesión, solo para quien la mandó en un encabezado').optional(),
    id: member.rowId('Número del usuario'),
    username: member.text('Nombre de usuario'),
    email: member.text('Correo; vacío donde no tiene'),
    roles: z.array(z.int()).meta({ description: 'Números de rol' }),
  })
  .meta({ id: 'Session', description: 'Quién tiene la sesión.' });

const sessionAnswer = plainAnswer(sessionShape);

const signedInShape = sessionShape
  .extend({ accessToken: member.text('Se manda como `x-access-token` o `Authorization: Bearer`') })
  .meta({ id: 'SignedIn' });

const endpoints = createEndpoints('Sesión');
export const sessionApi = endpoints.app;

endpoints.call('POST', '/auth/signin', {
  summary: 'Entrar',
  text: 'Hace falta `email` (correo o nombre de usuario) o `username`, y de quien tiene doble factor `code`. Un navegador recibe además su cookie.',
  body: signInShape,
  status: 200,
  returns: 'La sesión, con su llave',
  answer: signedInShape,
  problems: [
    'sign_in_refused',
    'password_expired',
    'second_factor_required',
    'second_factor_refused',
    'too_many',
  ],
  run: async (c) => {
    const { email, username, password, code } = parseShape(signInShape, await readJson(c));
    const login = email || username || '';
    if (!login) throw missingFieldError('email', userTexts.signInUserMissing);
    if (!password) throw missingFieldError('password', userTexts.signInPasswordMissing);
    const entered = await signInFromRequest(c, { login, password, code });
    if ('challenge' in entered) {
      const message = 'Falta el código de tu aplicación.';
      throw new DomainError('unauthenticated', message, {
        code: 'second_factor_required',
        fields: { code: message },
      });
    }
    const { token, userId } = entered;
    // Only browsers get a cookie; they send one of these headers. A program with both a token and a cookie would be
    // treated as a browser, and refused because it sends no origin.
    if (c.req.header('origin') ?? c.req.header('sec-fetch-site')) await setSessionCookie(c, token);
    const user = await getUser(c.get('deps').db, userId);
    return sendJson(c, {
      accessToken: token,
      id: user.id,
      username: user.username,
      email: user.email,
      roles: user.roles.map((role) => role.id),
    } satisfies z.output<typeof signedInShape>);
  },
});

const missingFieldError = (field: string, message: string) =>
  new DomainError('invalid', message, { fields: { [field]: message } });

endpoints.call('POST', '/auth/signout', {
  summary: 'Salir',
  body: 'empty',
  status: 204,
  returns: 'La sesión terminó',
  run: async (c) => {
    await signOutFromRequest(c);
    return c.body(null, 204);
  },
});

endpoints.changes('/auth/changepsw', {
  summary: 'Cambiar la propia contraseña',
  text: 'Hace falta la actual. Cierra las demás sesiones del usuario.',
  body: changePasswordShape,
  returns: 'El usuario',
  answer: userAnswer,
  problems: ['wrong_password', 'too_many'],
  run: async ({ c, db, actor, body }) => {
    const session = requireSession(c);
    for (const name of ['id', 'userid'] as const) {
      const id = body[name];
      if (id !== undefined && parseId(id, name) !== session.userId)
        throw new DomainError('forbidden', 'Cada quien cambia solo su propia contraseña.');
    }
    await changePassword(db, actor, {
      current: body.currpassword ?? body.currentpassword ?? '',
      next: body.newpassword ?? '',
      keepToken: session.token,
      address: readClientAddress(c),
    });
    return getUser(db, session.userId);
  },
});

endpoints.reads('/test/user', {
  summary: 'Quién tiene la sesión',
  returns: 'La sesión; su llave solo a quien la mandó',
  answer: sessionAnswer,
  run: ({ c }) => {
    const { token, userId, username, email, roles } = requireSession(c);
    const accessToken = c.get('byToken') ? { accessToken: token } : {};
    return { ...accessToken, id: userId, username, email, roles: [...roles] };
  },
});
