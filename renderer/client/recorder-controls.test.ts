import { expect, it } from 'vitest';
import { recorderControls } from './recorder-controls.ts';

it('lets a person pause while a window that is left out is in front: their pause outlasts it', () => {
  expect(recorderControls({ phase: 'recording', paused: 'excluded-app' })).toMatchObject({
    mark: false,
    pause: true,
    privacy: true,
  });
});

it('ends a pause by that which began it', () => {
  expect(recorderControls({ phase: 'recording', paused: 'user' })).toMatchObject({ pause: true, privacy: false });
  expect(recorderControls({ phase: 'recording', paused: 'privacy' })).toMatchObject({ pause: false, privacy: true });
});

it('forgets nothing twice at once, and nothing is done with what does not run', () => {
  expect(recorderControls({ phase: 'recording', paused: 'forgotten' }).forget).toBe(false);
  expect(Object.values(recorderControls({ phase: 'countdown', paused: null }))).toEqual(Array(5).fill(false));
});
