import type { Command } from 'commander';
import type { Proposal } from '../../../schemas/annotation.ts';
import { proposeForm } from '../../../schemas/api/annotation.ts';
import type { OpenedRecording } from '../../../schemas/api/models.ts';
import type { CliContext } from '../context.ts';
import { composer } from '../mirror.ts';
import { boxText, clockText, textTable } from '../table.ts';

const handlers = async () => ({
  ...(await import('../../api/routes/find.ts')).findRoutes,
  ...(await import('../../api/routes/recordings.ts')).recordingRoutes,
  ...(await import('../../api/routes/annotation.ts')).annotationRoutes,
});

/** `propose`: what annotation would offer for each step, with its source and its chance of being taken. */
export function register(program: Command, context: CliContext): void {
  composer(handlers, context)(program, proposeForm, async ({ call, input: { recording: _, ...who }, given }) => {
    const recording = String(given.recording); // By now the whole id.
    const { person } = who;
    const opened = (await call(['recordings', 'open'], { recording, ...(person && { person }) })) as OpenedRecording;
    const actions: { action: string; kind: string; t: number; proposals: Proposal[] }[] = [];
    for (const { id: action, kind, start } of opened.steps) {
      const proposals = (await call(['annotation', 'proposals'], { recording, ...who, action })) as Proposal[];
      actions.push({ action, kind, t: start[2], proposals });
    }
    const rows = actions.map(({ kind, t, proposals: [best] }, at) => [
      String(at + 1),
      clockText(t),
      kind,
      best?.name ?? '',
      best?.box ? boxText(best.box) : '',
      best?.source ?? '',
      best ? `${Math.round(100 * best.confidence)} %` : '',
    ]);
    const table = textTable([['#', 'TIME', 'KIND', 'NAME', 'BOX', 'SOURCE', 'CHANCE'], ...rows], [0, 1, 6]);
    const some = actions.filter(({ proposals }) => proposals.length > 0).length;
    context.result(
      { recording, actions },
      actions.length === 0 ? 'No actions.' : `${table}\n\n${some} of ${actions.length} steps have a proposal.`,
    );
  });
}
