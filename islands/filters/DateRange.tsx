import { useRef } from 'react';
import { Field } from '../../shared/ui/Field.tsx';

interface End {
  name: string;
  label: string;
  value: string;
}

export interface DateRangeProps {
  /** of the period as a whole: "Emisión" */
  label: string;
  from: End;
  to: End;
  /** those asked for most */
  presets: readonly { name: string; from: string; to: string }[];
}

/** Both ends of a period, and the periods that are asked for most, which fill them in. */
export function DateRange({ label, from, to, presets }: DateRangeProps) {
  const range = useRef<HTMLDivElement>(null);
  const preset = useRef<HTMLSelectElement>(null);
  const ends = () => [...(range.current?.querySelectorAll<HTMLInputElement>('[type=date]') ?? [])];

  /** Ahead of the form, which hears the same event next. */
  const fillIn = () => {
    const period = presets[Number(preset.current?.value || -1)];
    const [first, last] = ends();
    if (!period || !first || !last) return;
    first.value = period.from;
    last.value = period.to;
  };

  const leave = () => {
    if (preset.current) preset.current.value = '';
  };

  return (
    <div className="range" ref={range}>
      <Field kind="date" {...from} onInput={leave} />
      <Field kind="date" {...to} onInput={leave} />
      <select
        ref={preset}
        className="control needs-script"
        aria-label={`Periodo de ${label.toLowerCase()}`}
        defaultValue=""
        onInput={fillIn}
      >
        <option value="">Periodo…</option>
        {presets.map(({ name }, index) => (
          <option key={name} value={index}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
