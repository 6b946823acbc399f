import { afterEach, expect, test, vi } from 'vitest';
import { keepModel, keptModel } from './kept-model.ts';

/** The form of a model's run as a browser keeps it, also where something else wrote to its place. */

function browserWith(text: string | null): Map<string, string> {
  const kept = new Map(text === null ? [] : [['studio.model-run', text]]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  return kept;
}
afterEach(() => vi.unstubAllGlobals());

test('a temperature is kept, 0 as well, and none is none', () => {
  for (const temperature of [0, 0.7, 2, null]) {
    browserWith(null);
    keepModel({ ...keptModel(), temperature });
    expect(keptModel().temperature).toBe(temperature);
  }
});

test.each(['3', '-0.1', '"1"', '1e999', '[1]', 'null', 'true'])(
  'a temperature of %s is as if none was given',
  (text) => {
    browserWith(`{"model":"one","temperature":${text}}`);
    expect(keptModel()).toMatchObject({ model: 'one', temperature: null });
  },
);

test('a form that was kept before temperatures were is read', () => {
  browserWith('{"agent":"minimal","rounds":7}');
  expect(keptModel()).toMatchObject({ agent: 'minimal', rounds: 7, temperature: null });
});
