import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientAddress, countedAs, trustedProxies } from './address.ts';

/** Where a request comes from: only what a trusted proxy wrote counts. */

const HERE = trustedProxies([]);

test('X-Forwarded-For of whoever is no proxy is not read', () => {
  for (const forwarded of ['203.0.113.7', '127.0.0.1', '::1', 'x', null])
    expect(clientAddress('198.51.100.9', forwarded, HERE)).toBe('198.51.100.9');
});

test('of a proxy the last that is none of ours counts, however many the caller wrote before it', () => {
  const named = trustedProxies(['10.0.0.0/24', 'fd00::2']);
  expect(clientAddress('127.0.0.1', '1.2.3.4, 203.0.113.7', HERE)).toBe('203.0.113.7');
  expect(clientAddress('::ffff:127.0.0.1', '203.0.113.7', HERE)).toBe('203.0.113.7');
  expect(clientAddress('127.0.0.1', '1.2.3.4, 203.0.113.7, 10.0.0.8', named)).toBe('203.0.113.7');
  expect(clientAddress('fd00::2', '1.2.3.4, 203.0.113.7', named)).toBe('203.0.113.7');
  // Not a proxy of ours behind it.
  expect(clientAddress('127.0.0.1', '203.0.113.7, 10.0.1.8', named)).toBe('10.0.1.8');
  for (const odd of ['', ' ', 'unknown', '203.0.113.7:80', '_hidden', '1.2.3.4, evil', ', ,', '127.0.0.1\u00a0'])
    expect(clientAddress('127.0.0.1', odd, HERE)).toBe('127.0.0.1');
});

test('whatever a caller writes before what the proxy adds, they are counted as the same', () => {
  const before = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 20 })), { maxLength: 200 });
  fc.assert(
    fc.property(
      before,
      fc.ipV4().filter((one) => !one.startsWith('127.')),
      (written, real) => {
        expect(clientAddress('127.0.0.1', [...written, real].join(', '), HERE)).toBe(real);
      },
    ),
  );
});

test('an IPv6 network of 64 bits counts as one', () => {
  expect(countedAs('2001:db8:0:1::1')).not.toBe(countedAs('2001:db8:0:2::1'));
  expect(countedAs('2001:db8::1:0:0:0:1')).toBe(countedAs('2001:db8:0:1::2'));
  expect(countedAs('2001:db8:0:1::1')).toBe(countedAs('2001:0db8:0000:0001:ffff::'));
});

test.each(['x', '10.0.0.0/0', '10.0.0.0/33', '10.0.0.0/', '::/0', 'studio.lab.org'])(
  '--proxy %s is refused',
  (text) => {
    expect(() => trustedProxies([text])).toThrow(expect.objectContaining({ code: 'USAGE' }));
  },
);
