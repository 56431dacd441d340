/** Unsaved input of one form, without any passwords. */
export interface Draft {
  /** by name; a box of several is named "name=value", and is 'on' or empty */
  fields: Record<string, string>;
  /** The `version`, and `antes:FIELD` of changed fields, posted again: the server notices a draft of older data. */
  hidden: Record<string, string>;
  /** set while it was posted without an answer: the same key again pays nothing twice */
  idempotencyKey?: string;
}

interface Drafts {
  user: string;
  /** the form posted last, whose outcome the next page shows */
  sent?: string;
  byForm: Record<string, Draft>;
}

/** One entry holds all drafts, and the loader looks for it; signing out clears the whole storage. */
const ENTRY = 'drafts';

/** The loader sets this where a page reports a save, since the page may be left before the keeper is loaded. */
const ANSWERED = 'draftAnswered';

export const draftKey = (address: string, action: string): string => `${address} ${action}`;

/** Drafts of one tab and one user; another user's are dropped. Full or forbidden storage keeps nothing, silently. */
export class DraftStore {
  readonly #storage: Storage;
  readonly #user: string;

  constructor(storage: Storage, user: string) {
    this.#storage = storage;
    this.#user = user;
  }

  read(key: string): Draft | undefined {
    return this.#read().byForm[key];
  }

  write(key: string, draft: Draft): void {
    this.#change(({ byForm }) => {
      if (Object.keys(draft.fields).length > 0) byForm[key] = draft;
      else delete byForm[key];
    });
  }

  remove(key: string): void {
    this.write(key, { fields: {}, hidden: {} });
  }

  /** Called at every submit, with nothing where the form has no draft. */
  markSent(key: string | undefined): void {
    this.#change((drafts) => {
      drafts.sent = key;
      this.#storage.removeItem(ANSWERED);
    });
  }

  /** Returns once, on a later page, what was posted, and whether a page since then has reported a save. */
  takeSent(): { sent?: string; isAnswered: boolean } {
    const { sent } = this.#read();
    if (!sent) return { isAnswered: false };
    const isAnswered = this.#storage.getItem(ANSWERED) !== null;
    this.markSent(undefined);
    return { sent, isAnswered };
  }

  #read(): Drafts {
    try {
      const drafts = JSON.parse(this.#storage.getItem(ENTRY) ?? 'null') as Drafts | null;
      if (drafts?.user === this.#user && drafts.byForm) return drafts;
    } catch {
      // not our format, or unreadable
    }
    return { user: this.#user, byForm: {} };
  }

  #change(change: (drafts: Drafts) => void) {
    const drafts = this.#read();
    try {
      change(drafts);
      if (drafts.sent || Object.keys(drafts.byForm).length > 0)
        this.#storage.setItem(ENTRY, JSON.stringify(drafts));
      else this.#storage.removeItem(ENTRY);
    } catch {
      // nothing that would help the user
    }
  }
}

export type Outcome = 'refused' | 'done' | 'unanswered';

/**
 * Tells from the next page what became of the form that was posted last: the answer to a POST is the form again, which
 * holds the newer values, or says that all is done; a saved one redirects with a message; anything else (the page
 * before a dropped connection, the sign-in and back) is no answer.
 */
export function findOutcome(page: { posted: boolean; saved: boolean; hasForm: boolean }): Outcome {
  if (page.posted) return page.hasForm ? 'refused' : 'done';
  return page.saved ? 'done' : 'unanswered';
}
