import type { Action } from '../../schemas/actions.ts';
import type { Step } from '../../schemas/api/models.ts';

/** Longer runs of keys are cut where they are only shown beside a text, characters. */
const MOST_KEYS = 500;

/** An action as pages take it, without raw indices and path. `before`, `after`: its keyframes' places in the frames. */
export function stepOfAction(action: Action, { before, after }: Pick<Step, 'before' | 'after'>): Step {
  const { id, kind, button, modifiers, text, keys, count, holdMs, incomplete, scroll, window, withheld } = action;
  const { withheldKeys, withheldWhy } = action;
  const { textFrom, keystrokes } = action;
  return {
    id,
    kind,
    button,
    modifiers,
    start: [action.start.x, action.start.y, action.start.t],
    end: [action.end.x, action.end.y, action.end.t],
    text,
    ...(withheld && { withheld }),
    ...(withheldKeys && { withheldKeys }),
    ...(withheldWhy && { withheldWhy }),
    ...(textFrom && keystrokes && { typedAs: keystrokes.join('').slice(0, MOST_KEYS) }),
    keys,
    count,
    scroll: scroll && { dx: scroll.dx, dy: scroll.dy, unit: scroll.unit },
    holdMs,
    incomplete,
    window: window && (window.title || window.app),
    before,
    after,
  };
}
