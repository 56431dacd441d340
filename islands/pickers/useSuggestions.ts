import { type ComponentType, useRef, useState } from 'react';
import { useSearch } from '../hooks/useSearch.ts';
import { type PickerRow, type PickerSpec, suggestAddress } from './picker.ts';
import type { SuggestionListProps } from './SuggestionList.tsx';

const loadList = () => import('./SuggestionList.tsx');

/** Which of the rows is meant: the first one, by Enter or Tab, or the one that is called so. */
export type Wanted = 'first' | 'same';

/**
 * Asks the server what it suggests for the text of a picker's field. `onWanted` gets the rows for a text of which one was
 * wanted, at once where they are there, or what the user reads where they can't be had.
 */
export function useSuggestions(
  spec: PickerSpec,
  onWanted: (wanted: Wanted, answer: readonly PickerRow[] | string) => void,
) {
  const [answer, setAnswer] = useState<{ address: string; rows: readonly PickerRow[] }>();
  const [isOpen, setOpen] = useState(false);
  const [current, setCurrent] = useState(-1);
  const [List, setList] = useState<ComponentType<SuggestionListProps>>();
  const asked = useRef('');
  const wanted = useRef<Wanted>(undefined);
  const tell = (found: readonly PickerRow[] | string) => {
    const which = wanted.current;
    wanted.current = undefined;
    if (which) onWanted(which, found);
  };
  const search = useSearch<PickerRow[]>({
    read: (response) => response.json() as Promise<PickerRow[]>,
    onAnswer: (rows, address) => {
      setAnswer({ address, rows });
      tell(rows);
    },
    onError: tell,
  });
  const isAnswered = answer !== undefined && answer.address === asked.current;

  return {
    rows: answer?.rows ?? [],
    /** the rows are those of what stands in the field */
    isAnswered,
    /** draws the lines; missing until it has come */
    List,
    isOpen,
    error: search.error,
    current,
    mark: setCurrent,
    /** opens the list for a text; where something was typed its first row is marked */
    ask: (text: string, { now = false, typed = false } = {}) => {
      const address = suggestAddress(spec, text);
      asked.current = address;
      wanted.current = undefined;
      setCurrent(typed && text.trim() ? 0 : -1);
      setOpen(true);
      if (!List) loadList().then(({ SuggestionList }) => setList(() => SuggestionList), console.warn);
      if (now || answer === undefined) search.searchNow(address);
      else search.search(address);
    },
    /** one of the rows for a text, as soon as they are there */
    want: (which: Wanted, text: string) => {
      asked.current = suggestAddress(spec, text);
      if (answer?.address === asked.current) return onWanted(which, answer.rows);
      wanted.current = which;
      if (!search.isAsking(asked.current)) search.searchNow(asked.current);
    },
    isWanted: () => wanted.current !== undefined,
    giveUp: () => {
      wanted.current = undefined;
      setOpen(false);
    },
    close: () => setOpen(false),
  };
}
