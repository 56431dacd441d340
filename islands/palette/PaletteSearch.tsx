import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { api, pages, withQuery } from '../../shared/urls.ts';
import { describeResultCount } from '../hooks/latestSearch.ts';
import { openModal } from '../hooks/modal.tsx';
import { useSearch } from '../hooks/useSearch.ts';
import {
  type Destination,
  type DestinationGroup,
  filterDestinations,
  guessDestinations,
  listDestinations,
  PALETTE_SEARCH_PATH,
} from './destinations.ts';

export function openPalette(readTyped: () => string): void {
  // The sidebar lists exactly the pages that the user may enter.
  const menu = [...document.querySelectorAll<HTMLAnchorElement>('#menu a[href]')].map((link) => ({
    href: link.getAttribute('href') ?? '',
    label: link.textContent?.trim() ?? '',
    group: link.closest('details')?.querySelector('summary')?.textContent?.trim(),
  }));
  const entries = listDestinations(menu);
  void openModal({
    look: 'modal',
    dialog: { className: 'dialog command', 'aria-label': 'Ir a…' },
    content: (close) => <PaletteSearch entries={entries} readTyped={readTyped} onClose={() => close(null)} />,
  });
}

interface PaletteSearchProps {
  entries: readonly Destination[];
  readTyped: () => string;
  onClose: () => void;
}

/** The focus stays in the field; arrows move the current entry. */
function PaletteSearch({ entries, readTyped, onClose }: PaletteSearchProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [activeHref, setActiveHref] = useState('');
  const [opensFirst, setOpensFirst] = useState(false);
  const { found, busy, error, search } = useFinders();

  const changeTypedText = (next: string) => {
    setText(next);
    setActiveHref('');
    setOpensFirst(false);
    search(next);
  };

  // Takes over what was typed while this code was loading. The next key goes to the field itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => changeTypedText(readTyped()), []);

  const pageGroup = { title: 'Ir a', entries: filterDestinations(entries, text) };
  const matches = [pageGroup, ...found].filter((group) => group.entries.length > 0);
  const guessed =
    matches.length === 0 && !busy && error === '' ? guessDestinations(entries, text.trim()) : [];
  const groups = guessed.length > 0 ? [{ title: '¿Quisiste decir…?', entries: guessed }] : matches;
  const all = groups.flatMap((group) => group.entries);
  const current = all.find(({ href }) => href === activeHref) ?? all[0];
  const destinationId = ({ href }: Destination) => `${id}${href}`;

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });

  // After Enter, opens the first entry. Where no page matches, this waits for the answers of the searches.
  useEffect(() => {
    if (!opensFirst || (busy && !activeHref && pageGroup.entries.length === 0)) return;
    setOpensFirst(false);
    if (current) document.getElementById(destinationId(current))?.click();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const at = current ? all.indexOf(current) : -1;
    const to = NEXT_INDEX_BY_KEY[event.key]?.(at, all.length);
    if (to !== undefined) {
      event.preventDefault();
      setActiveHref(all[to]?.href ?? '');
    } else if (event.key === 'Enter') {
      event.preventDefault();
      setOpensFirst(true);
    }
  };

  return (
    <>
      <input
        className="control"
        type="text"
        role="combobox"
        aria-label="Ir a una pantalla, un proveedor, una factura, un pago, una configuración o una ayuda"
        aria-expanded={all.length > 0}
        aria-controls={`${id}list`}
        aria-autocomplete="list"
        aria-activedescendant={current && destinationId(current)}
        aria-busy={busy}
        placeholder="Pantalla, proveedor, factura, pago, ayuda…"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        // biome-ignore lint/a11y/noAutofocus: the dialog's only field
        autoFocus
        value={text}
        onChange={(event) => changeTypedText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {error && <Alert tone="error">{error}</Alert>}
      <div ref={list} id={`${id}list`} className="options" role="listbox" aria-label="Resultados">
        {groups.map((group) => (
          <Group
            key={group.title}
            group={group}
            current={current}
            destinationId={destinationId}
            onOpen={onClose}
          />
        ))}
      </div>
      <p className="command-foot">
        <span role="status">{busy ? 'Buscando…' : countText(all.length, text, error !== '')}</span>
        <span className="needs-keyboard">
          <kbd>↑</kbd> <kbd>↓</kbd> moverse · <kbd>Enter</kbd> abrir · <kbd>Esc</kbd> cerrar
        </span>
      </p>
    </>
  );
}

interface GroupProps {
  group: DestinationGroup;
  current: Destination | undefined;
  destinationId: (entry: Destination) => string;
  onOpen: () => void;
}

function Group({ group: { title, entries }, current, destinationId, onOpen }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
    <div role="group" aria-label={title}>
      <div className="option-group" aria-hidden="true">
        {title}
      </div>
      {entries.map((entry) => (
        <a
          key={entry.href}
          id={destinationId(entry)}
          className="option"
          role="option"
          aria-selected={entry === current}
          href={entry.href}
          tabIndex={-1}
          // keeps the focus in the field until the click follows the link
          onPointerDown={(event) => event.preventDefault()}
          onClick={(event) => {
            if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onOpen();
          }}
        >
          {entry.label}
          {entry.meta && <span className="meta">{entry.meta}</span>}
        </a>
      ))}
    </div>
  );
}

