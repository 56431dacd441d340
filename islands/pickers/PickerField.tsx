import { useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../shared/ui/Icon.tsx';
import { ComboBox } from './ComboBox.tsx';
import { PickerFallback as Fallback } from './PickerFallback.tsx';
import type { PickerRow, PickerSpec } from './picker.ts';
import { prefetchDialog, usePicked } from './usePicked.ts';

export interface PickerFieldProps {
  /** of the hidden field that carries the chosen id */
  name: string;
  label: string;
  picker: PickerSpec;
  value?: number | null;
  /** the chosen row's name */
  chosen?: string | null;
  /** what was typed and led to no row */
  typed?: string;
  /** shown where nothing is chosen: "Todos" in a filter */
  emptyLabel?: string;
  required?: boolean;
  error?: string;
  /** focus on arrival: the first wrong field */
  focus?: boolean;
  /** told of every choice, the row as the API has it, or null */
  onPick?: (row: PickerRow | null) => void;
  /** in the narrow columns of a filter: icons alone; what is typed there and not chosen is given up */
  compact?: boolean;
  /** reaches the server's markup only: what stands here without script */
  noscript?: PickerFallback;
}

/** Up to 500 rows a select, where `none` is chosen by 0; beyond that a text field whose name the server matches. */
export type PickerFallback =
  | { options: readonly { value: number; label: string }[]; none?: string }
  | { name: string; value: string; placeholder?: string };

/**
 * A field that is typed into where it stands: below it the server's suggestions, beside it the dialog, and × to clear.
 * A change is an input event of the form.
 */
export function PickerField(props: PickerFieldProps) {
  const { name, label, picker, emptyLabel, required, error, focus, compact } = props;
  const id = useId();
  const hidden = useRef<HTMLInputElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const picked = usePicked(props, hidden, input);
  const problem = error || picked.notice;
  // Without script the <select> speaks for this name: see islands/loader/scripted.ts.
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
        value={picked.isTyped && !compact ? '' : (picked.choice.id ?? '')}
        disabled={!scripted}
        data-scripted=""
        data-sent={props.value ?? ''}
        suppressHydrationWarning
      />
      <ComboBox
        id={`${id}text`}
        {...{ input, picked, picker, label, emptyLabel, required, focus, compact }}
        isWrong={Boolean(problem)}
        describedBy={problem ? `${id}note` : undefined}
      />
      {/* React leaves a <noscript>'s content alone in the browser, so its code stays out of there too. */}
      <noscript>{import.meta.env.SSR && <Fallback {...props} id={id} />}</noscript>
      {problem && (
        <div id={`${id}note`} className="field-error">
          <Icon name="warning" />
          {problem}
        </div>
      )}
    </div>
  );
}
