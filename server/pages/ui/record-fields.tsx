import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import type { ControlProps } from '../../../islands/forms/FormControl.tsx';
import ReferencePicker from '../../../islands/ReferencePicker.tsx';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import { isPlainDate } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { formatRate, toDecimalText } from '../../../shared/money.ts';
import type { ColumnNameOf, RecordField } from '../../../shared/record-fields.ts';
import { groupThousands } from '../../../shared/thousands.ts';
import { Field, type FieldProps } from '../../../shared/ui/Field.tsx';
import { Island } from '../../shell/island.tsx';
import { type PickerContent, parseOptionalId, readPickerContent } from './pickers.ts';

/** Typed texts or error messages, by field name. */
export type FieldTexts = Readonly<Partial<Record<string, string>>>;

export const toFieldTexts = <One extends RecordField>(
  fields: readonly One[],
  record: Readonly<Record<ColumnNameOf<One>, string | number | null>>,
) =>
  Object.fromEntries(
    fields.map((field) => {
      const member = (field.cents ?? field.name) as ColumnNameOf<One>;
      return [field.name, toInputText(field, record[member])];
    }),
  ) as Record<One['name'], string>;

function toInputText({ kind }: RecordField, value: string | number | null): string {
  if (value === null) return '';
  if (kind === 'money') return toDecimalText(Number(value));
  return kind === 'rate' ? formatRate(Number(value)) : String(value);
}

export const pickFieldTexts = <One extends RecordField>(fields: readonly One[], values: FieldTexts) =>
  Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? ''])) as Record<One['name'], string>;

export const findFirstWrongField = <One extends RecordField>(fields: readonly One[], errors: FieldTexts) =>
  fields.find(({ name }) => errors[name])?.name as One['name'] | undefined;

export interface ShownForm {
  /** as typed; without script, including the names typed into pickers */
  values: FieldTexts;
  errors: FieldTexts;
  focus?: string;
  proposedFields?: ReadonlySet<string>;
  /** pickers for fields that refer to no catalog, or whose picker differs from the catalog's */
  pickers?: Readonly<Record<string, PickerContent | Promise<PickerContent>>>;
}

export async function describeControls<One extends RecordField>(
  db: Db,
  fields: readonly One[],
  shown: ShownForm,
): Promise<Record<One['name'], ControlProps>> {
  const controls = await Promise.all(
    fields.map(async (field) => [field.name, await describeControl(db, field, shown)] as const),
  );
  return Object.fromEntries(controls) as Record<One['name'], ControlProps>;
}

async function describeControl(
  db: Db,
  field: RecordField,
  { values, errors, focus, pickers, proposedFields }: ShownForm,
): Promise<ControlProps> {
  const { name, label, kind, catalog, required, ...described } = field;
  const {
    shortLabel: _short,
    description: _says,
    cents: _cents,
    canBeNone: _none,
    isFolded: _rare,
    ...control
  } = described;
  const shared = { name, label, error: errors[name], focus: name === focus, required };
  if (kind === 'ref') {
    const parts = await (pickers?.[name] ?? readPickerContent(db, catalogOf(catalog!), name, values));
    return {
      kind,
      ...shared,
      ...parts,
      value: parseOptionalId(values[name]),
      isProposal: proposedFields?.has(name),
    };
  }
  const value = values[name] ?? '';
  const shown = kind === 'money' ? groupThousands(value) : value;
  return { ...fieldPropsOf(kind, value), ...control, ...shared, value: shown };
}

export async function renderControls(
  db: Db,
  fields: readonly RecordField[],
  shown: ShownForm,
): Promise<ReactNode[]> {
  const controls = Object.values(await describeControls(db, fields, shown));
  return controls.map((control) => {
    if (control.kind !== 'ref') return <Field key={control.name} {...control} />;
    const { kind: _kind, ...picker } = control;
    return <Island key={control.name} component={ReferencePicker} on="idle" props={picker} />;
  });
}

function fieldPropsOf(kind: Exclude<RecordField['kind'], 'ref'>, value: string): Partial<FieldProps> {
  // An invalid date is shown as text, since a date control would be empty.
  if (kind === 'date') return { kind: value && !isPlainDate(value.trim()) ? 'text' : 'date' };
  if (kind === 'rate') return { kind: 'text', inputMode: 'decimal', autoComplete: 'off', suffix: '%' };
  return kind === 'text' ? { kind, autoComplete: 'off' } : { kind };
}

/** The messages are shorter than the form's own message above them. */
export function shortenFieldErrors(
  problem: DomainError | undefined,
  requiredText: string,
  fields: readonly RecordField[],
  typed: FieldTexts,
  shortMessages: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(problem?.fields ?? {}).map(([name, message]) => {
      const isZero = Number(typed[name]) === 0 && typed[name]?.trim();
      const missing = isZero ? 'Debe ser mayor que cero.' : missingFieldText(fields, name);
      return [name, message === requiredText ? missing : (shortMessages[message] ?? message)];
    }),
  );
}

/** Words the message, such as "Escribe la obra." */
function missingFieldText(fields: readonly RecordField[], fieldName: string): string {
  const label = fields.find(({ name }) => name === fieldName)?.label ?? fieldName;
  const article = /^(Obra|Factura|Cantidad|Fecha|Tasa)/.test(label) ? 'la' : 'el';
  return `Escribe ${article} ${label.replace(/^./, (letter) => letter.toLowerCase())}.`;
}
