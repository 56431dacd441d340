import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';

interface PickerChoiceProps {
  id: string;
  name: string;
  label: string;
  /** of the view that the button leads to: "Seleccionar cliente" */
  title: string;
  value?: number;
  chosen?: string;
  required?: boolean;
  error?: string;
  onOpen: () => void;
}

/** In a dialog's form: a row of another list, picked in another view of the same dialog. */
export function PickerChoice(props: PickerChoiceProps) {
  const { id, name, label, title, value, chosen, required, error, onOpen } = props;
  return (
    <div className="field wide">
      <label id={`${id}-label`} className={required ? 'label req' : 'label'} htmlFor={id}>
        {label}
      </label>
      <input type="hidden" name={name} value={value ?? ''} />
      <div className="picker">
        <output id={`${id}-chosen`} className={chosen ? 'control' : 'control soft'} title={chosen}>
          {chosen ?? 'Sin seleccionar'}
        </output>
        <Button
          id={id}
          type="button"
          data-for={name}
          aria-label={title}
          aria-describedby={error ? `${id}-chosen ${id}-note` : `${id}-chosen`}
          aria-invalid={error ? true : undefined}
          onClick={onOpen}
        >
          Seleccionar…
        </Button>
      </div>
      {error && (
        <div id={`${id}-note`} className="field-error">
          <Icon name="warning" />
          {error}
        </div>
      )}
    </div>
  );
}
