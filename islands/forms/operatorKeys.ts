/** Phones' decimal keyboards have only digits and a point; other keyboards lack the point or start with letters. */
export function addOperatorKeys(input: HTMLInputElement): void {
  const field = input.closest('.field');
  if (!field || field.querySelector('.keys')) return;
  const keys = document.createElement('div');
  keys.className = 'keys';
  for (const [sign, name] of OPERATOR_KEYS) {
    const key = document.createElement('button');
    key.type = 'button';
    key.className = 'btn';
    key.tabIndex = -1; // physical keyboards have these signs
    key.ariaLabel = name;
    key.textContent = sign;
    key.addEventListener('click', () => typeOperator(input, sign));
    keys.append(key);
  }
  // Keeps the focus in the field, and the phone's keyboard open.
  for (const type of ['pointerdown', 'mousedown'])
    keys.addEventListener(type, (event) => event.preventDefault());
  field.append(keys);
}

function typeOperator(input: HTMLInputElement, sign: string): void {
  const { selectionStart: from, selectionEnd: to, value } = input;
  input.setRangeText(sign, from ?? value.length, to ?? value.length, 'end');
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

const OPERATOR_KEYS = [
  ['+', 'más'],
  ['−', 'menos'],
  ['×', 'por'],
  ['÷', 'entre'],
  ['(', 'abre paréntesis'],
  [')', 'cierra paréntesis'],
] as const;
