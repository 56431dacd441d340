/** Unsaved typing of one form. Passwords are never in it. */
export interface Draft {
  /** by name; a box of several is named "name=value", and is 'on' or empty */
  fields: Record<string, string>;
  /**
   * The form's `version`, and what `antes:FIELD` said of the fields that were changed: posted again with
   * them, so that a draft made for older data is found out by the server, which then shows both values.
   */
  hidden: Record<string, string>;
  /** set while it has been posted and no answer has come: the same key again pays nothing twice */
  idempotencyKey?: string;
}

interface Drafts {
  /** whose they are: the id of the user */
  user: string;
  /** which one was posted last: what has become of it shows on the next page */
  sent?: string;
  byForm: Record<string, Draft>;
}

/** One entry for all of them, which the loader looks for; signing out empties the whole storage. */
const ENTRY = 'drafts';

/** Set by the loader where a page tells of a saving, since it may be left before the keeper has come. */
const ANSWERED = 'draftAnswered';

/** A form by the address of its page and where it posts to. */
export const draftKey = (address: string, action: string): string => `${address} ${action}`;

/**
 * The drafts of one tab and one user; those of somebody else who signed in here before are gone. Storage
 * that is full or forbidden keeps nothing, and says nothing.
 */
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

  /** A draft without fields is none. */
  write(key: string, draft: Draft): void {
    this.#change(({ byForm }) => {
      if (Object.keys(draft.fields).length > 0) byForm[key] = draft;
      else delete byForm[key];
    });
  }

  remove(key: string): void {
    this.write(key, { fields: {}, hidden: {} });
  }

  /** At every submit: the form's draft, or none where the form has nothing typed. */
  markSent(key: string | undefined): void {
    this.#change((drafts) => {
      drafts.sent = key;
      this.#storage.removeItem(ANSWERED);
    });
  }

  /** On a page that follows, once: what was posted, and whether a page since then has said that something is saved. */
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
      // none of ours, or none to be had
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
 * Tells from the page that came next what has become of the form that was posted last: the answer to a POST is the
 * form again, which holds the newer values, or says that all is done; a saved one leads on with a message;
 * anything else (the page before a dropped connection, the sign-in and back) is no answer.
 */
export function outcomeOf(page: { posted: boolean; saved: boolean; hasForm: boolean }): Outcome {
  if (page.posted) return page.hasForm ? 'refused' : 'done';
  return page.saved ? 'done' : 'unanswered';
}
