/** The part of another page with this id; null where that page is refused or has none. */
export async function fetchRegion(address: string, id: string): Promise<HTMLElement | null> {
  const response = await fetch(address, { headers: { 'X-Fragment': 'results' } });
  if (response.redirected) {
    location.reload(); // the session has ended: to the sign-in, and back to here
    return new Promise(() => {}); // never: the page is being left
  }
  if (!response.ok) return null;
  return new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(id);
}
