import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wayOn } from './way-on.ts';

test('the page that was asked for is gone on to', () => {
  expect(wayOn('?to=%2Fw%2Fa%2Frecordings%2Fb%3Fdocument%3Dc')).toBe('/w/a/recordings/b?document=c');
  expect(wayOn('')).toBeNull();
});

test('no address leads to another server', () => {
  for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])
    expect([to, wayOn(`?${new URLSearchParams({ to })}`)]).toEqual([to, null]);
  const part = fc.constantFrom('/', '\\', ':', '@', 'evil.example', 'https:', '%2F', 'a', '?');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const to = wayOn(`?${new URLSearchParams({ to: parts.join('') })}`);
      if (to !== null) expect(new URL(to, 'https://studio.lab.org').origin).toBe('https://studio.lab.org');
    }),
  );
});
