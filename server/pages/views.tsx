import { Hono } from 'hono';
import { DomainError } from '../../shared/errors.ts';
import { createRefusal, throwIfRefused } from '../../shared/refusal.ts';
import { fold, oneLine } from '../../shared/text.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { LeaveLink } from '../../shared/ui/LeaveLink.tsx';
import { withQuery } from '../../shared/urls.ts';
import { type AppContext, type AppEnv, readPreferencesOnce, requireSession } from '../http/session.ts';
import { LISTS } from '../lists/all.ts';
import type { List } from '../lists/list.ts';
import { getPageShape } from '../lists/query-shapes.ts';
import { listViews, splitFilterAndOrder, type UserView, viewHref } from '../lists/views.ts';
import {
  MAX_USER_VIEWS,
  MAX_VIEW_NAME_LENGTH,
  userViewsPreference,
} from '../services/preferences/list-views.ts';
import { setPreference } from '../services/preferences/preferences.ts';
import { handleForm, type RefusedForm, redirectWithMessage, renderPage } from '../shell/render.tsx';
import { describeActiveFilters, resolveTypedNames } from './ui/list-filters.tsx';
import { parseListQuery } from './ui/list-layout.tsx';
import { viewsPath } from './ui/view-links.tsx';

export const viewsPages = new Hono<AppEnv>({ strict: false });

for (const list of LISTS.filter(({ views }) => views))
  viewsPages
    .get(viewsPath(list.page), (c) => renderViews(c, list))
    .post(viewsPath(list.page), (c) =>
      handleForm(
        c,
        (_, refused) => renderViews(c, list, refused),
        ({ form }) => handleViewForm(c, list, form),
      ),
    );

/** Saves a new view, renames the view named by `vista`, or removes it with `quitar`. */
async function handleViewForm(c: AppContext, list: List, form: Record<string, string>): Promise<Response> {
  const { vista: previous = '', nombre = '', quitar } = form;
  const userViews = await readUserViews(c, list);
  if (previous && !userViews.some(({ name }) => name === previous))
    throw new DomainError('not-found', `Ya no tienes una vista «${previous}».`);
  const otherViews = userViews.filter(({ name }) => name !== previous);
  const name = oneLine(nombre);
  if (quitar !== undefined) {
    await storeUserViews(c, list, otherViews);
    return redirectWithMessage(c, viewsPath(list.page), `Se quitó la vista «${previous}».`);
  }
  requireValidViewName(list, name, otherViews, c);
  if (previous) {
    const renamed = userViews.map((one) => (one.name === previous ? { ...one, name } : one));
    await storeUserViews(c, list, renamed);
    return redirectWithMessage(c, viewsPath(list.page), `La vista «${previous}» ahora se llama «${name}».`);
  }
  const requested = await readRequestedView(c, list);
  if (Object.keys(requested.filter).length === 0)
    throwIfRefused(createRefusal('No hay ningún filtro puesto: filtra la lista, y guárdalo como vista.'));
  if (userViews.length >= MAX_USER_VIEWS) {
    const message = `Puedes guardar hasta ${MAX_USER_VIEWS} vistas: quita una para guardar otra.`;
    throw new DomainError('conflict', message);
  }
  const address = viewHref(list, requested);
  await storeUserViews(c, list, [...userViews, { name, query: address.slice(list.page.length + 1) }]);
  return redirectWithMessage(c, address, `Se guardó la vista «${name}».`);
}

function requireValidViewName(
  list: List,
  name: string,
  otherViews: readonly UserView[],
  c: AppContext,
): void {
  if (!name) throwIfRefused(createRefusal('Ponle un nombre a la vista.', 'nombre'));
  if (name.length > MAX_VIEW_NAME_LENGTH)
    throwIfRefused(
      createRefusal(`El nombre de la vista admite hasta ${MAX_VIEW_NAME_LENGTH} caracteres.`, 'nombre'),
    );
  const views = listViews(list, otherViews, c.get('today'));
  if (views.some(({ label }) => fold(label) === fold(name)))
    throwIfRefused({ ...createRefusal(`Ya hay una vista «${name}».`, 'nombre'), kind: 'conflict' });
}

const readUserViews = async (c: AppContext, list: List): Promise<UserView[]> =>
  (await readPreferencesOnce(c))(userViewsPreference(list.page)) ?? [];

function storeUserViews(c: AppContext, list: List, userViews: UserView[]): Promise<void> {
  const value = userViews.length > 0 ? userViews : undefined;
  return setPreference(c.get('deps').db, requireSession(c).userId, userViewsPreference(list.page), value);
}

const readRequestedView = async (c: AppContext, list: List) =>
  splitFilterAndOrder(await resolveTypedNames(c, list, parseListQuery(c, getPageShape(list))));

async function renderViews(
  c: AppContext,
  list: List,
  { values: form = {}, problem, status }: Partial<RefusedForm> = {},
) {
  const { filter, order } = await readRequestedView(c, list);
  const userViews = await readUserViews(c, list);
  const words = await describeActiveFilters(c, list, filter);
  const action = withQuery(viewsPath(list.page), { ...filter, ...order });
  const isNewView = problem && !form.vista;
  return renderPage(
    c,
    { title: `Vistas de ${list.title}`, status },
    <>
      {problem && <Alert tone="error">{problem.message}</Alert>}
      {words.length > 0 && (
        <form method="post" action={action} className="form" data-busy="">
          <h2>Guardar como vista</h2>
          <p>{words.map(({ label, value }) => `${label}: ${value}`).join(' · ')}</p>
          <div className="fields">
            <Field
              name="nombre"
              label="Nombre de la vista"
              value={isNewView ? form.nombre : ''}
              error={isNewView ? problem.fields?.nombre : undefined}
              maxLength={MAX_VIEW_NAME_LENGTH}
              required
              focus
            />
          </div>
          <div className="form-actions">
            <Button look="primary">Guardar</Button>
            <LeaveLink href={viewHref(list, { filter, order })} />
          </div>
        </form>
      )}
      <h2>Mis vistas</h2>
      {userViews.length === 0 && <p>Todavía no tienes ninguna.</p>}
      {userViews.map(({ name }, index) => (
        <form
          key={name}
          method="post"
          action={viewsPath(list.page)}
          className="own-view"
          aria-label={name}
          data-busy=""
        >
          <input type="hidden" name="vista" value={name} />
          <Field
            id={`nombre-${index}`}
            name="nombre"
            label="Nombre de la vista"
            value={form.vista === name ? form.nombre : name}
            error={form.vista === name ? problem?.fields?.nombre : undefined}
            maxLength={MAX_VIEW_NAME_LENGTH}
          />
          <Button>Guardar</Button>
          <Button look="danger" icon="trash" name="quitar" value="1" tip={`Quitar la vista ${name}`} />
        </form>
      ))}
      {words.length === 0 && (
        <div className="form-actions">
          <LeaveLink href={list.page} savesNothing />
        </div>
      )}
    </>,
  );
}
