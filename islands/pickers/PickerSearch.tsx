import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { describeResultCount } from '../hooks/latestSearch.ts';
import { useSearch } from '../hooks/useSearch.ts';
import { PickerDialogView } from './PickerDialogView.tsx';
import { PickerTable } from './PickerTable.tsx';
import type { PickerRow, PickerSpec } from './picker.ts';
import { buildSearchUrl, type PickerPage, readPickerPage } from './pickerPage.ts';

interface PickerSearchProps {
  spec: PickerSpec;
  initialForm?: FormData;
  onPick: (row: PickerRow) => void;
  onLeave: () => void;
  onCreate: (search: FormData) => void;
}

export function PickerSearch({ spec, initialForm, onPick, onLeave, onCreate }: PickerSearchProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const filter = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState<PickerPage>();
  const [answered, setAnswered] = useState('');
  const [requested, setRequested] = useState('');
  const search = useSearch<PickerPage>({
    read: readPickerPage,
    onAnswer: (answer, requestedAddress) => {
      if (page && requestedAddress === page.next) {
        setPage({ ...answer, rows: [...page.rows, ...answer.rows] });
        focusRow.current = page.rows.length;
        return;
      }
      setAnswered(requestedAddress);
      setPage(answer);
      setCurrent(0);
    },
  });
  const [current, setCurrent] = useState(0);
  const focusRow = useRef<number>(undefined);

  const readForm = () => new FormData(form.current ?? undefined);
  const requestedAddress = () => buildSearchUrl(spec, readForm());
  const findRows = (wanted: string, isTyped = false) => {
    setRequested(wanted);
    if (isTyped) search.search(wanted);
    else search.searchNow(wanted);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first rows, once at each opening
  useEffect(() => findRows(requestedAddress()), []);

  useEffect(() => {
    if (focusRow.current === undefined) return;
    body.current?.querySelectorAll<HTMLElement>('tbody button')[focusRow.current]?.focus();
    focusRow.current = undefined;
  });

  // Searches again when the user returns after a reconnection, or after creating an invoice in another tab.
  const wentToCreate = useRef(false);
  const onReturn = useRef(() => {});
  onReturn.current = () => {
    if (!search.error && !wentToCreate.current) return;
    wentToCreate.current = false;
    findRows(search.error ? requested : requestedAddress());
  };
  useEffect(() => {
    const searchAgain = () => onReturn.current();
    for (const type of ['online', 'focus']) addEventListener(type, searchAgain);
    return () => {
      for (const type of ['online', 'focus']) removeEventListener(type, searchAgain);
    };
  }, []);

  const rows = page?.rows ?? [];
  const isStale = search.error !== '' && page !== undefined && requested !== page.next;

  const onEnter = () => {
    const [only] = rows;
    if (only && rows.length === 1 && answered === requestedAddress()) onPick(only);
    else findRows(requestedAddress());
  };

  const { create } = spec;
  /** The list itself is empty if a search without a text finds no rows. */
  const isEmpty =
    page?.rows.length === 0 && !new URLSearchParams(answered.split('?')[1]).has(spec.filterParam);
  return (
    <PickerDialogView title={spec.title} isOpen>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: passes keys and clicks on to the buttons inside */}
      <div
        ref={body}
        className="dialog-view"
        onKeyDown={(event) => moveThroughRows(event, filter.current)}
        onClick={pickClickedRow}
      >
        <form
          ref={form}
          className="filters"
          onInput={(event) => findRows(requestedAddress(), event.target === filter.current)}
          onSubmit={(event) => {
            event.preventDefault();
            onEnter();
          }}
        >
          <Field
            kind="search"
            name={spec.filterParam}
            id={`${id}text`}
            label={spec.filterLabel}
            value={formValueText(initialForm, spec.filterParam)}
            focus
            inputRef={filter}
            autoComplete="off"
          />
          <div className="order">
            <Field
              kind="select"
              name="sortfield"
              id={`${id}sort`}
              label="Ordenar por"
              value={formValueText(initialForm, 'sortfield') || spec.sortOptions[0]?.value}
              options={spec.sortOptions}
            />
            <label className="check">
              <input
                type="checkbox"
                name="sorttype"
                value="DESC"
                defaultChecked={initialForm?.has('sorttype')}
              />
              Descendente
            </label>
          </div>
        </form>
        <div className="dialog-body" aria-busy={search.isBusy}>
          {search.error && (
            <Alert tone="error" isDismissible={false}>
              <p>{search.error}</p>
              {isStale && <p>Lo que se ve es de la búsqueda anterior.</p>}
              <Button type="button" busy={search.isBusy} onClick={() => findRows(requested)}>
                Reintentar
              </Button>
            </Alert>
          )}
          {page && (
            <PickerTable
              spec={spec}
              rows={rows}
              isStale={isStale}
              focusedIndex={current}
              onFocusRow={setCurrent}
              onPick={onPick}
            />
          )}
          {page?.rows.length === 0 && !isStale && (
            <p className="nothing">
              {isEmpty ? 'Todavía no hay ninguno.' : 'Nada coincide con la búsqueda.'}
            </p>
          )}
          {!page && !search.error && <div className="skeleton" />}
          {page?.next && (
            <Button type="button" className="more-rows" onClick={() => findRows(page.next ?? '')}>
              Cargar más
            </Button>
          )}
        </div>
      </div>
      <div className="dialog-foot">
        <p role="status">{page && !isStale && countText(rows.length, page.total)}</p>
        {create?.form && (
          <Button
            type="button"
            look={isEmpty ? 'primary' : undefined}
            icon="plus"
            onClick={() => onCreate(readForm())}
          >
            {create.title}
          </Button>
        )}
        {create && !create.form && (
          <LinkButton
            href={create.page}
            icon="plus"
            target="_blank"
            rel="noopener"
            onClick={() => {
              wentToCreate.current = true;
            }}
          >
            {create.title}
          </LinkButton>
        )}
        <Button type="button" onClick={onLeave}>
          Cerrar
        </Button>
      </div>
    </PickerDialogView>
  );
}

