import type { ScreenRecorder } from '../../native/screen/contract.ts';
import type { Rect } from '../../schemas/events.ts';
import type { DesktopWatch } from './desktop-watch.ts';
import { countDrops } from './drops.ts';
import { type Gate, PICTURE_LEAD } from './gate.ts';
import type { Line } from './line.ts';
import { type Paint, paintSteps, patchPlace } from './sync.ts';

/** Paints for the sync check at both ends of a recording (C4). */
export type PaintChecks = {
  /** Shows so many patches; nothing where none can be shown. */
  check(count: number): Promise<void>;
  /** A check that was painted by somebody else. */
  painted(made: readonly Paint[]): void;
  /** Waits until the window in front is judged up to `t`, but no longer than a desktop that answers needs. */
  judgedUpTo(t: number): Promise<void>;
  /** Pictures between these times are forgotten. */
  forget(from: number, to: number): void;
  /** By check; each with the paints that pictures can show. */
  all(): Paint[][];
  /** Pictures dropped meanwhile. For the end of a recording. */
  dropped(): number;
};

type Parts = {
  desktop: Pick<DesktopWatch, 'ready' | 'paint'>;
  gate: Pick<Gate<Line>, 'pictures' | 'judgedTo'>;
  screen: Pick<ScreenRecorder, 'counts'>;
  watching: boolean;
  fps: number;
  /** The rectangle that is captured now. */
  rect(): Rect;
};

/** How long a look at the window in front may take before it is no longer waited for, ms. */
const JUDGED_MS = 500;
const LOOK_MS = 40;
/** A painted change is in a picture after so long, µs. */
const SEEN_WITHIN = 200_000;

export function paintChecks({ desktop, gate, screen, watching, fps, rect }: Parts): PaintChecks {
  const drops = countDrops(() => screen.counts().dropped);
  let paints: Paint[][] = [];

  async function judgedUpTo(t: number): Promise<void> {
    for (let waited = 0; watching && gate.judgedTo() < t && waited < JUDGED_MS; waited += LOOK_MS)
      await new Promise<void>((done) => setTimeout(done, LOOK_MS));
  }

  function painted(made: readonly Paint[]): void {
    // A paint that fell into a time without pictures says nothing about those that there are.
    const { cuts } = gate.pictures();
    paints.push(made.filter(({ before, after }) => !cuts.some((c) => c.from < after + SEEN_WITHIN && c.to > before)));
  }

  return {
    judgedUpTo,
    painted,
    async check(count) {
      if (count === 0 || !desktop.ready.paints) return;
      drops.begin();
      const made = await desktop.paint({ ...patchPlace(rect()), steps: paintSteps(count, fps) });
      drops.end();
      await judgedUpTo((made.at(-1)?.after ?? 0) + PICTURE_LEAD);
      painted(made);
    },
    forget(from, to) {
      // A check is found in pictures: those from before stay, those of later paints came after it.
      paints = paints.map((made) => made.filter((p) => p.after + SEEN_WITHIN <= from || p.before >= to));
    },
    all: () => paints,
    dropped: () => drops.total(),
  };
}
