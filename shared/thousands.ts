// Separate from money.ts, so that the loader and form fields need not load all of it.

/** Formats "117392.41" as "117,392.41"; other texts, such as what somebody is typing, are unchanged. */
export const groupThousands = (text: string): string =>
  /^\d{4,}(\.\d{0,3})?$/.test(text) ? text.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : text;
