import { intersect } from '../../core/rect.ts';
import type { ScreenRecorder } from '../../native/screen/contract.ts';
import { displayAgain } from '../../native/screen/display-geometry.ts';
import type { Display, Rect } from '../../schemas/events.ts';
import type { Gate } from './gate.ts';
import type { Line } from './line.ts';
import type { FromCapture } from './protocol.ts';
import type { ResolvedTarget } from './target.ts';

/** The rectangle of the desktop that is captured. */
export type CapturedView = {
  rect(): Rect;
  moveTo(next: Rect): void;
  /**
   * The displays changed: what is captured is clipped to what is left of its display, and grows back to the whole of it (V5).
   * When that display is no longer there, `gone` is called: no other one is recorded in its place.
   */
  follow(displays: readonly Display[]): void;
  /** A pause has ended: goes where it should have gone meanwhile. */
  catchUp(): void;
};

type Parts = {
  target: ResolvedTarget;
  gate: Pick<Gate<Line>, 'cutsPictures'>;
  screen: Pick<ScreenRecorder, 'setRect'>;
  tell(message: FromCapture): void;
  notice(code: string, message: string): void;
  gone(): void;
};

/** The encoder takes nothing smaller, px. */
const LEAST = 16;

export function capturedView({ target, gate, screen, tell, notice, gone }: Parts): CapturedView {
  let rect = target.rect;
  let known = target.display;
  /** Where the picture is to be taken after the pause. */
  let waiting: Rect | null = null;

  function moveTo(next: Rect): void {
    waiting = null;
    if (next.x === rect.x && next.y === rect.y && next.width === rect.width && next.height === rect.height) return;
    if (gate.cutsPictures()) {
      // During a pause nothing is written, so not where the window went either.
      waiting = next;
      return;
    }
    rect = next;
    screen.setRect(rect);
    tell({ type: 'view', view: rect });
  }

  return {
    rect: () => rect,
    moveTo,
    follow(displays) {
      // A window goes where it goes, and is looked for there.
      if (target.info.kind === 'window') return;
      const display = displayAgain(displays, known);
      if (!display) return gone();
      known = display;
      const wanted = target.info.kind === 'display' ? display : target.rect;
      const next = intersect(wanted, display);
      if (next && next.width >= LEAST && next.height >= LEAST) moveTo(next);
      else
        notice('region-gone', 'What was captured is no longer on any display; the recording goes on without pictures.');
    },
    catchUp() {
      if (waiting) moveTo(waiting);
    },
  };
}
