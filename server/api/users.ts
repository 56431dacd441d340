import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { requirePasswordConfirmation } from '../http/confirmation.ts';
import { readJson } from '../http/request.ts';
import { sendJson } from '../http/send.ts';
import { type AppContext, actorOf, requireSession } from '../http/session.ts';
import { getApiShape } from '../lists/query-shapes.ts';
import { userList } from '../lists/users.ts';
import { takePage } from '../services/rows-in-memory.ts';
import { setTemporaryPassword } from '../services/users/passwords.ts';
import { getUser, listRoles } from '../services/users/reading.ts';
import { createUser, updateUser } from '../services/users/users.ts';
import { listAnswer } from '../shapes/answers.ts';
import {
  cursorField,
  deprecatedIdFilterField,
  exportFormatField,
  idField,
  limitField,
  parseQuery,
  parseShape,
} from '../shapes/fields.ts';
import {
  currentPasswordField,
  newPasswordField,
  newUserShape,
  passwordResetAnswer,
  roleAnswer,
  toUserInput,
  userAnswer,
  userChangeShape,
} from '../shapes/users.ts';
import { PASSWORD_PROBLEMS } from './call-descriptions.ts';
import { createEndpoints, pathIdWithoutQuery, ROW_PATH, requireSameId } from './calls.ts';
import { answerList } from './lists.ts';

const userPagingFields = {
  limit: limitField,
  cursor: idField('cursor').meta({ ...cursorField.meta(), examples: ['7'] }),
};

const userIdShape = z
  .strictObject({ id: idField('Usuario').meta({ description: 'Número del usuario; hace falta' }) })
  .meta({ examples: [{ id: 1 }] });

const endpoints = createEndpoints('Usuarios');
/** No answer contains a password. These calls take no idempotency keys, because answers are stored with such keys. */
export const usersApi = endpoints.app;

const DEFAULT_LIMIT = 10_000;

endpoints.lists(
  {
    '/users/search': { summary: 'Buscar usuarios' },
    '/test/getusers': { summary: 'La lista de usuarios' },
  },
  {
    list: userList,
    query: z
      .strictObject({
        id: deprecatedIdFilterField,
        ...getApiShape(userList).omit({ limit: true, cursor: true }).shape,
        format: exportFormatField,
        ...userPagingFields,
      })
      .meta({ examples: [{ sortfield: 'username', sorttype: 'ASC' }] }),
    row: userAnswer,
    findOne: (c, id) => getUser(c.get('deps').db, id),
    defaultLimit: DEFAULT_LIMIT,
  },
);

endpoints.reads(`/test/getusers${ROW_PATH}`, {
  summary: 'Leer un usuario',
  returns: 'Un usuario',
  answer: userAnswer,
  run: ({ db, id }) => getUser(db, id),
});

const USER_CHANGE_DESCRIPTION = {
  summary: 'Cambiar un usuario',
  text: 'Otros roles o `active: false` cierran sus sesiones.',
  body: userChangeShape,
  status: 200,
  answer: userAnswer.shape,
  problems: ['username_taken', 'email_taken', 'last_administrator', 'holds_fund', ...PASSWORD_PROBLEMS],
} as const;

endpoints.call('PUT', '/auth/updateusersdata', {
  ...USER_CHANGE_DESCRIPTION,
  query: userIdShape,
  run: (c) => {
    const { id } = parseQuery(userIdShape, c.req.queries());
    if (!id) throw new DomainError('malformed', 'Falta id.', { fields: { id: 'Falta.' } });
    return changeUser(c, id);
  },
});

endpoints.call('PUT', `/auth/updateusersdata${ROW_PATH}`, {
  ...USER_CHANGE_DESCRIPTION,
  run: (c) => changeUser(c, pathIdWithoutQuery(c)),
});

endpoints.sends('POST', '/auth/signup', {
  summary: 'Crear un usuario',
  text: 'La contraseña sirve 72 horas y se cambia al entrar por primera vez. Sin `username` se forma con los nombres.',
  body: newUserShape,
  status: 201,
  returns: 'Creado',
  answer: userAnswer,
  problems: ['username_taken', 'email_taken', ...PASSWORD_PROBLEMS],
  run: async ({ c, db, actor, body }) => {
    await requirePasswordConfirmation(c, body.currentpassword);
    return createUser(db, actor, toUserInput(body));
  },
});

endpoints.changes('/auth/resetpsw', {
  summary: 'Poner otra contraseña a un usuario',
  text: 'Cierra sus sesiones. La contraseña sirve 72 horas y se cambia al entrar.',
  body: z
    .strictObject({
      requesteriduser: idField('requesteriduser').meta({
        description: 'Quien lo pide; solo puede ser el usuario de la sesión',
      }),
      iduser: idField('iduser').meta({ description: 'De quién es la contraseña' }),
      newpassword: newPasswordField,
      currentpassword: currentPasswordField,
    })
    .meta({
      id: 'PasswordReset',
      required: ['iduser', 'newpassword'],
      examples: [{ iduser: 2, newpassword: 'zx81k3v9' }],
    }),
  returns: 'El usuario, con el mensaje que se muestra',
  answer: passwordResetAnswer,
  problems: ['not_found', 'own_password', ...PASSWORD_PROBLEMS],
  run: async ({ c, db, actor, body: { requesteriduser, iduser, newpassword, currentpassword } }) => {
    // The session names the caller; a body that names another user is forbidden.
    if (requesteriduser && requesteriduser !== requireSession(c).userId)
      throw new DomainError('forbidden', 'Cada quien pide solo en su propio nombre.');
    if (!iduser) throw new DomainError('invalid', 'Falta iduser.', { fields: { iduser: 'Falta.' } });
    await requirePasswordConfirmation(c, currentpassword);
    return setTemporaryPassword(db, actor, iduser, newpassword ?? '');
  },
});

endpoints.reads('/roles/search', {
  summary: 'Los roles',
  query: z.strictObject(userPagingFields),
  answer: listAnswer(roleAnswer),
  headers: ['page'],
  run: async ({ c, db, query: { limit = DEFAULT_LIMIT, cursor } }) => {
    const { rows, ...rest } = takePage(await listRoles(db), { limit, cursor });
    return answerList(c, rows, rest);
  },
});

async function changeUser(c: AppContext, id: number) {
  const { id: sent, currentpassword, ...change } = parseShape(userChangeShape, await readJson(c));
  requireSameId(id, sent);
  await requirePasswordConfirmation(c, currentpassword);
  return sendJson(c, await updateUser(c.get('deps').db, actorOf(c), id, change, requireSession(c).token));
}
