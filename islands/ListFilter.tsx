import { type FormEvent, useEffect, useState } from 'react';
import { Alert } from '../shared/ui/Alert.tsx';
import { Button } from '../shared/ui/Button.tsx';
import { Field } from '../shared/ui/Field.tsx';
import { filterAddress } from './hooks/filterAddress.ts';
import { useSearch } from './hooks/useSearch.ts';
import { type PickerFallback, PickerField } from './pickers/PickerField.tsx';
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
 * The filter above a list. Without script a GET form; with it every keystroke fetches that same address and
 * takes the results out of the page it answers, so rows are made in one place, on the server. Controls are
 * uncontrolled: the form is the state, and what was typed before hydration is in it.
 */
export default function ListFilter({ action, fields, sort, resultsId }: ListFilterProps) {
  const [announcement, setAnnouncement] = useState('');
  const search = useSearch<string>({
    read: (response) => response.text(),
    headers: { 'X-Fragment': 'results' },
    onAnswer: (html, address) => {
      const fresh = new DOMParser().parseFromString(html, 'text/html').getElementById(resultsId);
      const results = document.getElementById(resultsId);
      if (!fresh || !results) return location.assign(address);
      results.replaceChildren(...fresh.childNodes);
      results.dispatchEvent(new Event('saldo:content', { bubbles: true }));
      setAnnouncement(countText(results));
      history.replaceState(history.state, '', address);
      followFilter(address);
    },
  });

  useEffect(() => {
    document.getElementById(resultsId)?.setAttribute('aria-busy', String(search.busy));
  }, [search.busy, resultsId]);

  const onInput = (event: FormEvent<HTMLFormElement>) => {
    const address = filterAddress(event.currentTarget);
    if ((event.target as HTMLInputElement).type === 'search') search.search(address);
    else search.searchNow(address);
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    search.searchNow(filterAddress(event.currentTarget));
  };

  const first = fields.find((field) => field.kind === 'text');
  const behind = fields.filter((field) => field.more);
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
      <form className="filters" action={action} aria-label="Filtros" onInput={onInput} onSubmit={onSubmit}>
        {fields.map(
          (field) => !field.more && <FilterControl key={field.name} {...field} isFirst={field === first} />,
        )}
        {behind.length === 0 ? (
          order
        ) : (
          <details className="more" open={behind.some(({ value }) => value)} suppressHydrationWarning>
            <summary className="btn">Más filtros</summary>
            {behind.map((field) => (
              <FilterControl key={field.name} {...field} isFirst={field === first} />
            ))}
            {order}
          </details>
        )}
        <Button icon="search" className="without-script">
          Buscar
        </Button>
      </form>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {search.error && (
        <Alert tone="error" onDismiss={search.dismissError}>
          {search.error}
        </Alert>
      )}
    </>
  );
}

function FilterControl({ more: _more, isFirst, ...field }: FilterField & { isFirst: boolean }) {
  if (field.kind === 'hidden') return <input type="hidden" name={field.name} value={field.value} />;
  if (field.kind === 'picker') return <PickerField {...field} compact />;
  if (field.kind !== 'text') return <Field {...field} />;
  return <Field {...field} kind="search" autoComplete="off" data-filter={isFirst ? '' : undefined} />;
}

/** Exports and the like: a[data-follow-filter] leads to its own path with the list's parameters. */
function followFilter(address: string) {
  const { search } = new URL(address, location.href);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-follow-filter]'))
    link.search = search;
}

/** What the pager says ("50 de 128 facturas"), or the empty list's heading, or the number of rows. */
function countText(results: HTMLElement): string {
  const said = results.querySelector('.pager span, .empty h2')?.textContent;
  if (said) return said;
  const rows = results.querySelectorAll('tbody tr').length;
  return rows === 1 ? '1 resultado' : `${rows} resultados`;
}
