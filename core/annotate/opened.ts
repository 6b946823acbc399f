import type { OpenedRecording, RecordingNow, RecordingPage } from '../../schemas/api/models.ts';

/** A recording as pages and scripts have it: what its raw files and the rules say, with what comes and goes beside them. */
export const joinOpened = (page: RecordingPage, now: RecordingNow): OpenedRecording => ({
  ...page,
  ...now,
  warnings: [...page.warnings, ...now.warnings],
});
