import { Hono } from 'hono';
import { say } from '../../../shared/language.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { type User, type UserSort, userTexts } from '../../../shared/users.ts';
import { drawPassword } from '../../formats/passwords/common-passwords.ts';
import { asksPassword, requireConfirmation } from '../../http/confirmation.ts';
import { readForm, readFormList } from '../../http/request.ts';
import { type AppContext, type AppEnv, requireSession } from '../../http/session.ts';
import { pageShape } from '../../lists/shapes.ts';
import { userList } from '../../lists/users.ts';
import { resetPassword } from '../../services/users/passwords.ts';
import { getUser, listRoles, pageOf, searchUsers } from '../../services/users/reading.ts';
import { updateUser } from '../../services/users/users.ts';
import { idField, parseShape } from '../../shapes/fields.ts';
import { userChangeShape, userPlace } from '../../shapes/users.ts';
import { type RefusedForm, redirectWith, takeFields } from '../../shell/render.tsx';
import { filterWords, renderFilter } from '../ui/list-filters.tsx';
import { answerList, parseListQuery, readableQuery, renderList, rowsOn, sortLink } from '../ui/lists.tsx';
import { type EditState, UserDialog } from './dialog.tsx';

/** The list's parameters, and which user's dialog lies over it. */
const listShape = pageShape(userList).extend({ ...userPlace, edit: idField('edit') });

type Query = Pick<ReturnType<typeof readQuery>, 'username' | 'sortfield' | 'sorttype'>;

export const usersPages = new Hono<AppEnv>({ strict: false })
  .get(pages.users, (c) => {
    const filter = async () => filterOf(c, readableQuery(c, listShape));
    return answerList(c, { title: 'Usuarios', address: pages.users, filter }, async () => {
      const { edit } = readQuery(c);
      return renderUsers(c, edit ? { user: await getUser(c.get('deps').db, edit) } : undefined);
    });
  })
  .post(pages.users, async (c) => {
    const { edit, ...query } = readQuery(c);
    const user = await getUser(c.get('deps').db, edit ?? 0);
    const form = await readForm(c, 'roles');
    const typed = { ...form, roles: await readFormList(c, 'roles') };
    const isReset = form.step === 'reset';
    // A password set a moment ago stays in sight: it can't be had again.
    const password = (!isReset && form.newpassword) || undefined;
    const again = (_: AppContext, { problem, status }: RefusedForm) =>
      renderUsers(c, { user, typed, problem, status, password });
    return takeFields(c, form, again, async ({ db, actor }) => {
      await requireConfirmation(c, form.currentpassword);
      if (isReset) {
        const password = form.newpassword || drawPassword();
        await resetPassword(db, actor, user.id, password);
        return renderUsers(c, { user, typed, done: say(userTexts.passwordReset(user.username)), password });
      }
      const { username = '', email = '', version, active = 'false' } = form;
      const sent = { username, email, roles: typed.roles, active };
      const change = { ...parseShape(userChangeShape, sent), version };
      const { roles } = await updateUser(db, actor, user.id, change, requireSession(c).token);
      const mayStay = user.id !== requireSession(c).userId || roles.some((role) => role.id === ADMIN_ROLE);
      return redirectWith(c, mayStay ? listAddress(query) : pages.invoices, userTexts.updated);
    });
  });

const readQuery = (c: AppContext) => parseListQuery(c, listShape);

const filterOf = (c: AppContext, { username, sortfield, sorttype }: Query) =>
  renderFilter(c, userList, { username, sortfield, sorttype });

async function renderUsers(c: AppContext, edited?: EditState) {
  const { db } = c.get('deps');
  const query = readQuery(c);
  const { username, sortfield: sort, sorttype: direction, cursor } = query;
  const page = pageOf(await searchUsers(db, { username, sort, direction }), { limit: rowsOn(query), cursor });
  const dialog = edited && (
    <UserDialog
      state={edited}
      roles={await listRoles(db)}
      action={listAddress(query, { edit: edited.user.id })}
      back={listAddress(query)}
      isOwn={edited.user.id === requireSession(c).userId}
      asksPassword={asksPassword(c)}
    />
  );
  const actions = (
    <>
      <ExportLinks
        list={pages.users}
        first="xlsx"
        query={{ username, sortfield: sort, sorttype: direction }}
      />
      <LinkButton href={pages.newUser} look="primary" icon="plus" data-new="">
        Nuevo usuario
      </LinkButton>
    </>
  );
  return renderList(
    c,
    { title: 'Usuarios', actions, status: edited?.status },
    {
      alert: dialog,
      filter: () => filterOf(c, query),
      words: await filterWords(c, userList, { username }),
      results: <Results query={query} page={page} />,
    },
  );
}

/** There is always one user, who reads this: an empty list comes of its filter. */
function Results({ query, page }: { query: Query; page: ReturnType<typeof pageOf<User>> }) {
  if (page.total === 0) {
    return (
      <EmptyState
        title={`Nadie coincide con «${query.username}»`}
        action={<LinkButton href={pages.users}>Quitar filtro</LinkButton>}
      >
        Prueba con otra parte del nombre de usuario.
      </EmptyState>
    );
  }
  const address = (user: User) => listAddress(query, { edit: user.id });
  return (
    <>
      <DataTable
        caption="Usuarios"
        columns={columnsOf(query, address)}
        rows={page.rows}
        rowKey={(user) => user.id}
        rowHref={address}
      />
      <Pager
        shown={page.before + page.rows.length}
        total={page.total}
        noun={page.total === 1 ? 'usuario' : 'usuarios'}
        href={page.cursor && listAddress(query, { cursor: page.cursor })}
      />
    </>
  );
}

function columnsOf(query: Query, address: (user: User) => string): Column<User>[] {
  const sorted = { sort: query.sortfield ?? 'id', direction: query.sorttype ?? 'asc' };
  const sort = (field: UserSort) => sortLink(field, sorted, (by) => listAddress({ ...query, ...by }));
  return [
    { key: 'id', label: 'ID', align: 'end', card: 'corner', sort: sort('id') },
    { key: 'username', label: 'Usuario', link: true, clip: 24, card: 'title', sort: sort('username') },
    {
      key: 'name',
      label: 'Nombre',
      clip: 28,
      render: (user) => `${user.userfirstname} ${user.userlastname}`,
    },
    { key: 'email', label: 'Correo', clip: 32 },
    {
      key: 'roles',
      label: 'Roles',
      clip: true,
      render: (user) => user.roles.map((role) => role.rolename).join(', '),
    },
    {
      key: 'active',
      label: 'Acceso',
      render: (user) => (
        <Chip tone={user.active ? 'done' : 'neutral'}>{user.active ? 'Activo' : 'Desactivado'}</Chip>
      ),
    },
    {
      key: 'edit',
      label: 'Editar',
      card: 'actions',
      render: (user) => (
        <LinkButton
          href={address(user)}
          look="quiet"
          icon="edit"
          tip={say(EDIT_TIP)}
          aria-label={`${say(EDIT_TIP)} ${user.username}`}
        />
      ),
    },
  ];
}

const EDIT_TIP = 'Click to edit the user.';

/** `sorttype` as the query was read, or as an address has it. */
function listAddress(
  { username, sortfield, sorttype }: { username?: string; sortfield?: string; sorttype?: string },
  more: Record<string, string | number> = {},
): string {
  const descends = sorttype?.toLowerCase() === 'desc';
  return withQuery(pages.users, { username, sortfield, sorttype: descends ? 'DESC' : undefined, ...more });
}
