import { type KeyboardEvent, type RefObject, useId } from 'react';
import { Button } from '../../shared/ui/Button.tsx';
import { resultCount } from '../hooks/latest.ts';
import { goOn, linesOf, optionId, type PickerFieldProps, type Suggestion } from './picker.ts';
import type { usePicked } from './usePicked.ts';

interface ComboBoxProps
  extends Pick<PickerFieldProps, 'picker' | 'label' | 'emptyLabel' | 'required' | 'focus'> {
  id: string;
  input: RefObject<HTMLInputElement | null>;
  picked: ReturnType<typeof usePicked>;
  compact?: boolean;
  isWrong: boolean;
  describedBy?: string;
}

/** The field of a picker with its list; beside it × and the dialog. One Tab stop: its keys reach all of it. */
export function ComboBox({ id, input, picked, picker, label, compact, ...props }: ComboBoxProps) {
  const listId = useId();
  const { list, choice } = picked;
  const isTyped = picked.typed !== undefined;
  const suggestions = linesOf(picker, list.rows, picked.typed?.trim() ?? '');
  const look = () => {
    if (!list.isOpen) list.ask(picked.text(), { now: true, typed: isTyped });
  };
  const activate = (suggestion: Suggestion) => {
    if ('step' in suggestion) {
      const { step } = suggestion;
      // too much for a dialog
      if (step === 'create' && !picker.create?.form) window.open(picker.create?.page, '_blank', 'noopener');
      else void picked.open(step);
      return;
    }
    picked.take(suggestion.row);
    goOn(input.current as HTMLElement);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const { key } = event;
    // A line that arrows have led to is meant as it is seen, whatever answer is still to come.
    const marked =
      list.isOpen && (list.isAnswered || list.current > 0) ? suggestions[list.current] : undefined;
    const text = picked.text();
    const hasText = text.trim() !== '';
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      look();
      if (list.isOpen) list.mark(nextOf(list.current, key === 'ArrowDown' ? 1 : -1, suggestions.length));
    } else if (key === 'Enter' && (marked || isTyped || !compact)) {
      // In a form it leads on, also from what was proposed or left empty; in a filter it searches.
      event.preventDefault();
      if (marked) return activate(marked);
      if (hasText) list.want('first', text);
      else if (isTyped) picked.clear();
      goOn(input.current as HTMLElement);
    } else if (key === 'Tab' && hasText) {
      if (marked && 'row' in marked) picked.take(marked.row);
      else if (!list.isAnswered) list.want('first', text);
    } else if (key === 'Escape' && (list.isOpen || isTyped)) {
      event.preventDefault();
      event.stopPropagation();
      picked.giveBack();
    }
  };

  const { List } = list;
  const isShown = List && list.isOpen && (list.isAnswered || list.error !== '' || list.rows.length > 0);
  return (
    <div className="combo needs-script">
      <div className="picker">
        <input
          ref={input}
          id={id}
          className="control"
          type="text"
          role="combobox"
          // text that was not chosen from is posted by the list's own name for it, and the server finds the row
          name={isTyped && !compact ? picker.filterParam : undefined}
          defaultValue={picked.initial}
          placeholder={props.emptyLabel}
          title={choice.name || undefined}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="next"
          aria-autocomplete="list"
          aria-expanded={Boolean(isShown)}
          aria-controls={isShown ? listId : undefined}
          aria-activedescendant={isShown && list.current >= 0 ? optionId(listId, list.current) : undefined}
          aria-required={props.required || undefined}
          aria-describedby={props.describedBy}
          aria-invalid={props.isWrong ? true : undefined}
          // biome-ignore lint/a11y/noAutofocus: the first wrong field, or the first of a fresh form
          autoFocus={props.focus}
          onFocus={(event) => {
            if (!isTyped) event.currentTarget.select();
          }}
          onClick={look}
          onInput={(event) => {
            if (compact) event.stopPropagation(); // a filter searches by what is chosen
            const { value } = event.currentTarget;
            picked.type(value);
            // typed, and left, before this was there
            if (document.activeElement !== event.currentTarget && value.trim()) list.want('first', value);
          }}
          onKeyDown={onKeyDown}
          onBlur={picked.leave}
        />
        {choice.id !== null && !isTyped && (
          <Button
            type="button"
            icon="close"
            tabIndex={-1} // a keyboard empties the field
            aria-label={`Quitar ${label.toLowerCase()}`}
            onClick={() => {
              picked.clear();
              input.current?.focus(); // this button goes away
            }}
          />
        )}
        <Button
          type="button"
          icon={compact ? 'search' : undefined}
          tabIndex={-1} // a keyboard has it in the list
          aria-label={picker.title}
          aria-haspopup="dialog"
          aria-busy={picked.isLoading || undefined}
          onClick={() => picked.open('all')}
        >
          {!compact && 'Seleccionar…'}
        </Button>
      </div>
      {isShown && (
        <List
          id={listId}
          spec={picker}
          suggestions={suggestions}
          current={list.current}
          message={list.error}
          onTake={activate}
        />
      )}
      <span className="visually-hidden" role="status">
        {isShown && list.isAnswered && resultCount(list.rows.length)}
      </span>
    </div>
  );
}

/** Round and round, as lists to choose from do. */
function nextOf(at: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (at < 0) return step > 0 ? 0 : count - 1;
  return (at + step + count) % count;
}
