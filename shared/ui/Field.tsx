import type { FocusEventHandler, FormEventHandler, ReactNode, Ref } from 'react';
import type { ControlField } from '../record-fields.ts';
import { groupThousands } from '../thousands.ts';
import { Icon } from './Icon.tsx';

export interface FieldProps extends ControlField {
  kind?:
    | 'text'
    | 'email'
    | 'tel'
    | 'password'
    | 'search'
    | 'number'
    | 'date'
    | 'money'
    | 'textarea'
    | 'select';
  /** the initial value; the control is uncontrolled, so that text typed before hydration stays */
  value?: string | number | null;
  error?: string;
  disabled?: boolean;
  focus?: boolean;
  suffix?: string;
  id?: string;
  form?: string;
  step?: string | number;
  placeholder?: string;
  onInput?: FormEventHandler<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>;
  onBlur?: FocusEventHandler<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>;
  inputRef?: Ref<HTMLInputElement>;
  /** the value is invalid, and another message than `error` says so */
  isWrong?: boolean;
  describedBy?: string;
  below?: ReactNode;
  /** shown instead of the control; it must have the control's id, and `${id}-note` describes it */
  children?: ReactNode;
}

export function Field(props: FieldProps) {
  const { label, name, id = name, hint, error, required, wide, kind, children, below } = props;
  return (
    <div className={['field', wide && 'wide', kind === 'search' && 'search'].filter(Boolean).join(' ')}>
      <label className={required ? 'label req' : 'label'} htmlFor={id}>
        {label}
      </label>
      {children ?? <Control {...props} id={id} />}
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
      {below}
    </div>
  );
}

type NoteProps = { id?: string; look?: string } & Pick<FieldProps, 'error' | 'hint'>;

export const FieldNote = ({ id, error, hint, look = 'hint' }: NoteProps) =>
  (error || hint) && (
    <div id={id} className={error ? 'field-error' : look}>
      {error && <Icon name="warning" />}
      {error || hint}
    </div>
  );

function Control({
  kind = 'text',
  value,
  options,
  suffix,
  hint,
  error,
  required,
  focus,
  onInput,
  onBlur,
  inputRef,
  isWrong,
  describedBy,
  isProposal,
  ...props
}: FieldProps) {
  const { label: _label, wide: _wide, children: _children, below: _below, min, max, step, ...plain } = props;
  const described = [(error || hint) && `${props.id}-note`, describedBy].filter(Boolean).join(' ');
  const shared = {
    ...plain,
    className: `control${kind === 'money' || kind === 'number' ? ' num' : ''}${isProposal ? ' proposed' : ''}`,
    // In the browser, islands receive amounts already formatted.
    defaultValue:
      import.meta.env.SSR && kind === 'money' ? groupThousands(String(value ?? '')) : (value ?? ''),
    'aria-describedby': described || undefined,
    'aria-invalid': error || isWrong ? (true as const) : undefined,
    'aria-required': required || undefined,
    autoFocus: focus,
    onInput,
    onBlur,
  };
  if (kind === 'textarea') return <textarea rows={3} {...shared} />;
  if (kind === 'select') {
    const { readOnly, maxLength, placeholder, ...select } = shared;
    return (
      <select {...select} disabled={props.disabled || readOnly}>
        {options?.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  }
  // A number input would refuse typed money, which may contain $ and commas.
  const input =
    kind === 'money'
      ? ({ type: 'text', inputMode: 'decimal', autoComplete: 'off' } as const)
      : ({ type: kind, min, max, step } as const);
  const control = <input {...shared} {...input} ref={inputRef} />;
  if (kind === 'date')
    return (
      // With script, a text input lies over the browser's date field, which keeps the value (islands/loader/dates.ts).
      <div className="date">
        {control}
        <input className="control" type="text" />
        <output className="hint wrong" />
      </div>
    );
  if (kind !== 'money' && kind !== 'search' && !suffix) return control;
  return (
    <div className="affix">
      {kind === 'money' && <span aria-hidden="true">$</span>}
      {kind === 'search' && (
        <span>
          <Icon name="search" />
        </span>
      )}
      {control}
      {suffix && (
        <span className="after" aria-hidden="true">
          {suffix}
        </span>
      )}
    </div>
  );
}
