import { Hono } from 'hono';
import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { userTexts } from '../../shared/users.ts';
import { readJson } from '../request.ts';
import { signIn, signOut } from '../services/session.ts';
import { changePassword } from '../services/user-passwords.ts';
import { getUser } from '../services/user-reading.ts';
import {
  type AppEnv,
  actorOf,
  clearSessionCookie,
  clientAddress,
  requireSession,
  setSessionCookie,
} from '../session.ts';
import { parseId, parseShape, textField } from '../shapes/fields.ts';

const signInShape = z.strictObject({
  email: textField('Correo', 254, 'email'),
  username: textField('Usuario', 254, 'username'),
  password: z.string().max(200).optional(),
});

const changePasswordShape = z.strictObject({
  id: z.unknown().optional(),
  userid: z.unknown().optional(),
  currpassword: z.string().max(200).optional(),
  currentpassword: z.string().max(200).optional(),
  newpassword: z.string().max(200).optional(),
});

export const sessionApi = new Hono<AppEnv>({ strict: false })
  .post('/auth/signin', async (c) => {
    const { db, auth } = c.get('deps');
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
    const { token, userId } = await signIn(db, auth, {
      login,
      password: body.password,
      address: clientAddress(c),
      userAgent: c.req.header('user-agent') ?? '',
      at: c.get('now'),
    });
    const former = c.get('session');
    if (former) await signOut(db, former.token);
    // Browsers name where they come from; a program that kept a cookie beside its token would be taken for one.
    if (c.req.header('origin') ?? c.req.header('sec-fetch-site')) await setSessionCookie(c, token);
    const user = await getUser(db, userId);
    return c.json({
      accessToken: token,
      id: user.id,
      username: user.username,
      email: user.email,
      roles: user.roles.map((role) => role.id),
    });
  })
  .post('/auth/signout', async (c) => {
    await signOut(c.get('deps').db, requireSession(c).token);
    clearSessionCookie(c);
    return c.body(null, 204);
  })
  .put('/auth/changepsw', async (c) => {
    const { db } = c.get('deps');
    const session = requireSession(c);
    const body = parseShape(changePasswordShape, await readJson(c));
    for (const id of [body.id, body.userid]) {
      if (id !== undefined && parseId(id) !== session.userId) {
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
  })
  .get('/test/user', (c) => {
    const session = requireSession(c);
    return c.json({
      ...(c.get('byToken') ? { accessToken: session.token } : {}),
      id: session.userId,
      username: session.username,
      email: session.email,
      roles: session.roles,
    });
  });
