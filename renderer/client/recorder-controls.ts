import type { RecorderState } from '../../schemas/api/models.ts';
import { tr } from '../language/tr.ts';

/** What a person may do with a recording now, on its page, on the bar and by the pages' keys. */
export type RecorderControls = {
  mark: boolean;
  /** To pause or to resume; in a pause that the recorder makes by itself, too, which the person's outlasts. */
  pause: boolean;
  privacy: boolean;
  forget: boolean;
  stop: boolean;
};

export function recorderControls({ phase, paused }: Pick<RecorderState, 'phase' | 'paused'>): RecorderControls {
  const running = phase === 'recording';
  return {
    mark: running && paused === null,
    pause: running && paused !== 'privacy',
    privacy: running && paused !== 'user',
    forget: running && paused !== 'forgotten',
    stop: running,
  };
}

/** Why nothing is recorded just now, in words. */
export const PAUSED_WORDS: Readonly<Record<string, string>> = {
  user: tr('Paused'),
  privacy: tr('Privacy pause: nothing is kept'),
  sync: tr('Checking that pictures and events fit'),
  'excluded-app': tr('A window that is left out is in front'),
  suspend: tr('The machine slept'),
  forgotten: tr('Forgetting …'),
};
