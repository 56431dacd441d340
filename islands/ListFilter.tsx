import { Button } from '../shared/ui/Button.tsx';
import { Field } from '../shared/ui/Field.tsx';
import type { PickerFallback } from './pickers/fieldProps.ts';
import { PickerField } from './pickers/PickerField.tsx';
import type { PickerSpec } from './pickers/picker.ts';

/** `more`: what phones keep behind "Más filtros", together with the order. */
export type FilterField = { more?: boolean } & (
  | { kind: 'text'; name: string; label: string; value: string; placeholder?: string }
  | {
      kind: 'select';
      name: string;
      label: string;
      value: string;
      options: { value: string; label: string }[];
    }
  | { kind: 'date'; name: string; label: string; value: string }
  | { kind: 'hidden'; name: string; value: string }
  | {
      kind: 'picker';
      name: string;
      label: string;
      value: number | null;
      chosen: string | null;
      emptyLabel: string;
      picker: PickerSpec;
      noscript?: PickerFallback;
    }
);

export interface ListFilterProps {
  /** the list's own address */
  action: string;
  /** the first text field is the one that "/" leads to */
  fields: FilterField[];
  /** absent where the order is the list's own */
  sort?: { field: string; direction: 'ASC' | 'DESC'; options: { value: string; label: string }[] };
  /** id of the element that holds rows, totals and pager, and is swapped for the answer's */
  resultsId: string;
}

/**
 * The filter above a list: a GET form that works without script. With it the loader searches on every
 * keystroke (loader/filter.ts), so React comes only for the pickers, on their first use. Controls are
 * uncontrolled: the form is the state, and what was typed before hydration is in it.
 */
export default function ListFilter({ action, fields, sort, resultsId }: ListFilterProps) {
  const behind = fields.filter((field) => field.more);
  const count = behind.filter(isSet).length;
  const order = sort && (
    <>
      <Field kind="select" name="sortfield" label="Ordenar por" value={sort.field} options={sort.options} />
      <label className="check">
        <input type="checkbox" name="sorttype" value="DESC" defaultChecked={sort.direction === 'DESC'} />
        Descendente
      </label>
    </>
  );
  return (
    <>
      <form className="filters" action={action} aria-label="Filtros" data-results={resultsId}>
        {fields.map((field) => !field.more && <FilterControl key={field.name} {...field} />)}
        {behind.length === 0 ? (
          order
        ) : (
          <details className="more" suppressHydrationWarning>
            <summary className="btn">
              Más filtros <span suppressHydrationWarning>{count > 0 ? `(${count})` : ' '}</span>
            </summary>
            {behind.map((field) => (
              <FilterControl key={field.name} {...field} />
            ))}
            {order}
          </details>
        )}
        <Button icon="search" className="without-script">
          Buscar
        </Button>
      </form>
      {/* What loader and search write into these two before hydration, React leaves: a text each, never empty. */}
      <p className="visually-hidden" role="status" suppressHydrationWarning>
        {' '}
      </p>
    </>
  );
}

/** 0 stands for "none of them", as rubroId does. */
const isSet = ({ value }: FilterField) => Boolean(value) || value === 0;

function FilterControl({ more: _more, ...field }: FilterField) {
  if (field.kind === 'hidden') return <input type="hidden" name={field.name} value={field.value} />;
  if (field.kind === 'picker') return <PickerField {...field} compact />;
  if (field.kind !== 'text') return <Field {...field} />;
  return <Field {...field} kind="search" autoComplete="off" data-filter="" />;
}
