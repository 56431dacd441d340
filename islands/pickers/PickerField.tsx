import { useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../shared/ui/Icon.tsx';
import { ComboBox } from './ComboBox.tsx';
import type { PickerFieldProps } from './picker.ts';
import { prefetchDialog, usePicked } from './usePicked.ts';

/**
 * A field that is typed into where it stands: below it the server's suggestions, beside it the dialog, and × to clear.
 * A change is an input event of the form.
 */
export function PickerField(props: PickerFieldProps) {
  const { name, label, picker, emptyLabel, required, error, focus, compact } = props;
  const id = useId();
  const hidden = useRef<HTMLInputElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const picked = usePicked(props, hidden, input, PickerField);
  const problem = error || picked.notice;
  const note = problem || (picked.isProposal && props.proposedAs);
  // Without script the <select> is posted under this name: see islands/loader/page.ts.
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  return (
    <div className="field wide" onPointerEnter={prefetchDialog}>
      <label id={`${id}label`} className={required ? 'label req' : 'label'} htmlFor={`${id}text`}>
        {label}
      </label>
      <input
        ref={hidden}
        type="hidden"
        name={name}
        value={picked.typed !== undefined && !compact ? '' : (picked.choice.id ?? '')}
        disabled={!scripted}
        data-scripted=""
        data-sent={props.value ?? ''}
        suppressHydrationWarning
      />
      <ComboBox
        id={`${id}text`}
        {...{ input, picked, picker, label, emptyLabel, required, focus, compact }}
        isWrong={Boolean(problem)}
        describedBy={note ? `${id}note` : undefined}
      />
      {/* React leaves a <noscript>'s content alone in the browser, so its code stays out of there too. */}
      <noscript>{import.meta.env.SSR && <Fallback {...props} id={id} />}</noscript>
      {note && (
        <div id={`${id}note`} className={problem ? 'field-error' : 'hint proposal'}>
          {problem && <Icon name="warning" />}
          {note}
        </div>
      )}
    </div>
  );
}

/** Stands for a picker without script; a row that is missing is made on its own screen, in a new tab. */
function Fallback({ picker, noscript, ...props }: PickerFieldProps & { id: string }) {
  const { id, name, value, emptyLabel = 'Sin elegir', required, error } = props;
  const shared = {
    className: 'control',
    'aria-labelledby': `${id}label`,
    'aria-required': required || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}note` : undefined,
  };
  return (
    <>
      {noscript && !('options' in noscript) && (
        <input
          {...shared}
          name={noscript.name}
          defaultValue={noscript.value}
          placeholder={noscript.placeholder}
          list={noscript.list}
        />
      )}
      {noscript && 'options' in noscript && (
        <select {...shared} name={name} defaultValue={value ?? ''}>
          <option value="">{emptyLabel}</option>
          {noscript.none && <option value={0}>{noscript.none}</option>}
          {noscript.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
      {picker.create && (
        <a href={picker.create.page} target="_blank" rel="noopener">
          {picker.create.title}
        </a>
      )}
    </>
  );
}
