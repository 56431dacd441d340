import { type RefObject, useEffect, useRef, useState } from 'react';
import { fold } from '../../shared/text.ts';
import {
  goOn,
  type Picked,
  type PickerControl,
  type PickerFieldProps,
  type PickerRow,
  rowName,
  type Step,
} from './picker.ts';
import { useSuggestions, type Wanted } from './useSuggestions.ts';

/** Comes with the first opening; fetched ahead on hover and idle. */
const loadDialog = () => import('./PickerDialog.tsx');
export const prefetchDialog = () => void loadDialog().catch(() => {}); // should it fail, opening says so

const NOT_CHOSEN = 'Elige uno de la lista; lo escrito no coincide con ninguno.';

/** Holds what is chosen in a picker and what is typed in its field, and finds the row that the text means. */
export function usePicked(
  { picker, onPick, ...props }: PickerFieldProps,
  hidden: RefObject<HTMLInputElement | null>,
  input: RefObject<HTMLInputElement | null>,
  control: PickerControl,
) {
  const [choice, setChoice] = useState({ id: props.value ?? null, name: props.chosen ?? '' });
  /** the text that stands in the field and is no choice (yet); `latest` is ahead of what is drawn */
  const [typed, draw] = useState(props.typed || undefined);
  const latest = useRef(typed);
  const setTyped = (text: string | undefined) => {
    latest.current = text;
    draw(text);
  };
  const [isProposal, setProposal] = useState(props.isProposal ?? false);
  const [isLoading, setLoading] = useState(false);
  const [notice, setNotice] = useState('');
  const list = useSuggestions(picker, (which, answer) => settle(which, answer));
  const form = useHeldForm(hidden, list);

  const show = (text: string) => {
    list.giveUp();
    setNotice('');
    setTyped(undefined);
    setProposal(false);
    if (input.current && input.current.value !== text) input.current.value = text;
  };

  const choose = ({ row, name }: Picked | { row: null; name: string }) => {
    show(name);
    setChoice({ id: row?.id ?? null, name });
    const field = hidden.current as HTMLInputElement;
    field.value = String(row?.id ?? ''); // ahead of React: listeners of the event read the form
    field.dispatchEvent(new Event('input', { bubbles: true }));
    onPick?.(row);
  };
  const take = (row: PickerRow) => choose({ row, name: rowName(row, picker) });
  const clear = () => choose({ row: null, name: '' });
  const giveBack = () => {
    form.stay();
    show(choice.name);
  };
  const settle = (which: Wanted, rows: readonly PickerRow[] | string) => {
    if (typeof rows === 'string') return setNotice(rows);
    const text = fold(latest.current ?? '');
    const isFirst = which === 'first';
    const meant = isFirst ? rows.slice(0, 1) : rows.filter((row) => fold(rowName(row, picker)) === text);
    if (meant.length === 1) return take(meant[0] as PickerRow);
    if (props.compact && !isFirst) return giveBack();
    setNotice(NOT_CHOSEN);
    if (!form.isHeld || !isFirst) return; // on a whole name the server has the last word
    form.stay();
    input.current?.focus();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; it calls what stays the same
  useEffect(() => {
    // for what was picked and lost: see islands/drafts
    Object.assign(hidden.current as HTMLInputElement, { pick: choose, picker });
    const timer = setTimeout(
      () => window.requestIdleCallback?.(prefetchDialog), // Safari has none
      1000,
    );
    return () => clearTimeout(timer);
  }, []);

  const { proposal } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each proposal, once
  useEffect(() => {
    const isFree = (choice.id === null || isProposal) && typed === undefined;
    if (proposal === undefined || !isFree || (!proposal && choice.id === null)) return;
    if (proposal) choose({ row: { id: proposal.id }, name: proposal.name });
    else clear();
    setProposal(proposal !== null);
    // who is there already goes on, or types another one over it
    if (document.activeElement === input.current) input.current?.select();
  }, [proposal]);

  const open = async (step: Step) => {
    const text = latest.current ?? '';
    list.giveUp();
    setLoading(true);
    const { openPicker } = (await loadDialog().catch(() => undefined)) ?? {};
    setLoading(false);
    setNotice(openPicker ? '' : 'No se pudo abrir la lista. Intenta de nuevo.');
    const picked = await openPicker?.(picker, input.current as HTMLElement, control, step, text);
    if (!picked) return;
    choose(picked);
    goOn(input.current as HTMLElement);
  };

  return {
    list,
    initial: props.typed ?? props.chosen ?? '',
    choice,
    typed,
    isProposal,
    isLoading: isLoading || form.isHeld,
    notice,
    /** the text that stands in the field and is no choice, also where it is not drawn yet */
    text: () => latest.current ?? '',
    type: (text: string) => {
      setTyped(text === choice.name ? undefined : text);
      setNotice('');
      form.stay();
      list.ask(text, { typed: true });
    },
    take,
    clear,
    giveBack,
    /** the field is left: somebody has seen what is proposed; what is typed has to be a name */
    leave: () => {
      list.close();
      setProposal(false);
      const text = latest.current;
      if (text === undefined || list.isWanted()) return;
      if (text.trim()) list.want('same', text);
      else clear();
    },
    open,
  };
}

/** A form that was sent waits so long for the row that its picker still asks for. */
const PATIENCE_MS = 5000;

interface Awaited {
  isWanted: () => boolean;
  giveUp: () => void;
}

/**
 * A form that is sent while its picker waits for the row that was wanted goes once that is chosen, or as it stands
 * when no answer comes.
 */
function useHeldForm(field: RefObject<HTMLInputElement | null>, { isWanted, giveUp }: Awaited) {
  const [held, setHeld] = useState<() => void>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; it calls what stays the same
  useEffect(() => {
    const { form } = field.current as HTMLInputElement;
    const hold = (event: SubmitEvent) => {
      if (event.defaultPrevented || !isWanted()) return;
      event.preventDefault();
      setHeld(() => () => form?.requestSubmit(event.submitter));
    };
    form?.addEventListener('submit', hold);
    return () => form?.removeEventListener('submit', hold);
  }, []);

  useEffect(() => {
    if (!held) return;
    const go = () => {
      giveUp();
      setHeld(undefined);
      held();
    };
    if (!isWanted()) return go(); // with what was chosen in its place
    const timer = setTimeout(go, PATIENCE_MS);
    return () => clearTimeout(timer);
  });

  return { isHeld: Boolean(held), stay: () => setHeld(undefined) };
}
