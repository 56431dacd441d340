import { Field } from '../../../shared/ui/Field.tsx';

interface FileFieldProps {
  name: string;
  label: string;
  /** the endings that the browser offers; what the file is, the server sees from its content */
  accept: string;
  hint: string;
  error?: string;
  required?: boolean;
  focus?: boolean;
}

/** A file to choose, or to drop on the control. */
export function FileField({ accept, focus, ...field }: FileFieldProps) {
  const { name, error, required } = field;
  return (
    <Field {...field}>
      <input
        type="file"
        id={name}
        name={name}
        accept={accept}
        className="control"
        aria-describedby={`${name}-note`}
        aria-invalid={error ? true : undefined}
        required={required}
        // biome-ignore lint/a11y/noAutofocus: the page is there to choose this file, or to mend it
        autoFocus={focus}
      />
    </Field>
  );
}
