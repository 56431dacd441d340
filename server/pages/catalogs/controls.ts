import type { CatalogField } from '../../../shared/catalogs/catalog.ts';
import type { FieldProps } from '../../../shared/ui/Field.tsx';

const KINDS = {
  text: 'text',
  rfc: 'text',
  phone: 'tel',
  email: 'email',
  date: 'date',
  textarea: 'textarea',
  whole: 'number',
} as const;

/** The control of a catalog's field, the same on its screens and in the dialogs; none for a reference. */
export function catalogControl({ type, max }: CatalogField): Partial<FieldProps> {
  if (type === 'ref') return {};
  const isText = type === 'text' || type === 'textarea' || type === 'phone' || type === 'email';
  return {
    kind: KINDS[type],
    wide: type === 'textarea',
    autoComplete: 'off',
    ...(isText ? { maxLength: max } : {}),
    ...(type === 'whole' ? { min: 0, max, inputMode: 'numeric' } : {}),
    ...(type === 'phone' ? { inputMode: 'tel' } : {}),
    ...(type === 'rfc' ? { autoCapitalize: 'characters' } : {}),
  };
}
