import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OpenedRecording } from '../../../schemas/api/models.ts';
import { firstPicture, likelyFrame } from './first.ts';
import { makePictures } from './pictures.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Steps a, b and c, whose pictures are the frames 10, 20 and none. */
function opened(done: number): OpenedRecording {
  const steps = [
    { id: 'a', before: 0 },
    { id: 'b', before: 1 },
    { id: 'c', before: -1 },
  ];
  const frames = [
    [10, 0, 0],
    [20, 1, 0],
  ];
  // Only what is looked at.
  return { steps, frames, row: { done } } as unknown as OpenedRecording;
}

test('a recording opens with the step that was in hand, or with its first while nothing is done', () => {
  expect(likelyFrame(opened(0), null)).toBe(10);
  expect(likelyFrame(opened(2), 'b')).toBe(20);
  expect(likelyFrame(opened(2), null)).toBe(-1);
  expect(likelyFrame(opened(0), 'c')).toBe(-1);
  expect(likelyFrame(opened(0), 'gone')).toBe(-1);
  expect(likelyFrame({ ...opened(0), steps: [] }, null)).toBe(-1);
});

function pictures() {
  const asked: number[] = [];
  const answers: PromiseWithResolvers<Blob>[] = [];
  vi.stubGlobal('createImageBitmap', async () => ({ width: 1, height: 1, close() {} }));
  const made = makePictures((i) => {
    asked.push(i);
    const answer = Promise.withResolvers<Blob>();
    answers.push(answer);
    return answer.promise;
  });
  const isOver = async (promise: Promise<void>) => {
    let over = false;
    void promise.then(() => {
      over = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    return over;
  };
  return { made, asked, answers, isOver };
}

test('resolves when the picture came, once more at once, and asks for it once', async () => {
  const { made, asked, answers, isOver } = pictures();
  const first = firstPicture(made, 7);
  expect(await isOver(first)).toBe(false);
  answers[0]?.resolve(new Blob());
  await first;
  await firstPicture(made, 7);
  expect(asked).toEqual([7]);
});

test('resolves when the picture failed, takes long, or there is none', async () => {
  const { made, answers, isOver } = pictures();
  const failing = firstPicture(made, 7);
  answers[0]?.reject(new Error('no such frame'));
  await failing;

  const slow = firstPicture(made, 8);
  await vi.advanceTimersByTimeAsync(500);
  expect(await isOver(slow)).toBe(false);
  await vi.advanceTimersByTimeAsync(600);
  expect(await isOver(slow)).toBe(true);

  await firstPicture(made, -1);
});
