import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type MemberActor, whyFailed } from '../../../studio/agents/compositions/actor.ts';
import { checksOfTask } from '../../../studio/play/checks/checks-file.ts';
import { evaluateChecks } from '../../../studio/play/checks/evaluate.ts';
import { pathsOfTask } from '../../../studio/play/recipe.ts';
import type { Workspace } from '../../../studio/store/workspace.ts';
import { startRecorder } from '../../support/cli.ts';
import { handsFor, perform, type Step } from '../../support/person.ts';
import { stageDisplay } from '../../support/stage-display.ts';
import { SCREEN, type ShownTask } from './parts.ts';

/**
 * A person who shows each task of a composition as it comes, on the one stage of its run: what is recorded are the demonstrations
 * that the player performs later, each on a stage as the tasks before it left it.
 */
export function openShower(workspace: Workspace, tasks: readonly ShownTask[]): MemberActor {
  return {
    actor: { kind: 'person', name: 'scripted' },
    size: SCREEN,
    layout: { layout: 'us', variant: '' },
    async act({ member, task, instruction, stage, beside }) {
      await beside.done();
      const shown = tasks.find((one) => one.member.id === member.id);
      if (!shown) throw new Error(`nobody shows “${member.id}”`);
      const display = stageDisplay(stage.env, { name: stage.display, home: stage.home, ...SCREEN });
      const recorder = await startRecorder(display, {
        workspace: workspace.dir,
        args: ['--app', shown.software, '--goal', instruction, '--task', task, '--stage', stage.id],
      });
      await doAll(display, stage.env, shown.steps);
      const { line } = await recorder.stop();
      const checks = await checksOfTask(workspace, task);
      const files = await pathsOfTask(workspace.store, workspace.dir, task);
      const answer = shown.answer ?? null;
      const place = { home: stage.home, still: null, titles: null, files, answer };
      const report = checks && (await evaluateChecks(checks, place, stage.env));
      return {
        recording: line.recording,
        answer,
        checked: report && { passed: report.passed, score: report.score, why: whyFailed(report.checks) },
        steps: shown.steps.length,
        questions: [],
        cost: null,
        stopped: null,
      };
    },
  };
}

/** One after another, each when the screen has come to rest after the one before it. */
export async function doAll(display: ReturnType<typeof stageDisplay>, env: NodeJS.ProcessEnv, steps: readonly Step[]) {
  const eyes = fork(new URL('../../bench/play/rest-main.ts', import.meta.url), [], { env, execArgv: [] });
  try {
    await once(eyes, 'message');
    const hands = await handsFor(display, 'human');
    for (const step of steps) {
      await perform(display, hands, [step]);
      const answer = once(eyes, 'message');
      eyes.send('rest');
      await answer;
    }
  } finally {
    eyes.kill('SIGKILL');
  }
}
