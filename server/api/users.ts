import { Hono } from 'hono';
import { DomainError } from '../../shared/errors.ts';
import { userTexts } from '../../shared/users.ts';
import { readJson } from '../request.ts';
import { resetPassword } from '../services/user-passwords.ts';
import { getUser, listRoles, pageOf, searchUsers } from '../services/user-reading.ts';
import { createUser, updateUser } from '../services/users.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../session.ts';
import { parseQuery, parseShape } from '../shapes/fields.ts';
import {
  newUserShape,
  resetShape,
  roleQueryShape,
  toUserDraft,
  userChangeShape,
  userIdShape,
  userQueryShape,
} from '../shapes/users.ts';
import { answerList, pathId, requireOwnId } from './answers.ts';

/** Without a limit, a list is whole up to here. */
const ROWS_WITHOUT_LIMIT = 10_000;

/** Users and roles. No answer holds a password, and no key of a repeated request is kept for them. */
export const usersApi = new Hono<AppEnv>({ strict: false })
  .get('/users/search', answerUsers)
  .get('/test/getusers', answerUsers)
  .get('/test/getusers/:id{[0-9]+}', async (c) => c.json(await getUser(c.get('deps').db, pathId(c))))
  .put('/auth/updateusersdata', (c) => {
    const { id } = parseQuery(userIdShape, c.req.queries());
    if (!id) throw new DomainError('malformed', 'Falta id.', { fields: { id: 'Falta.' } });
    return changeUser(c, id);
  })
  .put('/auth/updateusersdata/:id{[0-9]+}', (c) => changeUser(c, pathId(c)))
  .post('/auth/signup', async (c) => {
    const draft = toUserDraft(parseShape(newUserShape, await readJson(c)));
    return c.json(await createUser(c.get('deps').db, actorOf(c), draft), 201);
  })
  .put('/auth/resetpsw', async (c) => {
    const session = requireSession(c);
    const { requesteriduser, iduser, newpassword } = parseShape(resetShape, await readJson(c));
    // Whoever asks is whom the session names; a payload that says otherwise is no mistake to be passed over.
    if (requesteriduser && requesteriduser !== session.userId)
      throw new DomainError('forbidden', 'Cada quien pide solo en su propio nombre.');
    if (!iduser) throw new DomainError('invalid', 'Falta iduser.', { fields: { iduser: 'Falta.' } });
    const { db } = c.get('deps');
    const user = await resetPassword(db, actorOf(c), iduser, newpassword ?? '', session.token);
    return c.json({ message: userTexts.passwordReset(user.username), ...user });
  })
  .get('/roles/search', async (c) => {
    const { limit = ROWS_WITHOUT_LIMIT, cursor } = parseQuery(roleQueryShape, c.req.queries());
    const { rows, ...rest } = pageOf(await listRoles(c.get('deps').db), { limit, cursor });
    return answerList(c, rows, rest);
  });

async function answerUsers(c: AppContext) {
  const { db } = c.get('deps');
  const query = parseQuery(userQueryShape, c.req.queries());
  if (query.id) return c.json(await getUser(db, query.id));
  const { username, sortfield: sort, sorttype: direction, limit = ROWS_WITHOUT_LIMIT, cursor } = query;
  const { rows, ...rest } = pageOf(await searchUsers(db, { username, sort, direction }), { limit, cursor });
  return answerList(c, rows, rest);
}

async function changeUser(c: AppContext, id: number) {
  const { id: sent, ...change } = parseShape(userChangeShape, await readJson(c));
  requireOwnId(id, sent);
  return c.json(await updateUser(c.get('deps').db, actorOf(c), id, change, requireSession(c).token));
}
