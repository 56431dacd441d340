import type { ReactNode } from 'react';
import type { PickerFieldProps } from './fieldProps.ts';

/** What stands for a picker without script; a row that is missing is made on its own screen, in a new tab. */
export function Fallback({ picker, ...props }: PickerFieldProps & { id: string }): ReactNode {
  return (
    <>
      <FallbackControl {...props} />
      {picker.create && (
        <a href={picker.create.page} target="_blank" rel="noopener">
          {picker.create.title}
        </a>
      )}
    </>
  );
}

function FallbackControl({
  id,
  name,
  value,
  emptyLabel = 'Sin elegir',
  noscript,
  required,
  error,
}: Omit<PickerFieldProps, 'picker'> & { id: string }): ReactNode {
  if (!noscript) return null;
  const shared = {
    className: 'control',
    'aria-labelledby': `${id}label`,
    'aria-required': required || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}note` : undefined,
  };
  if (!('options' in noscript)) {
    const { placeholder, ...field } = noscript;
    return <input {...shared} name={field.name} defaultValue={field.value} placeholder={placeholder} />;
  }
  return (
    <select {...shared} name={name} defaultValue={value ?? ''}>
      <option value="">{emptyLabel}</option>
      {noscript.none && <option value={0}>{noscript.none}</option>}
      {noscript.options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
