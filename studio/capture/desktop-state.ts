import type { SessionClock } from '../../native/clock/session-clock.ts';
import type { Display, PauseReason } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import type { DesktopWatch } from './desktop-watch.ts';
import type { Gate } from './gate.ts';
import type { Line } from './line.ts';
import type { Outlet } from './outlet.ts';
import type { Locks } from './watch-worker.ts';

/** Keyboard and displays as events.jsonl has them: at the beginning, at each change, and again after a pause. */
export type DesktopState = {
  displays(): Display[];
  /** Writes everything for the first time. */
  begin(t: number): void;
  onLayout(read: { t: number; at: number; layout: KeyboardLayout; locks: Locks }): void;
  onDisplays(t: number, next: Display[]): void;
  /** A pause has ended: what changed during it is written now, or asked for anew. */
  catchUp(ended: PauseReason): void;
  /** The files were rewritten: everything is written again after the pause. */
  forgot(): void;
};

type Parts = {
  notice(code: string, message: string): void;
  clock: SessionClock;
  desktop: Pick<DesktopWatch, 'ready' | 'readAnew'>;
  outlet: Pick<Outlet, 'always' | 'state'>;
  gate: Pick<Gate<Line>, 'isCut'>;
};

/** A notice, and so a warning of the recording. */
export const LAYOUT_UNKNOWN = 'layout-unknown';
const GUESSED =
  'The layout of the keyboard could not be read: where the system does not say what a key made, it is taken for that of a US keyboard, and text may be wrong. Compare what was typed with the pictures.';

export function desktopState({ clock, desktop, outlet, gate, notice }: Parts): DesktopState {
  const { ready } = desktop;
  let { layout, displays } = ready;
  const NOTHING = { keyboard: false, displays: false, all: false };
  /** Changes during a pause. */
  let missed = NOTHING;
  let isGuessed = false;

  /** Says it once, until a layout can be read again. */
  function judge({ source }: KeyboardLayout): void {
    const wasGuessed = isGuessed;
    isGuessed = source === 'us-fallback';
    if (isGuessed && !wasGuessed) notice(LAYOUT_UNKNOWN, GUESSED);
  }

  return {
    displays: () => displays,
    begin(t) {
      outlet.always({ t, type: 'layout', layout: ready.layout });
      outlet.always({ t, type: 'locks', ...ready.locks });
      outlet.always({ t, type: 'settings', settings: ready.settings });
      outlet.always({ t, type: 'displays', displays });
      judge(layout);
    },
    onLayout(read) {
      layout = read.layout;
      judge(layout);
      if (gate.isCut(read.at)) missed = { ...missed, keyboard: true };
      outlet.state({ t: read.t, type: 'layout', layout });
      outlet.state({ t: read.at, type: 'locks', ...read.locks });
    },
    onDisplays(t, next) {
      displays = next;
      if (gate.isCut(t)) missed = { ...missed, displays: true };
      outlet.state({ t, type: 'displays', displays });
    },
    catchUp(ended) {
      const keyboard = ended !== 'sync' || missed.keyboard;
      if (missed.all) {
        // The lines that said it are forgotten. The keys that come now need a layout at once.
        const t = clock.now();
        outlet.state({ t, type: 'layout', layout });
        outlet.state({ t, type: 'displays', displays });
      }
      desktop.readAnew({ keyboard, displays: missed.displays });
      missed = NOTHING;
    },
    forgot() {
      missed = { keyboard: true, displays: true, all: true };
    },
  };
}
