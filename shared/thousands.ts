// Separate from money.ts, which every page's loader and every field would load otherwise.

/**
 * "117392.41" → "117,392.41", as an amount is shown in its field while nobody types there; any other text is left
 * alone.
 */
export const groupThousands = (text: string): string =>
  /^\d{4,}(\.\d{0,3})?$/.test(text) ? text.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : text;
