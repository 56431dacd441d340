/** The address of a filter form as it stands: its action with what is filled in, in the form's order. */
export function filterAddress(form: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (text) query.append(name, text);
  }
  return `${new URL(form.action).pathname}?${query}`;
}
