import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../../shared/ui/Icon.tsx';
import { optionId, type PickerRow, type PickerSpec, rowName, type Suggestion } from './picker.ts';
import { cellText } from './pickerPage.ts';

export interface SuggestionListProps {
  id: string;
  spec: PickerSpec;
  suggestions: readonly Suggestion[];
  activeIndex: number;
  message: ReactNode;
  onChoose: (suggestion: Suggestion) => void;
}

export function SuggestionList({
  id,
  spec,
  suggestions,
  activeIndex,
  message,
  onChoose,
}: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null);
  // The list of a narrow field at the edge of the window is moved until all of it is visible.
  useEffect(() => {
    const box = list.current?.parentElement;
    const overflow = box
      ? box.getBoundingClientRect().right + SCREEN_MARGIN_PX - document.documentElement.clientWidth
      : 0;
    if (box && overflow > 0) box.style.marginInlineStart = `${-overflow}px`;
  }, []);
  useEffect(() => {
    const marked = list.current?.querySelector('[aria-selected=true]') ?? list.current;
    marked?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div className="popover suggestions">
      {message && <p className="soft">{message}</p>}
      <div ref={list} id={id} className="options" role="listbox" aria-label={spec.title}>
        {suggestions.map((suggestion, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the marked option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys
          <div
            key={'row' in suggestion ? suggestion.row.id : suggestion.action}
            id={optionId(id, index)}
            className={'row' in suggestion ? 'option' : 'option step'}
            role="option"
            aria-selected={index === activeIndex}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(suggestion)}
          >
            {'row' in suggestion ? (
              <RowSuggestion row={suggestion.row} spec={spec} />
            ) : (
              <>
                <Icon name={suggestion.action === 'all' ? 'search' : 'plus'} />
                {suggestion.text}
              </>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function RowSuggestion({ row, spec }: { row: PickerRow; spec: PickerSpec }) {
  const details = spec.detailColumns
    .map(
      (column) => cellText(row, column) + (column.format === 'pending' && isUnpaid(row) ? ' por pagar' : ''),
    )
    .filter(Boolean);
  return (
    <>
      <span className="name">{rowName(row, spec)}</span>
      {details.length > 0 && <span className="meta">{details.join(' · ')}</span>}
    </>
  );
}

const isUnpaid = (row: PickerRow): boolean => row.total !== row.totalamountpaid;

const SCREEN_MARGIN_PX = 8;
