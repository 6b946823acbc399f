import { stepIndex } from '../../core/annotate/subtasks.ts';
import type { DocumentView } from '../../core/annotate/view.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { Thread } from '../../schemas/api/review-models.ts';

/** Comments in the order of the recording, numbered as they are pinned to pictures. */
export type Numbered = { thread: Thread; number: number; at: number };

type Where = { opened: Pick<OpenedRecording, 'steps'>; doc: Pick<DocumentView, 'subtasks'> };

/** The step that a thread belongs to, -1 for the whole recording: by its pin, its item, or its time. */
function stepOfThread({ pin, item }: Pick<Thread, 'pin' | 'item'>, { opened, doc }: Where): number {
  const index = stepIndex(opened.steps);
  if (item && 'subtask' in item) {
    return doc.subtasks.find(({ record }) => record.first === item.subtask)?.from ?? index.get(item.subtask) ?? -1;
  }
  const action = item && 'action' in item ? item.action : pin.action;
  if (action !== null) return index.get(action) ?? -1;
  if (item?.kind === 'goal') return 0;
  if (pin.t === null) return -1;
  const { t } = pin;
  return opened.steps.findLastIndex((step) => step.start[2] <= t);
}

export function numbered(threads: readonly Thread[], where: Where): Numbered[] {
  const placed = threads.map((thread) => ({ thread, at: stepOfThread(thread, where) }));
  const time = ({ entries }: Thread): string => entries[0]?.at ?? '';
  placed.sort((a, b) => a.at - b.at || (time(a.thread) < time(b.thread) ? -1 : 1));
  return placed.map((one, index) => ({ ...one, number: index + 1 }));
}

/** The next open thread after step `from` (those at `from` when `current` is not one of them), then from the start. */
export function nextOpenThread(list: readonly Numbered[], from: number, current: string | null): Numbered | null {
  const open = list.filter(({ thread }) => thread.open);
  const here = open.findIndex(({ thread }) => thread.id === current);
  if (here >= 0) return open[(here + 1) % open.length] ?? null;
  return open.find(({ at }) => at >= from) ?? open[0] ?? null;
}
