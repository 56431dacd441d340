import { isIPv6 } from 'node:net';

/**
 * An address as the limits count it. A subscriber has a whole /64 of IPv6 addresses and could use a new one for every
 * password, so these count as one; an IPv4 address is the same in every notation.
 */
export function toRateLimitAddress(address: string): string {
  const plain = address.replace(/%.*$/, ''); // the interface of a link-local address
  if (!isIPv6(plain)) return address;
  // URL writes the address in its one canonical form, without dots.
  const [head, tail] = new URL(`http://[${plain}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean)) as [string[], string[]?];
  const after = tail ?? [];
  const zeros = Array.from({ length: 8 - head.length - after.length }, () => '0');
  const groups = [...head, ...zeros, ...after];
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    return groups
      .slice(6)
      .flatMap((group) => {
        const bytes = Number.parseInt(group, 16);
        return [bytes >> 8, bytes & 255];
      })
      .join('.');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
