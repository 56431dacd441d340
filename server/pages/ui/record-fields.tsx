import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import ReferencePicker from '../../../islands/ReferencePicker.tsx';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import { isPlainDate } from '../../../shared/dates.ts';
import { moneyText, rateText } from '../../../shared/money.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { Field, type FieldProps } from '../../../shared/ui/Field.tsx';
import { Island } from '../../shell/island.tsx';
import { idIn, type PickerParts, pickerParts } from './pickers.ts';

/** By field name: what was typed, or what is wrong with it. */
export type Texts = Readonly<Partial<Record<string, string>>>;

type Member<Field extends RecordField> = Field extends { cents: infer Cents extends string }
  ? Cents
  : Field['name'];

/** A record's fields as its form shows them. */
export const textsOf = <One extends RecordField>(
  fields: readonly One[],
  record: Readonly<Record<Member<One>, string | number | null>>,
) =>
  Object.fromEntries(
    fields.map((field) => {
      const member = (field.cents ?? field.name) as Member<One>;
      return [field.name, textOf(field, record[member])];
    }),
  ) as Record<One['name'], string>;

function textOf({ kind }: RecordField, value: string | number | null): string {
  if (value === null) return '';
  if (kind === 'money') return moneyText(Number(value));
  return kind === 'rate' ? rateText(Number(value)) : String(value);
}

/** What stands in the fields; one that was not sent is empty. */
export const typedTexts = <One extends RecordField>(fields: readonly One[], values: Texts) =>
  Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? ''])) as Record<One['name'], string>;

export const firstWrong = <One extends RecordField>(fields: readonly One[], errors: Texts) =>
  fields.find(({ name }) => errors[name])?.name as One['name'] | undefined;

export interface Shown {
  /** as typed; without script also the names of what is picked */
  values: Texts;
  errors: Texts;
  /** the field that has the focus on arrival */
  focus?: string;
  /** of each reference into no catalog */
  pickers?: Readonly<Record<string, PickerParts>>;
}

/** The control of each field, by its name. */
export async function renderControls<One extends RecordField>(
  db: Db,
  fields: readonly One[],
  shown: Shown,
): Promise<Record<One['name'], ReactNode>> {
  const controls: Record<string, ReactNode> = {};
  for (const field of fields) controls[field.name] = await renderControl(db, field, shown);
  return controls as Record<One['name'], ReactNode>;
}

async function renderControl(db: Db, field: RecordField, { values, errors, focus, pickers }: Shown) {
  const { name, label, kind, catalog, required, cents: _cents, canBeNone: _none, ...control } = field;
  const shared = { name, label, error: errors[name], focus: name === focus, required };
  if (kind === 'ref') {
    const parts = catalog ? await pickerParts(db, catalogOf(catalog), name, values) : pickers![name]!;
    const value = idIn(values[name]);
    return <Island key={name} of={ReferencePicker} on="idle" props={{ ...shared, ...parts, value }} />;
  }
  const value = values[name] ?? '';
  return <Field key={name} {...controlOf(kind, value)} {...control} {...shared} value={value} />;
}

function controlOf(kind: Exclude<RecordField['kind'], 'ref'>, value: string): Partial<FieldProps> {
  // A date that is none stays readable: a date control would show nothing.
  if (kind === 'date') return { kind: value && !isPlainDate(value.trim()) ? 'text' : 'date' };
  if (kind === 'rate') return { kind: 'text', inputMode: 'decimal', autoComplete: 'off', suffix: '%' };
  return kind === 'text' ? { kind, autoComplete: 'off' } : { kind };
}
