import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import type { AgentReport } from '../../../schemas/agents.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { wantsAnswer } from '../../play/checks/checks-file.ts';
import { PLAIN_LAYOUT, PLAIN_SCREEN } from '../../play/stage/stage.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { LiveAbout, LiveRun } from '../live-runs.ts';
import { type PersonDeed, personDoes } from '../person.ts';
import { asksAnswer, type MemberActor, whyFailed } from './actor.ts';

/** A person as the actor: each task is done in the page, on the one stage, and is a demonstration of that task. */

type HumanWishes = {
  ffmpeg: FfmpegInfo;
  /** The program's own version. */
  version: string;
  person: string;
  /** Shows a run in the page and does `work`; `after`: the run of the task before, from which the page leads to this one. */
  show(
    about: Omit<LiveAbout, 'ws' | 'changed'>,
    work: (live: LiveRun) => Promise<AgentReport | null>,
    after: LiveRun | null,
  ): Promise<AgentReport | null>;
};

export function openHuman(workspace: Workspace, { ffmpeg, version, person, show }: HumanWishes): MemberActor {
  let before: LiveRun | null = null;
  return {
    actor: { kind: 'person', name: person },
    size: PLAIN_SCREEN,
    layout: PLAIN_LAYOUT,
    elements: true,
    async act({ member, task, recipe, instruction, stage, timeMs, progress, beside, recorded, signal }) {
      await beside.done();
      const answers = asksAnswer(member) || (await wantsAnswer(workspace, task));
      const limits = { rounds: null, timeMs, budget: null };
      const about = { task, goal: instruction, agent: 'human', model: person, limits, answers };
      const deeds: PersonDeed[] = [];
      const late = AbortSignal.timeout(timeMs);
      await show(
        about,
        async (live) => {
          const end = (): void => {
            // It may be over by then.
            if (live.state().phase !== 'over' && live.state().phase !== 'checking') live.command('stop');
          };
          for (const one of [signal, late]) one.addEventListener('abort', end, { once: true });
          if (signal.aborted) end();
          try {
            const { width, height } = stage;
            const on = { kind: 'kept' as const, stage };
            const screen = { width, height };
            const wishes = { workspace, ffmpeg, version, task, recipe, person, live, onRecording: recorded };
            progress('in the page');
            const deed = await personDoes({ ...wishes, stage: on, goal: instruction, screen });
            deeds.push(deed);
            return deed.report;
          } finally {
            for (const one of [signal, late]) one.removeEventListener('abort', end);
            before = live;
          }
        },
        before,
      );
      const [deed] = deeds;
      if (!deed) throw new RangeError(`nobody did ${member.id}`);
      const { how, answer, recording, steps, report } = deed;
      if (how === 'stopped' && !late.aborted) throw new StudioError('CANCELLED', 'It was stopped.', {});
      return {
        recording,
        answer,
        checked: report && { passed: report.passed, score: report.score, why: whyFailed(report.checks) },
        steps,
        questions: [],
        cost: null,
        stopped:
          how === 'done' ? null : how === 'gave-up' ? 'it was given up' : `the limit of ${timeMs / 1000} s was reached`,
      };
    },
  };
}
