import type * as Arithmetic from '../../shared/arithmetic.ts';
import { DomainError } from '../../shared/errors.ts';
import { formatMoney, moneyText, rateText } from '../../shared/money.ts';

/** Comes with the first operator that is typed. */
let arithmetic: typeof Arithmetic | undefined;

/**
 * Amount fields in which something may be worked out: the result shows below while it is typed, and takes the
 * operation's place when the field is left. `changed` is told of everything that is typed there.
 * @returns what stands in such a field, worked out where it can be
 */
export function followAmounts(
  form: HTMLFormElement,
  names: readonly string[],
  changed: () => void = () => {},
): (name: string) => string {
  const inputOf = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  const isTouched = matchMedia('(pointer: coarse)').matches;
  for (const input of names.map(inputOf)) {
    if (input.readOnly) continue;
    const note = noteFor(input);
    const follow = async ({ type }: Event) => {
      if (!arithmetic && OPERATOR.test(input.value))
        arithmetic = await import('../../shared/arithmetic.ts').catch(() => undefined);
      const result = workOut(input);
      const isLeft = type === 'change';
      const isWrong = isLeft && result?.text === undefined && result !== undefined;
      note.textContent = result && (result.text || isLeft) ? result.shown : '';
      if (isWrong) input.ariaInvalid = 'true';
      else if (note.classList.contains('wrong')) input.ariaInvalid = null;
      note.classList.toggle('wrong', isWrong);
      if (isLeft && result?.text) input.value = result.text;
      changed();
    };
    for (const type of ['input', 'change']) input.addEventListener(type, follow);
    // Only a finger needs them; without them the digits are still there.
    if (isTouched) import('./keys.ts').then(({ addOperatorKeys }) => addOperatorKeys(input), console.warn);
  }
  return (name) => workOut(inputOf(name))?.text ?? inputOf(name).value;
}

/** Anything that is no figure, and a minus behind one. */
const OPERATOR = /[^\s\d$.,%-]|[\d.)]\s*-/;

/** An operation's result as a field takes it and as people read it, or the message where it has none. */
function workOut(input: HTMLInputElement): { text?: string; shown: string } | undefined {
  if (!arithmetic?.isOperation(input.value)) return undefined;
  try {
    if (input.name === 'tasa') {
      const text = rateText(arithmetic.rateOf(input.value));
      return { text, shown: `= ${text} %` };
    }
    const cents = arithmetic.moneyOf(input.value, input.labels?.[0]?.textContent ?? '');
    return { text: moneyText(cents), shown: `= ${formatMoney(cents)}` };
  } catch (error) {
    if (error instanceof DomainError) return { shown: error.message };
    throw error;
  }
}

/** There from the start, so that a screen reader hears what is put in later. */
function noteFor(input: HTMLInputElement): HTMLOutputElement {
  const note = document.createElement('output');
  note.id = `${input.id}-result`;
  note.className = 'hint';
  input.closest('.field')?.append(note);
  const described = input.getAttribute('aria-describedby');
  input.setAttribute('aria-describedby', described ? `${described} ${note.id}` : note.id);
  return note;
}
