import type { RefObject } from 'react';

/**
 * Phones show only digits and a point for an amount (inputmode decimal), which suits nearly every amount; keyboards
 * with operators lack the point or start with letters. So these keys are below the focused field on touch screens.
 */
export function OperatorKeys({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const type = (sign: string) => {
    const field = input.current;
    if (!field) return;
    const { selectionStart: from, selectionEnd: to } = field;
    field.setRangeText(sign, from ?? field.value.length, to ?? field.value.length, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return (
    <div className="keys">
      {KEYS.map(([sign, name]) => (
        <button
          key={sign}
          type="button"
          className="btn"
          tabIndex={-1} // a keyboard has the signs
          aria-label={name}
          // Keeps the focus in the field, and with it the phone's keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => type(sign)}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}

const KEYS = [
  ['+', 'más'],
  ['−', 'menos'],
  ['×', 'por'],
  ['÷', 'entre'],
  ['(', 'abre paréntesis'],
  [')', 'cierra paréntesis'],
] as const;
