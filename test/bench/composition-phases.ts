import fs from 'node:fs';
import path from 'node:path';
import { copiesOf } from '../../studio/play/stage/copies.ts';
import { readAgentLog } from '../../studio/recordings/agent-log.ts';
import { readRecording } from '../../studio/store/recording-folder.ts';
import { median } from '../support/bench.ts';

/** The phases between a task's answer and the next task's question, read from what a run has left on the disk. All times are ms. */

type Moments = {
  /** Its folder is there: the process that records is being started. */
  made: number;
  /** That process runs, with its modules. */
  runs: number;
  /** The person's part of the recording began, and ended. */
  begun: number;
  stopped: number;
  /** recording.json and the list of keyframes were written. */
  closed: number;
  cut: number;
  /** The agent's log was begun; it saw the screen; its end was noted. */
  logged: number;
  seen: number;
  ended: number;
  /** The copy of the home was on the disk; NaN: there is none. */
  copied: number;
};

const writtenAt = (file: string): number => fs.statSync(file).mtimeMs;

function momentsOf(workspace: string, recording: string, copy: string | null): Moments {
  const folder = path.join(workspace, 'recordings', recording);
  const { clock, span } = readRecording(folder);
  const runs = Date.parse(clock.startedAt);
  const at = (us: number | undefined): number => (us === undefined ? Number.NaN : runs + us / 1000);
  const lines = readAgentLog(folder) ?? [];
  const timeOf = (type: 'seen' | 'ended'): number => {
    const line = lines.find((one) => one.type === type);
    return at(line && 't' in line ? line.t : undefined);
  };
  return {
    made: fs.statSync(folder).birthtimeMs,
    runs,
    begun: at(span?.start),
    stopped: at(span?.end),
    closed: writtenAt(path.join(folder, 'recording.json')),
    cut: writtenAt(path.join(folder, 'keyframes', 'index.json')),
    logged: fs.statSync(path.join(folder, 'agent.jsonl')).birthtimeMs,
    seen: timeOf('seen'),
    ended: timeOf('ended'),
    copied: copy === null ? Number.NaN : writtenAt(path.join(copiesOf(workspace), copy, 'copy.json')),
  };
}

/** A task of a run, and when its model was asked and had answered, ms since 1970. */
export type TaskTimes = { recording: string; copy: string | null; asked: number; answered: number };

const PHASES = [
  ['the answer is read, its end noted', ({ last, answered }) => last.ended - answered],
  ['display let go, answer and checks looked at, recording told to stop', ({ last }) => last.stopped - last.ended],
  ['… until the next recording has a folder', ({ last, next }) => next.made - last.stopped],
  ['… until its process runs', ({ next }) => next.runs - next.made],
  ['… until it records', ({ next }) => next.begun - next.runs],
  ['… until the agent begins', ({ next }) => next.logged - next.begun],
  ['… until it has seen the screen', ({ next }) => next.seen - next.logged],
  ['… until the model is asked', ({ next, asked }) => asked - next.seen],
  ['beside them, from the stop on: recording closed', ({ last }) => last.closed - last.stopped],
  ['   keyframes cut', ({ last }) => last.cut - last.stopped],
  ['   home copied', ({ last }) => last.copied - last.stopped],
] as const satisfies [string, (between: { last: Moments; next: Moments; answered: number; asked: number }) => number][];

/** The median of each phase, by its words. */
export function phasesOf(workspace: string, tasks: readonly TaskTimes[]): [words: string, ms: number][] {
  const moments = tasks.map(({ recording, copy }) => momentsOf(workspace, recording, copy));
  const between = moments.slice(1).map((next, n) => ({
    last: moments[n]!,
    next,
    answered: tasks[n]!.answered,
    asked: tasks[n + 1]!.asked,
  }));
  return PHASES.map(([words, of]) => [words, median(between.map(of))]);
}