const formValueText = (form: FormData | undefined, name: string) => String(form?.get(name) ?? '');

function countText(shown: number, total = shown): string {
  return shown < total ? `${shown} de ${total}` : describeResultCount(total);
}

/** Arrows lead from the filter into the rows and through them; a letter typed on a row is added to the filter. */
function moveThroughRows(event: KeyboardEvent<HTMLElement>, filter: HTMLInputElement | null): void {
  const { key, ctrlKey, metaKey, altKey, nativeEvent } = event;
  if (ctrlKey || metaKey || altKey || nativeEvent.isComposing) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody button, .more-rows')];
  const from = stops.indexOf(event.target as HTMLElement);
  if (from < 0 && event.target !== filter) return; // in a <select> these keys have another meaning
  const isLetter = from >= 0 && /^[^ ]$/u.test(key);
  const to = isLetter ? -1 : findTargetRow(key, from, stops.length - 1);
  if (to === undefined) return;
  if (!isLetter) event.preventDefault(); // a letter is added to the filter
  if (to < 0) filter?.focus();
  else stops[to]?.focus();
}

function pickClickedRow({ target }: MouseEvent<HTMLElement>): void {
  const row = (target as Element).closest('tbody tr');
  if (!(target as Element).closest('button')) row?.querySelector('button')?.click();
}

const ROWS_PER_PAGE_KEY = 10;

/** In the filter (-1) only ↓ leads into the rows: Home and End move the caret there. */
function findTargetRow(key: string, from: number, last: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(from + 1, last);
  if (from < 0) return undefined;
  if (key === 'ArrowUp') return from - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'PageDown') return Math.min(from + ROWS_PER_PAGE_KEY, last);
  if (key === 'PageUp') return Math.max(from - ROWS_PER_PAGE_KEY, 0);
  return undefined;
}
