import type { PickedField } from './fields.ts';
import type { Draft } from './store.ts';

/** One form of the page, and what is known of it. */
export interface KeptForm {
  form: HTMLFormElement;
  key: string;
  /** the pickers' values as the server sent them */
  sentPicks: Map<PickedField, string>;
  /** the draft that was given back, for the hidden fields that it was made with */
  former?: Draft;
  /** everything counts, since all of it was typed: the answer to a refused form */
  whole: boolean;
  /** the user asked for the page without it */
  discarded?: boolean;
  /** its draft is being given back, and the stored one is the whole one until then */
  restored?: Promise<void>;
}
