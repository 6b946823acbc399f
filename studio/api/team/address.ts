import { BlockList, isIP } from 'node:net';
import { StudioError } from '../../../schemas/errors.ts';

/** Whose word is believed about where a request came from. */

/**
 * The addresses of proxies: those of this machine, and those that the administrator named. Throws USAGE for what is no
 * address and no range of them (10.0.0.0/8).
 */
export function trustedProxies(named: readonly string[]): BlockList {
  const list = new BlockList();
  list.addSubnet('127.0.0.0', 8, 'ipv4');
  list.addAddress('::1', 'ipv6');
  for (const text of named) {
    const [address = '', bits] = text.trim().split('/', 2);
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const width = bits === undefined ? most : Number(bits);
    if (version === 0 || !Number.isInteger(width) || width < 1 || width > most || bits === '') {
      throw new StudioError(
        'USAGE',
        `--proxy ${text.slice(0, 100)} is no address and no range of addresses. Write 10.0.0.2 or 10.0.0.0/24.`,
        { proxy: text },
      );
    }
    list.addSubnet(address, width, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** An IPv4 address in the clothes of IPv6 is the same machine. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '');

const isIn = (list: BlockList, address: string): boolean => {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
};

/**
 * The address of the browser or script. X-Forwarded-For is read from its end, as far as the proxies are ours: what comes
 * before, the caller may have written.
 */
export function clientAddress(peer: string | undefined, forwarded: string | null, proxies: BlockList): string {
  let address = plain(peer ?? '');
  const named = (forwarded ?? '').slice(-2000).split(',').map(plain).reverse();
  for (const one of named) {
    if (!isIn(proxies, address) || isIP(one) === 0) break;
    address = one;
  }
  return address;
}

/** Who counts as one where tries are counted: whoever has an address of IPv6 has a whole /64 of them. */
export function countedAs(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('::', 2);
  const parts = head === '' ? [] : head.split(':');
  const after = address.includes('::') && tail !== '' ? tail.split(':') : [];
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - parts.length - after.length)).fill('0') : [];
  return [...parts, ...zeros, ...after]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':');
}
