import { expect, test } from 'vitest';
import { completeName, nameBegun, namesFor } from './naming.ts';

const PEOPLE = [{ name: 'Ana Ferreira' }, { name: 'Ben Okafor' }, { name: 'Cem Yıldız' }, { name: '王伟' }];
const names = (typed: string): string[] => namesFor(typed, PEOPLE).map(({ name }) => name);

test('a name is being typed from the @ to the caret, over a space, and not in an address', () => {
  expect(nameBegun('Is it, @An', 10)).toEqual({ text: 'An', from: 7 });
  expect(nameBegun('@Ana Fe', 7)).toEqual({ text: 'Ana Fe', from: 0 });
  expect(nameBegun('（@王', 3)).toEqual({ text: '王', from: 1 });
  for (const text of ['no name', 'a@b', '@Ana\nnext']) expect(nameBegun(text, text.length)).toBeNull();
  expect(nameBegun('@Ana', 0)).toBeNull();
});

test('people are offered by the beginning of any of their names, and no more once a name is whole', () => {
  expect(names('')).toHaveLength(4);
  expect(names('oka')).toEqual(['Ben Okafor']);
  expect(names('ANA')).toEqual(['Ana Ferreira']);
  expect(names('王')).toEqual(['王伟']);
  expect(names('Ana Ferreira')).toEqual([]);
  expect(names('Ana Ferreira, is it')).toEqual([]);
});

test('the name takes the place of what was typed, with a space after it', () => {
  expect(completeName('See @an', 4, 7, 'Ana Ferreira')).toEqual({ text: 'See @Ana Ferreira ', end: 18 });
  expect(completeName('@b now', 0, 2, 'Ben Okafor')).toEqual({ text: '@Ben Okafor now', end: 12 });
});
