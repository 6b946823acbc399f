import { Readable } from 'node:stream';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import type { SeenByCheck, TaskSetup } from '../../schemas/api/setup.ts';
import type { Check, CheckReport, Checks } from '../../schemas/checks.ts';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import type { Recipe } from '../../schemas/play.ts';
import { findFolder, statOf } from '../files/inside.ts';
import { openFolder } from '../recordings/closed.ts';
import { attach } from '../store/attachments.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { MOST_TASK_FILE_BYTES } from '../store/task-files.ts';
import { taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { evaluateChecks, lookFor } from './checks/evaluate.ts';
import { OUTCOME, outcomeOf } from './checks/outcome.ts';
import type { CheckPlace } from './checks/read.ts';
import { homeFiles } from './checks/written.ts';
import { pathsOfTask, recipeOfTask } from './recipe.ts';
import { keptStages, type VirtualStage } from './stage/stage.ts';
import { stateOfTask } from './task-state.ts';

/** A task's recipe and checks as its page edits them, and what they are tried on. */

type Source = { kind: 'stage'; stage: VirtualStage } | { kind: 'play' | 'recording'; entry: RecordingEntry };

/** Throws UNKNOWN_TASK. A file that cannot be read is told beside the rest. */
export async function taskSetup(workspace: Workspace, id: string): Promise<TaskSetup> {
  const { id: task } = await taskById(workspace.store, id);
  const [recipe, recipeError] = await readable(recipeOfTask(workspace, task));
  const [checks, checksError] = await readable(checksOfTask(workspace, task));
  const whole = await stateOfTask(workspace, task, { recipe, recipeError, checks, checksError });
  const source = await sourceOf(workspace, task);
  const home = source && homeOfSource(source);
  const written = home === null ? [] : [...homeFiles(home).keys()].sort().slice(0, 200);
  return {
    recipe,
    recipeError,
    checks,
    checksError,
    whole,
    source: source && shownSource(source),
    written: written.map((path) => ({ path, bytes: (home === null ? null : statOf(home, path))?.size ?? 0 })),
  };
}

async function readable<T>(reading: Promise<T | null>): Promise<[T | null, string | null]> {
  try {
    return [await reading, null];
  } catch (error) {
    return [null, errorBody(error).message];
  }
}

const homeOfSource = (source: Source): string | null =>
  source.kind === 'stage' ? source.stage.home : findFolder(source.entry.folder, OUTCOME);

function shownSource(source: Source): TaskSetup['source'] {
  if (source.kind === 'stage') {
    const { id, width, height } = source.stage;
    return { kind: 'stage', id, at: null, frame: null, size: { width, height } };
  }
  const { id, startedAt, folder } = source.entry;
  const shown = { kind: source.kind, id, at: startedAt };
  try {
    const { keyframes } = openFolder(folder);
    const last = keyframes.keyframes.findLast(({ role }) => role === 'after');
    return { ...shown, frame: last?.frame ?? null, size: last ? { width: last.width, height: last.height } : null };
  } catch {
    return { ...shown, frame: null, size: null }; // Trying says what is wrong with it.
  }
}

async function sourceOf(workspace: Workspace, task: string): Promise<Source | null> {
  const [stage] = keptStages(workspace.dir, task);
  if (stage) return { kind: 'stage', stage };
  const ofTask = (one: RecordingEntry): boolean => one.task === task && one.phase === 'closed';
  const play = (await workspace.listPlays()).find((one) => ofTask(one) && findFolder(one.folder, OUTCOME) !== null);
  if (play) return { kind: 'play', entry: play };
  const recording = (await workspace.indexedRecordings()).find(ofTask);
  return recording ? { kind: 'recording', entry: recording } : null;
}

/** Keeps it as the newest file of its role. Throws UNKNOWN_TASK, BAD_FILE when it is too large. */
export async function keepWithTask(workspace: Workspace, task: string, kept: Recipe | Checks): Promise<void> {
  const role = 'programs' in kept ? 'recipe' : 'checks';
  const body = Readable.from([Buffer.from(`${JSON.stringify(kept, null, 2)}\n`)]);
  await attach(workspace, { task, role, name: `${role}.json`, body, mostBytes: MOST_TASK_FILE_BYTES });
}

/** Tries checks before they are kept. Throws UNKNOWN_TASK, USAGE. */
export async function tryChecks(
  workspace: Workspace,
  task: string,
  checks: Checks,
  signal?: AbortSignal,
): Promise<CheckReport> {
  const { place, env } = await placeOf(workspace, task);
  return evaluateChecks(checks, place, env, signal ? { signal } : {});
}

/** Everything that one check can look at. Throws UNKNOWN_TASK, USAGE. */
export async function lookForTask(workspace: Workspace, task: string, check: Check): Promise<SeenByCheck> {
  const { place, env } = await placeOf(workspace, task);
  const found = await lookFor(check, place, env);
  switch (found.of) {
    case 'none':
      return { of: 'none', why: found.why };
    case 'file':
      return { of: 'file', bytes: found.bytes, sha256: found.sha256 };
    case 'picture':
      return { of: 'picture', width: found.width, height: found.height, mode: found.mode ?? null };
    case 'titles':
      return { of: 'titles', titles: [...found.titles] };
    case 'elements':
      return { of: 'elements', elements: [...found.elements] };
    case 'text':
      return { of: 'text', text: found.text };
    case 'table':
      return { of: 'table', names: [...found.names] };
    case 'document': {
      const { isSlides, pages, pictures, text } = found;
      return { of: 'document', slides: isSlides ? pages : null, pictures, text };
    }
    case 'pdf':
      return { of: 'pdf', pages: found.pages, text: found.text };
    case 'sound':
      return { of: 'sound', seconds: found.seconds, tags: { ...found.tags } };
    case 'pages':
      return { of: 'pages', open: [...found.open], active: found.active };
    case 'archive':
      return { of: 'archive', names: [...found.names] };
    case 'value': {
      const { value } = found;
      const plain = value === null || typeof value === 'number' || typeof value === 'boolean';
      return { of: 'value', value: plain ? value : String(value ?? '') };
    }
  }
}

async function placeOf(
  workspace: Workspace,
  id: string,
): Promise<{ place: CheckPlace; env: NodeJS.ProcessEnv | null }> {
  const { id: task } = await taskById(workspace.store, id);
  const source = await sourceOf(workspace, task);
  if (!source) {
    throw new StudioError(
      'USAGE',
      `There is nothing to try checks of ${task} on yet. Record the task, and play the recording once.`,
      { task },
    );
  }
  const files = await pathsOfTask(workspace.store, workspace.dir, task);
  if (source.kind === 'stage') {
    const { home, env } = source.stage;
    const place = { home, still: null, titles: null, files, answer: null };
    return { place, env };
  }
  const outcome = await outcomeOf(source.entry.folder, await findFfmpeg());
  return { place: { ...outcome, files, answer: null }, env: null };
}