const NEXT_INDEX_BY_KEY: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  PageDown: (at, count) => Math.min(at + 8, count - 1),
  PageUp: (at) => Math.max(at - 8, 0),
};

/** After a failed search the number of matches is unknown, so only the alert is shown. */
function countText(count: number, text: string, isFailed: boolean): string {
  if (count === 0 && isFailed) return '';
  if (count === 0) return `Nada coincide con «${text.trim()}».`;
  return describeResultCount(count);
}

/** A single letter would match nearly every row. */
const MIN_SEARCH_LENGTH = 2;

const MAX_ROWS_PER_GROUP = 5;

function useFinders() {
  const finders = [
    useFinder(supplierFinder),
    useFinder(jobFinder),
    useFinder(invoiceFinder),
    useFinder(serverFinder),
  ];
  return {
    found: finders.flatMap(({ groups }) => groups),
    busy: finders.some(({ busy }) => busy),
    error: finders.find(({ error }) => error)?.error ?? '',
    search: (typed: string) => {
      for (const finder of finders) finder.find(typed.trim());
    },
  };
}

function useFinder<Row>({ path, toGroups }: Finder<Row>) {
  const [groups, setGroups] = useState<DestinationGroup[]>([]);
  const { search, stop, isBusy, error, dismissError } = useSearch<Row[]>({
    read: (response) => response.json() as Promise<Row[]>,
    onAnswer: (rows) => setGroups(toGroups(rows)),
  });
  const findDestinations = (text: string) => {
    // Enter must not open an entry found for an earlier text.
    setGroups([]);
    dismissError();
    if (text.length < MIN_SEARCH_LENGTH) stop();
    else search(buildFinderUrl(path, text));
  };
  return { groups, busy: isBusy, error, find: findDestinations };
}

export const buildFinderUrl = (path: string, text: string): string => withQuery(`${path}/suggest/`, { text });

interface Finder<Row> {
  path: string;
  toGroups: (rows: Row[]) => DestinationGroup[];
}

const createGroupMapper =
  <Row,>(title: string, toDestinations: (row: Row) => Destination[]): Finder<Row>['toGroups'] =>
  (rows) => [{ title, entries: rows.slice(0, MAX_ROWS_PER_GROUP).flatMap(toDestinations) }];

/** Finds batches, payments, cash funds, settings and help, as far as the user may open them. */
const serverFinder: Finder<DestinationGroup> = { path: PALETTE_SEARCH_PATH, toGroups: (groups) => groups };

export const supplierFinder: Finder<{ id: number; suppliername: string }> = {
  path: suppliers.paths.api,
  toGroups: createGroupMapper('Proveedores', ({ id, suppliername }) => [
    { href: withQuery(pages.invoices, { supplierId: id }), label: suppliername, meta: 'Facturas' },
    { href: `${suppliers.paths.edit}/${id}`, label: `Editar ${suppliername}` },
  ]),
};

export const jobFinder: Finder<{ id: number; jobtitle: string }> = {
  path: jobs.paths.api,
  toGroups: createGroupMapper('Obras', ({ id, jobtitle }) => [
    { href: withQuery(pages.invoices, { jobId: id }), label: jobtitle, meta: 'Facturas' },
  ]),
};

interface FoundInvoice {
  id: number;
  numfactura: string;
  supplier: { suppliername: string };
  vencimientoTexto: string;
}

export const invoiceFinder: Finder<FoundInvoice> = {
  path: api.invoices,
  toGroups: createGroupMapper('Facturas', ({ id, numfactura, supplier, vencimientoTexto }) => [
    {
      href: pages.editInvoice(id),
      label: `${numfactura || `#${id}`} · ${supplier.suppliername}`,
      meta: vencimientoTexto,
    },
  ]),
};
