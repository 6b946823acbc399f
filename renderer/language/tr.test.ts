import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { afterEach, expect, test } from 'vitest';
import { setLanguage, tr } from './tr.ts';

afterEach(() => setLanguage('en', new Map()));

test.each(['de', 'zh-Hans'])('every text of %s says what MessageFormat makes of it', (language) => {
  const folder = join(import.meta.dirname, language);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const texts = new Map<string, string>(
    files.flatMap((name) => Object.entries<string>(JSON.parse(readFileSync(join(folder, name), 'utf8')))),
  );
  expect(texts.size).toBeGreaterThan(1000);
  setLanguage(language, texts);
  for (const [english, text] of texts) {
    const names = [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name);
    // A text with tags in it is shown by `trParts`; one without names, as it is.
    if (/<\w/.test(text) || names.length === 0) continue;
    const values = Object.fromEntries(names.map((name, at) => [name, at + 2]));
    const format = new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
    expect(tr(english, values)).toBe(String(format.format(values)));
  }
});

test('nothing at all is written as nothing, and what stands in a value stays as it is', () => {
  expect(tr('{a} of {b}', { a: null, b: '{a} $& 0' })).toBe(' of {a} $& 0');
  expect(tr("It's {n, plural, one {# step} other {# steps}}", { n: 1 })).toBe("It's 1 step");
});
