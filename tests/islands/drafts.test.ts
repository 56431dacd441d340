import { describe, expect, test } from 'vitest';
import { DraftStore, draftKey, type FormDraft, findSubmitOutcome } from '../../islands/drafts/store.ts';

/** The part of Storage that is used. */
class FakeStorage implements Storage {
  readonly #items = new Map<string, string>();
  /** as where storage is full or forbidden */
  broken = false;

  get length() {
    return this.#items.size;
  }
  clear() {
    this.#items.clear();
  }
  key(index: number) {
    return [...this.#items.keys()][index] ?? null;
  }
  getItem(key: string) {
    if (this.broken) throw new DOMException('no storage', 'SecurityError');
    return this.#items.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    if (this.broken) throw new DOMException('full', 'QuotaExceededError');
    this.#items.set(key, value);
  }
  removeItem(key: string) {
    this.#items.delete(key);
  }
}

const draft = (comments: string): FormDraft => ({ fields: { comments }, hidden: { version: '3' } });
const key = draftKey('/editinvoicepage/7', '/editinvoicepage/7');

describe('unsaved typing', () => {
  test('asks only once which draft was posted', () => {
    const store = new DraftStore(new FakeStorage(), '1');
    store.markSent(key);
    expect(store.consumeSentMark()).toEqual({ sent: key, isAnswered: false });
    expect(store.consumeSentMark().sent).toBeUndefined();
    store.markSent(key);
    store.markSent(undefined); // then a form without input
    expect(store.consumeSentMark().sent).toBeUndefined();
  });

  test('is dropped after a page reported the saving, even if that page was left before the script looked', () => {
    const storage = new FakeStorage();
    const store = new DraftStore(storage, '1');
    store.markSent(key);
    storage.setItem('draftAnswered', '');
    expect(store.consumeSentMark()).toEqual({ sent: key, isAnswered: true });
    store.markSent(key);
    expect(store.consumeSentMark()).toEqual({ sent: key, isAnswered: false });
  });

  test('survives a storage that is full, forbidden or filled by others without an error', () => {
    const storage = new FakeStorage();
    const store = new DraftStore(storage, '1');
    for (const junk of ['{', '3', '{"user":"1"}']) {
      storage.setItem('drafts', junk);
      expect(store.read(key)).toBeUndefined();
    }
    storage.broken = true;
    store.write(key, draft('a'));
    expect(store.consumeSentMark().sent).toBeUndefined();
  });
});

describe('the draft of a posted form', () => {
  test.each([
    [{ posted: true, saved: false, hasForm: true }, 'refused'],
    [{ posted: true, saved: false, hasForm: false }, 'done'], // the user that was created, and the password
    [{ posted: false, saved: true, hasForm: false }, 'done'],
    [{ posted: false, saved: true, hasForm: true }, 'done'], // saved, then the form for the next row
    [{ posted: false, saved: false, hasForm: true }, 'unanswered'], // back after a dropped connection
    [{ posted: false, saved: false, hasForm: false }, 'unanswered'],
  ] as const)('%j: %s', (page, outcome) => {
    expect(findSubmitOutcome(page)).toBe(outcome);
  });
});
