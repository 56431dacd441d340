import { type PickerRow, rowName } from '../pickers/picker.ts';
import {
  controlKey,
  currentValue,
  fillInControl,
  isUnchanged,
  listDraftControls,
  listDraftForms,
  listPickerInputs,
  type PickerHiddenInput,
  serverValueOf,
} from './fields.ts';
import { showAlert } from './notes.ts';
import { DraftStore, draftKey, type FormDraft, findSubmitOutcome } from './store.ts';

const SAVE_DELAY_MS = 300;

interface DraftForm {
  form: HTMLFormElement;
  key: string;
  restoredDraft?: FormDraft;
  /** all fields are kept, not only changed ones, since the form was refused */
  keepsAll: boolean;
  discarded?: boolean;
  restored?: Promise<void>;
}

let watchedForms: DraftForm[] | undefined;

/** Keeps unsaved input from now on, and restores what an earlier display of a form has lost. Later calls do nothing. */
export function keepDrafts(): void {
  const { user } = document.body.dataset;
  if (watchedForms || !user) return;
  // The sums are loaded here, because this function runs with the first change of a form, which also changes its sum.
  if (document.querySelector('[data-sum]')) void import('./sums.ts');
  const store = new DraftStore(sessionStorage, String((JSON.parse(user) as { id: number }).id));
  const address = location.pathname + location.search;
  watchedForms = listDraftForms().map((form) => ({
    form,
    key: draftKey(address, actionPath(form)),
    keepsAll: false,
  }));
  restoreDrafts(watchedForms, store);
  watchChanges(watchedForms, store);
}

function restoreDrafts(forms: readonly DraftForm[], store: DraftStore) {
  const { posted, saved } = document.querySelector<HTMLElement>('main')?.dataset ?? {};
  const isPosted = posted !== undefined;
  const { sent, isAnswered } = store.consumeSentMark();
  // If the form was posted before this code was loaded, the page itself tells which form is answered.
  const postedKey = sent ?? (isPosted ? ` ${location.pathname}` : undefined);
  const same = forms.find(({ form }) => postedKey?.endsWith(` ${actionPath(form)}`));
  if (postedKey) {
    const isSaved = saved !== undefined || isAnswered;
    const outcome = findSubmitOutcome({ posted: isPosted, saved: isSaved, hasForm: same !== undefined });
    if (sent && outcome !== 'unanswered') store.remove(sent);
    if (outcome === 'refused' && same) {
      same.keepsAll = true;
      store.write(same.key, collectDraft(same));
    }
  }
  if (isPosted) return;
  for (const one of forms) {
    const draft = store.read(one.key);
    if (!draft) continue;
    const discardDraft = () => {
      one.discarded = true;
      store.remove(one.key);
    };
    one.restored = startRestore(one, draft, discardDraft);
    if (one.restored) one.restoredDraft = draft;
    else store.remove(one.key);
  }
}

function watchChanges(forms: readonly DraftForm[], store: DraftStore) {
  const changed = new Set<DraftForm>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const saveChangedDrafts = () => {
    clearTimeout(timer);
    for (const one of changed) if (isSignedIn() && !one.discarded) store.write(one.key, collectDraft(one));
    changed.clear();
  };
  const scheduleSave = (one: DraftForm | undefined) => {
    if (!one || one.restored) return;
    if (changed.size === 0) timer = setTimeout(saveChangedDrafts, SAVE_DELAY_MS);
    changed.add(one);
  };
  const markFormSent = (one: DraftForm) => {
    const draft = { ...collectDraft(one), idempotencyKey: draftOrFormHiddenValue(one, 'idempotencyKey') };
    one.restoredDraft = draft;
    store.write(one.key, draft);
    store.markSent(Object.keys(draft.fields).length > 0 ? one.key : undefined);
  };
  for (const one of forms) {
    if (one.form.ariaBusy === 'true') {
      markFormSent(one); // the form was submitted before this code was loaded
    } else if (one.restored) {
      void one.restored.then(() => {
        one.restored = undefined;
        scheduleSave(one);
      });
    } else if (Object.keys(collectDraft(one).fields).length > 0) scheduleSave(one); // text was typed before this code was loaded
  }
  // "Cancelar" discards its form's draft. After a refused edit every link of the page, such as "Cargar lo guardado",
  // discards it.
  document.addEventListener('click', ({ target, ctrlKey, metaKey, shiftKey }) => {
    if (ctrlKey || metaKey || shiftKey) return; // such a click opens the link in another tab
    const link = (target as Element).closest('main a[href]:not([target], [download])');
    if (!link) return;
    for (const one of forms) {
      const isCancelled = link.matches('.form-actions > a') && one.form.contains(link);
      if (!isCancelled && !(one.keepsAll && draftOrFormHiddenValue(one, 'version') !== undefined)) continue;
      one.discarded = true;
      store.remove(one.key);
    }
  });
  const scheduleSaveOfChangedForm = ({ target }: Event) =>
    scheduleSave(forms.find(({ form }) => form.contains(target as Node)));
  for (const type of ['input', 'change']) document.addEventListener(type, scheduleSaveOfChangedForm);
  addEventListener('pagehide', saveChangedDrafts);
  // Runs after the form's own handlers, which may still refuse or fill something in.
  addEventListener('submit', (event) => {
    if (event.defaultPrevented || !isSignedIn()) return;
    saveChangedDrafts();
    const one = forms.find(({ form }) => form === event.target);
    if (one) markFormSent(one);
    else store.markSent(undefined);
  });
}

