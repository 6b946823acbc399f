import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { OutcomeSaid } from '../../../schemas/judge.ts';
import type { PanelReport } from '../../agents/judge/judge.ts';
import { allJudgements, judgementsIn } from '../../agents/judge/judgements.ts';
import { askAboutAll, labelledRecordings, refusePanel, subjectsOf, wantedEntries } from '../../agents/judge/many.ts';
import { askingWith } from '../../agents/model-head.ts';
import type { Work } from '../../store/jobs/queue.ts';
import { api, askedBy, tell } from './base.ts';

/** What came of it in a line, for the list of long work. */
function said(judged: readonly PanelReport[], of: number, leftOut: number): string {
  const [last] = judged.slice(-1);
  const count = (outcome: OutcomeSaid): number => judged.filter(({ verdict }) => verdict === outcome).length;
  const ended = last && last.how !== 'judged' ? ` It ended early: ${last.why}.` : '';
  const left = leftOut > 0 ? ` ${plural(leftOut, 'recording')} without pictures left out.` : '';
  const done = judged.filter(({ how }) => how === 'judged').length;
  return `${done} of ${plural(of, 'recording')} judged: ${count('succeeded')} succeeded, ${count('failed')} failed, ${count('unsure')} unsure.${ended}${left}`;
}

/** What models say of recordings. */
export const judgeRoutes = {
  judges: {
    list: api.judges.list.handler(async ({ context, input: { ws } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return allJudgements(workspace);
    }),
    of: api.judges.of.handler(async ({ context, input: { ws, recording } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return judgementsIn(workspace, await workspace.getRecording(recording));
    }),
    labelled: api.judges.labelled.handler(async ({ context, input: { ws } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return { n: (await labelledRecordings(workspace)).size };
    }),
    ask: api.judges.ask.handler(async ({ context, input }) => {
      const { ws, recordings, labelled, with: wanted } = input;
      const open = await context.workspaces.get(ws);
      const { workspace } = open;
      const { key: given, pictures, ...asked } = wanted;
      const panel = { ...asked, maxTokens: null };
      refusePanel(panel);
      const model = askingWith(given);
      const entries = await wantedEntries(workspace, { recordings, labelled });
      const work: Work = async ({ signal, report }) => {
        const leftOut: string[] = [];
        const leaveOut = (id: string): void => void leftOut.push(id);
        const subjects = await subjectsOf(workspace, entries, { pictures, signal, leaveOut });
        const judged = await askAboutAll({
          workspace,
          subjects,
          panel,
          model,
          again: false,
          onNext(at, id) {
            if (at > 0) tell(open, 'recordings');
            report(at / subjects.length, id);
          },
          progress: () => undefined,
          signal,
        });
        tell(open, 'recordings');
        signal.throwIfAborted();
        // A budget that is used up is how it ends, not a failure.
        const ended = judged.find(({ how }) => how === 'endpoint');
        const message = said(judged, subjects.length, leftOut.length);
        if (ended) throw new StudioError('ENDPOINT_FAILED', message, { recording: ended.recording });
        return { message, recordings: judged.map(({ recording }) => recording) };
      };
      // A typed key is kept nowhere, so such a call cannot be made again from the list.
      const call = given.from === 'typed' ? null : askedBy(context, 'judges.ask', input);
      const [first] = entries;
      const subject = entries.length === 1 && first ? first.id : plural(entries.length, 'recording');
      return open.jobs.add('ask-judges', subject, work, call);
    }),
  },
};
