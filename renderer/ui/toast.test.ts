import { afterEach, expect, test } from 'vitest';
import { dismissToast, tellDone, undoDone, useToasts } from './toast.ts';

afterEach(dismissToast);
const shown = () => useToasts.getState().toast;

test('what was done is taken back once, and said to be', async () => {
  let done = 0;
  tellDone('2 tasks closed', async () => ++done, 'library');
  expect(shown()).toMatchObject({ text: '2 tasks closed', command: 'library.undo' });
  await Promise.all([undoDone(), undoDone()]);
  expect(done).toBe(1);
  expect(shown()).toMatchObject({ text: 'Undone: 2 tasks closed', undo: null });
  await undoDone();
  expect(done).toBe(1);
});

test('an undo that fails says why and can be tried again', async () => {
  let tries = 0;
  tellDone('Moved', async () => {
    if (++tries === 1) throw new Error('Its place is taken.');
  });
  await undoDone();
  expect(shown()).toMatchObject({ text: 'Not undone. Its place is taken.', failed: true });
  await undoDone();
  expect(shown()?.undo).toBeNull();
});

test('an undo that ends late does not speak over what was done since', async () => {
  let end = (): void => {};
  tellDone('First', () => new Promise<void>((resolve) => (end = resolve)));
  const first = undoDone();
  tellDone('Second', async () => {});
  end();
  await first;
  expect(shown()?.text).toBe('Second');
});
