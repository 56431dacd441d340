import type { Db } from '../../../db/schema.ts';
import { catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { localize } from '../../../shared/language.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { CatalogRow } from '../../services/catalogs/reading.ts';
import { fieldsOfNewRow, toRecordFields } from '../ui/catalog-controls.ts';
import { NewCreditNoteLink } from '../ui/new-credit-note-link.tsx';
import { type PostedFields, readFields } from '../ui/posted-fields.ts';
import { type FieldTexts, toFieldTexts } from '../ui/record-fields.tsx';
import { type FormState, renderRecordForm } from '../ui/record-form.tsx';

interface CatalogFormOptions {
  action: string;
  hidden: FieldTexts;
  isNew?: boolean;
  stored?: CatalogRow;
}

export const CREATE_ANOTHER_VALUE = 'new';

export function renderCatalogForm(db: Db, catalog: Catalog, state: FormState, options: CatalogFormOptions) {
  const { texts, paths } = catalog;
  const { action, hidden, isNew } = options;
  const fields = isNew ? fieldsOfNewRow(catalog, state.values) : toRecordFields(catalog);
  const buttons = (
    <>
      <Button look="primary">{localize(texts.save)}</Button>
      {isNew && (
        <Button name="next" value={CREATE_ANOTHER_VALUE}>
          {texts.one.startsWith('la ') ? 'Guardar y nueva' : 'Guardar y nuevo'}
        </Button>
      )}
      <LeaveLink href={paths.list} data-back="" />
    </>
  );
  const first = isNew ? fields.find(({ name }) => !state.values[name])?.name : undefined;
  const stored = options.stored && toCatalogTexts(catalog, options.stored);
  return renderRecordForm(db, { fields, state, action, hidden, stored, first, buttons });
}

export const toCatalogTexts = (catalog: Catalog, row: CatalogRow): Record<string, string> =>
  toFieldTexts(toRecordFields(catalog), row as Record<string, string | number | null>);

/** Reads the catalog's fields from the form; names typed without script become ids. @throws DomainError */
export const readCatalogForm = (
  db: Db,
  catalog: Catalog,
  form: FieldTexts,
  row?: CatalogRow,
): Promise<PostedFields> =>
  readFields(db, toRecordFields(catalog), form, {
    previous: row && { ...pickReferenceNames(catalog, row), ...row },
  });

/** Names of the rows that a row refers to, by field name, such as a job's clientname. */
const pickReferenceNames = ({ fields }: Catalog, row: CatalogRow): object =>
  Object.assign({}, ...fields.map(({ name, ref }) => ref && row[name.replace(/Id$/, '')]));

export function RelatedLinks({ catalog, id }: { catalog: Catalog; id: number }) {
  const ofThisRow = `de ${catalog.texts.one.replace(/^el /, 'este ').replace(/^la /, 'esta ')}`;
  return (
    <>
      {catalog.referredBy.map(({ table, column, many }) => {
        const list = LIST_PAGES_BY_TABLE[table];
        return (
          list && (
            <LinkButton key={table} href={withQuery(list, { [column]: id })}>
              <span>
                {`${many.charAt(0).toUpperCase()}${many.slice(1)}`}
                <span className="roomy"> {ofThisRow}</span>
              </span>
            </LinkButton>
          )
        );
      })}
      {catalog.noun === 'suppliers' && (
        <>
          <LinkButton href={pages.statement(id)}>Estado de cuenta</LinkButton>
          <NewCreditNoteLink supplierId={id} />
        </>
      )}
      {catalogs.map(({ noun, fields, paths, texts }) => {
        const reference = fields.find(({ ref }) => ref === catalog.noun);
        return (
          reference && (
            <LinkButton key={noun} icon="plus" href={withQuery(paths.create, { [reference.name]: id })}>
              <span>
                {texts.create}
                <span className="roomy"> {ofThisRow}</span>
              </span>
            </LinkButton>
          )
        );
      })}
    </>
  );
}

const LIST_PAGES_BY_TABLE: Readonly<Record<string, string>> = { invoices: pages.invoices };
