import { plural } from '../../../core/words.ts';
import { ERROR_EXIT, StudioError } from '../../../schemas/errors.ts';
import type { WrittenSkill } from '../../datasets/export/skill.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import type { CliContext } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { inWorkspace } from '../within.ts';

/** `export skill` and `validate skill`: demonstrations as skills for agents. */

type Options = { workspace: string; out: string; all?: boolean; name?: string };

export async function exportSkill(which: readonly string[], options: Options, context: CliContext): Promise<void> {
  const { runSkills } = await import('../../datasets/export/exports.ts');
  await inWorkspace(options.workspace, async (workspace) => {
    await workspace.syncIndex();
    const all = await workspace.listRecordings();
    const approved = all.filter(({ state }) => options.all === true || state === 'approved');
    const wanted = which.length === 0 ? approved : which.flatMap((one) => named(one, all));
    if (wanted.length === 0) {
      throw new StudioError(
        'NOTHING_TO_EXPORT',
        'No recording is approved. Name recordings or tasks, or give --all for recordings of every state.',
        {},
      );
    }
    const skills = await untilStopped((signal) =>
      runSkills(workspace, options.out, {
        recordings: wanted.map(({ id }) => id),
        name: options.name,
        progress: context.progress,
        signal,
      }),
    );
    context.result({ out: options.out, skills }, skills.map((one) => textOf(one, options.out)).join('\n'));
  });
}

/** Recordings by the beginning of an id, or all of a task, the newest first. Throws UNKNOWN_RECORDING. */
function named(text: string, all: readonly RecordingEntry[]): RecordingEntry[] {
  const ofTask = all.filter(({ task }) => task === text);
  if (ofTask.length > 0) return ofTask;
  const found = all.filter(({ id }) => id.startsWith(text));
  if (found.length === 1) return found;
  throw new StudioError(
    'UNKNOWN_RECORDING',
    found.length === 0
      ? `There is no recording or task "${text}". \`recordings\` lists them.`
      : `"${text}" begins the ids of ${plural(found.length, 'recording')}: write more of it.`,
    { recording: text },
  );
}

function textOf({ name, task, steps, inputs, leftOut, pictures, proof, withheld }: WrittenSkill, out: string): string {
  return [
    `Wrote ${out}/${name} of ${task}: ${plural(steps, 'step')}, ${plural(pictures, 'picture')}, ${proof}.`,
    `  inputs: ${inputs.map((one) => `${one.name} (${one.kind})`).join(', ') || 'none were found'}`,
    ...(leftOut > 0 ? [`  left out: ${plural(leftOut, 'step')} that came to nothing`] : []),
    ...withheld.map((why) => `  ${why}`),
    `Check it: npm run studio -- validate skill ${out}`,
  ].join('\n');
}

export async function validateSkill(dir: string, context: CliContext): Promise<void> {
  const { validateSkills } = await import('../../datasets/export/validate/skill.ts');
  const validation = validateSkills(dir);
  const { ok, skills, problems } = validation;
  const lines = [
    ...problems.map(({ file, message }) => `${file}: ${message}`),
    ok ? `${dir} is sound: ${plural(skills, 'skill')}.` : `${plural(problems.length, 'problem')} in ${dir}.`,
  ];
  context.result(validation, lines.join('\n'));
  if (!ok) context.setStatus(ERROR_EXIT.INVALID_EXPORT);
}
