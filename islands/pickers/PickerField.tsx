import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../shared/ui/Button.tsx';
import { FieldNote } from '../../shared/ui/Field.tsx';
import { describeResultCount } from '../hooks/latestSearch.ts';
import {
  focusNextField,
  listSuggestions,
  optionId,
  type PickerFieldProps,
  type Suggestion,
} from './picker.ts';
import { prefetchDialog, usePickerChoice } from './usePickerChoice.ts';

export function PickerField(props: PickerFieldProps) {
  const { name, label, picker, required, error, isCompact } = props;
  const id = useId();
  const hidden = useRef<HTMLInputElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const picked = usePickerChoice(props, hidden, input, PickerField);
  const { list, choice } = picked;
  const isTyped = picked.typed !== undefined;
  const problem = error || picked.notice;
  const proposed = picked.isProposal ? props.proposalHint : undefined;
  // Without script the <select> is posted under this name: see islands/loader/page.ts.
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);

  const suggestions = listSuggestions(picker, list.rows, picked.typed?.trim() ?? '');
  const focusNext = () => focusNextField(input.current as HTMLElement);
  const openList = () => {
    if (!list.isOpen) list.ask(picked.text(), { now: true, typed: isTyped });
  };
  const activateSuggestion = (suggestion: Suggestion) => {
    if ('row' in suggestion) {
      picked.take(suggestion.row);
      focusNext();
    } else if (suggestion.action === 'create' && !picker.create?.form) {
      window.open(picker.create?.page, '_blank', 'noopener'); // the form is too large for a dialog
    } else void picked.open(suggestion.action);
  };

  /** The field is the only Tab stop; its keys control the list and the dialog. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const { key } = event;
    // A suggestion that was reached by arrows is chosen as shown, even if a new answer is still expected.
    const marked =
      list.isOpen && (list.isAnswered || list.current > 0) ? suggestions[list.current] : undefined;
    const text = picked.text();
    const hasText = text.trim() !== '';
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      openList();
      if (list.isOpen) list.mark(nextIndex(list.current, key === 'ArrowDown' ? 1 : -1, suggestions.length));
    } else if (key === 'Enter' && (marked || isTyped || !isCompact)) {
      // In a form, Enter moves to the next field, even if the choice is empty or a proposal. In a filter it searches.
      event.preventDefault();
      if (marked) return activateSuggestion(marked);
      if (hasText) list.findMatch('first', text);
      else if (isTyped) picked.clear();
      focusNext();
    } else if (key === 'Tab' && hasText) {
      if (marked && 'row' in marked) picked.take(marked.row);
      else if (!list.isAnswered) list.findMatch('first', text);
    } else if (key === 'Escape' && (list.isOpen || isTyped)) {
      event.preventDefault();
      event.stopPropagation();
      picked.revert();
    }
  };

  const { List } = list;
  const isShown = List && list.isOpen && (list.isAnswered || list.error !== '' || list.rows.length > 0);
  const listId = `${id}list`;
  return (
    <div id={error && name} className="field wide" onPointerEnter={prefetchDialog}>
      <label id={`${id}label`} className={required ? 'label req' : 'label'} htmlFor={`${id}text`}>
        {label}
      </label>
      <input
        ref={hidden}
        type="hidden"
        name={name}
        value={isTyped && !isCompact ? '' : (choice.id ?? '')}
        disabled={!scripted}
        data-scripted=""
        data-sent={props.value ?? ''}
        suppressHydrationWarning
      />
      <div className="combo needs-script">
        <div className="picker">
          <input
            ref={input}
            id={`${id}text`}
            className="control"
            type="text"
            role="combobox"
            // typed text without a chosen row is posted as the list's filter parameter, and the server finds the row
            name={isTyped && !isCompact ? picker.filterParam : undefined}
            defaultValue={props.typed ?? props.chosen ?? ''}
            placeholder={props.emptyLabel}
            title={choice.name || undefined}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="next"
            aria-autocomplete="list"
            aria-expanded={Boolean(isShown)}
            aria-controls={isShown ? listId : undefined}
            aria-activedescendant={isShown && list.current >= 0 ? optionId(listId, list.current) : undefined}
            aria-required={required || undefined}
            aria-describedby={problem || proposed ? `${id}note` : undefined}
            aria-invalid={problem ? true : undefined}
            // biome-ignore lint/a11y/noAutofocus: the first wrong field, or the first of a fresh form
            autoFocus={props.focus}
            onFocus={(event) => {
              if (!isTyped) event.currentTarget.select();
            }}
            onClick={openList}
            onInput={(event) => {
              if (isCompact) event.stopPropagation(); // a filter searches only by chosen rows
              const { value } = event.currentTarget;
              picked.type(value);
              // the text was typed, and the field left, before hydration
              if (document.activeElement !== event.currentTarget && value.trim())
                list.findMatch('first', value);
            }}
            onKeyDown={onKeyDown}
            onBlur={picked.leave}
          />
          {choice.id !== null && !isTyped && (
            <Button
              type="button"
              icon="close"
              tabIndex={-1} // keyboard users empty the field instead
              aria-label={`Quitar ${label.toLowerCase()}`}
              onClick={() => {
                picked.clear();
                input.current?.focus(); // the focused button disappears
              }}
            />
          )}
          <Button
            type="button"
            icon="search"
            tabIndex={-1} // keyboard users open the dialog from the list
            aria-label={picker.title}
            aria-haspopup="dialog"
            aria-busy={picked.isLoading || undefined}
            onClick={() => picked.open('all')}
          >
            {!isCompact && <span className="roomy">Seleccionar…</span>}
          </Button>
        </div>
        {isShown && (
          <List
            id={listId}
            spec={picker}
            suggestions={suggestions}
            activeIndex={list.current}
            message={list.error}
            onChoose={activateSuggestion}
          />
        )}
        <span className="visually-hidden" role="status">
          {isShown && list.isAnswered && describeResultCount(list.rows.length)}
        </span>
      </div>
      {/* React ignores the content of <noscript> in the browser, so its code is left out there. */}
      <noscript>{import.meta.env.SSR && <NoscriptFallback {...props} id={id} />}</noscript>
      <FieldNote id={`${id}note`} error={problem} hint={proposed} look="hint proposal" />
    </div>
  );
}

function nextIndex(at: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (at < 0) return step > 0 ? 0 : count - 1;
  return (at + step + count) % count;
}

function NoscriptFallback({ picker, noscript, ...props }: PickerFieldProps & { id: string }) {
  const { id, name, value, emptyLabel = 'Sin elegir', required, error } = props;
  const shared = {
    className: 'control',
    'aria-labelledby': `${id}label`,
    'aria-required': required || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}note` : undefined,
  };
  return (
    <>
      {noscript && !('options' in noscript) && (
        <input
          {...shared}
          name={noscript.name}
          defaultValue={noscript.value}
          placeholder={noscript.placeholder}
          list={noscript.list}
        />
      )}
      {noscript && 'options' in noscript && (
        <select {...shared} name={name} defaultValue={value ?? ''}>
          <option value="">{emptyLabel}</option>
          {noscript.noneLabel && <option value={0}>{noscript.noneLabel}</option>}
          {noscript.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
      {picker.create && (
        <a href={picker.create.page} target="_blank" rel="noopener">
          {picker.create.title}
        </a>
      )}
    </>
  );
}
