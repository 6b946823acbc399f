import { expect, test } from 'vitest';
import { saySecrets } from './say-secrets.ts';

function listen() {
  const said: string[] = [];
  return { said, says: saySecrets((code, message) => said.push(`${code}: ${message}`)) };
}

test('a program that does not tell of its fields is named once', () => {
  const { said, says } = listen();
  for (const silent of ['Gimp', null, 'Gimp', 'Tk', '']) says.silent({ silent });
  expect(said.map((one) => one.split(' ').slice(0, 4).join(' '))).toEqual([
    'passwords-not-told: Gimp does not',
    'passwords-not-told: Tk does not',
  ]);
});

test('the time in which a password could be read is told, also where it lasts until the end', () => {
  const { said, says } = listen();
  says.shown({ shown: true, from: 1_200_000, t: 1_450_000 });
  says.shown({ shown: false, from: 3_000_000, t: 3_250_000 });
  says.shown({ shown: true, from: 5_000_000, t: 5_250_000 });
  says.over(9_000_000);
  says.over(9_500_000);
  expect(said.map((one) => /From (.*) the letters/.exec(one)?.[1])).toEqual(['1.2 s to 3.3 s', '5.0 s to 9.0 s']);
});

test('why nobody can be asked is told', () => {
  const { said, says } = listen();
  says.missing('This session has no D-Bus session bus.', 'elements-lost');
  expect(said[0]).toMatch(/no D-Bus session bus\): fields for passwords are known in terminals/);
});
