/**
 * Phones show digits and a point for an amount (inputmode decimal), which is what nearly every amount needs, and
 * no operators; the keyboards that have them lack the point or start with letters. So these stand below the
 * field while it has the focus, where a finger is what points.
 */
export function addOperatorKeys(input: HTMLInputElement): void {
  const keys = document.createElement('div');
  keys.className = 'keys';
  for (const sign of '+−×÷()') {
    const key = document.createElement('button');
    key.type = 'button';
    key.className = 'btn';
    key.tabIndex = -1; // a keyboard has the signs
    key.ariaLabel = NAMES[sign] ?? sign;
    key.textContent = sign;
    // The focus stays in the field, and with it the phone's keyboard.
    key.addEventListener('pointerdown', (event) => event.preventDefault());
    key.addEventListener('mousedown', (event) => event.preventDefault());
    key.addEventListener('click', () => {
      const { selectionStart: from, selectionEnd: to } = input;
      input.setRangeText(sign, from ?? input.value.length, to ?? input.value.length, 'end');
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    keys.append(key);
  }
  input.closest('.field')?.append(keys);
}

const NAMES: Record<string, string> = {
  '+': 'más',
  '−': 'menos',
  '×': 'por',
  '÷': 'entre',
  '(': 'abre paréntesis',
  ')': 'cierra paréntesis',
};
