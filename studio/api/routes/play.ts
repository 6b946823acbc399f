import { plural } from '../../../core/words.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import type { Step } from '../../../schemas/api/models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { PlayReport } from '../../../schemas/play.ts';
import { play } from '../../play/play.ts';
import { openPlay, playRow } from '../../play/plays.ts';
import { readyToPlay } from '../../play/ready.ts';
import { recipeOfTask } from '../../play/recipe.ts';
import { api, tell } from './base.ts';

/** A play's outcome in a line, for the list of long work. */
function said({ agreed, of, passed, why }: PlayReport): string {
  const checks = passed === null ? '' : passed ? ' Its checks passed.' : ' Its checks failed.';
  const end = why === null ? '' : ` It stopped: ${why}.`;
  return `${agreed} of ${plural(of, 'step')} agreed.${end}${checks}`;
}

/** Playing demonstrations again, each on a stage of its own. */
export const playRoutes = {
  play: {
    ready: api.play.ready.handler(async ({ context, input: { ws, recording } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return readyToPlay(workspace, await workspace.getRecording(recording));
    }),
    start: api.play.start.handler(async ({ context, input: { ws, recording, pace, patience } }) => {
      const open = await context.workspaces.get(ws);
      const { workspace } = open;
      const { id, folder, task } = await workspace.getRecording(recording);
      return open.jobs.add('play', id, async ({ signal, report }) => {
        let share = 0;
        const progress = (text: string, now?: number): void => {
          share = now ?? share;
          report(share, text);
        };
        const wishes = { workspace, signal, progress, pace, patienceMs: patience * 1000, version: context.version };
        try {
          const recipe = await recipeOfTask(workspace, task);
          const ffmpeg = await findFfmpeg();
          const made = await play({ ...wishes, ffmpeg, recipe, recording: { id, folder }, stage: 'virtual' });
          return { message: said(made), recordings: made.played === null ? [] : [made.played] };
        } finally {
          // Also a play that was stopped left its recording.
          tell(open, 'recordings');
        }
      });
    }),
    list: api.play.list.handler(async ({ context, input: { ws, recording } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const { id } = await workspace.getRecording(recording);
      return (await workspace.listPlays(id)).filter((one) => one.id !== id && one.phase === 'closed').map(playRow);
    }),
    open: api.play.open.handler(async ({ context, input: { ws, played } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return openPlay(await workspace.getRecording(played));
    }),
    differences: api.play.differences.handler(async ({ context, input: { ws, played, step, when }, signal }) => {
      const open = await context.workspaces.get(ws);
      const { report, pictures } = openPlay(await open.workspace.getRecording(played));
      const n = report?.steps.findIndex((one) => one.step === step) ?? -1;
      const now = pictures[n]?.[when] ?? null;
      if (!report || now === null) return null;
      const { recordings } = open.as(undefined);
      const { steps, frames } = await recordings.open(report.recording);
      const demonstrated = steps.find(({ id }) => id === step);
      if (!demonstrated)
        throw new StudioError('USAGE', `The demonstration has no step ${step.slice(0, 60)}.`, { step });
      const picture = (role: keyof Pick<Step, 'before' | 'after'>): Promise<string> | null => {
        const frame = frames[demonstrated[role]]?.[0];
        return frame === undefined ? null : recordings.framePicture(report.recording, frame);
      };
      const [before, after] = [await picture('before'), await picture('after')];
      const recorded = when === 'before' ? before : after;
      if (recorded === null) return null;
      const effect = before !== null && after !== null ? { before, after } : null;
      const other = await recordings.framePicture(played, now);
      return open.background.run('differ', { recorded, played: other, effect }, { ...(signal && { signal }) });
    }),
  },
};
