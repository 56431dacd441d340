import { useEffect, useRef, useState } from 'react';
import { pluralize } from '../shared/counts.ts';
import { type Cents, formatMoney, tryParseMoney } from '../shared/money.ts';
import { Button } from '../shared/ui/Button.tsx';
import { evaluateOperation, loadArithmeticIfNeeded } from './forms/evaluation.ts';

/** Arrow keys move between cells, cells can be pasted from a spreadsheet, and every step can be undone. */
export default function BudgetGrid({ gridFormId }: { gridFormId: string }) {
  const { summary, canUndo, canRedo, undo, redo } = useGridEditing(gridFormId);
  return (
    <div className="actions grid-keys">
      <Button type="button" icon="undo" disabled={!canUndo} onClick={undo}>
        Deshacer
      </Button>
      <Button type="button" look="quiet" disabled={!canRedo} onClick={redo}>
        Rehacer
      </Button>
      <output className="note">{summary}</output>
      <span className="hint needs-script">
        Flechas, Enter y Tab van de celda en celda; se puede pegar desde una hoja de cálculo. Ctrl+Z deshace.
      </span>
    </div>
  );
}

/** In the middle of a cell's text, the left and right arrows move only the caret. */
const ARROW_STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function useGridEditing(formId: string) {
  const [state, setState] = useState({ summary: '', canUndo: false, canRedo: false });
  const history = useRef({ steps: [] as CellChange[][], position: 0 });
  const entered = useRef('');
  const findForm = () => document.getElementById(formId) as HTMLFormElement | null;

  const showSummary = (more = '') => {
    const { steps, position } = history.current;
    const summary = [markAndSummarizeChanges(findForm()), more].filter(Boolean).join(' ');
    setState({ summary, canUndo: position > 0, canRedo: position < steps.length });
  };
  const addToHistory = (cellChanges: readonly CellChange[]) => {
    const changes = cellChanges.filter(({ before, after }) => before !== after);
    const { steps, position } = history.current;
    if (changes.length > 0)
      history.current = { steps: [...steps.slice(0, position), changes], position: position + 1 };
  };
  const evaluateCell = async (cell: HTMLInputElement) => {
    const before = entered.current;
    if (cell.value === before) return;
    entered.current = cell.value;
    await loadArithmeticIfNeeded(cell.value);
    const evaluation = evaluateOperation(cell.name, cell.value, cell.ariaLabel ?? '');
    if (evaluation?.text) cell.value = evaluation.text;
    if (document.activeElement === cell) entered.current = cell.value;
    addToHistory([{ cell, before, after: cell.value }]);
    showSummary();
  };
  const focusCell = (cell: HTMLInputElement | undefined) => {
    cell?.focus();
    cell?.select();
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const setCell = (cell: HTMLInputElement, text: string) => {
    cell.value = text;
    cell.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const moveInHistory = (direction: 'undo' | 'redo') => {
    const { steps, position } = history.current;
    const step = steps[direction === 'undo' ? position - 1 : position];
    if (!step) return;
    history.current.position += direction === 'undo' ? -1 : 1;
    for (const { cell, before, after } of step) setCell(cell, direction === 'undo' ? before : after);
    const { cell } = step[0]!;
    focusCell(cell);
    entered.current = cell.value;
    showSummary();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration; it uses only refs and the form's id
  useEffect(() => {
    const grid = findForm();
    if (!grid) return;
    for (const cell of listCells(grid)) cell.inputMode = 'decimal';
    const ending = new AbortController();
    const on = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      handle: (event: HTMLElementEventMap[Type], cell: HTMLInputElement) => void,
    ) =>
      grid.addEventListener(type, (event) => isCell(event.target) && handle(event, event.target), {
        signal: ending.signal,
      });
    on('focusin', (_event, cell) => {
      entered.current = cell.value;
      cell.select();
    });
    on('change', (_event, cell) => void evaluateCell(cell));
    on('keydown', (event, cell) => {
      const { key, shiftKey, ctrlKey, metaKey } = event;
      if (event.isComposing || event.altKey) return;
      if (ctrlKey || metaKey) {
        const direction =
          key === 'y' || (key === 'Z' && shiftKey) ? 'redo' : key === 'z' ? 'undo' : undefined;
        // The browser itself undoes typing in the current cell.
        if (!direction || cell.value !== entered.current) return;
        event.preventDefault();
        moveInHistory(direction);
        return;
      }
      if (key === 'Escape') {
        cell.value = entered.current;
        cell.select();
        return;
      }
      const [rows, columns] = key === 'Enter' ? [shiftKey ? -1 : 1, 0] : (ARROW_STEPS[key] ?? [0, 0]);
      if (rows === 0 && columns === 0) return;
      if (columns !== 0 && !isCaretAtEdge(cell, columns)) return;
      event.preventDefault(); // otherwise Enter in a field would submit the form
      void evaluateCell(cell);
      focusCell(findCellAtOffset(cell, rows, columns));
    });
    on('paste', (event, cell) => {
      const table = parseClipboard(event.clipboardData?.getData('text') ?? '');
      if (table.length === 1 && table[0]?.length === 1) return;
      event.preventDefault();
      const pasted = table.flatMap((fields, row) =>
        fields.map((after, column) => ({ cell: findCellAtOffset(cell, row, column), after })),
      );
      const step = pasted.flatMap(({ cell: to, after }) =>
        to ? [{ cell: to, before: to.value, after }] : [],
      );
      for (const { cell: to, after } of step) setCell(to, after);
      addToHistory(step);
      entered.current = cell.value;
      const overflow = pasted.length - step.length;
      showSummary(
        overflow > 0 ? `${pluralize(overflow, 'valor no cupo', 'valores no cupieron')} en la tabla.` : '',
      );
    });
    on('input', () => showSummary());
    showSummary();
    return () => ending.abort();
  }, []);

  return { ...state, undo: () => moveInHistory('undo'), redo: () => moveInHistory('redo') };
}

function isCaretAtEdge(
  { value, selectionStart, selectionEnd }: HTMLInputElement,
  direction: number,
): boolean {
  if (selectionStart === 0 && selectionEnd === value.length) return true;
  return selectionStart === selectionEnd && selectionStart === (direction < 0 ? 0 : value.length);
}

function markAndSummarizeChanges(form: HTMLFormElement | null): string {
  if (!form) return '';
  let [count, sum, wrong] = [0, 0, 0];
  for (const cell of listCells(form)) {
    if (cell.value === cell.defaultValue) continue;
    const [before, after] = [parseCents(cell.defaultValue), parseCents(cell.value)];
    if (after === undefined) wrong++;
    else if (after !== before) {
      count++;
      sum += after - (before ?? 0);
    }
    cell.ariaInvalid = after === undefined ? 'true' : null;
  }
  if (count + wrong === 0) return '';
  const changed = `${pluralize(count, 'cambio', 'cambios')} sin guardar: ${sum < 0 ? '' : '+'}${formatMoney(sum)}.`;
  return wrong > 0 ? `${changed} ${pluralize(wrong, 'no es una cantidad', 'no son cantidades')}.` : changed;
}

const parseCents = (text: string): Cents | undefined => (text.trim() ? tryParseMoney(text) : 0);

const CELL_SELECTOR = '.typed input';

const isCell = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.matches(CELL_SELECTOR);

const listCells = (part: HTMLElement): HTMLInputElement[] => [
  ...part.querySelectorAll<HTMLInputElement>(CELL_SELECTOR),
];

/** Skips columns without an input; negative steps lead up and left. */
function findCellAtOffset(
  cell: HTMLInputElement,
  rows: number,
  columns: number,
): HTMLInputElement | undefined {
  const row = cell.closest('tr')!;
  const target = (row.parentElement as HTMLTableSectionElement).rows[row.sectionRowIndex + rows];
  return target && listCells(target)[listCells(row).indexOf(cell) + columns];
}

function parseClipboard(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  return lines.map((line) => line.split('\t').map((field) => field.trim().replace(/^"(.*)"$/, '$1')));
}

interface CellChange {
  cell: HTMLInputElement;
  before: string;
  after: string;
}
