import { type RefObject, useEffect, useState } from 'react';
import type { PickerFieldProps } from './fieldProps.ts';
import { goOn } from './goOn.ts';
import type { Opening } from './opening.ts';
import { type Picked, type PickerRow, rowName } from './picker.ts';
import { useSuggestions } from './useSuggestions.ts';

/** Comes with the first opening; fetched ahead on hover and idle. */
const loadDialog = () => import('./PickerDialog.tsx');
export const prefetchDialog = () => void loadDialog().catch(() => {}); // should it fail, opening says so

const NOT_CHOSEN = 'Elige uno de la lista; lo escrito no coincide con ninguno.';

/** What is chosen in a picker, what is typed in its field, and the ways from the one to the other. */
export function usePicked(
  { picker, onPick, ...props }: PickerFieldProps,
  hidden: RefObject<HTMLInputElement | null>,
  input: RefObject<HTMLInputElement | null>,
) {
  const [choice, setChoice] = useState({ id: props.value ?? null, name: props.chosen ?? '' });
  /** what stands in the field is no choice (yet) */
  const [isTyped, setTyped] = useState(Boolean(props.typed));
  /** until somebody touches it */
  const [isProposal, setProposal] = useState(props.isProposal ?? false);
  const [isLoading, setLoading] = useState(false);
  const [notice, setNotice] = useState('');
  const list = useSuggestions(picker, (first) => (first ? take(first) : setNotice(NOT_CHOSEN)));

  const show = (text: string) => {
    list.close();
    setNotice('');
    setTyped(false);
    setProposal(false);
    if (input.current && input.current.value !== text) input.current.value = text;
  };

  const choose = ({ row, name }: Picked | { row: null; name: string }) => {
    show(name);
    setChoice({ id: row?.id ?? null, name });
    const field = hidden.current as HTMLInputElement;
    field.value = String(row?.id ?? ''); // ahead of React, for whoever hears the event and reads the form
    field.dispatchEvent(new Event('input', { bubbles: true }));
    onPick?.(row);
  };
  const take = (row: PickerRow) => choose({ row, name: rowName(row, picker) });

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; it calls what stays the same
  useEffect(() => {
    // for what was picked and lost: see islands/drafts
    Object.assign(hidden.current as HTMLInputElement, { pick: choose, picker });
    const timer = setTimeout(
      () => 'requestIdleCallback' in window && requestIdleCallback(prefetchDialog),
      1000,
    );
    return () => clearTimeout(timer);
  }, []);

  const { proposal } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each proposal, once
  useEffect(() => {
    const isFree = (choice.id === null || isProposal) && !isTyped;
    if (proposal === undefined || !isFree || (!proposal && choice.id === null)) return;
    choose(proposal ? { row: { id: proposal.id }, name: proposal.name } : { row: null, name: '' });
    setProposal(proposal !== null);
    // who is there already goes on, or types another one over it
    if (document.activeElement === input.current) input.current?.select();
  }, [proposal]);

  const open = async (start: Opening) => {
    list.close();
    setLoading(true);
    const { openPicker } = (await loadDialog().catch(() => undefined)) ?? {};
    setLoading(false);
    setNotice(openPicker ? '' : 'No se pudo abrir la lista. Intenta de nuevo.');
    const picked = await openPicker?.(picker, input.current as HTMLElement, start);
    if (!picked) return;
    choose(picked);
    goOn(input.current as HTMLElement);
  };

  return {
    list,
    /** what stands in the field on arrival */
    initial: props.typed ?? props.chosen ?? '',
    choice,
    isTyped,
    isProposal,
    /** somebody has seen it, and left it as it is */
    accept: () => setProposal(false),
    isLoading,
    notice,
    /** the text that stands in the field and is no choice */
    typed: () => (isTyped ? (input.current?.value ?? '') : ''),
    type: (text: string) => {
      setTyped(text !== choice.name);
      setNotice('');
      list.ask(text, { typed: true });
    },
    take,
    clear: () => choose({ row: null, name: '' }),
    giveBack: () => show(choice.name),
    refuse: () => setNotice(NOT_CHOSEN),
    open,
  };
}
