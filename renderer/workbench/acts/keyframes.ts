import * as edit from '../../../core/annotate/edit.ts';
import { english, tr } from '../../language/tr.ts';
import type { KeyframeSide } from '../store.ts';
import type { Gestures } from './gestures.ts';

/** Which frame is the picture before a step, and which the one after it. */
export function makeKeyframeActs({ gesture, records, stepNow, sayHere, store }: Gestures) {
  /** Moves the picture before or after by frames, by the frames' own list. */
  function moveKeyframe(side: KeyframeSide, by: number): void {
    const step = stepNow();
    const { opened } = store.getState();
    if (!step) return;
    const place = step[side] + by;
    const frame = opened.frames[place];
    if (!frame) {
      sayHere(by < 0 ? tr('This is the first frame.') : tr('This is the last frame.'));
      return;
    }
    const [i, t] = frame;
    const back = place === step.step[side];
    store.setState({ side, looking: null, flipping: false, playing: null, playhead: null });
    gesture(side === 'before' ? english('Move picture before') : english('Move picture after'), () =>
      edit.moveKeyframe(records(), step.step.id, side, back ? null : { frame: i, t }),
    );
  }

  function resetKeyframe(side: KeyframeSide): void {
    const step = stepNow();
    if (step) gesture(english('Reset picture'), () => edit.moveKeyframe(records(), step.step.id, side, null));
  }

  return { moveKeyframe, resetKeyframe };
}
