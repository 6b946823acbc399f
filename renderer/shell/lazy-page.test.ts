import { expect, test } from 'vitest';
import { lazyPage } from './lazy-page.tsx';

const Page = () => null;

test('a page is loaded once, however many ask for it', async () => {
  let loads = 0;
  const page = lazyPage(async () => {
    loads++;
    return Page;
  });
  expect(page.loaded()).toBeNull();
  await Promise.all([page.load(), page.load()]);
  expect([page.loaded(), loads]).toEqual([Page, 1]);
});

test('a page that could not be loaded is asked for anew', async () => {
  const answers = [Promise.reject(new Error('the studio is away')), Promise.resolve(Page)];
  const page = lazyPage(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
  await expect(page.load()).rejects.toThrow('the studio is away');
  expect(page.loaded()).toBeNull();
  await page.load();
  expect(page.loaded()).toBe(Page);
});
