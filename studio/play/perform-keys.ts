import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Act } from '../../core/evaluate/keys/acts.ts';
import { canonicalKey } from '../../core/evaluate/keys/names.ts';
import { keysOfAction } from '../../core/evaluate/questions.ts';
import { append } from '../../core/lists.ts';
import { lacking, type PerformStep } from '../../core/play/perform.ts';
import { isOnKeyboard } from '../../native/input/keys.ts';
import type { Action } from '../../schemas/actions.ts';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import type { CaptureOrder } from '../capture/protocol.ts';
import { newRecordingId, removeFolder } from '../capture/start.ts';
import { openFolder } from '../recordings/closed.ts';
import { begunRecording, UNATTENDED } from './record-while.ts';
import { runScript } from './run-script.ts';
import { setStage, stageUnable } from './stage/set-stage.ts';
import { endStageTelling } from './stage/stage.ts';

/** Performs keys on an empty stage and reads back what our own recorder saw of them. */

const SCREEN = { width: 640, height: 480 };
const FPS = 5;
/** More than this a question never asks for. */
const MOST_ACTS = 600;
/** How long the last input may take to reach the recorder, ms. */
const SETTLE_MS = 600;
/** A stage of their own for so many answers: one that spoils it costs no more. */
const ANSWERS_A_STAGE = 50;
/** Keys that stay switched on. */
const LOCKS = ['capslock', 'numlock', 'scrolllock'];

type Wishes = { version: string; signal: AbortSignal; progress(text: string): void };
type Seen = { keys: string[] } | { why: string };

/** Performs the answers of an evaluation. */
export const keysPerformer = (
  wishes: Wishes,
): { batch: number; perform(answers: readonly (readonly Act[])[]): Promise<Seen[]> } => {
  const unable = stageUnable();
  if (unable) throw unable;
  return { batch: ANSWERS_A_STAGE, perform: (answers) => performKeys(answers, wishes) };
};

/** One answer for each list of acts. Throws NO_LIBRARY and UNSUPPORTED_PLATFORM where no stage can be set up, CANCELLED. */
async function performKeys(answers: readonly (readonly Act[])[], wishes: Wishes): Promise<Seen[]> {
  const seen = answers.map((acts): Seen | null => {
    const why = unable(acts);
    return why === null ? null : { why };
  });
  const going = answers.flatMap((acts, n) => (seen[n] === null ? [{ n, acts }] : []));
  if (going.length > 0) {
    const read = await onStage(
      going.map(({ acts }) => acts),
      wishes,
    );
    for (const [at, { n }] of going.entries()) seen[n] = read[at] ?? null;
  }
  return seen.map((one) => one ?? { why: 'nothing was recorded of it' });
}

function unable(acts: readonly Act[]): string | null {
  if (acts.length > MOST_ACTS) return `it presses more than ${MOST_ACTS / 2} keys`;
  const { names: keys } = lacking([{ what: '', acts: [...acts] }], usLayout(), isOnKeyboard);
  return keys.length === 0 ? null : `the stage's layout (us) has no key for ${keys.slice(0, 5).join(', ')}`;
}

async function onStage(answers: readonly (readonly Act[])[], wishes: Wishes): Promise<Seen[]> {
  const { version, signal, progress } = wishes;
  const stage = await setStage({
    recipe: { schema: 'trajectory-studio/recipe', version: 1, files: [], programs: [], services: [], network: false },
    ...SCREEN,
    layout: { layout: 'us', variant: '' },
    fileOf: () => null,
    task: null,
    workspace: null,
    signal,
  });
  const parent = mkdtempSync(join(tmpdir(), 'trajectory-keys-'));
  try {
    const folder = join(parent, 'recording');
    const order: CaptureOrder = {
      ...UNATTENDED,
      id: newRecordingId(),
      folder,
      app: { id: 'keys', name: 'keys' },
      task: { id: 'KEYS_1', goal: 'predicted keys' },
      tool: { name: 'trajectory-studio', version },
      target: { kind: 'display', display: null },
      fps: FPS,
      durationMs: null,
      paints: { start: 0, end: 0 },
      minFreeBytes: 0,
    };
    const running = await begunRecording(order, stage.env);
    try {
      const script = { steps: stepsOf(answers), screen: SCREEN, patienceMs: 1000 };
      progress(`performing ${answers.length} answers on a stage …`);
      await runScript(script, stage, () => undefined, signal);
      await new Promise((next) => setTimeout(next, SETTLE_MS));
    } finally {
      running.send({ type: 'stop', why: 'signal' });
      await running.result.catch(() => undefined);
    }
    await running.result;
    if (signal.aborted) throw new StudioError('CANCELLED', 'It was stopped before every answer was performed.', {});
    return readBack(openFolder(folder).actions, answers.length);
  } catch (error) {
    // A stage that an answer brought down costs the answers on it, and not the evaluation.
    const { code, message } = errorBody(error);
    if (code !== 'CAPTURE_FAILED') throw error;
    return answers.map(() => ({ why: message.replace(/\.$/, '') }));
  } finally {
    await endStageTelling(stage, progress);
    await removeFolder(parent);
  }
}

/** Clicks part one answer from the next, each at another place so that two of them are no double click. */
function stepsOf(answers: readonly (readonly Act[])[]): PerformStep[] {
  let clicks = 0;
  const click = (): Act => ({ do: 'click', at: [20 + 40 * (clicks++ % 12), 20], button: 'left', count: 1 });
  const step = (acts: readonly Act[]): PerformStep => ({ what: 'answer', acts: [click(), ...acts] });
  const steps = answers.flatMap((acts) => [step(acts), step(unlock(acts))]);
  return [...steps, step([])];
}

/** Switches off again what an answer left switched on. */
function unlock(acts: readonly Act[]): Act[] {
  return LOCKS.flatMap((lock) => {
    const presses = acts.filter((act) => act.do === 'key' && act.down && canonicalKey(act.key) === lock).length;
    const tap = [true, false].map((down): Act => ({ do: 'key', key: lock, down }));
    return presses % 2 === 1 ? tap : [];
  });
}

/** The keys between the clicks: of each answer those behind its own, what switches locks off is passed over. */
function readBack(actions: readonly Action[], count: number): Seen[] {
  const parts: string[][] = [];
  for (const action of actions) {
    if (action.kind === 'click') parts.push([]);
    else append(parts.at(-1) ?? [], keysOfAction(action));
  }
  if (parts.length !== 2 * count + 1) {
    return Array.from({ length: count }, () => ({
      why: 'the recorder did not see what parts one answer from the next',
    }));
  }
  return Array.from({ length: count }, (_, n) => ({ keys: parts[2 * n] ?? [] }));
}
