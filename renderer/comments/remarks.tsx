import { useMemo } from 'react';
import type { Remarks } from '../workbench/layout.tsx';
import type { WorkState } from '../workbench/store.ts';
import type { Moment } from '../workbench/timeline/draw.ts';
import { Pins } from './pins.tsx';
import { numberedThreads, useTalk } from './talk.ts';
import { ThreadsPanel } from './threads-panel.tsx';

/** Comments as a page gives them to the workbench: pins, their panel, and their moments on the timeline. */
export function useRemarks(): Remarks {
  const talk = useTalk();
  return useMemo(
    () => ({
      pins: (viewport) => <Pins viewport={viewport} />,
      onPin: talk ? talk.pin : null,
      panel: <ThreadsPanel />,
      moments: momentsOf,
    }),
    [talk],
  );
}

/** Each comment at its own time, or when its step begins, and what was marked while recording. */
function momentsOf(state: WorkState): Moment[] {
  const comments = numberedThreads(state).flatMap(({ thread, number, at }): Moment[] => {
    const t = thread.pin.t ?? state.opened.steps[at]?.start[2];
    return t === undefined ? [] : [{ t, number, of: thread.open ? 'open' : 'done' }];
  });
  return [...state.marks.map(({ t, number }): Moment => ({ t, number, of: 'mark' })), ...comments];
}
