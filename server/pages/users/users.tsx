import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import UserEdit from '../../../islands/UserEdit.tsx';
import type { DomainError } from '../../../shared/errors.ts';
import { currentLanguage, localize } from '../../../shared/language.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { pages } from '../../../shared/urls.ts';
import { type User, userTexts } from '../../../shared/users.ts';
import { generateStrongPassword } from '../../formats/passwords/common-passwords.ts';
import { needsPasswordConfirmation, requirePasswordConfirmation } from '../../http/confirmation.ts';
import { readFormWithLists } from '../../http/request.ts';
import { type AppContext, type AppEnv, requireSession } from '../../http/session.ts';
import { getPageShape } from '../../lists/query-shapes.ts';
import { userList } from '../../lists/users.ts';
import { takePage } from '../../services/rows-in-memory.ts';
import { setTemporaryPassword } from '../../services/users/passwords.ts';
import { getUser, listRoles, listUsers } from '../../services/users/reading.ts';
import { computeUserVersion, updateUser } from '../../services/users/users.ts';
import { idField, parseShape } from '../../shapes/fields.ts';
import { userChangeShape } from '../../shapes/users.ts';
import { Island } from '../../shell/island.tsx';
import { handleParsedForm, type RefusedForm, redirectWithMessage } from '../../shell/render.tsx';
import { listHref, parseListQuery } from '../ui/list-layout.tsx';
import { showList } from '../ui/list-page.tsx';

export const usersPages = new Hono<AppEnv>({ strict: false })
  .get(pages.users, (c) => showUsers(c))
  .post(pages.users, async (c) => {
    const user = await getUser(c.get('deps').db, readEditedId(c) ?? 0);
    const { fields: form, lists } = await readFormWithLists(c, ['roles']);
    const typed = { ...form, ...lists };
    const isReset = form.step === 'reset';
    // After a refusal the page still shows the new password, because it cannot be shown later.
    const password = (!isReset && form.newpassword) || undefined;
    const renderRefused = (_: AppContext, { problem, status }: RefusedForm) =>
      showUsers(c, { user, typed, problem, status, password });
    return handleParsedForm(c, form, renderRefused, async ({ db, actor }) => {
      await requirePasswordConfirmation(c, form.currentpassword);
      if (isReset) {
        const password = form.newpassword || generateStrongPassword();
        await setTemporaryPassword(db, actor, user.id, password);
        return showUsers(c, {
          user,
          typed,
          message: localize(userTexts.passwordReset(user.username)),
          password,
        });
      }
      const { username = '', email = '', version, active = 'false' } = form;
      const sent = { username, email, roles: typed.roles, active };
      const change = { ...parseShape(userChangeShape, sent), version };
      const { roles } = await updateUser(db, actor, user.id, change, requireSession(c).token);
      const mayStayHere =
        user.id !== requireSession(c).userId || roles.some((role) => role.id === ADMIN_ROLE);
      return redirectWithMessage(c, mayStayHere ? usersHrefWithDialog(c) : pages.invoices, userTexts.updated);
    });
  });

const readEditedId = (c: AppContext) => parseListQuery(c, z.object({ edit: idField('edit') })).edit;

const usersHrefWithDialog = (c: AppContext, user?: User) =>
  listHref(userList, parseListQuery(c, getPageShape(userList)), { edit: user?.id });

const showUsers = (c: AppContext, state?: EditState) =>
  showList(c, userList, {
    create: (
      <LinkButton href={pages.newUser} look="primary" icon="plus" data-new="">
        Nuevo usuario
      </LinkButton>
    ),
    status: state?.status,
    alert: () => renderDialog(c, state),
    async read(_, { username, sort, direction, limit, cursor }) {
      const found = await listUsers(c.get('deps').db, { username, sort, direction });
      const page = takePage(found, { limit, cursor });
      return { rows: page.rows, cursor: page.cursor, count: page.total };
    },
    rowHref: (user) => usersHrefWithDialog(c, user),
    columns: () => userColumns((user) => usersHrefWithDialog(c, user)),
    // The list is never empty: it includes this user.
    noMatches: {
      title: ({ username }) => `Nadie coincide con «${username}»`,
      hint: 'Prueba con otra parte del nombre de usuario.',
      clear: 'Quitar filtro',
    },
  });

