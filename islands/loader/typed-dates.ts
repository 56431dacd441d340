import { addDays } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { fillInControl } from '../drafts/fields.ts';
import { parseTypedDate } from '../forms/typedDate.ts';

// A typed date is parsed when its text is left, and then set as the value of the browser's own field.

const isDateTextInput = (target: EventTarget | null): target is HTMLInputElement =>
  (target as Element).matches?.('.date > [type=text]:read-write');

const nativeDateFieldOf = (text: HTMLInputElement) => text.previousElementSibling as HTMLInputElement;

const readTodayFromPage = () => document.querySelector<HTMLTimeElement>('.who time')!.dateTime;

/** Sets the date field, whose change event shows the day in the text (dates.ts). */
function enterDate(text: HTMLInputElement, day: string) {
  delete text.dataset.shows;
  fillInControl(nativeDateFieldOf(text), day);
}

/** @returns false where the text is no date; an error is then shown below it */
function commitTypedDate(text: HTMLInputElement): boolean {
  try {
    enterDate(text, text.value.trim() && parseTypedDate(text.value, readTodayFromPage()));
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

const DAY_STEP_BY_KEY: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

document.addEventListener('keydown', (event) => {
  const { target: text, key, altKey, ctrlKey, metaKey } = event;
  if (!isDateTextInput(text) || ctrlKey || metaKey) return;
  const step = DAY_STEP_BY_KEY[key];
  if (step && altKey) nativeDateFieldOf(text).showPicker();
  else if (step) {
    if (commitTypedDate(text))
      enterDate(text, text.value ? addDays(nativeDateFieldOf(text).value, step) : readTodayFromPage());
    text.select();
  } else if (key !== 'Enter' || commitTypedDate(text)) return;
  event.preventDefault();
});
document.addEventListener('input', ({ target }) => isDateTextInput(target) && showProblem(target, ''));
document.addEventListener('change', ({ target }) => isDateTextInput(target) && commitTypedDate(target));
document.addEventListener('focusin', ({ target }) => isDateTextInput(target) && target.select());
document.addEventListener(
  'submit',
  (event) => {
    const focused = document.activeElement;
    if (isDateTextInput(focused)) commitTypedDate(focused);
    const problem = (event.target as Element).querySelector('.date > output:not(:empty)');
    if (!problem) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    (problem.previousElementSibling as HTMLElement).focus();
  },
  { capture: true },
);
