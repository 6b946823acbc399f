import type { PlayReport } from '../../schemas/play.ts';

/** A play of which nothing is told yet but how many of its steps agreed: one of two. */
export const playReport = (more: Partial<PlayReport> = {}): PlayReport => ({
  schema: 'trajectory-studio/play',
  version: 1,
  recording: 'r',
  played: 'p',
  stage: 'virtual',
  pace: 'ready',
  agreed: 1,
  of: 2,
  stopped: null,
  why: null,
  took: 1000,
  demonstrated: 3000,
  actionsEqual: null,
  leftOut: null,
  passed: null,
  weak: null,
  steps: [],
  checks: [],
  ...more,
});
