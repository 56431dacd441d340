import { type InputEvent, useRef, useState } from 'react';
import { Button } from '../shared/ui/Button.tsx';
import { Field, type FieldProps } from '../shared/ui/Field.tsx';
import type { LatestSearch } from './hooks/latestSearch.ts';
import { createListSearch } from './hooks/listSearch.ts';
import { PickerField } from './pickers/PickerField.tsx';
import type { PickerFieldProps } from './pickers/picker.ts';

interface DateRangeEnd {
  name: string;
  label: string;
  value: string;
}

interface DateRangeProps {
  label: string;
  from: DateRangeEnd;
  to: DateRangeEnd;
  /** periods to choose from; empty where the page itself offers them */
  presets: readonly { name: string; from: string; to: string }[];
}

/** A folded field is behind "Más filtros", together with the order. */
export type FilterField = { isFolded?: boolean } & (
  | ({ kind: 'text' | 'date' | 'money'; value: string } & Pick<FieldProps, 'name' | 'label' | 'placeholder'>)
  | ({ kind: 'select'; value: string } & Required<Pick<FieldProps, 'name' | 'label' | 'options'>>)
  | ({ kind: 'range'; name: string } & DateRangeProps)
  | { kind: 'hidden'; name: string; value: string }
  | ({ kind: 'picker' } & PickerFilterProps)
);

type PickerFilterProps = Pick<PickerFieldProps, 'name' | 'label' | 'value' | 'chosen' | 'emptyLabel'> &
  Pick<PickerFieldProps, 'picker' | 'noscript'>;

export interface ListFilterProps {
  action: string;
  fields: FilterField[];
  set?: number;
  /** for phones, where no headings can be clicked to sort; absent where the order is fixed */
  sort?: { field: string; direction: 'ASC' | 'DESC'; options: { value: string; label: string }[] };
  /** id of the element with rows, totals and pager, which is replaced by the answer */
  resultsId: string;
}

/** A GET form that works without script; script searches at every keystroke. The form's controls are the state. */
export default function ListFilter({ action, fields, set, sort, resultsId }: ListFilterProps) {
  const form = useRef<HTMLFormElement>(null);
  const searching = useRef<LatestSearch>(undefined);
  const [status, setStatus] = useState(' ');
  const hiddenFields = fields.filter((field) => field.isFolded);
  const [count, setCount] = useState(set);

  const startSearch = (isTyping = false) => {
    searching.current ??= createListSearch(resultsId, (answer, query) => {
      setStatus(answer);
      setCount(
        hiddenFields.filter((field) => parameterNamesOf(field).some((name) => query.has(name))).length,
      );
    });
    searching.current[isTyping ? 'search' : 'searchNow'](`${action}?${readFilter(form.current!)}`);
  };

  const onInput = ({ target }: InputEvent<HTMLFormElement>) => {
    const { name, type } = target as unknown as HTMLInputElement;
    // A text input without a name takes effect only once its text has become a date or a chosen row. The select of a
    // range's periods has no name either, but it has just filled in the two dates.
    if (name || type === 'select-one') startSearch(type === 'search' || type === 'text');
  };

  const order = sort && (
    <div className="sort">
      <Field kind="select" name="sortfield" label="Ordenar por" value={sort.field} options={sort.options} />
      <label className="check">
        <input type="checkbox" name="sorttype" value="DESC" defaultChecked={sort.direction === 'DESC'} />
        Descendente
      </label>
    </div>
  );
  return (
    <>
      <form
        ref={form}
        className="filters"
        action={action}
        aria-label="Filtros"
        data-results={resultsId}
        onInput={onInput}
        onSubmit={(event) => {
          event.preventDefault();
          startSearch();
        }}
      >
        {/* A phone shows the filters of a report once this is open: its period alone would take two lines. */}
        {fields[0]!.kind === 'range' && (
          <details className="on-card">
            <summary className="btn">Periodo</summary>
          </details>
        )}
        {fields.map(
          (field) =>
            !field.isFolded && (
              <FilterControl
                key={field.kind === 'hidden' ? `${field.name} ${field.value}` : field.name}
                {...field}
              />
            ),
        )}
        {hiddenFields.length === 0 ? (
          order
        ) : (
          <details className="more">
            <summary className="btn">Más filtros {count ? `(${count})` : ''}</summary>
            <div className="panel">
              {hiddenFields.map((field) => (
                <FilterControl key={field.name} {...field} />
              ))}
              {order}
            </div>
          </details>
        )}
        <Button className="without-script">Buscar</Button>
      </form>
      <p className="visually-hidden" role="status">
        {status}
      </p>
    </>
  );
}

const parameterNamesOf = (field: FilterField): string[] =>
  field.kind === 'range' ? [field.from.name, field.to.name] : [field.name];

function FilterControl({ isFolded: _, ...field }: FilterField) {
  if (field.kind === 'hidden') return <input type="hidden" name={field.name} value={field.value} />;
  if (field.kind === 'picker') return <PickerField {...field} isCompact />;
  if (field.kind === 'range') return <DateRange {...field} />;
  if (field.kind !== 'text') return <Field {...field} />;
  return <Field {...field} kind="search" autoComplete="off" data-filter="" />;
}

function DateRange({ label, from, to, presets }: DateRangeProps) {
  /** Runs before the form's handler, which gets the same event next. */
  const onInput = ({ currentTarget, target }: InputEvent<HTMLDivElement>) => {
    const [first, last] = currentTarget.querySelectorAll<HTMLInputElement>('[type=date]');
    const preset = currentTarget.querySelector('select');
    if (!preset) return;
    const period = presets[preset.selectedIndex - 1];
    if (target !== preset) preset.value = '';
    else if (period && first && last) [first.value, last.value] = [period.from, period.to];
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
          <option value="">Periodo</option>
          {presets.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </div>
  );
}

function readFilter(form: HTMLFormElement): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (text) query.append(name, text);
  }
  return query;
}
