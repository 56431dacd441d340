// Separate from money.ts, which every page's loader and every field would load otherwise.

/** "117392.41" → "117,392.41", as a field shows an amount while nobody types there; other texts are left alone. */
export const groupThousands = (text: string): string =>
  /^\d{4,}(\.\d{0,3})?$/.test(text) ? text.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : text;
