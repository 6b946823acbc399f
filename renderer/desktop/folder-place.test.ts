import { expect, test } from 'vitest';
import { aboveOf, lastNameOf, whereToLook, withoutEnd } from './folder-place.ts';

test('looking begins in the folder that the field names, or in the one that what is written goes into', () => {
  expect(whereToLook(' /home/me/work ', false)).toBe('/home/me/work/');
  expect(whereToLook('/home/me/work', true)).toBe('/home/me/');
  expect(whereToLook('C:\\data\\out', true)).toBe('C:\\data\\');
  expect(whereToLook('~/work', false)).toBe('~/work/');
  for (const value of ['', 'work', '../work']) expect(whereToLook(value, false)).toBe('');
});

test('the folder above, the last name, and a folder without the separator at its end', () => {
  expect(['/home/me/work/', '/home', '/', 'C:\\data\\'].map(aboveOf)).toEqual(['/home/me/', '/', '/', 'C:\\']);
  expect(['/home/me/team.tar', '/home/me/out/', 'C:\\data\\out'].map(lastNameOf)).toEqual(['team.tar', 'out', 'out']);
  expect(['/home/me/', '/', 'C:\\', 'C:\\data\\'].map(withoutEnd)).toEqual(['/home/me', '/', 'C:\\', 'C:\\data']);
});
