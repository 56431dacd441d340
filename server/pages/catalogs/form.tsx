import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Db } from '../../../db/schema.ts';
import ReferencePicker from '../../../islands/ReferencePicker.tsx';
import { catalogOf, catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { formatDate } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { CatalogRow } from '../../services/catalogs/reading.ts';
import { Island } from '../../shell/island.tsx';
import { catalogFallback, catalogPicker, chosenName, pickedId } from '../ui/pickers.ts';
import { StaleFields } from '../ui/stale.tsx';
import { catalogControl } from './controls.ts';

export interface FormState {
  /** as typed */
  values: Readonly<Record<string, string>>;
  idempotencyKey?: string;
  problem?: DomainError;
  /** after somebody else's newer save: what is stored now */
  current?: CatalogRow;
  status?: ContentfulStatusCode;
}

type Pickers = Awaited<ReturnType<typeof referencePickers>>;

interface CatalogFormProps {
  catalog: Catalog;
  action: string;
  state: FormState;
  hidden: Record<string, string>;
  pickers: Pickers;
  isNew?: boolean;
}

/** What the creation screen's second button posts as `next`. */
export const NEXT_ONE = 'new';

/** Creation and edit screen alike: a native form with the definition's fields. */
export function CatalogForm({ catalog, action, state, hidden, pickers, isNew }: CatalogFormProps) {
  const { fields, texts, paths, required } = catalog;
  const { problem, current, values } = state;
  const wrong = fields.find(({ name }) => problem?.fields?.[name]);
  // A new row begins with the first field; what is edited may be any of them.
  const first = wrong ?? (isNew ? fields.find(({ type }) => type !== 'ref') : undefined);
  return (
    <form method="post" action={action} className="form" data-busy="" noValidate>
      {problem && <Alert tone="error">{problem.message}</Alert>}
      {current && <StaleFields rows={differences(catalog, values, current, pickers)} reload={action} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="fields">
        {fields.map((field) => {
          const { name, label } = field;
          const shared = {
            name,
            label,
            required: required.includes(name),
            error: problem?.fields?.[name],
          };
          const picker = pickers[name];
          if (!picker)
            return (
              <Field
                key={name}
                {...shared}
                {...catalogControl(field)}
                value={values[name]}
                focus={field === first}
              />
            );
          return (
            <Island
              key={name}
              of={ReferencePicker}
              on="idle"
              props={{ ...shared, ...picker, focus: field === first }}
            />
          );
        })}
      </div>
      <div className="form-actions">
        <Button look="primary">{texts.save}</Button>
        {isNew && (
          <Button name="next" value={NEXT_ONE}>
            {texts.one.startsWith('la ') ? 'Guardar y nueva' : 'Guardar y nuevo'}
          </Button>
        )}
        <LinkButton href={paths.list} data-back="">
          Regresar
        </LinkButton>
      </div>
    </form>
  );
}

/** On an edit screen: what there is for this row on other lists, and what can be made for it. */
export function KinLinks({ catalog, id }: { catalog: Catalog; id: number }) {
  const ofThis = `de ${catalog.texts.one.replace(/^el /, 'este ').replace(/^la /, 'esta ')}`;
  return (
    <>
      {catalog.referredBy.map(({ table, column, many }) => {
        const list = FILTERED_LISTS[table];
        return (
          list && (
            <LinkButton key={table} href={withQuery(list, { [column]: id })}>
              {`${many.charAt(0).toUpperCase()}${many.slice(1)} ${ofThis}`}
            </LinkButton>
          )
        );
      })}
      {catalogs.map(({ noun, fields, paths, texts }) => {
        const reference = fields.find(({ ref }) => ref === catalog.noun);
        return (
          reference && (
            <LinkButton key={noun} icon="plus" href={withQuery(paths.create, { [reference.name]: id })}>
              {`${texts.create} ${ofThis}`}
            </LinkButton>
          )
        );
      })}
    </>
  );
}

/** Table → the list that takes the table's reference as a filter. */
const FILTERED_LISTS: Readonly<Record<string, string>> = { invoices: pages.invoices };

/** The definition's fields among those of a posted form. */
export const fieldsOfForm = ({ fields }: Catalog, form: Record<string, string>): Record<string, string> =>
  Object.fromEntries(fields.flatMap(({ name }) => (form[name] === undefined ? [] : [[name, form[name]]])));

/**
 * Without script a long list is chosen from by typing a name; here it becomes the id. On an edit a name
 * left as it was stands for the row that it stood for, even where others share it.
 * @throws DomainError invalid
 */
export async function readReferences(
  db: Db,
  catalog: Catalog,
  form: Record<string, string>,
  row?: CatalogRow,
): Promise<Record<string, string>> {
  const read = { ...form };
  for (const { name, target } of referencesOf(catalog)) {
    const former = row?.[name.replace(/Id$/, '')] as Record<string, unknown> | undefined;
    const isAsItWas =
      !form[name] && former !== undefined && form[target.nameField] === former[target.nameField];
    const id = isAsItWas ? String(former.id) : await pickedId(db, target, name, form);
    if (id !== undefined) read[name] = id;
  }
  return read;
}

/** What the pickers of a form start with: the chosen row, and what stands in for the dialog without script. */
export async function referencePickers(db: Db, catalog: Catalog, values: FormState['values']) {
  const pickers: Record<string, Pick<PickerProps, 'picker' | 'value' | 'chosen' | 'noscript'>> = {};
  for (const { name, target } of referencesOf(catalog)) {
    const id = /^\d{1,15}$/.test(values[name] ?? '') ? Number(values[name]) : null;
    const chosen = await chosenName(db, target, id);
    pickers[name] = {
      picker: catalogPicker(target),
      value: id,
      chosen,
      noscript: await catalogFallback(db, target, chosen ?? values[target.nameField]),
    };
  }
  return pickers;
}

type PickerProps = Parameters<typeof ReferencePicker>[0];

const referencesOf = (catalog: Catalog) =>
  catalog.fields.flatMap(({ name, ref }) => (ref ? [{ name, target: catalogOf(ref) }] : []));

/** Both values of what somebody else saved meanwhile, as people read them. */
function differences(
  { fields }: Catalog,
  values: FormState['values'],
  current: CatalogRow,
  pickers: Pickers,
) {
  return fields.flatMap(({ name, label, type, ref }) => {
    const stored = String(current[name] ?? '');
    const yours = values[name] ?? stored;
    if (stored === yours) return [];
    const shown = (text: string) => (type === 'date' ? formatDate(text) : text);
    const named =
      ref && (current[name.replace(/Id$/, '')] as Record<string, string>)[catalogOf(ref).nameField];
    return [{ label, stored: named ?? shown(stored), yours: pickers[name]?.chosen ?? shown(yours) }];
  });
}
