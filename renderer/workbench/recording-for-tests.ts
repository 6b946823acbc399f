import { stepFrom } from '../../core/annotate/steps-for-tests.ts';
import type { OpenedRecording, Step } from '../../schemas/api/models.ts';

const clickStep = (n: number, more: Partial<Step> = {}): Step => {
  const at: Step['start'] = [100 + n, 50, n * 1_000_000];
  return stepFrom(`a${n}`, 0, { start: at, end: at, before: n - 1, after: n, ...more });
};

/** Four clicks on a screen of 200 × 100, a frame before each. */
export function fourClicks(): OpenedRecording {
  const steps = [1, 2, 3, 4].map((n) => clickStep(n));
  return {
    row: {
      id: 'r',
      task: 'T_1',
      software: 's',
      goal: '',
      state: 'recorded',
      phase: 'closed',
      verdict: 'complete',
      sync: 'ok',
      startedAt: '2026-01-01T00:00:00.000Z',
      durationUs: 5_000_000,
      frames: 5,
      dropped: 0,
      events: 8,
      person: null,
      steps: 4,
      done: 0,
    },
    steps,
    frames: [0, 1, 2, 3, 4].map((i) => [i, i * 1_000_000 + 500_000, 0]),
    views: [{ t: 0, segment: 0, rect: { x: 0, y: 0, width: 200, height: 100 } }],
    span: { start: 0, end: 5_000_000 },
    marks: [],
    displays: [],
    capture: {
      target: { kind: 'display', display: 1 },
      fps: 30,
      grabber: 'x11-shm',
      mode: 'damage',
      encoder: '',
      cursor: false,
      lossless: true,
    },
    sync: null,
    verdict: null,
    playback: true,
    playbackStart: 0,
    warnings: [],
    misfit: null,
  };
}
