import { Hono } from 'hono';
import { catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { restoreRowPath, withQuery } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath, returnHref, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, readSettingsOnce } from '../../http/session.ts';
import { type CatalogRow, getRow } from '../../services/catalogs/reading.ts';
import { createRow, deleteRow, updateRow } from '../../services/catalogs/row-changes.ts';
import { readRegime } from '../../services/fiscal/regimes.ts';
import type { SettingKey } from '../../services/settings/definitions.ts';
import { parseNewRow, parseRowChange } from '../../shapes/catalogs.ts';
import { handleForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { renderSupplierSituation } from '../fiscal/list-69b.tsx';
import { renderSupplierMails } from '../mails/mails.tsx';
import { renderSupplierDebt } from '../statements/supplier-debt.tsx';
import { findProposedValue } from '../ui/catalog-controls.ts';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { historyLink } from '../ui/history-link.tsx';
import {
  createEditPage,
  type FormState,
  parseVersion,
  pickNewestRow,
  prepareIdempotencyKey,
} from '../ui/record-form.tsx';
import {
  CREATE_ANOTHER_VALUE,
  RelatedLinks,
  readCatalogForm,
  renderCatalogForm,
  toCatalogTexts,
} from './form.tsx';
import { createCatalogListPage } from './list.tsx';
import { type AccountFormState, renderAccounts } from './suppliers-accounts-section.tsx';
import { type CreditFormState, renderSupplierCredit } from './suppliers-credit-notes-section.tsx';

export const catalogsPages = new Hono<AppEnv>({ strict: false });

for (const catalog of catalogs) catalogsPages.route('/', createCatalogPages(catalog));

function createCatalogPages(catalog: Catalog) {
  const { paths, texts } = catalog;
  const editPath = `${paths.edit}/${ID_SEGMENT}`;
  const screen = createEditPage<CatalogRow>({
    read: (c) => getRow(c.get('deps').db, catalog, idInPath(c)),
    render: (c, row, state) => renderEdit(c, catalog, row, state),
    toTexts: (row) => toCatalogTexts(catalog, row),
  });
  return new Hono<AppEnv>({ strict: false })
    .get(paths.list, createCatalogListPage(catalog))
    .get(paths.create, async (c) => renderCreate(c, { values: await readInitialValues(c, catalog) }))
    .post(paths.create, (c) =>
      handleForm(c, renderCreate, async ({ form, db, actor }) => {
        const fields = await readCatalogForm(db, catalog, form);
        const draft = parseNewRow(catalog, fields);
        const once = { ...fields, idempotencyKey: form.idempotencyKey };
        const { row, warnings } = await writeOnce(c, once, (trx) => createRow(trx, actor, catalog, draft));
        const about = createSavedRowLink(catalog, row.id);
        if (form.next !== CREATE_ANOTHER_VALUE)
          return redirectWithMessage(c, returnHref(form, paths.list), {
            text: texts.created,
            about,
            warnings,
          });
        const text = `Se guardó ${texts.one} «${row[catalog.nameField]}».`;
        return redirectWithMessage(c, createAnotherHref(catalog, row), { text, warnings });
      }),
    )
    .get(editPath, (c) => screen.show(c))
    .post(editPath, (c) =>
      screen.handleForm(c, async (row, { form, db, actor }) => {
        const fields = await readCatalogForm(db, catalog, form, row);
        const change = parseRowChange(catalog, { ...fields, version: form.version });
        const { warnings } = await updateRow(db, actor, catalog, row.id, change.draft, change.version);
        const about = createSavedRowLink(catalog, row.id);
        return redirectWithMessage(c, returnHref(form, paths.list), {
          text: texts.updated,
          about,
          warnings,
        });
      }),
    )
    .post(`${editPath}/eliminar`, (c) =>
      screen.handleStep(c, async (row, { form, db, actor }) => {
        await deleteRow(db, actor, catalog, row.id, parseVersion(form.version));
        return redirectWithMessage(c, returnHref(form, paths.list), {
          text: `Se eliminó ${texts.one} «${row[catalog.nameField]}».`,
          undo: restoreRowPath(paths.edit, row.id),
        });
      }),
    );

  async function renderCreate(c: AppContext, state: FormState) {
    const { idempotencyKey } = prepareIdempotencyKey(state);
    const formContext = { action: paths.create, hidden: { idempotencyKey }, isNew: true };
    const form = await renderCatalogForm(c.get('deps').db, catalog, state, formContext);
    return renderPage(c, { title: texts.create, status: state.status }, form);
  }
}

const createSavedRowLink = ({ paths, texts }: Catalog, id: number) => ({
  href: `${paths.edit}/${id}`,
  link: `Ver ${texts.one.replace(/^(el|la) /, '')}`,
});

export async function renderEdit(
  c: AppContext,
  catalog: Catalog,
  storedRow: CatalogRow,
  {
    credit: creditForm,
    accounts: accountForm,
    ...state
  }: Partial<FormState> & { credit?: CreditFormState; accounts?: AccountFormState } = {},
) {
  const { db } = c.get('deps');
  const { paths, texts } = catalog;
  const values = state.values ?? toCatalogTexts(catalog, storedRow);
  const { row, version } = pickNewestRow(storedRow, { ...state, values });
  const action = `${paths.edit}/${row.id}`;
  // Only saving posts the fields with which `stored` is compared; other steps post none.
  const formContext = { action, hidden: { version }, stored: state.stepAddress ? undefined : row };
  const isRefused = Boolean(state.problem ?? creditForm ?? accountForm);
  const debt = catalog.noun === 'suppliers' && !isRefused && (await renderSupplierDebt(c, row.id));
  const regimen = catalog.noun === 'suppliers' && (await readRegime(db, row.id));
  return renderPage(
    c,
    {
      title: texts.edit,
      subtitle: debt ? String(row[catalog.nameField]) : undefined,
      subject: String(row[catalog.nameField]),
      status: state.status,
      actions: (
        <>
          <RelatedLinks catalog={catalog} id={row.id} />
          {historyLink(c, catalog.noun, row.id)}
        </>
      ),
    },
    <div className={debt ? 'stack parted' : 'stack'}>
      {catalog.noun === 'suppliers' && (await renderSupplierSituation(c, row.rfc))}
      {debt ? debt.summary : null}
      {await renderCatalogForm(db, catalog, { ...state, values }, formContext)}
      {regimen && <p className="note">Régimen fiscal {regimen}, según su último CFDI.</p>}
      {catalog.noun === 'suppliers' && (await renderSupplierCredit(db, row.id, creditForm))}
      {catalog.noun === 'suppliers' && (await renderAccounts(c, row, accountForm))}
      {debt && <div className="due">{debt.due}</div>}
      {catalog.noun === 'suppliers' && (await renderSupplierMails(c, row.id))}
      <div className="asks">
        <ConfirmStep
          summary={`Eliminar ${texts.one}`}
          question={`¿Eliminar ${texts.one} «${row[catalog.nameField]}»?`}
          action={`${action}/eliminar`}
          version={version}
          button="Eliminar"
        />
      </div>
    </div>,
  );
}

async function readInitialValues(c: AppContext, catalog: Catalog): Promise<Record<string, string>> {
  const settings = await readSettingsOnce(c);
  const values = catalog.fields.map((field) => {
    const { name, ref, defaultSetting } = field;
    const usual = defaultSetting ? settings[defaultSetting as SettingKey] : findProposedValue(field);
    return [name, (ref && c.req.query(name)) || usual || ''];
  });
  return Object.fromEntries(values);
}

/** The address of the form for another new row with the same references: a client often has several new jobs. */
function createAnotherHref({ paths, fields }: Catalog, row: CatalogRow): string {
  const references = fields.flatMap(({ name, ref }) => (ref ? [[name, row[name] as number]] : []));
  return withQuery(paths.create, Object.fromEntries(references));
}
