import {
  type Catalog,
  type CatalogField,
  describeCatalogListColumns,
} from '../../../shared/catalogs/catalog.ts';
import { currentLanguage } from '../../../shared/language.ts';
import type { RecordField } from '../../../shared/record-fields.ts';

const CONTROL_KINDS = {
  text: 'text',
  rfc: 'text',
  clabe: 'text',
  phone: 'tel',
  email: 'email',
  date: 'date',
  textarea: 'textarea',
  whole: 'number',
  money: 'money',
} as const;

/** Spanish forms begin with the name; in the specification a job's client precedes it. */
const orderFormFields = ({ fields, nameField }: Catalog): readonly CatalogField[] =>
  currentLanguage() === 'es'
    ? [...fields].sort((a, b) => formFieldRank(a, nameField) - formFieldRank(b, nameField))
    : fields;

const formFieldRank = ({ name }: CatalogField, nameField: string) => (name === nameField ? 0 : 1);

/** The columns of lists and pickers. The id comes first in the specification; Spanish screens do not show it. */
export const shownColumns = (catalog: Catalog) =>
  describeCatalogListColumns(catalog).filter(({ name }) => name !== 'id' || currentLanguage() !== 'es');

/** Spanish screens show no ids, so there the order by id is called "Captura" and comes last. */
export function createSortOptions(sorts: Readonly<Record<string, string>>) {
  const options = Object.entries(sorts).map(([value, label]) => ({ value, label }));
  if (currentLanguage() !== 'es' || !sorts.id) return options;
  return [...options.filter(({ value }) => value !== 'id'), { value: 'id', label: 'Captura' }];
}

/** The proposed value of a required field that users may not know yet. The specification's forms propose none. */
export const findProposedValue = ({ requirement, ref }: CatalogField): string | undefined =>
  currentLanguage() === 'es' && !ref ? requirement?.unknown : undefined;

export const PROPOSED_FIELD_PROPS = { isProposal: true, hint: 'Propuesto: escríbelo si lo tienes.' } as const;

export const toRecordFields = (catalog: Catalog): RecordField[] =>
  orderFormFields(catalog).map((field) => ({
    ...describeFieldControl(field),
    name: field.name,
    ...(field.cents && { cents: field.cents, canBeNone: true as const }),
    label: field.label,
    required: catalog.required.includes(field.name),
    catalog: field.ref,
    // With a picker, which takes two columns, the name takes two as well.
    ...(field.name === catalog.nameField && catalog.fields.some(({ ref }) => ref) && { wide: true }),
  }));

export const fieldsOfNewRow = (catalog: Catalog, values?: Readonly<Record<string, string>>): RecordField[] =>
  toRecordFields(catalog).map((field, index) => {
    const proposal = findProposedValue(orderFormFields(catalog)[index]!);
    const isProposal = proposal !== undefined && (values?.[field.name] ?? proposal) === proposal;
    return isProposal ? { ...field, ...PROPOSED_FIELD_PROPS } : field;
  });

function describeFieldControl({ type, max }: CatalogField): Pick<RecordField, 'kind'> & Partial<RecordField> {
  if (type === 'ref') return { kind: 'ref' };
  const isText = type === 'text' || type === 'textarea' || type === 'phone' || type === 'email';
  return {
    kind: CONTROL_KINDS[type],
    wide: type === 'textarea',
    autoComplete: 'off',
    ...(isText ? { maxLength: max } : {}),
    ...(type === 'whole' ? { min: 0, max, inputMode: 'numeric' } : {}),
    ...(type === 'phone' ? { inputMode: 'tel' } : {}),
    ...(type === 'clabe' ? { inputMode: 'numeric' } : {}),
    ...(type === 'rfc' ? { autoCapitalize: 'characters' } : {}),
  };
}
