import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import type { Origin } from '../../schemas/import.ts';
import {
  AGENT_VERSION,
  OTHER_TOOLS_VERSION,
  RECORDING_SCHEMA,
  RECORDING_VERSION,
  type Recording,
  VIDEOCUA_VERSION,
} from '../../schemas/recording.ts';
import { firstBytes } from '../files/first-bytes.ts';
import { ensureNotedTask } from '../store/made-task.ts';
import { nearestSoftware, type Software } from '../store/software.ts';
import { answerOf, taskInWaiting } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Building, type Imported, type ImportOptions, landRecording, type Owed } from './land.ts';
import { taskNoteOf } from './leftovers.ts';

/** A person's own facts about a recording of another tool. The others are taken from the source, or reported as guessed. */
export type ImportWishes = {
  /** The software that is demonstrated, by name. */
  app?: string | undefined;
  goal?: string | undefined;
  /** PPT_15; the next free one when left out. */
  task?: string | undefined;
  person?: string | undefined;
  /** This program's version. */
  version: string;
};

const NO_SOFTWARE = 'Unknown software';

/** The software and task for recording.json. */
export type Placed = {
  app: Recording['app'];
  task: Recording['task'];
  /** The answer that the task has once the recording is there; null when the source gave none. */
  answer: string | null;
};

/** The source's own software and task. */
type Found = { app?: string | undefined; goal?: string | undefined; answer?: string | undefined };

/** Finds or makes the software and the task. Throws USAGE for a task id of another form or software. */
async function placeTask(
  workspace: Workspace,
  folder: string,
  wishes: ImportWishes,
  found: Found,
  guessed: string[],
): Promise<Placed> {
  const name = (wishes.app ?? found.app)?.trim() || NO_SOFTWARE;
  if (wishes.app === undefined)
    guessed.push(
      `the software: "${name}"${found.app ? ', the window in front most of the time' : ', nothing names it'}`,
    );
  const goal = (wishes.goal ?? found.goal)?.trim() || '';
  if (goal === '') guessed.push('no goal is told: it is empty');
  const software = await softwareOf(workspace, name);
  const { store } = workspace;
  const waiting = wishes.task === undefined ? await taskInWaiting(store, software, goal) : undefined;
  const task = waiting ?? (await ensureNotedTask(store, taskNoteOf(folder), { id: wishes.task, software, goal }));
  // It is owed to the task until the recording is there; somebody's own stays.
  const answer = found.answer === undefined ? null : (await answerOf(store, task.id)) || found.answer;
  return {
    app: { id: software.id, name: software.name },
    task: { id: task.id, goal: task.goal },
    answer,
  };
}

/** Like placeTask, for the import that is under way; called once at most. */
type Place = (found: Found, guessed: string[]) => Promise<Placed>;

/** Like landRecording, for a recording that another tool made: `build` also gets what places it. */
export function landForeign(
  workspace: Workspace,
  source: string,
  options: ImportOptions & ImportWishes,
  build: (building: Building, place: Place) => Promise<void>,
): Promise<Imported> {
  const owed: Owed = { ...options.owed };
  return landRecording(workspace, source, { ...options, owed }, (building) =>
    build(building, (found, guessed) => {
      owed.answer = found.answer;
      return placeTask(workspace, building.folder, options, found, guessed);
    }),
  );
}

export async function softwareOf(workspace: Workspace, name: string): Promise<Software> {
  try {
    return await workspace.findSoftware(name);
  } catch (error) {
    if (errorBody(error).code !== 'UNKNOWN_APP') throw error;
  }
  try {
    return await workspace.addSoftware({ name: name.slice(0, 100) });
  } catch (error) {
    // Its name is nearly another's (an alias, a prefix): then it is that one.
    const nearest = nearestSoftware(await workspace.listSoftware(), name)[0];
    if (errorBody(error).code === 'USAGE' && nearest && /[\p{L}\p{N}]/u.test(name)) return nearest;
    throw new StudioError('USAGE', `"${name}" cannot be a software's name: give one with --app.`, { app: name });
  }
}

/**
 * The same source gives the same id, so that importing it twice is noticed. `at`: ISO 8601 UTC. `read`: how it was read, when
 * otherwise than usual, which makes another recording of the same source.
 */
export function importedId(at: string, files: readonly string[], read = ''): string {
  const hash = createHash('sha256').update(read);
  // The first MiB is enough to tell two apart.
  for (const file of files) hash.update(`${basename(file)} ${statSync(file).size}\n`).update(firstBytes(file, 1 << 20));
  const digits = at.replace(/\D/g, '').padEnd(14, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${hash.digest('hex').slice(0, 6)}`;
}

export type ImportedFacts = {
  id: string;
  origin: Origin;
  placed: Placed;
  wishes: ImportWishes;
  os: Recording['os'];
  startedAt: string;
  span: { start: number; end: number };
  display: { width: number; height: number; scale: number };
  fps: number;
  encoder: string;
  cursor: boolean;
  lossless: boolean;
  segments: Recording['segments'];
  frames: number;
  events: number;
  settings?: Recording['settings'];
  sync: Recording['sync'];
  missing: string[];
};

/** The sources that older programs do not know. */
const VERSIONS: Partial<Record<Origin['source'], Recording['version']>> = {
  agent: AGENT_VERSION,
  owamcap: OTHER_TOOLS_VERSION,
  codex: OTHER_TOOLS_VERSION,
  videocua: VIDEOCUA_VERSION,
};

/** recording.json of an import. */
export function recordingOf(facts: ImportedFacts): Recording {
  const { display, missing, frames } = facts;
  const kind = frames === 0 ? 'damaged' : missing.length > 0 ? 'recovered' : 'complete';
  return {
    schema: RECORDING_SCHEMA,
    version: VERSIONS[facts.origin.source] ?? RECORDING_VERSION,
    id: facts.id,
    state: 'closed',
    tool: { name: 'trajectory-studio', version: facts.wishes.version },
    app: facts.placed.app,
    task: facts.placed.task,
    person: facts.wishes.person ?? null,
    origin: facts.origin,
    os: facts.os,
    // The session's zero is the source's own.
    clock: { source: facts.origin.source, startNs: '0', startedAt: facts.startedAt },
    span: facts.span,
    displays: [{ t: 0, displays: [displayOf(display)] }],
    settings: facts.settings ?? {},
    capture: {
      target: { kind: 'display', display: 1 },
      // Within the schema's limits; each frame has its own time.
      fps: Math.min(60, Math.max(5, facts.fps)),
      grabber: facts.origin.source,
      mode: 'import',
      encoder: facts.encoder,
      cursor: facts.cursor,
      lossless: facts.lossless,
    },
    segments: facts.segments,
    playback: null,
    counts: { frames, dropped: 0, late: 0, black: 0, ticks: 0, events: facts.events },
    sync: facts.sync,
    verdict: { kind, missing: frames === 0 ? ['every picture', ...missing] : missing, endedBy: 'import' },
    warnings: [],
  };
}

export const displayOf = ({ width, height, scale }: ImportedFacts['display']) => ({
  id: 1,
  name: 'imported screen',
  x: 0,
  y: 0,
  width,
  height,
  scale,
  primary: true,
});

/** UTC without milliseconds' noise; now when `date` is none. */
export const isoOf = (date: Date): string => (Number.isNaN(date.getTime()) ? new Date() : date).toISOString();