interface EditState {
  user: User;
  typed?: { username?: string; email?: string; roles: string[]; active?: string; version?: string };
  problem?: DomainError;
  status?: ContentfulStatusCode;
  message?: string;
  password?: string;
}

async function renderDialog(c: AppContext, state: EditState | undefined) {
  const { db } = c.get('deps');
  const id = readEditedId(c);
  if (!state && !id) return undefined;
  const { user, typed, problem, message, password } =
    state ?? ({ user: await getUser(db, id!) } as EditState);
  const newer = problem?.kind === 'stale' ? (problem.extra?.current as User) : undefined;
  const values = typed
    ? {
        username: typed.username ?? '',
        email: typed.email ?? '',
        roles: typed.roles.map(Number).filter(Number.isSafeInteger),
        active: typed.active !== undefined,
      }
    : editableValuesOf(user);
  return (
    <Island
      component={UserEdit}
      on="idle"
      props={{
        action: usersHrefWithDialog(c, user),
        back: usersHrefWithDialog(c),
        id: user.id,
        values,
        version: newer ? computeUserVersion(newer) : (typed?.version ?? computeUserVersion(user)),
        roles: await listRoles(db),
        profile: user.id === requireSession(c).userId ? pages.profile : undefined,
        asksPassword: needsPasswordConfirmation(c),
        problem: newer ? `${problem?.message} Si guardas de nuevo, queda lo tuyo.` : problem?.message,
        errors: problem?.fields ?? {},
        hints: newer ? describeDifferences(newer, values) : {},
        done: message,
        password,
      }}
    />
  );
}

const editableValuesOf = ({ username, email, roles, active }: User) => ({
  username,
  email,
  roles: roles.map((role) => role.id),
  active,
});

function describeDifferences(newer: User, typed: ReturnType<typeof editableValuesOf>) {
  const { username, email, roles, active } = editableValuesOf(newer);
  const describeSavedValue = (isSame: boolean, text: string) =>
    isSame ? undefined : `Guardado por otra persona: ${text || '(vacío)'}`;
  return {
    username: describeSavedValue(username === typed.username, username),
    email: describeSavedValue(email === typed.email, email),
    roles: describeSavedValue(
      roles.join() === [...typed.roles].sort().join(),
      newer.roles.map(({ rolename }) => rolename).join(', '),
    ),
    active: describeSavedValue(active === typed.active, active ? 'activo' : 'desactivado'),
  };
}

const userColumns = (addressOf: (user: User) => string): Column<User>[] => [
  ...(currentLanguage() === 'es' ? [] : [{ key: 'id', label: 'ID', align: 'end', card: 'corner' } as const]),
  { key: 'username', label: 'Usuario', isRowLink: true, wraps: 24, card: 'title' },
  {
    key: 'name',
    label: 'Nombre',
    wraps: 28,
    card: 'line',
    render: ({ userfirstname, userlastname }) => `${userfirstname} ${userlastname}`,
  },
  { key: 'email', label: 'Correo', wraps: 32, card: 'line' },
  {
    key: 'roles',
    label: 'Roles',
    wraps: true,
    card: 'line',
    render: ({ roles }) => roles.map(({ rolename }) => rolename).join(', '),
  },
  {
    key: 'active',
    label: 'Acceso',
    card: currentLanguage() === 'es' ? 'corner' : undefined,
    render: ({ active }) => (
      <Chip tone={active ? 'done' : 'neutral'}>{active ? 'Activo' : 'Desactivado'}</Chip>
    ),
  },
  {
    key: 'edit',
    label: 'Editar',
    card: 'actions',
    className: 'card-side',
    render: (user) => (
      <LinkButton
        href={addressOf(user)}
        look="quiet"
        icon="edit"
        tip={localize(EDIT_USER_TIP)}
        aria-label={`${localize(EDIT_USER_TIP)} ${user.username}`}
      />
    ),
  },
];

const EDIT_USER_TIP = 'Click to edit the user.';
