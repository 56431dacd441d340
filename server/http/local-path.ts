/** Only an address of our own: a path that no browser reads as another host, as it may stand in a header. */
export function localPath(next: string | undefined): string | undefined {
  if (!next || !/^\/[^/\\]/.test(next) || /[\\\s\p{Cc}]/u.test(next)) return undefined;
  const url = URL.parse(next, 'http://saldo.invalid');
  if (url?.host !== 'saldo.invalid') return undefined;
  // Looked at once more: "/.//other.site" has become "//other.site".
  return url.pathname.startsWith('//') ? undefined : url.pathname + url.search;
}
