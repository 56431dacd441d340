import type { InputEvent } from 'react';
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
  /** those asked for most; none where the page offers them by itself */
  presets: readonly { name: string; from: string; to: string }[];
}

/** Both ends of a period, and the periods that are asked for most, which fill them in. */
export function DateRange({ label, from, to, presets }: DateRangeProps) {
  /** Ahead of the form, which hears the same event next. */
  const onInput = ({ currentTarget, target }: InputEvent<HTMLDivElement>) => {
    const [first, last] = currentTarget.querySelectorAll('input');
    const preset = currentTarget.querySelector('select');
    if (!first || !last || !preset) return;
    const period = target === preset ? presets[preset.selectedIndex - 1] : undefined;
    if (period) [first.value, last.value] = [period.from, period.to];
    else preset.value = '';
  };
  return (
    <div className="range" onInput={onInput}>
      <Field kind="date" {...from} />
      <Field kind="date" {...to} />
      {presets.length > 0 && (
        <select
          className="control needs-script"
          aria-label={`Periodo de ${label.toLowerCase()}`}
          defaultValue=""
        >
          <option value="">Periodo…</option>
          {presets.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </div>
  );
}
