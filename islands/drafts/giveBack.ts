import { type PickerRow, rowName } from '../pickers/picker.ts';
import { controlsOf, fillIn, keyOf, type PickedField, shownIn } from './fields.ts';
import type { KeptForm } from './keptForm.ts';
import { alertAt } from './notes.ts';
import type { Draft } from './store.ts';

const RECOVERED = 'Se recuperó lo que habías escrito.';

/** Fills the form in again and says so; nothing where the draft holds nothing that the form does not show. */
export function giveBack(one: KeptForm, draft: Draft, forget: () => void): Promise<void> | undefined {
  const picks = [...one.sentPicks].flatMap(([field, sent]) => {
    const value = draft.fields[field.name];
    return value === undefined || value === sent ? [] : [{ field, value }];
  });
  if (picks.length === 0 && controlsOf(one.form).every((control) => isShown(control, draft)))
    return undefined;
  // The version it was made with, not the page's: the server then compares.
  one.form.addEventListener('formdata', ({ formData }) => {
    const { hidden, idempotencyKey } = draft;
    for (const [name, value] of Object.entries({ ...hidden, ...(idempotencyKey && { idempotencyKey }) }))
      if (formData.has(name)) formData.set(name, value);
  });
  return restore(one, draft, picks, forget);
}

async function restore(
  { form }: KeptForm,
  draft: Draft,
  picks: readonly { field: PickedField; value: string }[],
  forget: () => void,
) {
  const typed = new Set<EventTarget>();
  const noteTyping = (event: Event) => event.isTrusted && event.target && typed.add(event.target);
  form.addEventListener('input', noteTyping);
  const fill = () => {
    for (const control of controlsOf(form)) {
      const value = draft.fields[keyOf(control)];
      if (value !== undefined && !typed.has(control) && !isShown(control, draft)) fillIn(control, value);
    }
  };
  const inDialog = form.closest('dialog') !== null;
  if (!inDialog) {
    fill();
    announce(form, forget);
  }
  const islands = new Set(
    [form, ...picks.map(({ field }) => field)].map((element) => element.closest('is-land')),
  );
  await Promise.all([...islands].map((island) => island && wake(island as HTMLElement)));
  for (const { field, value } of picks) await pickAgain(field, value);
  // What islands fill in by themselves, as a usual obra, has followed; what was typed comes last.
  fill();
  form.removeEventListener('input', noteTyping);
  if (inDialog) announce(form, forget);
}

const isShown = (control: Parameters<typeof shownIn>[0], { fields }: Draft): boolean => {
  const wanted = fields[keyOf(control)];
  const value = shownIn(control);
  if (wanted === undefined) return true;
  return control.type === 'radio'
    ? (value ?? '') === (control.value === wanted ? wanted : '')
    : value === wanted;
};

/** Resolves when the island answers to its user, or has failed to. */
function wake(island: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    if (/ready|failed/.test(island.dataset.state ?? '')) return resolve();
    const observer = new MutationObserver(() => {
      if (island.dataset.state === 'loading') return;
      observer.disconnect();
      resolve();
    });
    observer.observe(island, { attributeFilter: ['data-state'] });
    island.dispatchEvent(new Event('focusin', { bubbles: true }));
  });
}

/** The row as it is now, since amounts may have changed; one that is gone stays unpicked. */
async function pickAgain(field: PickedField, value: string): Promise<void> {
  const { pick, picker } = field;
  if (!pick || !picker) return;
  if (!value) return pick({ row: null, name: '' });
  const [list = ''] = picker.searchUrl.split('/search');
  const row = await fetch(`${list}/${value}`)
    .then((response) => (response.ok ? (response.json() as Promise<PickerRow>) : undefined))
    .catch(() => undefined);
  if (row) pick({ row, name: rowName(row, picker) });
}

function announce(form: HTMLFormElement, forget: () => void) {
  const notice = alertAt(form, 'info', RECOVERED);
  const discard = document.createElement('button');
  discard.type = 'button';
  discard.className = 'btn btn-quiet';
  discard.textContent = 'Descartar';
  discard.addEventListener('click', () => {
    forget();
    form.reset(); // or the browser would fill in by itself what stands here
    location.replace(location.pathname + location.search);
  });
  notice.querySelector(':scope > div > div')?.append(' ', discard);
}