function collectDraft(one: DraftForm): FormDraft {
  const fields: FormDraft['fields'] = {};
  for (const control of listDraftControls(one.form)) {
    const value = currentValue(control);
    if (value !== undefined && (one.keepsAll || !isUnchanged(control))) fields[controlKey(control)] = value;
  }
  for (const field of listPickerInputs(one.form))
    if (one.keepsAll || field.value !== serverValueOf(field)) fields[field.name] = field.value;
  const hidden: FormDraft['hidden'] = {};
  for (const name of ['version', ...Object.keys(fields).map((field) => `antes:${field}`)]) {
    const value = draftOrFormHiddenValue(one, name);
    if (value !== undefined) hidden[name] = value;
  }
  const idempotencyKey = one.restoredDraft?.idempotencyKey;
  return { fields, hidden, ...(idempotencyKey ? { idempotencyKey } : {}) };
}

function draftOrFormHiddenValue({ form, restoredDraft }: DraftForm, name: string): string | undefined {
  const stored = name === 'idempotencyKey' ? restoredDraft?.idempotencyKey : restoredDraft?.hidden[name];
  if (stored !== undefined) return stored;
  const field = form.elements.namedItem(name);
  return field instanceof HTMLInputElement && field.type === 'hidden' ? field.value : undefined;
}

/** Signing out removes [data-user] (islands/loader/session.ts). */
const isSignedIn = () => document.body.dataset.user !== undefined;

const actionPath = (form: HTMLFormElement) => new URL(form.action).pathname;

const RECOVERED_TEXT = 'Se recuperó lo que habías escrito.';

/** Fills a draft into its form, and shows a note. @returns undefined where the form already shows all of the draft */
function startRestore(one: DraftForm, draft: FormDraft, discardDraft: () => void): Promise<void> | undefined {
  const picks = listPickerInputs(one.form).flatMap((field) => {
    const value = draft.fields[field.name];
    return value === undefined || value === serverValueOf(field) ? [] : [{ field, value }];
  });
  if (picks.length === 0 && listDraftControls(one.form).every((control) => showsDraftValue(control, draft)))
    return undefined;
  // Posts the version on which the draft is based, so that the server notices later changes.
  one.form.addEventListener('formdata', ({ formData }) => {
    const { hidden, idempotencyKey } = draft;
    for (const [name, value] of Object.entries({ ...hidden, ...(idempotencyKey && { idempotencyKey }) }))
      if (formData.has(name)) formData.set(name, value);
  });
  return restoreDraftFields(one, draft, picks, discardDraft);
}

async function restoreDraftFields(
  { form }: DraftForm,
  draft: FormDraft,
  picks: readonly { field: PickerHiddenInput; value: string }[],
  discardDraft: () => void,
) {
  const typed = new Set<EventTarget>();
  const recordTyping = (event: Event) => event.isTrusted && event.target && typed.add(event.target);
  form.addEventListener('input', recordTyping);
  const fillInDraft = () => {
    for (const control of listDraftControls(form)) {
      const value = draft.fields[controlKey(control)];
      if (value !== undefined && !typed.has(control) && !showsDraftValue(control, draft))
        fillInControl(control, value);
    }
    // As after Tab, the next key replaces the text instead of adding to it.
    const focused = document.activeElement as HTMLInputElement;
    if (form.contains(focused) && focused.matches('input') && !typed.has(focused)) focused.select();
  };
  const inDialog = form.closest('dialog') !== null;
  if (!inDialog) {
    fillInDraft();
    announceRecovery(form, discardDraft);
  }
  const islands = new Set(
    [form, ...picks.map(({ field }) => field)].map((element) => element.closest('is-land')),
  );
  await Promise.all([...islands].map((island) => island && hydrateNow(island as HTMLElement)));
  for (const { field, value } of picks) await restorePickedRow(field, value);
  // Islands may have filled in fields themselves, such as a usual obra; the user's input takes precedence.
  fillInDraft();
  form.removeEventListener('input', recordTyping);
  if (inDialog) announceRecovery(form, discardDraft);
}

const showsDraftValue = (control: Parameters<typeof currentValue>[0], { fields }: FormDraft): boolean => {
  const wanted = fields[controlKey(control)];
  const value = currentValue(control);
  if (wanted === undefined) return true;
  return control.type === 'radio'
    ? (value ?? '') === (control.value === wanted ? wanted : '')
    : value === wanted;
};

function hydrateNow(island: HTMLElement): Promise<void> {
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

/** Fetches the row again, since amounts may have changed; a row that no longer exists stays unchosen. */
async function restorePickedRow(field: PickerHiddenInput, value: string): Promise<void> {
  const { pick, picker } = field;
  if (!pick || !picker) return;
  if (!value) return pick({ row: null, name: '' });
  const [list = ''] = picker.searchUrl.split('/search');
  const row = await fetch(`${list}/${value}`)
    .then((response) => (response.ok ? (response.json() as Promise<PickerRow>) : undefined))
    .catch(() => undefined);
  if (row) pick({ row, name: rowName(row, picker) });
}

function announceRecovery(form: HTMLFormElement, discardDraft: () => void) {
  const notice = showAlert(form, 'info', RECOVERED_TEXT);
  const discard = document.createElement('button');
  discard.type = 'button';
  discard.className = 'btn btn-quiet';
  discard.textContent = 'Descartar';
  discard.addEventListener('click', () => {
    discardDraft();
    form.reset(); // without this the browser would restore the fields itself
    location.replace(location.pathname + location.search);
  });
  notice.querySelector(':scope > div > div')?.append(' ', discard);
}
