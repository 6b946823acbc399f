import { join } from 'node:path';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { AGENT_SCHEMA, type AgentReport, type HumanHead } from '../../schemas/agents.ts';
import type { Recipe } from '../../schemas/play.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import {
  type EpisodeStage,
  type EpisodeWishes,
  runEpisode,
  stageOfActor,
  stopBeforeActing,
  WHOLE_SCREEN,
} from '../play/episode.ts';
import { PLAIN_SCREEN } from '../play/stage/stage.ts';
import { AGENT_FILE } from '../recordings/agent-report.ts';
import { openFolder } from '../recordings/closed.ts';
import { taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import type { LiveRun, PersonEnd } from './live-runs.ts';
import { recipeHash } from './run.ts';

/**
 * A person does a task on a stage of its own, in the page. Their recording is a demonstration like one made at a display; where the
 * task has checks it holds agent.json too, so that a person stands in the table of runs, measured as models are.
 */

export type PersonWishes = {
  workspace: Workspace;
  ffmpeg: FfmpegInfo;
  /** The program's own version. */
  version: string;
  task: string;
  recipe: Recipe;
  /** The person's name. */
  person: string | null;
  withoutCage: boolean;
  live: LiveRun;
};

/** Null: the task has no checks. Throws what setting the stage up and recording throw. */
export async function runPerson({ recipe, withoutCage, ...wishes }: PersonWishes): Promise<AgentReport | null> {
  const screen = recipe.screen ?? PLAIN_SCREEN;
  const { goal } = await taskById(wishes.workspace.store, wishes.task);
  const stage = stageOfActor({ recipe }, { elements: true, withoutCage });
  return (await personDoes({ ...wishes, stage, goal, screen, recipe })).report;
}

type Doing = Omit<PersonWishes, 'withoutCage'> & {
  stage: EpisodeStage;
  onRecording?: EpisodeWishes['onRecording'];
  /** The words of the task. */
  goal: string;
  /** The stage's size, px. */
  screen: { width: number; height: number };
};

export type PersonDeed = PersonEnd & {
  recording: string;
  steps: number;
  tookMs: number;
  /** Null: the task has no checks. */
  report: AgentReport | null;
};

/** A person does a task on a stage, until they say that it is over. Throws what setting the stage up and recording throw. */
export async function personDoes(wishes: Doing): Promise<PersonDeed> {
  const { workspace, task, recipe, person, live, stage, goal, screen } = wishes;
  const { software } = await taskById(workspace.store, task);
  const at = new Date().toISOString();
  const setUp = stopBeforeActing(live.stop);
  let tookMs = 0;
  try {
    const { done, checked, recording, folder } = await runEpisode(
      {
        ...wishes,
        progress: live.progress,
        signal: setUp.signal,
        stage,
        record: { ...WHOLE_SCREEN, person, elements: 'by-default' },
        playback: 'now',
      },
      {
        async act({ stage: { env }, recording: id }) {
          setUp.acting();
          const began = performance.now();
          live.staged(env, id);
          const end = await live.personEnded;
          tookMs = Math.round(performance.now() - began);
          await live.checking();
          return end;
        },
        answer: (end) => end.answer,
      },
    );
    const steps = openFolder(folder).actions.length;
    const deed = { ...done, recording, steps, tookMs };
    if (!checked) return { ...deed, report: null };
    const limits: HumanHead['limits'] = { rounds: MOST_ROUNDS, timeMs: null, budget: null };
    const given = { task, software, goal, plan: { high: null, mid: null }, screen, recipe: recipeHash(recipe), limits };
    const report: AgentReport = {
      schema: AGENT_SCHEMA,
      version: 2,
      recording,
      at,
      head: { agent: 'human', model: person ?? '', resumes: null, ...given },
      how: done.how,
      why: '',
      answer: done.answer,
      rounds: 0,
      steps,
      unclear: 0,
      refused: 0,
      tookMs,
      tokens: { input: 0, output: 0, uncounted: 0 },
      cost: null,
      ...checked,
    };
    writeFileAtomic(join(folder, AGENT_FILE), `${JSON.stringify(report, null, 2)}\n`);
    return { ...deed, report };
  } finally {
    setUp.over();
  }
}

/** A person is asked nothing; the number is not looked at. */
const MOST_ROUNDS = 1;
