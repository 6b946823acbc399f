import { expect, it } from 'vitest';
import { booleanSetting, choiceSetting, keysSetting, textsSetting } from './settings.ts';

it('takes a setting only when it has the right shape', () => {
  expect(booleanSetting({ autoAdvance: false }, 'autoAdvance', true)).toBe(false);
  expect(booleanSetting({ autoAdvance: 'no' }, 'autoAdvance', true)).toBe(true);
  expect(choiceSetting({ theme: 'dark' }, 'theme', ['auto', 'dark'], 'auto')).toBe('dark');
  expect(choiceSetting({ theme: 'pink' }, 'theme', ['auto', 'dark'], 'auto')).toBe('auto');
});

it('leaves out chosen keys that are no lists of texts', () => {
  expect(keysSetting({ keys: { a: ['X'], b: 'Y', c: [1], d: [] } })).toEqual({ a: ['X'], d: [] });
  expect(keysSetting({ keys: null })).toEqual({});
});

it('reads texts by name and leaves out the rest', () => {
  expect(textsSetting({ shortcuts: { stop: 'Ctrl+X', mark: 3 } }, 'shortcuts')).toEqual({ stop: 'Ctrl+X' });
});
