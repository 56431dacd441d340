import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { useSearch } from '../hooks/useSearch.ts';
import { PickerTable } from './PickerTable.tsx';
import type { PickerRow, PickerSpec } from './picker.ts';
import { type PickerPage, readPage, searchAddress } from './pickerPage.ts';

interface PickerSearchProps {
  spec: PickerSpec;
  onPick: (row: PickerRow) => void;
  onClose: () => void;
}

/** Filter, order and rows of a picker's dialog; made anew at each opening. */
export function PickerSearch({ spec, onPick, onClose }: PickerSearchProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const shownFor = useRef('');
  const [page, setPage] = useState<PickerPage>();
  const search = useSearch<PickerPage>({
    read: readPage,
    onAnswer: (answer, address) => {
      const isMore = page !== undefined && address === page.next;
      if (!isMore) shownFor.current = address;
      setPage(isMore ? { ...answer, rows: [...page.rows, ...answer.rows] } : answer);
    },
  });

  const address = () => {
    const data = new FormData(form.current ?? undefined);
    return searchAddress(spec, {
      text: String(data.get('text') ?? '').trim(),
      sortfield: String(data.get('sortfield') ?? ''),
      descending: data.has('descending'),
    });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first rows, once at each opening
  useEffect(() => search.searchNow(address()), []);

  const rows = page?.rows ?? [];

  /** Enter picks the one row that is left; otherwise it searches without waiting for the pause. */
  const onEnter = () => {
    const [only] = rows;
    if (only && rows.length === 1 && shownFor.current === address()) onPick(only);
    else search.searchNow(address());
  };

  const moveFocus = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const field = event.target as HTMLElement;
    const buttons = [...(table.current?.querySelectorAll<HTMLElement>('tbody button') ?? [])];
    const from = buttons.indexOf(field);
    if (from < 0 && !isText(field)) return; // arrows mean something in a <select>
    event.preventDefault();
    const to = from + (event.key === 'ArrowDown' ? 1 : -1);
    if (to >= 0) buttons[to]?.focus();
    else form.current?.querySelector('input')?.focus();
  };

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus between the buttons inside */}
      <div className="dialog-body" onKeyDown={moveFocus} aria-busy={search.busy}>
        <form
          ref={form}
          className="filters"
          onInput={(event) => (isText(event.target) ? search.search(address()) : search.searchNow(address()))}
          onSubmit={(event) => {
            event.preventDefault();
            onEnter();
          }}
        >
          <Field
            kind="search"
            name="text"
            id={`${id}text`}
            label={spec.filterLabel}
            focus
            autoComplete="off"
          />
          <Field
            kind="select"
            name="sortfield"
            id={`${id}sort`}
            label="Ordenar por"
            value={spec.sortOptions[0]?.value}
            options={spec.sortOptions}
          />
          <label className="check">
            <input type="checkbox" name="descending" />
            Descendente
          </label>
        </form>
        {search.error && (
          <Alert tone="error" onDismiss={search.dismissError}>
            {search.error}
          </Alert>
        )}
        {page ? (
          <PickerTable ref={table} spec={spec} rows={page.rows} onPick={onPick} />
        ) : (
          <div className="skeleton" />
        )}
      </div>
      <div className="dialog-foot">
        <p role="status">{page && countText(page.rows.length, page.total)}</p>
        {page?.next && (
          <Button type="button" onClick={() => search.searchNow(page.next ?? '')}>
            Cargar más
          </Button>
        )}
        <Button type="button" onClick={onClose}>
          Cerrar
        </Button>
      </div>
    </>
  );
}

const isText = (target: EventTarget) => (target as HTMLInputElement).type === 'search';

function countText(shown: number, total = shown): string {
  if (total === 0) return 'Nada coincide con la búsqueda.';
  return shown < total ? `${shown} de ${total}` : `${total} ${total === 1 ? 'resultado' : 'resultados'}`;
}
