import { addDays } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { fillIn } from '../drafts/fields.ts';
import { parseTypedDate } from '../forms/typedDate.ts';

// A typed date is parsed when its text is left, and then set as the value of the browser's own field.

const isText = (target: EventTarget | null): target is HTMLInputElement =>
  (target as Element).matches?.('.date > [type=text]:read-write');

const fieldOf = (text: HTMLInputElement) => text.previousElementSibling as HTMLInputElement;

const today = () => document.querySelector<HTMLTimeElement>('.who time')!.dateTime;

/** Its change event shows the day in the text (dates.ts). */
function enterDate(text: HTMLInputElement, day: string) {
  delete text.dataset.shows;
  fillIn(fieldOf(text), day);
}

/** @returns false where the text is no date, as is said below it */
function readTyped(text: HTMLInputElement): boolean {
  try {
    enterDate(text, text.value.trim() && parseTypedDate(text.value, today()));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    showProblem(text, error.message);
    return false;
  }
  showProblem(text, '');
  return true;
}

function showProblem(text: HTMLInputElement, message: string) {
  const output = text.nextElementSibling as HTMLOutputElement;
  if (output.value === message) return;
  output.value = message;
  text.ariaInvalid = message ? 'true' : null;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

document.addEventListener('keydown', (event) => {
  const { target: text, key, altKey, ctrlKey, metaKey } = event;
  if (!isText(text) || ctrlKey || metaKey) return;
  const step = STEPS[key];
  if (step && altKey) fieldOf(text).showPicker();
  else if (step) {
    if (readTyped(text)) enterDate(text, text.value ? addDays(fieldOf(text).value, step) : today());
    text.select();
  } else if (key !== 'Enter' || readTyped(text)) return;
  event.preventDefault();
});
document.addEventListener('input', ({ target }) => isText(target) && showProblem(target, ''));
document.addEventListener('change', ({ target }) => isText(target) && readTyped(target));
document.addEventListener('focusin', ({ target }) => isText(target) && target.select());
document.addEventListener(
  'submit',
  (event) => {
    const focused = document.activeElement;
    if (isText(focused)) readTyped(focused);
    const problem = (event.target as Element).querySelector('.date > output:not(:empty)');
    if (!problem) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    (problem.previousElementSibling as HTMLElement).focus();
  },
  { capture: true },
);
