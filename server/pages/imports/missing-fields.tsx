import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { fieldsOf, type TableField, type TableFieldType } from '../../formats/tables/fields.ts';
import type { TablePlan } from '../../formats/tables/table.ts';
import { fieldLabelOf, type PlannedUpload } from './plan.ts';
import type { ImportQuery } from './query.ts';

/** Names to choose from, by field; absent where there are too many, or the field refers to no other list. */
export type NameOptionsByField = Readonly<Record<string, readonly string[]>>;

interface SharedValueFieldsProps {
  plannedUpload: PlannedUpload;
  query: ImportQuery;
  optionsByField: NameOptionsByField;
}

export function MissingFields({ plannedUpload: { plan }, query, optionsByField }: SharedValueFieldsProps) {
  const missing = fieldsOf(plan.kind).filter((field) => isFieldMissing(plan, field));
  if (missing.length === 0) return null;
  return (
    <fieldset className="import-missing">
      <legend>{missing.length === 1 ? 'Falta una columna' : `Faltan ${missing.length} columnas`}</legend>
      <p className="note">Elige abajo qué columna es, o pon aquí el mismo valor para todas las filas.</p>
      <div className="fields">
        {missing.map(({ name, requirement }) => (
          <SharedValueField
            key={name}
            name={name}
            query={query}
            choices={optionsByField}
            isMissing
            hint={describeNeededField(requirement)}
          />
        ))}
      </div>
    </fieldset>
  );
}

const isFieldMissing = ({ missingFields, questions }: TablePlan, { name, label }: TableField): boolean =>
  missingFields.includes(label) ||
  questions.some(({ answerOption, field }) => answerOption === 'set' && field === name);

const describeNeededField = (needed: TableField['requirement']): string | undefined =>
  needed && `${needed.why} Si no se sabe, escribe «${needed.unknown}».`;

export function SharedValueFields({
  plannedUpload: { plan },
  query,
  optionsByField,
}: SharedValueFieldsProps) {
  const mapped = new Set(plan.columns.map(({ field }) => field));
  const free = fieldsOf(plan.kind).filter(
    (field) =>
      query.set[field.name] !== undefined ||
      (!mapped.has(field.name) && !isFieldMissing(plan, field) && SHARED_VALUE_TYPES.includes(field.type)),
  );
  if (free.length === 0) return null;
  return (
    <Disclosure summary="El mismo valor para todas las filas" isOpen={Object.keys(query.set).length > 0}>
      <div className="fields">
        {free.map(({ name }) => (
          <SharedValueField key={name} name={name} query={query} choices={optionsByField} />
        ))}
      </div>
    </Disclosure>
  );
}

/** Types of fields for which one value for all rows makes sense; numbers, amounts and addresses differ by row. */
const SHARED_VALUE_TYPES: readonly TableFieldType[] = [
  'text',
  'long-text',
  'date',
  'rate',
  'whole',
  'rfc',
  'currency',
  'exchange',
];

interface SharedValueFieldProps {
  name: string;
  query: ImportQuery;
  choices: NameOptionsByField;
  isMissing?: boolean;
  hint?: string;
}

function SharedValueField({ name, query, choices, isMissing, hint }: SharedValueFieldProps) {
  const field = `set.${name}`;
  const value = query.set[name] ?? '';
  const label = fieldLabelOf(query.kind, name);
  const names = choices[name];
  const shared = { name: field, label, value, required: isMissing, hint };
  if (!names) return <Field {...shared} maxLength={400} />;
  const options = value === '' || names.includes(value) ? names : [value, ...names];
  return (
    <Field
      {...shared}
      kind="select"
      options={[
        { value: '', label: isMissing ? 'Elige…' : 'Ninguno' },
        ...options.map((one) => ({ value: one, label: one })),
      ]}
    />
  );
}
