import { statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type AtifSteps, ORIGINAL_FILE, STEPS_FILE } from '../../../core/export/atif/original.ts';
import { plural } from '../../../core/words.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Imported } from '../land.ts';
import { type ForeignRun, landRun, type RunOptions } from '../land-run.ts';
import { LIMITS } from '../limits.ts';
import { atifIn } from '../what-is-it.ts';
import { type FoundRun, readAtifRun } from './read.ts';

/**
 * Takes an agent's run in ATIF as a recording. The run's own text and pictures are kept as they are, so that an export as ATIF gives
 * them back. Throws as landRecording.
 */
export function importAtif(workspace: Workspace, source: string, options: RunOptions): Promise<Imported> {
  const file = statSync(source).isDirectory() ? (atifIn(source) ?? source) : source;
  const found = readAtifRun(file, options.limits ?? LIMITS);
  return landRun(workspace, source, options, async () => runOf(found, file));
}

function runOf({ text, run, screen, pictures }: FoundRun, file: string): ForeignRun {
  const said = run.steps.find(({ timestamp }) => timestamp != null)?.timestamp;
  const unseen = `${plural(screen.unseen, 'step')} of the agent without a screen: kept in attachments/${ORIGINAL_FILE}`;
  return {
    form: 'atif',
    text,
    name: `${basename(file)} (${run.agent.name})`,
    goal: screen.goal,
    steps: screen.steps,
    places: screen.steps.map(({ step }) => `step ${step}`),
    shown: screen.pictures,
    files: pictures,
    startedAt: said == null ? statSync(file).mtime : new Date(said),
    isGuess: said == null,
    lost: screen.unseen > 0 ? [unseen] : [],
    guessed: [],
    keep(folder, kept, spans) {
      writeFileSync(join(folder, ORIGINAL_FILE), text);
      const steps: AtifSteps = {
        schema: 'trajectory-studio/atif-steps',
        version: 1,
        steps: spans.map(({ from, to }, at) => ({ step: screen.steps[at]!.step, from, to })),
        pictures: kept,
      };
      writeFileSync(join(folder, STEPS_FILE), `${JSON.stringify(steps, null, 1)}\n`);
    },
  };
}
