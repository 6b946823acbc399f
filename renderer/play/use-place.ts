import { useState } from 'react';
import type { Job, OpenedRecording } from '../../schemas/api/models.ts';
import type { OpenedPlay } from '../../schemas/api/play.ts';
import { useFollow } from './live.ts';
import type { When } from './sides.tsx';
import { tellingMoment } from './words.ts';

/** Which step is shown, and which moment of it. */
export type Place = {
  at: number;
  when: When;
  setWhen: (when: When) => void;
  /** Goes to a step, as the person wants it: a play moves nobody away who went somewhere. */
  moveTo: (at: number) => void;
  /** Another play is chosen: it opens where it went wrong, wherever one is. */
  again: () => void;
};

type Shown = { job: Job | null; liveStep: string | null; opened: OpenedPlay | undefined };

/** Follows the play that goes on, and opens one that is over where it went wrong. */
export function usePlace(demonstration: OpenedRecording, { job, liveStep, opened }: Shown): Place {
  const { steps } = demonstration;
  const [at, setAt] = useState(0);
  const [when, setWhen] = useState<When>('before');
  const { strayed, stray, again } = useFollow(job, liveStep, (step) => {
    const n = steps.findIndex(({ id }) => id === step);
    setAt(Math.max(0, n));
    setWhen('before');
  });
  // Whoever has gone to a step since the play began or was chosen stays there.
  const [begun, setBegun] = useState<string | null>(null);
  if (opened && opened.id !== begun) {
    const first = beginning(demonstration, opened);
    setBegun(opened.id);
    if (!strayed) {
      setAt(first.at);
      setWhen(first.when);
    }
  }
  const moveTo = (n: number): void => {
    stray();
    setAt(Math.max(0, Math.min(steps.length - 1, n)));
  };
  return { at, when, setWhen, moveTo, again };
}

/** The step at which a play stopped, and the picture that says why; else the first. */
function beginning({ steps }: OpenedRecording, { report }: OpenedPlay): { at: number; when: When } {
  const last = report?.steps.at(-1);
  if (last?.verdict !== 'different' && last?.verdict !== 'missing') return { at: 0, when: 'before' };
  const at = steps.findIndex(({ id }) => id === last.step);
  return { at: Math.max(0, at), when: tellingMoment(last) };
}
