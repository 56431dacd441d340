import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import { fold } from '../../shared/text.ts';
import { useSearch } from '../hooks/useSearch.ts';
import {
  buildSuggestUrl,
  focusNextField,
  type PickedRow,
  type PickerComponent,
  type PickerFieldProps,
  type PickerRow,
  type PickerSpec,
  rowMatchesText,
  rowName,
  type SuggestionAction,
} from './picker.ts';
import type { SuggestionListProps } from './SuggestionList.tsx';

/** Loaded when the dialog is opened, or earlier: on hover, or when the browser is idle. */
const loadDialog = () => import('./PickerDialog.tsx');
export const prefetchDialog = () => void loadDialog().catch(() => {}); // a failure is reported once the dialog is opened

const NOT_CHOSEN_TEXT = 'Elige uno de la lista; lo escrito no coincide con ninguno.';

export function usePickerChoice(
  { picker, onPick, ...props }: PickerFieldProps,
  hiddenInput: RefObject<HTMLInputElement | null>,
  input: RefObject<HTMLInputElement | null>,
  control: PickerComponent,
) {
  const [choice, setChoice] = useState({ id: props.value ?? null, name: props.chosen ?? '' });
  /** the field's text while it matches no choice; `latest` has it even before React has rendered */
  const [typed, setRenderedText] = useState(props.typed || undefined);
  const latest = useRef(typed);
  const setTyped = (text: string | undefined) => {
    latest.current = text;
    setRenderedText(text);
  };
  const [isProposal, setProposal] = useState(props.isProposal ?? false);
  const [isLoading, setLoading] = useState(false);
  const [notice, setNotice] = useState('');
  const list = useSuggestions(picker, (matchMode, answer) => resolveText(matchMode, answer));
  const form = useDeferredSubmit(hiddenInput, list);

  const showText = (text: string) => {
    list.giveUp();
    setNotice('');
    setTyped(undefined);
    setProposal(false);
    if (input.current && input.current.value !== text) input.current.value = text;
  };

  const setChosenRow = ({ row, name }: PickedRow | { row: null; name: string }) => {
    showText(name);
    setChoice({ id: row?.id ?? null, name });
    const field = hiddenInput.current as HTMLInputElement;
    field.value = String(row?.id ?? ''); // set before React sets it, because listeners of this event read the form
    field.dispatchEvent(new Event('input', { bubbles: true }));
    onPick?.(row);
  };
  const chooseRow = (row: PickerRow) => setChosenRow({ row, name: rowName(row, picker) });
  const clearChoice = () => setChosenRow({ row: null, name: '' });
  const revertToChoice = () => {
    form.cancel();
    showText(choice.name);
  };
  const resolveText = (matchMode: MatchMode, rows: readonly PickerRow[] | string) => {
    if (typeof rows === 'string') return setNotice(rows);
    const text = fold(latest.current ?? '');
    const isFirst = matchMode === 'first';
    const matches = isFirst
      ? rows.slice(0, 1).filter((row) => rowMatchesText(text, row, picker))
      : rows.filter((row) => fold(rowName(row, picker)) === text);
    if (matches.length === 1) return chooseRow(matches[0] as PickerRow);
    if (props.isCompact && !isFirst) return revertToChoice();
    setNotice(NOT_CHOSEN_TEXT);
    if (!form.isHeld || !isFirst) return; // the server finds the row of a complete name
    form.cancel();
    input.current?.focus();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the functions that it calls stay the same
  useEffect(() => {
    // islands/drafts restores drafts by it
    Object.assign(hiddenInput.current as HTMLInputElement, { pick: setChosenRow, picker });
    const timer = setTimeout(
      () => window.requestIdleCallback?.(prefetchDialog), // Safari lacks this function
      1000,
    );
    return () => clearTimeout(timer);
  }, []);

  const { proposal } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each proposal
  useEffect(() => {
    const isFree = (choice.id === null || isProposal) && typed === undefined;
    if (proposal === undefined || !isFree || (!proposal && choice.id === null)) return;
    if (proposal) setChosenRow({ row: { id: proposal.id }, name: proposal.name });
    else clearChoice();
    setProposal(proposal !== null);
    // if the field has the focus, its text is selected, so that typing replaces it
    if (document.activeElement === input.current) input.current?.select();
  }, [proposal]);

  const openDialog = async (step: SuggestionAction) => {
    const text = latest.current ?? '';
    list.giveUp();
    setLoading(true);
    const { openPicker } = (await loadDialog().catch(() => undefined)) ?? {};
    setLoading(false);
    setNotice(openPicker ? '' : 'No se pudo abrir la lista. Intenta de nuevo.');
    const picked = await openPicker?.(picker, input.current as HTMLElement, control, step, text);
    if (!picked) return;
    setChosenRow(picked);
    focusNextField(input.current as HTMLElement);
  };

  return {
    list,
    choice,
    typed,
    isProposal,
    isLoading: isLoading || form.isHeld,
    notice,
    text: () => latest.current ?? '',
    type: (text: string) => {
      setTyped(text === choice.name ? undefined : text);
      setNotice('');
      form.cancel();
      list.ask(text, { typed: true });
    },
    take: chooseRow,
    clear: clearChoice,
    revert: revertToChoice,
    /** leaving the field accepts a proposal; typed text has to match a name */
    leave: () => {
      list.close();
      setProposal(false);
      const text = latest.current;
      if (text === undefined || list.isFinding()) return;
      if (text.trim()) list.findMatch('same', text);
      else clearChoice();
    },
    open: openDialog,
  };
}

const MAX_SUBMIT_DELAY_MS = 5000;

type PendingMatch = Pick<ReturnType<typeof useSuggestions>, 'isFinding' | 'giveUp'>;

function useDeferredSubmit(field: RefObject<HTMLInputElement | null>, { isFinding, giveUp }: PendingMatch) {
  const [held, setHeld] = useState<() => void>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the functions that it calls stay the same
  useEffect(() => {
    const { form } = field.current as HTMLInputElement;
    const deferSubmit = (event: SubmitEvent) => {
      if (event.defaultPrevented || !isFinding()) return;
      event.preventDefault();
      setHeld(() => () => form?.requestSubmit(event.submitter));
    };
    form?.addEventListener('submit', deferSubmit);
    return () => form?.removeEventListener('submit', deferSubmit);
  }, []);

  useEffect(() => {
    if (!held) return;
    const go = () => {
      giveUp();
      setHeld(undefined);
      held();
    };
    if (!isFinding()) return go(); // The row was found meanwhile, so the form is submitted with it.
    const timer = setTimeout(go, MAX_SUBMIT_DELAY_MS);
    return () => clearTimeout(timer);
  });

  return { isHeld: Boolean(held), cancel: () => setHeld(undefined) };
}

const loadSuggestionList = () => import('./SuggestionList.tsx');

/** Which row a typed text stands for: the first one found, or the only one with the same name. */
type MatchMode = 'first' | 'same';

/** `onMatch` gets an error message, or the rows for the text of `findMatch`, immediately if they are loaded. */
function useSuggestions(
  spec: PickerSpec,
  onMatch: (matchMode: MatchMode, answer: readonly PickerRow[] | string) => void,
) {
  const [answer, setAnswer] = useState<{ address: string; rows: readonly PickerRow[] }>();
  const [isOpen, setOpen] = useState(false);
  /** index of the marked suggestion; after typing, the text that the first suggestion must match to be marked */
  const [mark, setMark] = useState<number | string>(-1);
  const [List, setList] = useState<ComponentType<SuggestionListProps>>();
  const requestedAddress = useRef('');
  const requestedMode = useRef<MatchMode>(undefined);
  const reportMatch = (found: readonly PickerRow[] | string) => {
    const matchMode = requestedMode.current;
    requestedMode.current = undefined;
    if (matchMode) onMatch(matchMode, found);
  };
  const search = useSearch<PickerRow[]>({
    read: (response) => response.json() as Promise<PickerRow[]>,
    onAnswer: (rows, address) => {
      setAnswer({ address, rows });
      reportMatch(rows);
    },
    onError: reportMatch,
  });
  const isAnswered = answer !== undefined && answer.address === requestedAddress.current;
  const [first] = answer?.rows ?? [];

  return {
    rows: answer?.rows ?? [],
    isAnswered,
    /** component of the suggestions; undefined until it is loaded */
    List,
    isOpen,
    error: search.error,
    current: typeof mark === 'number' ? mark : first && rowMatchesText(mark, first, spec) ? 0 : -1,
    mark: setMark,
    /** opens the list for a text; after typing, the first row that has the text is marked */
    ask: (text: string, { now = false, typed = false } = {}) => {
      const address = buildSuggestUrl(spec, text);
      requestedAddress.current = address;
      requestedMode.current = undefined;
      setMark((typed && text.trim()) || -1);
      setOpen(true);
      if (!List)
        loadSuggestionList().then(({ SuggestionList }) => setList(() => SuggestionList), console.warn);
      if (now || answer === undefined) search.searchNow(address);
      else search.search(address);
    },
    findMatch: (matchMode: MatchMode, text: string) => {
      requestedAddress.current = buildSuggestUrl(spec, text);
      if (answer?.address === requestedAddress.current) return onMatch(matchMode, answer.rows);
      requestedMode.current = matchMode;
      if (!search.isRequesting(requestedAddress.current)) search.searchNow(requestedAddress.current);
    },
    isFinding: () => requestedMode.current !== undefined,
    giveUp: () => {
      requestedMode.current = undefined;
      setOpen(false);
    },
    close: () => setOpen(false),
  };
}
