import { Field } from '../../../shared/ui/Field.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';

interface FileFieldProps {
  name: string;
  label: string;
  /** extensions that the browser offers; the server recognises files by their content */
  accept: string;
  hint: string;
  error?: string;
  required?: boolean;
  multiple?: boolean;
  focus?: boolean;
  /** phones open the camera */
  capture?: 'environment';
  /** choosing it submits its form, by the button with an address of its own where there is one */
  submits?: boolean;
}

const NO_FILE = 'Ningún archivo elegido';

/**
 * Files to choose, or to drop on the control. Browsers label it in their own language, so it lies invisibly over our
 * words; without script it is visible, since it alone names the chosen file.
 */
export function FileField({ accept, focus, multiple, capture, submits, ...field }: FileFieldProps) {
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
          data-submits={submits ? '' : undefined}
          // biome-ignore lint/a11y/noAutofocus: the page is there to choose this file, or to mend it
          autoFocus={focus}
        />
        <div className="needs-script" aria-hidden="true">
          <span className="btn">
            <Icon name={capture ? 'camera' : 'attach'} />
            {capture ? 'Elegir foto' : multiple ? 'Elegir archivos' : 'Elegir archivo'}
          </span>
          <span data-file={NO_FILE}>{NO_FILE}</span>
        </div>
      </div>
    </Field>
  );
}
