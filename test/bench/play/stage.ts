import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { PlayPicture } from '../../../core/play/part.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import type { CheckReport, Checks } from '../../../schemas/checks.ts';
import type { Recipe } from '../../../schemas/play.ts';
import { sha256 } from '../../../studio/datasets/evaluate/data-set.ts';
import { evaluateChecks } from '../../../studio/play/checks/evaluate.ts';
import { type Script, scriptOf } from '../../../studio/play/script.ts';
import type { FileOf } from '../../../studio/play/stage/home.ts';
import { setStage } from '../../../studio/play/stage/set-stage.ts';
import type { VirtualStage } from '../../../studio/play/stage/stage.ts';
import { startRecorder, studio, studioMust } from '../../support/cli.ts';
import { handsFor, perform, type Step } from '../../support/person.ts';
import { stageDisplay } from '../../support/stage-display.ts';
import { sleep } from '../../support/until.ts';
import { type Demonstration, SCREEN } from './kinds.ts';
import { givenFiles, materialOf } from './material.ts';

/** Stages of the bench, and a demonstration that is recorded on one. */

export async function onStage<T>(
  recipe: Recipe,
  material: string,
  work: (stage: VirtualStage) => Promise<T>,
  { elements = false } = {},
): Promise<T> {
  const layout = { layout: 'us', variant: '' };
  const fileOf: FileOf = (name) => materialOf(material, name);
  const stage = await setStage({ recipe, ...SCREEN, layout, task: null, workspace: null, fileOf, elements });
  try {
    return await work(stage);
  } finally {
    await stage.end();
  }
}

/** The files that checks look at, by what is in them; a folder by what it lists. */
export const leftFiles = ({ checks }: Checks, home: string): string[] =>
  checks.flatMap((check) => {
    const file = 'path' in check && check.path !== undefined ? path.join(home, check.path) : null;
    if (!file || !fs.existsSync(file)) return [];
    return [
      sha256(fs.statSync(file).isDirectory() ? fs.readdirSync(file).toSorted().join('\0') : fs.readFileSync(file)),
    ];
  });

/**
 * How long a person thinks between two steps, ms, beside what the step itself and seeing what came of it take: the mental
 * operator of the keystroke-level model (Card, Moran and Newell, The Keystroke-Level Model for User Performance Time, 1980).
 */
export const THOUGHT_MS = 1350;

/** The person at work on a stage. `seen` is told of every step when the screen has come to rest after it. */
async function doSteps(
  { env, display: name, home }: VirtualStage,
  steps: readonly Step[],
  seen: (n: number) => Promise<void> = async () => undefined,
): Promise<void> {
  const display = stageDisplay(env, { name, home, ...SCREEN });
  await withEyes(env, async (eyes) => {
    const hands = await handsFor(display, 'human');
    for (const [n, step] of steps.entries()) {
      await perform(display, hands, [step]);
      await ask(eyes, 'rest');
      await seen(n);
      await sleep(THOUGHT_MS);
    }
  });
}

/** Whether a place of the stage looks as in a picture of a demonstration. */
export const looksAs = ({ env }: VirtualStage, still: PlayPicture, at: { x: number; y: number }): Promise<boolean> =>
  withEyes(env, async (eyes) => (await ask(eyes, { still, at })) === 'alike');

/**
 * To the process on the stage's display: answer when the screen is at rest, whether a place looks as in a picture, or, when the
 * screen looks like a picture, how far what it shows at a place has moved.
 */
export type Question =
  | 'rest'
  | { still: PlayPicture; at: { x: number; y: number } }
  | { find: string; at: { x: number; y: number } | null };

export async function withEyes<T>(env: NodeJS.ProcessEnv, work: (eyes: ChildProcess) => Promise<T>): Promise<T> {
  const eyes = fork(new URL('./rest-main.ts', import.meta.url), [], { env, execArgv: [] });
  try {
    await once(eyes, 'message');
    return await work(eyes);
  } finally {
    eyes.kill('SIGKILL');
  }
}

export async function ask(eyes: ChildProcess, question: Question): Promise<unknown> {
  const answer = once(eyes, 'message');
  eyes.send(question);
  return (await answer)[0];
}

type Recorded = { folder: string; report: CheckReport; left: string[] };

/** The same, read as it is played. */
export async function record(
  demonstration: Demonstration,
  material: string,
  workspace: string,
  task: string | null = null,
): Promise<Recorded & { script: Script }> {
  const recorded = await recordOnly(demonstration, material, workspace, task);
  return { ...recorded, script: await scriptOf(recorded.folder, await findFfmpeg()) };
}

/** Records the demonstration with the real recorder, of this task or of a new one. */
export async function recordOnly(
  { app, goal, recipe, checks, steps }: Demonstration,
  material: string,
  workspace: string,
  task: string | null = null,
  /** Programs tell of their elements, so that fields for passwords are known. */
  { elements = false } = {},
): Promise<Recorded> {
  const where = ['--workspace', workspace];
  if (!fs.existsSync(workspace)) await studioMust(['init', ...where]);
  // Known already, by the program or since the last demonstration.
  await studio(['software', 'add', app, ...where]);
  const recorded = async (stage: VirtualStage) => {
    const { env, display: name, home } = stage;
    const recorder = await startRecorder(stageDisplay(env, { name, home, ...SCREEN }), {
      workspace,
      args: ['--app', app, '--goal', goal, ...(task === null ? [] : ['--task', task])],
    });
    await doSteps(stage, steps);
    const stopped = await recorder.stop();
    const place = { home, still: null, titles: null, files: givenFiles(material), answer: null };
    const found = await evaluateChecks(checks, place, env);
    return { folder: stopped.line.folder, report: found, left: leftFiles(checks, home) };
  };
  return onStage(recipe, material, recorded, { elements });
}
