/** A draft is the unsaved input of one form; passwords are never part of it. */
export interface FormDraft {
  /** by name; one of several checkboxes is named "name=value", and its value is 'on' or empty */
  fields: Record<string, string>;
  /** `version` and `antes:FIELD`, posted again, so that the server notices a draft of older data. */
  hidden: Record<string, string>;
  /** set if the draft was posted without an answer: a second post with this key does not pay twice */
  idempotencyKey?: string;
}

interface StoredDrafts {
  user: string;
  sent?: string;
  byForm: Record<string, FormDraft>;
}

/** One entry contains all drafts, and the loader looks for it; signing out clears the whole storage. */
const STORAGE_KEY = 'drafts';

/** Set by the loader once a form was saved, since the page may be left before the keeper is loaded. */
const SAVED_MARK_KEY = 'draftAnswered';

export const draftKey = (address: string, action: string): string => `${address} ${action}`;

/** Drafts of another user are dropped. If storage is full or forbidden, nothing is stored, silently. */
export class DraftStore {
  readonly #storage: Storage;
  readonly #user: string;

  constructor(storage: Storage, user: string) {
    this.#storage = storage;
    this.#user = user;
  }

  read(key: string): FormDraft | undefined {
    return this.#read().byForm[key];
  }

  write(key: string, draft: FormDraft): void {
    this.#change(({ byForm }) => {
      if (Object.keys(draft.fields).length > 0) byForm[key] = draft;
      else delete byForm[key];
    });
  }

  remove(key: string): void {
    this.write(key, { fields: {}, hidden: {} });
  }

  /** Called at every submit; `key` is undefined where the form has no draft. */
  markSent(key: string | undefined): void {
    this.#change((drafts) => {
      drafts.sent = key;
      this.#storage.removeItem(SAVED_MARK_KEY);
    });
  }

  consumeSentMark(): { sent?: string; isAnswered: boolean } {
    const { sent } = this.#read();
    if (!sent) return { isAnswered: false };
    const isAnswered = this.#storage.getItem(SAVED_MARK_KEY) !== null;
    this.markSent(undefined);
    return { sent, isAnswered };
  }

  #read(): StoredDrafts {
    try {
      const drafts = JSON.parse(this.#storage.getItem(STORAGE_KEY) ?? 'null') as StoredDrafts | null;
      if (drafts?.user === this.#user && drafts.byForm) return drafts;
    } catch {
      // the stored drafts are unreadable, or of another format
    }
    return { user: this.#user, byForm: {} };
  }

  #change(change: (drafts: StoredDrafts) => void) {
    const drafts = this.#read();
    try {
      change(drafts);
      if (drafts.sent || Object.keys(drafts.byForm).length > 0)
        this.#storage.setItem(STORAGE_KEY, JSON.stringify(drafts));
      else this.#storage.removeItem(STORAGE_KEY);
    } catch {
      // storage is full or forbidden, which the user could not change
    }
  }
}

type SubmitOutcome = 'refused' | 'done' | 'unanswered';

/** A refused POST shows the form again, and a saved one redirects to a message. Any other page is no answer. */
export function findSubmitOutcome(page: {
  posted: boolean;
  saved: boolean;
  hasForm: boolean;
}): SubmitOutcome {
  if (page.posted) return page.hasForm ? 'refused' : 'done';
  return page.saved ? 'done' : 'unanswered';
}
