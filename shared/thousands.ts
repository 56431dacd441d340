// Apart from the rest of money, which every page's loader and every field would bring along otherwise.

/** "117392.41" → "117,392.41", as an amount stands in its field while nobody types there; any other text is left alone. */
export const groupThousands = (text: string): string =>
  /^\d{4,}(\.\d{0,3})?$/.test(text) ? text.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : text;
