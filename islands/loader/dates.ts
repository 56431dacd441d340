import './typed-dates.ts';

// Loaded with the first key on a page that has a date.

const COPIED_ATTRIBUTES = ['readonly', 'aria-invalid', 'aria-required'];

const DATE_FIELD_SELECTOR = '.date > [type=date]';

function updateDateTexts(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>(DATE_FIELD_SELECTOR)) {
    const text = field.nextElementSibling as HTMLInputElement;
    if (field.id) {
      text.id = field.id; // the label's `for` names this id
      field.removeAttribute('id');
      text.placeholder = 'dd/mm/aaaa';
      text.autocomplete = 'off';
      for (const name of COPIED_ATTRIBUTES)
        if (field.hasAttribute(name)) text.setAttribute(name, field.getAttribute(name)!);
      const problem = text.nextElementSibling!;
      problem.id = `${text.id}-problem`;
      const described = [field.getAttribute('aria-describedby'), problem.id];
      text.setAttribute('aria-describedby', described.filter(Boolean).join(' '));
      field.tabIndex = -1;
      field.ariaHidden = 'true';
    }
    if (text.dataset.shows === field.value) continue;
    text.dataset.shows = field.value;
    text.value = field.value.split('-').reverse().join('/');
    if (document.activeElement === field) text.focus(); // a day was chosen in the calendar
  }
}

/*
 * Dates are typed as text, which is one Tab stop where the browser's own field has four. That field stays under the
 * text, with the name, the value and the calendar. On touch screens it alone is used until Tab is pressed, a key that
 * only hardware keyboards have.
 */
function showDateTexts(): void {
  document.documentElement.dataset.dates = '';
  for (const type of ['change', 'saldo:content', 'pageshow']) addEventListener(type, updateDateTexts);
  updateDateTexts();
}

if (matchMedia('(pointer: fine)').matches) showDateTexts();
else {
  const switchToKeyboardEntry = ({ key }: KeyboardEvent) => {
    if (key !== 'Tab') return;
    removeEventListener('keydown', switchToKeyboardEntry);
    showDateTexts();
  };
  addEventListener('keydown', switchToKeyboardEntry);
}
