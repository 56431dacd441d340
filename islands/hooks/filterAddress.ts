/** The address of a filter form as it stands: its action with what is filled in, in the form's order. */
export function filterAddress(form: HTMLFormElement): string {
  const address = new URL(form.action);
  address.search = new URLSearchParams(filledIn(new FormData(form))).toString();
  return address.pathname + address.search;
}

function filledIn(data: FormData): [string, string][] {
  return [...data].flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value.trim() : '';
    return text ? [[name, text] as [string, string]] : [];
  });
}
