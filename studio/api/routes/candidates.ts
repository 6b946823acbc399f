import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { CandidateReport } from '../../agents/candidates/ask.ts';
import { refuseCandidates, sampleRecording } from '../../agents/candidates/sample.ts';
import { candidateSubjectOf } from '../../agents/candidates/subject.ts';
import { askingWith } from '../../agents/model-head.ts';
import type { Work } from '../../store/jobs/queue.ts';
import { api, askedBy, tell } from './base.ts';

/** Its outcome in a line, for the list of long work. */
function said({ candidates, steps, judged, how, why }: CandidateReport, leftOut: number): string {
  const words = judged > 0 ? `, ${judged} of them judged` : '';
  const ended = how === 'sampled' ? '' : ` It ended early: ${why}.`;
  const left = leftOut > 0 ? ` ${plural(leftOut, 'step')} could not be asked about.` : '';
  return `${plural(candidates, 'candidate')} of ${plural(steps, 'step')}${words}.${ended}${left}`;
}

/** Models' answers to the steps of a recording, as the session's person may see them. */
export const candidateRoutes = {
  candidates: {
    of: api.candidates.of.handler(async ({ context, input: { ws, recording, person } }) =>
      (await context.workspaces.get(ws)).as(person).candidates.of(recording),
    ),
    say: api.candidates.say.handler(async ({ context, input: { ws, recording, candidate, right, person } }) => {
      await (await context.workspaces.get(ws)).as(person).candidates.say(recording, candidate, right ?? null);
      return {};
    }),
    ask: api.candidates.ask.handler(async ({ context, input }) => {
      const { ws, recording, with: wanted } = input;
      const open = await context.workspaces.get(ws);
      const { workspace } = open;
      const { key: given, ...asked } = wanted;
      refuseCandidates(asked);
      const model = askingWith(given);
      const entry = await workspace.getRecording(recording);
      const work: Work = async ({ signal, report: tellJob }) => {
        const shown = await candidateSubjectOf(workspace, entry, null);
        const report = await sampleRecording({
          folder: entry.folder,
          shown,
          asked: { ...asked, maxTokens: null },
          model,
          again: false,
          progress: (done, of) => tellJob(done / of, `${done} of ${of}`),
          signal,
        });
        tell(open, 'recordings');
        signal.throwIfAborted();
        const message = said(report, shown.leftOut.length);
        if (report.how === 'endpoint') throw new StudioError('ENDPOINT_FAILED', message, { recording: entry.id });
        return { message, recordings: [entry.id] };
      };
      // A typed key is kept nowhere, so such a call cannot be made again from the list.
      const call = given.from === 'typed' ? null : askedBy(context, 'candidates.ask', input);
      return open.jobs.add('sample', entry.id, work, call);
    }),
  },
};
