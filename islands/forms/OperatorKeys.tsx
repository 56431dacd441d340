import type { RefObject } from 'react';

/** Phones' decimal keyboards have only digits and a point; other keyboards lack the point or start with letters. */
export function OperatorKeys({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const typeOperator = (sign: string) => {
    const field = input.current;
    if (!field) return;
    const { selectionStart: from, selectionEnd: to } = field;
    field.setRangeText(sign, from ?? field.value.length, to ?? field.value.length, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return (
    <div className="amount-keys">
      {OPERATOR_KEYS.map(([sign, name]) => (
        <button
          key={sign}
          type="button"
          className="btn"
          tabIndex={-1} // physical keyboards have these signs
          aria-label={name}
          // Keeps the focus in the field, and the phone's keyboard open.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => typeOperator(sign)}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}

const OPERATOR_KEYS = [
  ['+', 'más'],
  ['−', 'menos'],
  ['×', 'por'],
  ['÷', 'entre'],
  ['(', 'abre paréntesis'],
  [')', 'cierra paréntesis'],
] as const;
