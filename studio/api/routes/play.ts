import { plural } from '../../../core/words.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import type { Job, Step } from '../../../schemas/api/models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { PlayReport } from '../../../schemas/play.ts';
import type { VerifyReport } from '../../../schemas/verify.ts';
import { needAgreed } from '../../play/consent.ts';
import { play } from '../../play/play.ts';
import { openPlay, playRow } from '../../play/plays.ts';
import { readyToPlay } from '../../play/ready.ts';
import { recipeOfTask } from '../../play/recipe.ts';
import { verify } from '../../play/verify.ts';
import { verdictKept } from '../../recordings/verdict-kept.ts';
import type { AskedBy, Work } from '../../store/jobs/queue.ts';
import { verifierName } from '../../store/people.ts';
import { askerIn } from '../asker.ts';
import type { AskedStudio } from '../studio.ts';
import { api, askedBy, tell } from './base.ts';

/** A play's outcome in a line, for the list of long work. */
function said({ agreed, of, passed, why }: PlayReport): string {
  const checks = passed === null ? '' : passed ? ' Its checks passed.' : ' Its checks failed.';
  const end = why === null ? '' : ` It stopped: ${why}.`;
  return `${agreed} of ${plural(of, 'step')} agreed.${end}${checks}`;
}

/** A verdict in a line. */
function verdictSaid({ proven, problems }: VerifyReport): string {
  return proven ? 'Proven: it plays again, and its checks can fail.' : `Not proven: ${problems[0] ?? 'see its page'}`;
}

const playedIn = ({ plays, without }: VerifyReport): string[] =>
  [...plays, ...without].flatMap(({ played }) => (played === null ? [] : [played]));

type StageWork = Parameters<typeof verify>[0];

/** Does long work with a demonstration on stages, as a job of the kind. */
async function onStage(
  context: AskedStudio,
  {
    ws,
    recording,
    kind,
    person,
    asked,
  }: { ws: string; recording: string; kind: 'play' | 'verify'; person?: string | undefined; asked: AskedBy },
  work: (
    wishes: Omit<StageWork, 'times' | 'pace' | 'patienceMs'>,
  ) => Promise<{ message: string; recordings: string[] }>,
): Promise<Job> {
  const open = await context.workspaces.get(ws);
  const { workspace } = open;
  const { id, folder, task } = await workspace.getRecording(recording);
  const asker = askerIn(context, person);
  await needAgreed(workspace, task, asker);
  const job: Work = async ({ signal, report }) => {
    let share = 0;
    const progress = (text: string, now?: number): void => {
      share = now ?? share;
      report(share, text);
    };
    try {
      // It may have waited for another play, and what is there now is what runs.
      await needAgreed(workspace, task, asker);
      const recipe = await recipeOfTask(workspace, task);
      const ffmpeg = await findFfmpeg();
      const { version, plays } = context;
      const show: StageWork['show'] = (env, view) => plays.show(`${ws} ${id}`, env, view);
      return await work({ workspace, signal, progress, show, version, ffmpeg, recipe, recording: { id, folder } });
    } finally {
      // Also a play that was stopped left its recording.
      tell(open, 'recordings');
    }
  };
  return open.jobs.add(kind, id, job, asked);
}

/** Playing demonstrations again, each on a stage of its own. */
export const playRoutes = {
  play: {
    ready: api.play.ready.handler(async ({ context, input: { ws, recording } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return readyToPlay(workspace, await workspace.getRecording(recording));
    }),
    start: api.play.start.handler(({ context, input }) => {
      const { ws, recording, person, pace, patience } = input;
      const asked = askedBy(context, 'play.start', input);
      return onStage(context, { ws, recording, person, kind: 'play', asked }, async (wishes) => {
        const made = await play({ ...wishes, pace, patienceMs: patience * 1000, stage: 'virtual' });
        return { message: said(made), recordings: made.played === null ? [] : [made.played] };
      });
    }),
    verify: api.play.verify.handler(({ context, input }) => {
      const { ws, recording, person, times, pace, patience } = input;
      const asked = askedBy(context, 'play.verify', input);
      return onStage(context, { ws, recording, person, kind: 'verify', asked }, async (wishes) => {
        const by = await verifierName(wishes.workspace.store, person);
        const made = await verify({ ...wishes, by, times, pace, patienceMs: patience * 1000 });
        return { message: verdictSaid(made), recordings: playedIn(made) };
      });
    }),
    verdict: api.play.verdict.handler(async ({ context, input: { ws, recording } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return verdictKept(workspace, await workspace.getRecording(recording));
    }),
    live: api.play.live.handler(async ({ context, input: { ws, recording } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const { id } = await workspace.getRecording(recording);
      return context.plays.look(`${ws} ${id}`);
    }),
    list: api.play.list.handler(async ({ context, input: { ws, recording } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const { id } = await workspace.getRecording(recording);
      return (await workspace.listPlays(id)).filter((one) => one.id !== id && one.phase === 'closed').map(playRow);
    }),
    open: api.play.open.handler(async ({ context, input: { ws, played } }) => {
      const open = await context.workspaces.get(ws);
      return openPlay(await open.workspace.getRecording(played), open.as(undefined).recordings);
    }),
    differences: api.play.differences.handler(async ({ context, input: { ws, played, step, when }, signal }) => {
      const open = await context.workspaces.get(ws);
      const { recordings } = open.as(undefined);
      const { report, pictures } = await openPlay(await open.workspace.getRecording(played), recordings);
      const n = report?.steps.findIndex((one) => one.step === step) ?? -1;
      const now = pictures[n]?.[when] ?? null;
      if (!report || now === null) return null;
      const { steps, frames } = await recordings.open(report.recording);
      const demonstrated = steps.find(({ id }) => id === step);
      if (!demonstrated)
        throw new StudioError('USAGE', `The demonstration has no step ${step.slice(0, 60)}.`, { step });
      const picture = (role: keyof Pick<Step, 'before' | 'after'>): Promise<string> | null => {
        const frame = frames[demonstrated[role]]?.[0];
        return frame === undefined ? null : recordings.framePicture(report.recording, frame, { signal });
      };
      const [before, after] = [await picture('before'), await picture('after')];
      if ((when === 'before' ? before : after) === null) return null;
      const pair = { before, after, when, played: await recordings.framePicture(played, now, { signal }) };
      return open.background.run('differ', pair, { ...(signal && { signal }) });
    }),
  },
};
