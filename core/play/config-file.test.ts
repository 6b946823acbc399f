import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueInConfig } from './config-file.ts';

const TEXT = `; by hand
top = 1
[qt] # Qt interface
#volume=256
minimal-view=0
name[de]=Ansicht
[Main Window]\r
geometry : 10=20\r
colour: red\r
minimal-view=2
[qt]
minimal-view = "1"
empty=
`;

test.each<[string | undefined, string, string | undefined]>([
  ['', 'top', '1'],
  [undefined, 'top', '1'],
  ['qt', 'top', undefined],
  ['qt', 'minimal-view', '"1"'],
  ['Main Window', 'minimal-view', '2'],
  [undefined, 'minimal-view', '"1"'],
  ['qt', 'volume', undefined],
  ['qt', '#volume', undefined],
  ['qt', 'name[de]', 'Ansicht'],
  ['qt', 'name', undefined],
  ['qt', 'empty', ''],
  ['Main Window', 'colour', 'red'],
  ['Main Window', 'geometry : 10', '20'],
  ['QT', 'minimal-view', undefined],
])('PL43 section %j, key %j: %j', (section, key, value) => {
  expect(valueInConfig(TEXT, section, key)).toBe(value);
});

const word = fc.stringMatching(/^[a-z][a-z0-9 ._-]{0,8}[a-z0-9]$/);
test('PL43 what was set last in a section is its value, whatever else is in the file', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word, word), { minLength: 1, maxLength: 30 }), (settings) => {
      const text = settings.map(([section, key, value]) => `[${section}]\n${key} = ${value}\n\n# ${key}=x\n`).join('');
      const last = new Map(settings.map(([section, key, value]) => [`${section}\n${key}`, value]));
      for (const [section, key] of settings)
        expect(valueInConfig(text, section, key)).toBe(last.get(`${section}\n${key}`));
    }),
  );
});
