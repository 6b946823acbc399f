import { placeAt } from '../../../core/annotate/picture.ts';
import { tr } from '../../language/tr.ts';
import type { Tools } from '../context.ts';
import { type Playing, shownFrame, type WorkStore } from '../store.ts';
import { askForCopy } from './copy.ts';

export const RATES = [0.25, 0.5, 1, 1.5, 2, 3, 4] as const;
/** Around a step, µs. */
const LEAD_US = 800_000;
const TAIL_US = 1_200_000;

/** The stretch that plays, from where to where; the video element follows it (video.tsx). */
export function makePlayer(
  store: WorkStore,
  { frames, actions }: Pick<Tools, 'frames' | 'actions'>,
  ask: typeof askForCopy = askForCopy,
) {
  const { getState: get, setState: set } = store;

  function spanOf(what: Playing['what']): Playing['span'] | null {
    const { doc, at, opened } = get();
    const step = doc.steps[at];
    if (what === 'recording') {
      const place = shownFrame(get());
      const from = frames[place]?.[1] ?? opened.span.start;
      return { start: from >= opened.span.end - 100_000 ? opened.span.start : from, end: opened.span.end };
    }
    if (!step) return null;
    if (what === 'step') {
      const before = frames[step.before]?.[1] ?? step.step.start[2];
      const after = frames[step.after]?.[1] ?? step.step.end[2];
      return {
        start: Math.max(Math.min(before, step.step.start[2]) - LEAD_US, opened.span.start),
        end: Math.min(Math.max(after, step.step.end[2]) + TAIL_US, opened.span.end),
      };
    }
    const subtask = doc.subtasks[step.subtask];
    if (!subtask) return null;
    const first = doc.steps[subtask.from]?.step.start[2] ?? opened.span.start;
    const next = doc.steps[subtask.to]?.step.start[2] ?? opened.span.end;
    return { start: Math.max(first - LEAD_US, opened.span.start), end: Math.min(next, opened.span.end) };
  }

  function toggle(what: Playing['what']): void {
    const { playing, opened } = get();
    if (playing?.what === what) {
      stop();
      return;
    }
    if (!opened.playback) {
      void playWhenThere(what);
      return;
    }
    const span = spanOf(what);
    if (span) set({ playing: { what, span }, flipping: false });
  }

  /** The copy may have come since the page was opened. */
  async function playWhenThere(what: Playing['what']): Promise<void> {
    const { ws, opened, person } = get();
    const copy = await ask({ ws, recording: opened.row.id, person }).catch(() => 'none' as const);
    if (copy === 'there') {
      set({ opened: { ...get().opened, playback: true } });
      if (!get().playing) toggle(what);
      return;
    }
    const words =
      copy === 'coming'
        ? tr(
            'The playback copy is being made. It can be played in a moment; until then , and . go through the pictures frame by frame.',
          )
        : tr(
            'This recording has no playback copy, so it cannot be played. Its pictures are there: , and . go frame by frame.',
          );
    actions.say(words, 'info');
  }

  /** Stops; after playing on, the frame that was last seen is shown. */
  function stop(): void {
    const { playing, playhead } = get();
    const looking = playing && playing.what !== 'step' && playhead !== null ? placeAt(frames, playhead) : null;
    set({ playing: null, playhead: null, ...(playing?.what === 'step' ? {} : { looking }) });
  }

  /** One recorded frame on or back: by the list of frames, each has its own time. */
  function lookBy(by: number): void {
    if (get().playing) stop();
    const place = shownFrame(get()) + by;
    if (place < 0 || place >= frames.length) return;
    set({ looking: place, flipping: false });
  }

  function lookAt(t: number): void {
    const place = placeAt(frames, t);
    if (place >= 0) set({ looking: place, flipping: false, playing: null, playhead: null });
  }

  function faster(by: 1 | -1): void {
    const now = RATES.findIndex((rate) => rate >= get().rate);
    set({ rate: RATES[Math.min(Math.max(now + by, 0), RATES.length - 1)]! });
  }

  return { toggle, stop, lookBy, lookAt, faster };
}
