import { Hono } from 'hono';
import type { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { userTexts } from '../../shared/users.ts';
import { readJson } from '../http/request.ts';
import { type AppEnv, actorOf, clientAddress, requireSession, setSessionCookie } from '../http/session.ts';
import { signInFrom, signOutFrom } from '../http/sign-in.ts';
import { changePassword } from '../services/users/passwords.ts';
import { getUser } from '../services/users/reading.ts';
import { parseId, parseShape } from '../shapes/fields.ts';
import { changePasswordShape, sessionAnswer, signInAnswer, signInShape } from '../shapes/session.ts';
import { userAnswer } from '../shapes/users.ts';
import { describes } from './describe.ts';

const tag = 'Sesión';

export const sessionApi = new Hono<AppEnv>({ strict: false })
  .post(
    '/auth/signin',
    describes({
      tag,
      summary: 'Entrar',
      text: 'Hace falta `email` (correo o nombre de usuario) o `username`, y de quien tiene doble factor `code`. Un navegador recibe además su cookie.',
      body: signInShape,
      success: { status: 200, says: 'La sesión, con su llave', shape: signInAnswer },
      problems: [
        'sign_in_refused',
        'password_expired',
        'second_factor_required',
        'second_factor_refused',
        'too_many',
      ],
    }),
    async (c) => {
      const body = parseShape(signInShape, await readJson(c));
      const login = body.email || body.username || '';
      if (!login)
        throw new DomainError('invalid', userTexts.signInUserMissing, {
          fields: { email: userTexts.signInUserMissing },
        });
      if (!body.password) {
        throw new DomainError('invalid', userTexts.signInPasswordMissing, {
          fields: { password: userTexts.signInPasswordMissing },
        });
      }
      const entered = await signInFrom(c, { login, password: body.password, code: body.code });
      if ('challenge' in entered) {
        const message = 'Falta el código de tu aplicación.';
        throw new DomainError('unauthenticated', message, {
          code: 'second_factor_required',
          fields: { code: message },
        });
      }
      const { token, userId } = entered;
      // Browsers name where they come from; a program that kept a cookie beside its token would be taken for one.
      if (c.req.header('origin') ?? c.req.header('sec-fetch-site')) await setSessionCookie(c, token);
      const user = await getUser(c.get('deps').db, userId);
      return c.json({
        accessToken: token,
        id: user.id,
        username: user.username,
        email: user.email,
        roles: user.roles.map((role) => role.id),
      } satisfies z.output<typeof signInAnswer>);
    },
  )
  .post(
    '/auth/signout',
    describes({
      tag,
      summary: 'Salir',
      body: 'empty',
      success: { status: 204, says: 'La sesión terminó' },
    }),
    async (c) => {
      await signOutFrom(c);
      return c.body(null, 204);
    },
  )
  .put(
    '/auth/changepsw',
    describes({
      tag,
      summary: 'Cambiar la propia contraseña',
      text: 'Hace falta la actual. Cierra las demás sesiones del usuario.',
      body: changePasswordShape,
      success: { status: 200, says: 'El usuario', shape: userAnswer },
      problems: ['wrong_password', 'too_many'],
    }),
    async (c) => {
      const { db } = c.get('deps');
      const session = requireSession(c);
      const body = parseShape(changePasswordShape, await readJson(c));
      for (const name of ['id', 'userid'] as const) {
        const id = body[name];
        if (id !== undefined && parseId(id, name) !== session.userId) {
          throw new DomainError('forbidden', 'Cada quien cambia solo su propia contraseña.');
        }
      }
      await changePassword(db, actorOf(c), {
        current: body.currpassword ?? body.currentpassword ?? '',
        next: body.newpassword ?? '',
        keepToken: session.token,
        address: clientAddress(c),
      });
      return c.json(await getUser(db, session.userId));
    },
  )
  .get(
    '/test/user',
    describes({
      tag,
      summary: 'Quién tiene la sesión',
      success: { status: 200, says: 'La sesión; su llave solo a quien la mandó', shape: sessionAnswer },
    }),
    (c) => {
      const session = requireSession(c);
      return c.json({
        ...(c.get('byToken') ? { accessToken: session.token } : {}),
        id: session.userId,
        username: session.username,
        email: session.email,
        roles: session.roles,
      } satisfies z.output<typeof sessionAnswer>);
    },
  );
