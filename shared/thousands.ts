// A file of its own, so that the loader and form fields need not load money.ts.

/** Formats "117392.41" as "117,392.41"; other texts, such as what somebody is typing, are unchanged. */
export const groupThousands = (text: string): string =>
  /^\d{4,}(\.\d{0,3})?$/.test(text) ? text.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : text;
