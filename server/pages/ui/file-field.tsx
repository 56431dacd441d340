import { Field } from '../../../shared/ui/Field.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';

interface FileFieldProps {
  name: string;
  label: string;
  /** extensions for the browser's file dialog; the server recognises files by their content */
  accept: string;
  hint: string;
  error?: string;
  /** the name of a file that was sent with the form before */
  sentFilename?: string;
  required?: boolean;
  multiple?: boolean;
  focus?: boolean;
  capture?: 'environment';
  /** a photo is made smaller before it is sent (islands/photos/shrink.ts) */
  isPhoto?: boolean;
  /** choosing a file submits the form, by its button with `formaction` where there is one */
  submitsOnChoice?: boolean;
}

const NO_FILE_TEXT = 'Ningún archivo elegido';

/** Browsers label the control in their own language, so with script it is invisible and covers our own label. */
export function FileField({
  accept,
  focus,
  multiple,
  capture,
  submitsOnChoice,
  sentFilename,
  isPhoto,
  ...field
}: FileFieldProps) {
  const { name, error, required } = field;
  return (
    <Field {...field}>
      <div className="file">
        <input
          type="file"
          id={name}
          name={name}
          accept={accept}
          multiple={multiple}
          capture={capture}
          className="control"
          aria-describedby={`${name}-note`}
          aria-invalid={error ? true : undefined}
          required={required}
          data-submits={submitsOnChoice ? '' : undefined}
          {...(isPhoto && { 'data-part': '', 'data-photo': '' })}
          // biome-ignore lint/a11y/noAutofocus: choosing this file is the purpose of the page
          autoFocus={focus}
        />
        <div className="needs-script" aria-hidden="true">
          <span className="btn">
            <Icon name={capture ? 'camera' : 'attach'} />
            {capture ? 'Elegir foto' : multiple ? 'Elegir archivos' : 'Elegir archivo'}
          </span>
          <span data-file={sentFilename ?? NO_FILE_TEXT} data-none={NO_FILE_TEXT}>
            {sentFilename ?? NO_FILE_TEXT}
          </span>
        </div>
      </div>
    </Field>
  );
}
