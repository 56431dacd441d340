import { FieldNote, type FieldProps } from './Field.tsx';

export const Radios = ({ name, label, value, options, error, hint, focus }: FieldProps) => (
  <div
    className="field radios"
    role="radiogroup"
    aria-labelledby={`${name}-label`}
    aria-describedby={error || hint ? `${name}-note` : undefined}
  >
    <span id={`${name}-label`} className="label">
      {label}
    </span>
    <div className="circles">
      {options?.map((option) => (
        <label key={option.value} className="check">
          <input
            type="radio"
            name={name}
            value={option.value}
            defaultChecked={option.value === value}
            // biome-ignore lint/a11y/noAutofocus: set only where a message on the page asks for this choice
            autoFocus={focus && option.value === value}
          />
          {option.label}
        </label>
      ))}
    </div>
    <FieldNote id={`${name}-note`} error={error} hint={hint} />
  </div>
);
