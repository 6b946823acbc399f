import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { RECIPE_VERSION } from '../../schemas/recipe-version.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { readRecipe } from './recipe.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

const GOOD = {
  schema: 'trajectory-studio/recipe',
  version: 1,
  files: [{ attachment: 'a.png', to: 'pictures/a.png' }],
  programs: [{ command: 'gimp', args: ['~/pictures/a.png'], window: 'a.png' }],
};

function refused(change: object | string): { code: string; message: string } {
  const file = join(folders.make(), 'recipe.json');
  writeFileSync(file, typeof change === 'string' ? change : JSON.stringify({ ...GOOD, ...change }));
  try {
    readRecipe(file);
  } catch (error) {
    return error as { code: string; message: string }; // A StudioError: toMatchObject says otherwise.
  }
  return { code: 'none', message: '' };
}

test('a recipe is read with what it leaves out', () => {
  const file = join(folders.make(), 'recipe.json');
  writeFileSync(file, JSON.stringify(GOOD));
  expect(readRecipe(file)).toMatchObject({ network: false, programs: [{ env: {} }] });
});

test.each([
  ['a way out of the home', { files: [{ text: 'x', to: '../x' }] }, 'files.0'],
  ['an absolute place', { files: [{ text: 'x', to: '/etc/x' }] }, 'files.0'],
  [
    'a variable that loads code into every program',
    { programs: [{ command: 'a', env: { LD_PRELOAD: 'x' } }] },
    'programs.0',
  ],
  ['a variable of the stage itself', { programs: [{ command: 'a', env: { DISPLAY: ':0' } }] }, 'programs.0'],
  ['a screen too large', { screen: { width: 100_000, height: 100 } }, 'screen'],
  ['a word that it does not know', { shell: 'rm' }, 'shell'],
])('refuses %s, and says where', (_name, change, where) => {
  expect(refused(change)).toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining(where) });
});

test('refuses a torn file, a newer one, a folder and none, by name', () => {
  expect(refused('{"schema": "trajectory')).toMatchObject({
    code: 'BAD_FILE',
    message: expect.stringContaining('recipe.json'),
  });
  expect(refused({ version: RECIPE_VERSION + 1 })).toMatchObject({ code: 'FUTURE_VERSION' });
  const folder = folders.make();
  mkdirSync(join(folder, 'd'));
  expect(() => readRecipe(join(folder, 'd'))).toThrow(/cannot be read/);
  expect(() => readRecipe(join(folder, 'none'))).toThrow(/There is no file .*none with a recipe/);
});
