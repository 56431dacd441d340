import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { withQuery } from '../../../shared/urls.ts';
import { createOnce, idInPath, readForm, returnAddress } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { createRow, deleteRow, updateRow } from '../../services/catalogs/catalogs.ts';
import { type CatalogRow, getRow } from '../../services/catalogs/reading.ts';
import type { SettingKey } from '../../services/settings/definitions.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { parseNewRow, parseRowChange } from '../../shapes/catalogs.ts';
import { parseId } from '../../shapes/fields.ts';
import { answerForm, redirectWith, renderPage } from '../../shell/render.tsx';
import { Ask } from '../ui/ask.tsx';
import {
  CatalogForm,
  type FormState,
  fieldsOfForm,
  KinLinks,
  NEXT_ONE,
  readReferences,
  referencePickers,
} from './form.tsx';
import { renderCatalogList } from './list.tsx';
import { type CreditFormState, renderSupplierCredit } from './suppliers-credit-notes-section.tsx';

/** List, creation and edit screen of each of the five lists. */
export const catalogsPages = new Hono<AppEnv>({ strict: false });

for (const catalog of catalogs) catalogsPages.route('/', catalogPages(catalog));

function catalogPages(catalog: Catalog) {
  const { paths, texts } = catalog;
  const editPath = `${paths.edit}/:id{[0-9]+}`;
  return new Hono<AppEnv>({ strict: false })
    .get(paths.list, (c) => renderCatalogList(c, catalog))
    .get(paths.create, async (c) => renderCreate(c, catalog, { values: await firstValues(c, catalog) }))
    .post(paths.create, async (c) => {
      const form = await readForm(c);
      const { idempotencyKey = '', ...values } = form;
      return answerForm(
        c,
        async () => {
          const sent = await readReferences(c.get('deps').db, catalog, form);
          const fields = fieldsOfForm(catalog, sent);
          const draft = parseNewRow(catalog, fields);
          const { row, warnings } = await createOnce(c, { ...fields, idempotencyKey }, (trx) =>
            createRow(trx, actorOf(c), catalog, draft),
          );
          const about = {
            href: `${paths.edit}/${row.id}`,
            link: `Ver ${texts.one.replace(/^(el|la) /, '')}`,
          };
          if (form.next !== NEXT_ONE)
            return redirectWith(c, returnAddress(form, paths.list), { text: texts.created, about, warnings });
          const text = `Se guardó ${texts.one} «${row[catalog.nameField]}».`;
          return redirectWith(c, nextAddress(catalog, row), { text, warnings });
        },
        (problem, status) => renderCreate(c, catalog, { values, idempotencyKey, problem, status }),
      );
    })
    .get(editPath, async (c) => renderEdit(c, catalog, await rowOfPath(c, catalog)))
    .post(editPath, async (c) => {
      const row = await rowOfPath(c, catalog);
      const form = await readForm(c);
      return answerForm(
        c,
        async () => {
          const { db } = c.get('deps');
          const sent = await readReferences(db, catalog, form, row);
          const change = parseRowChange(catalog, {
            ...fieldsOfForm(catalog, sent),
            version: form.version,
          });
          const { warnings } = await updateRow(db, actorOf(c), catalog, row.id, change.draft, change.version);
          return redirectWith(c, returnAddress(form, paths.list), { text: texts.updated, warnings });
        },
        (problem, status) => renderEdit(c, catalog, row, { values: form, problem, status }),
      );
    })
    .post(`${editPath}/eliminar`, async (c) => {
      const row = await rowOfPath(c, catalog);
      const form = await readForm(c);
      return answerForm(
        c,
        async () => {
          const seen = form.version ? parseId(form.version, 'version') : undefined;
          await deleteRow(c.get('deps').db, actorOf(c), catalog, row.id, seen);
          return redirectWith(
            c,
            returnAddress(form, paths.list),
            `Se eliminó ${texts.one} «${row[catalog.nameField]}».`,
          );
        },
        (problem, status) => renderEdit(c, catalog, row, { problem, status }),
      );
    });
}

const rowOfPath = (c: AppContext, catalog: Catalog) => getRow(c.get('deps').db, catalog, idInPath(c));

async function renderCreate(c: AppContext, catalog: Catalog, state: FormState) {
  const { paths, texts } = catalog;
  // Where the key has served for something else, sending the form again is a new creation, and meant.
  const isUsed = state.problem?.code === 'idempotency_key_reused';
  const key = (!isUsed && state.idempotencyKey) || crypto.randomUUID();
  return renderPage(
    c,
    { title: texts.create, status: state.status },
    <CatalogForm
      catalog={catalog}
      action={paths.create}
      state={state}
      isNew
      hidden={{ idempotencyKey: key }}
      pickers={await referencePickers(c.get('deps').db, catalog, state.values)}
    />,
  );
}

/** The edit screen of a row, below its form what is its own. */
export async function renderEdit(
  c: AppContext,
  catalog: Catalog,
  row: CatalogRow,
  {
    values,
    problem,
    status,
    credit,
  }: {
    values?: FormState['values'];
    problem?: DomainError;
    status?: ContentfulStatusCode;
    credit?: CreditFormState;
  } = {},
) {
  const { paths, texts } = catalog;
  const shown =
    values ?? Object.fromEntries(catalog.fields.map(({ name }) => [name, String(row[name] ?? '')]));
  const current = problem?.kind === 'stale' && values ? (problem.extra?.current as CatalogRow) : undefined;
  const version = String(current?.version ?? values?.version ?? row.version);
  const action = `${paths.edit}/${row.id}`;
  return renderPage(
    c,
    { title: texts.edit, status, actions: <KinLinks catalog={catalog} id={row.id} /> },
    <div className="stack">
      <CatalogForm
        catalog={catalog}
        action={action}
        state={{ values: shown, problem, current }}
        hidden={{ version }}
        pickers={await referencePickers(c.get('deps').db, catalog, shown)}
      />
      {catalog.noun === 'suppliers' && (await renderSupplierCredit(c.get('deps').db, row.id, credit))}
      <Ask
        summary={`Eliminar ${texts.one}`}
        question={`¿Eliminar ${texts.one} «${row[catalog.nameField]}»? No se puede deshacer.`}
        action={`${action}/eliminar`}
        version={version}
        button="Eliminar"
      />
    </div>,
  );
}

/** What a new row starts with: where a setting says so, its value; and the row of another list that the address names. */
async function firstValues(c: AppContext, catalog: Catalog): Promise<Record<string, string>> {
  const settings = await readSettings(c.get('deps').db);
  const values = catalog.fields.map(({ name, ref, setting }) => [
    name,
    (ref && c.req.query(name)) || (setting && settings[setting as SettingKey]) || '',
  ]);
  return Object.fromEntries(values);
}

/** The creation screen again, for the next one of the same: obras mostly come several to a client. */
function nextAddress({ paths, fields }: Catalog, row: CatalogRow): string {
  const references = fields.flatMap(({ name, ref }) => (ref ? [[name, row[name] as number]] : []));
  return withQuery(paths.create, Object.fromEntries(references));
}
