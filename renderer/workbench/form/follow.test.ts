import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand';
import type { Page } from '../store.ts';
import { followStep } from './follow.ts';

/** Elements as far as `isField` asks for them. */
class Element {}
class Field extends Element {
  isContentEditable = true;
}

const frames = new Map<number, () => void>();
let asked = 0;
const page = { activeElement: null as Element | null };

beforeEach(() => {
  vi.useFakeTimers();
  frames.clear();
  page.activeElement = null;
  vi.stubGlobal('document', page);
  vi.stubGlobal('HTMLElement', Element);
  vi.stubGlobal('HTMLTextAreaElement', class {});
  vi.stubGlobal('HTMLInputElement', class {});
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
    frames.set(++asked, run);
    return asked;
  });
  vi.stubGlobal('cancelAnimationFrame', (n: number) => frames.delete(n));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function frame(): void {
  const planned = [...frames.values()];
  frames.clear();
  for (const run of planned) run();
}

/** The browser paints once: what was planned for the frame runs, then what waits behind it. */
function paint(): void {
  frame();
  vi.advanceTimersByTime(1);
}

function following(kind: Page = 'annotate', firstPicture?: Promise<void>) {
  const store = createStore(() => ({ page: kind, at: 3, formAt: -1 }));
  const seen: number[] = [];
  store.subscribe(({ formAt }, before) => formAt !== before.formAt && seen.push(formAt));
  const form = followStep(store, firstPicture);
  return { store, seen, form, go: (at: number) => store.setState({ at }), formAt: () => store.getState().formAt };
}

async function opened(kind?: Page) {
  const all = following(kind);
  await Promise.resolve();
  paint();
  expect(all.formAt()).toBe(3);
  all.seen.length = 0;
  return all;
}

test('the form follows when the step was painted, not before', async () => {
  const { go, formAt } = await opened();
  go(4);
  expect(formAt()).toBe(3);
  frame();
  expect(formAt()).toBe(3);
  vi.advanceTimersByTime(1);
  expect(formAt()).toBe(4);
});

test('steps that are passed within one frame are not drawn', async () => {
  const { go, seen } = await opened();
  for (const at of [4, 5, 6]) go(at);
  paint();
  paint();
  expect(seen).toEqual([6]);
});

test('in a page that is not painted it follows all the same', async () => {
  const { go, seen } = await opened();
  go(4);
  vi.advanceTimersByTime(200);
  expect(seen).toEqual([4]);
});

test('at once while somebody types into a field, and for who reviews', async () => {
  const { go, formAt } = await opened();
  page.activeElement = new Field();
  go(4);
  expect(formAt()).toBe(4);
  page.activeElement = null;

  const review = following('review');
  expect(review.formAt()).toBe(3);
  review.go(5);
  expect(review.formAt()).toBe(5);
});

test('at once when the focus is about to go to a field', async () => {
  const { go, seen, form } = await opened();
  go(4);
  form.catchUp();
  expect(seen).toEqual([4]);
  paint();
  expect(seen).toEqual([4]);
});

test('when the page opens it waits for the first picture, but not for whom it would keep from typing', async () => {
  let come = (): void => {};
  const picture = new Promise<void>((resolve) => {
    come = resolve;
  });
  const { formAt } = following('annotate', picture);
  paint();
  vi.advanceTimersByTime(1000);
  expect(formAt()).toBe(-1);
  come();
  await Promise.resolve();
  paint();
  expect(formAt()).toBe(3);

  const typing = following('annotate', new Promise<void>(() => {}));
  typing.form.catchUp();
  expect(typing.formAt()).toBe(3);
});

test('it ends with the page', async () => {
  const { go, seen, form } = await opened();
  go(4);
  form.stop();
  paint();
  vi.advanceTimersByTime(200);
  go(5);
  vi.advanceTimersByTime(200);
  expect(seen).toEqual([]);
});
