import type { Catalog, CatalogField } from '../../../shared/catalogs/catalog.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import type { FieldProps } from '../../../shared/ui/Field.tsx';

const KINDS = {
  text: 'text',
  rfc: 'text',
  clabe: 'text',
  phone: 'tel',
  email: 'email',
  date: 'date',
  textarea: 'textarea',
  whole: 'number',
} as const;

export const recordFields = ({ fields, required }: Catalog): RecordField[] =>
  fields.map((field) => ({
    name: field.name,
    label: field.label,
    required: required.includes(field.name),
    catalog: field.ref,
    kind: 'ref',
    ...catalogControl(field),
  }));

/** The control of a catalog's field, the same on its screens and in the dialogs; none for a reference. */
export function catalogControl({
  type,
  max,
}: CatalogField): Partial<FieldProps> & { kind?: RecordField['kind'] } {
  if (type === 'ref') return {};
  const isText = type === 'text' || type === 'textarea' || type === 'phone' || type === 'email';
  return {
    kind: KINDS[type],
    wide: type === 'textarea',
    autoComplete: 'off',
    ...(isText ? { maxLength: max } : {}),
    ...(type === 'whole' ? { min: 0, max, inputMode: 'numeric' } : {}),
    ...(type === 'phone' ? { inputMode: 'tel' } : {}),
    ...(type === 'clabe' ? { inputMode: 'numeric' } : {}),
    ...(type === 'rfc' ? { autoCapitalize: 'characters' } : {}),
  };
}
