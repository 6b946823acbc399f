import { expect, test } from 'vitest';
import { sampleRecording } from '../store/recording-for-tests.ts';
import { recordingProgress } from './recording-progress.ts';

test('what is counted counts from the beginning of the recording; the check before it is named', () => {
  const said: string[] = [];
  const { capture } = sampleRecording();
  const order = { id: 'r1', shortcuts: {}, durationMs: 6000, forgetMs: 30_000 };
  const tell = recordingProgress(order, (text) => said.push(text));
  const stats = { late: 0, black: 0, events: 3, freeBytes: null, paused: null, cpuUs: 0 };
  tell({ type: 'paused', reason: 'sync' });
  tell({ type: 'countdown', seconds: 1 });
  tell({ type: 'stats', stats: { ...stats, t: 0, frames: 8, dropped: 0 } });
  tell({ type: 'paused', reason: null });
  tell({ type: 'started', capture, view: { x: 0, y: 0, width: 10, height: 10 } });
  tell({ type: 'stats', stats: { ...stats, t: 1_000_000, frames: 30, dropped: 0 } });
  tell({ type: 'paused', reason: 'privacy' });
  tell({ type: 'paused', reason: null });
  expect(said).toEqual([
    'checking that pictures and events fit …',
    '1 …',
    'recording',
    expect.stringMatching(/^recording r1: 6 s; .* forgets the last /),
    '1 s: 30 frames, 0 dropped, 3 events',
    'paused (privacy)',
    'recording',
  ]);
});
