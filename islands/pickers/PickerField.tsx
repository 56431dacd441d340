import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import type { Picked, PickerRow, PickerSpec } from './picker.ts';

export interface PickerFieldProps {
  /** of the hidden field that carries the chosen id */
  name: string;
  label: string;
  picker: PickerSpec;
  value?: number | null;
  /** the chosen row's name */
  chosen?: string | null;
  /** shown where nothing is chosen: "Todos" in a filter */
  emptyLabel?: string;
  required?: boolean;
  error?: string;
  /** focus on arrival: the first wrong field */
  focus?: boolean;
  /** told of every choice, the row as the API has it, or null */
  onPick?: (row: PickerRow | null) => void;
  /** icons alone, for the narrow columns of a filter */
  compact?: boolean;
  /** reaches the server's markup only: what stands here without script */
  noscript?: PickerFallback;
}

/** Up to 500 rows a select, where `none` is chosen by 0; beyond that a text field whose name the server matches. */
export type PickerFallback =
  | { options: readonly { value: number; label: string }[]; none?: string }
  | { name: string; value: string; placeholder?: string };

/** Comes with the first opening; fetched ahead on hover, focus and idle. */
const loadDialog = () => import('./PickerDialog.tsx');
const prefetch = () => void loadDialog().catch(() => {}); // should it fail, opening says so

/** What was chosen, a button that opens the dialog, and Quitar. A change is an input event of the form. */
export function PickerField(props: PickerFieldProps) {
  const { name, label, picker, emptyLabel = 'Sin seleccionar', required, error, compact } = props;
  const id = useId();
  const hidden = useRef<HTMLInputElement>(null);
  const [choice, setChoice] = useState({ id: props.value ?? null, name: props.chosen ?? '' });
  const [isLoading, setLoading] = useState(false);
  const [loadError, setLoadError] = useState('');
  const problem = error || loadError;
  // Without script the <select> speaks for this name: see islands/loader/scripted.ts.
  const [scripted, setScripted] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; it sets state and calls what stays the same
  useEffect(() => {
    setScripted(true);
    // for what was picked and lost: see islands/drafts
    Object.assign(hidden.current as HTMLInputElement, { pick: choose, picker });
    const timer = setTimeout(() => 'requestIdleCallback' in window && requestIdleCallback(prefetch), 1000);
    return () => clearTimeout(timer);
  }, []);

  const choose = ({ row, name }: Picked | { row: null; name: string }) => {
    setChoice({ id: row?.id ?? null, name });
    const field = hidden.current as HTMLInputElement;
    field.value = String(row?.id ?? ''); // ahead of React, for whoever hears the event and reads the form
    field.dispatchEvent(new Event('input', { bubbles: true }));
    props.onPick?.(row);
  };

  const open = async (opener: HTMLElement) => {
    setLoading(true);
    const { openPicker } = (await loadDialog().catch(() => undefined)) ?? {};
    setLoading(false);
    setLoadError(openPicker ? '' : 'No se pudo abrir la lista. Intenta de nuevo.');
    const picked = await openPicker?.(picker, opener);
    if (picked) choose(picked);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would not lay out as a field
    <div className="field wide" role="group" aria-labelledby={`${id}label`} onPointerEnter={prefetch}>
      <label id={`${id}label`} className={required ? 'label req' : 'label'} htmlFor={`${id}open`}>
        {label}
      </label>
      <input
        ref={hidden}
        type="hidden"
        name={name}
        value={choice.id ?? ''}
        disabled={!scripted}
        data-scripted=""
        data-sent={props.value ?? ''}
        suppressHydrationWarning
      />
      <div className="picker needs-script">
        <output
          id={`${id}chosen`}
          className={choice.id === null ? 'control soft' : 'control'}
          title={choice.name}
        >
          {choice.id === null ? emptyLabel : choice.name}
        </output>
        <Button
          id={`${id}open`}
          type="button"
          icon={compact ? 'search' : undefined}
          aria-label={picker.title}
          aria-describedby={problem ? `${id}chosen ${id}note` : `${id}chosen`}
          aria-haspopup="dialog"
          aria-invalid={error ? true : undefined}
          aria-busy={isLoading || undefined}
          autoFocus={props.focus}
          onFocus={prefetch}
          onClick={(event) => open(event.currentTarget)}
        >
          {!compact && 'Seleccionar…'}
        </Button>
        {choice.id !== null && (
          <Button
            type="button"
            icon={compact ? 'close' : undefined}
            aria-label={`Quitar ${label.toLowerCase()}`}
            onClick={() => {
              choose({ row: null, name: '' });
              document.getElementById(`${id}open`)?.focus(); // this button goes away
            }}
          >
            {!compact && 'Quitar'}
          </Button>
        )}
      </div>
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

/** Without script; a row that is missing is made on its own screen, in a new tab. */
function Fallback({ picker, ...props }: PickerFieldProps & { id: string }): ReactNode {
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
  emptyLabel = '',
  noscript,
  required,
  error,
  focus,
}: Omit<PickerFieldProps, 'picker'> & { id: string }): ReactNode {
  if (!noscript) return null;
  const shared = {
    className: 'control',
    'aria-labelledby': `${id}label`,
    'aria-required': required || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}note` : undefined,
    autoFocus: focus,
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
