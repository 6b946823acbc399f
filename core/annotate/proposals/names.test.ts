import { expect, test } from 'vitest';
import { rankNames } from './names.ts';

const vocabulary = [
  { name: 'Insert tab', count: 5 },
  { name: 'Pictures button', count: 3 },
  { name: 'Tab stop', count: 2 },
  { name: 'Résumé field', count: 1 },
  { name: 'Format tab', count: 1 },
];
const names = (options: Parameters<typeof rankNames>[1]) => rankNames(vocabulary, options).map(({ name }) => name);

test('names that begin so come first, then those with a word that does, then those that hold the letters', () => {
  expect(names({ typed: 'tab' })).toEqual(['Tab stop', 'Insert tab', 'Format tab']);
  expect(names({ typed: 'it' })).toEqual(['Insert tab', 'Pictures button']);
});

test('case and accents do not matter', () => {
  expect(names({ typed: 'RESUME' })).toEqual(['Résumé field']);
});

test('with nothing typed, what followed the name before comes first, then the most used', () => {
  const followers = [
    { name: 'Format tab', count: 2 },
    { name: 'Cancel', count: 1 },
  ];
  expect(names({ followers, limit: 4 })).toEqual(['Format tab', 'Cancel', 'Insert tab', 'Pictures button']);
});
