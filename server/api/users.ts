import { Hono } from 'hono';
import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { userTexts } from '../../shared/users.ts';
import { requireConfirmation } from '../http/confirmation.ts';
import { readJson } from '../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../http/session.ts';
import { apiShape } from '../lists/shapes.ts';
import { userList } from '../lists/users.ts';
import { resetPassword } from '../services/users/passwords.ts';
import { getUser, listRoles, pageOf, searchUsers } from '../services/users/reading.ts';
import { createUser, updateUser } from '../services/users/users.ts';
import { formatField, formerIdField, parseQuery, parseShape } from '../shapes/fields.ts';
import {
  newUserShape,
  resetAnswer,
  resetShape,
  roleAnswer,
  roleQueryShape,
  toUserDraft,
  userAnswer,
  userChangeShape,
  userIdShape,
  userPlace,
} from '../shapes/users.ts';
import { answerList, pathId, requireOwnId, sendList, takes } from './answers.ts';
import { CONFIRMED, describes } from './describe.ts';

/** Without a limit, a list is whole up to here. */
const ROWS_WITHOUT_LIMIT = 10_000;

/** The parameters of a list of users, and of one by its id. */
const queryShape = z
  .strictObject({
    id: formerIdField,
    ...apiShape(userList).omit({ limit: true, cursor: true }).shape,
    format: formatField,
    ...userPlace,
  })
  .meta({ examples: [{ sortfield: 'username', sorttype: 'ASC' }] });

const tag = 'Usuarios';
const rows = {
  status: 200,
  says: 'La lista',
  shape: z.array(userAnswer),
  headers: ['page'],
} as const;
const changed = { status: 200, says: 'Como quedó', shape: userAnswer } as const;

const change = {
  tag,
  summary: 'Cambiar un usuario',
  text: 'Otros roles o `active: false` cierran sus sesiones.',
  body: userChangeShape,
  success: changed,
  problems: ['username_taken', 'email_taken', 'last_administrator', 'holds_fund', ...CONFIRMED],
} as const;

/** Users and roles. No answer holds a password, and no key of a repeated request is kept for them. */
export const usersApi = new Hono<AppEnv>({ strict: false })
  .get(
    '/users/search',
    describes({ tag, summary: 'Buscar usuarios', query: queryShape, success: rows }),
    answerUsers,
  )
  .get(
    '/test/getusers',
    describes({ tag, summary: 'La lista de usuarios', query: queryShape, success: rows }),
    answerUsers,
  )
  .get(
    '/test/getusers/:id{[0-9]+}',
    describes({ tag, summary: 'Leer un usuario', success: { ...changed, says: 'Un usuario' } }),
    async (c) => c.json(await getUser(c.get('deps').db, pathId(c))),
  )
  .put('/auth/updateusersdata', describes({ ...change, query: userIdShape }), (c) => {
    const { id } = parseQuery(userIdShape, c.req.queries());
    if (!id) throw new DomainError('malformed', 'Falta id.', { fields: { id: 'Falta.' } });
    return changeUser(c, id);
  })
  .put('/auth/updateusersdata/:id{[0-9]+}', describes(change), (c) => changeUser(c, pathId(c)))
  .post(
    '/auth/signup',
    describes({
      tag,
      summary: 'Crear un usuario',
      text: 'La contraseña sirve 72 horas y se cambia al entrar por primera vez. Sin `username` se forma con los nombres.',
      body: newUserShape,
      success: { status: 201, says: 'Creado', shape: userAnswer },
      problems: ['username_taken', 'email_taken', ...CONFIRMED],
    }),
    takes(newUserShape, { status: 201 }, async ({ c, db, actor, body }) => {
      await requireConfirmation(c, body.currentpassword);
      return createUser(db, actor, toUserDraft(body));
    }),
  )
  .put(
    '/auth/resetpsw',
    describes({
      tag,
      summary: 'Poner otra contraseña a un usuario',
      text: 'Cierra sus sesiones. La contraseña sirve 72 horas y se cambia al entrar.',
      body: resetShape,
      success: { status: 200, says: 'El usuario, con el mensaje que se muestra', shape: resetAnswer },
      problems: ['not_found', 'own_password', ...CONFIRMED],
    }),
    async (c) => {
      const session = requireSession(c);
      const { requesteriduser, iduser, newpassword, currentpassword } = parseShape(
        resetShape,
        await readJson(c),
      );
      // Whoever asks is whom the session names; a payload that says otherwise is no mistake to be passed over.
      if (requesteriduser && requesteriduser !== session.userId)
        throw new DomainError('forbidden', 'Cada quien pide solo en su propio nombre.');
      if (!iduser) throw new DomainError('invalid', 'Falta iduser.', { fields: { iduser: 'Falta.' } });
      await requireConfirmation(c, currentpassword);
      const user = await resetPassword(c.get('deps').db, actorOf(c), iduser, newpassword ?? '');
      const answer: z.output<typeof resetAnswer> = {
        message: userTexts.passwordReset(user.username),
        ...user,
      };
      return c.json(answer);
    },
  )
  .get(
    '/roles/search',
    describes({
      tag,
      summary: 'Los roles',
      query: roleQueryShape,
      success: { status: 200, says: 'La lista', shape: z.array(roleAnswer), headers: ['page'] },
    }),
    async (c) => {
      const { limit = ROWS_WITHOUT_LIMIT, cursor } = parseQuery(roleQueryShape, c.req.queries());
      const { rows, ...rest } = pageOf(await listRoles(c.get('deps').db), { limit, cursor });
      return answerList(c, rows, rest);
    },
  );

async function answerUsers(c: AppContext) {
  const { db } = c.get('deps');
  const query = parseQuery(queryShape, c.req.queries());
  if (query.id) return c.json(await getUser(db, query.id));
  const {
    username,
    sortfield: sort,
    sorttype: direction,
    limit = ROWS_WITHOUT_LIMIT,
    cursor,
    format,
  } = query;
  if (format) {
    const asked = {
      username,
      sort,
      direction,
      limit: query.limit,
      cursor: cursor ? String(cursor) : undefined,
    };
    return sendList(c, userList, asked, format);
  }
  const { rows, ...rest } = pageOf(await searchUsers(db, { username, sort, direction }), { limit, cursor });
  return answerList(c, rows, rest);
}

async function changeUser(c: AppContext, id: number) {
  const { id: sent, currentpassword, ...change } = parseShape(userChangeShape, await readJson(c));
  requireOwnId(id, sent);
  await requireConfirmation(c, currentpassword);
  return c.json(await updateUser(c.get('deps').db, actorOf(c), id, change, requireSession(c).token));
}
