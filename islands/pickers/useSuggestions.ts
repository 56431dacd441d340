import { type ComponentType, useRef, useState } from 'react';
import { useSearch } from '../hooks/useSearch.ts';
import { type PickerRow, type PickerSpec, suggestAddress } from './picker.ts';
import type { SuggestionListProps } from './SuggestionList.tsx';

/** Comes with the first text. */
const loadList = () => import('./SuggestionList.tsx');

/**
 * What the server suggests for the text of a picker's field. `onWanted` gets what an answer brought that was waited
 * for: Enter or Tab came before it.
 */
export function useSuggestions(spec: PickerSpec, onWanted: (first: PickerRow | undefined) => void) {
  const [answer, setAnswer] = useState<{ address: string; rows: readonly PickerRow[] }>();
  const [isOpen, setOpen] = useState(false);
  /** the marked option; -1 for none */
  const [current, setCurrent] = useState(-1);
  const [List, setList] = useState<ComponentType<SuggestionListProps>>();
  const asked = useRef('');
  const wanted = useRef(false);
  const search = useSearch<PickerRow[]>({
    read: (response) => response.json() as Promise<PickerRow[]>,
    onAnswer: (rows, address) => {
      setAnswer({ address, rows });
      if (!wanted.current) return;
      wanted.current = false;
      onWanted(rows[0]);
    },
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
      wanted.current = false;
      setCurrent(typed && text.trim() ? 0 : -1);
      setOpen(true);
      if (!List) loadList().then(({ SuggestionList }) => setList(() => SuggestionList), console.warn);
      if (now || answer === undefined) search.searchNow(address);
      else search.search(address);
    },
    /** takes the first row as soon as it is there */
    want: () => {
      wanted.current = true;
      search.searchNow(asked.current);
    },
    isWanted: () => wanted.current,
    close: () => setOpen(false),
  };
}
