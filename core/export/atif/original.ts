import { z } from 'zod';
import { imagesIn } from '../../atif/images.ts';
import { edited, memberOf, type RawEdit, type RawValue, rawValue, setMember } from '../../atif/raw.ts';
import type { ExportAction, ExportTask, LeftOut, PictureRef } from '../model.ts';
import type { NamedPicture } from '../pictures.ts';
import { ATIF, OURS, sourceOf, stepFacts, taskFacts } from './trajectory.ts';

/**
 * A run that came as ATIF goes out as it came, byte for byte: it is the record of what an agent did, which nobody rewrites. What
 * was said of it since is our member of `extra`; its pictures get this export's names.
 */

/** Names of an imported run's files in the recording's attachments/. */
export const ORIGINAL_FILE = 'atif.json';
export const STEPS_FILE = 'atif-steps.json';

/** atif-steps.json: which raw events each step of the run became, and under which name each picture was kept. */
export const atifStepsSchema = z.object({
  schema: z.literal('trajectory-studio/atif-steps'),
  version: z.literal(1),
  /** Raw indices of the first and the last event. */
  steps: z.array(z.object({ step: z.int().min(1), from: z.int().min(0), to: z.int().min(0) })),
  pictures: z.array(z.object({ path: z.string(), file: z.string() })),
});
export type AtifSteps = z.infer<typeof atifStepsSchema>;

type Original = {
  text: string;
  kept: AtifSteps;
  /** Full path of a kept picture. */
  fileOf(name: string): string;
};

export function originalRun(
  task: ExportTask,
  { text, kept, fileOf }: Original,
): { text: string; steps: number; pictures: NamedPicture[]; leftOut: LeftOut[] } {
  const whole = rawValue(text);
  const edits: RawEdit[] = [withOurs(whole, taskFacts(task))];
  const pictures: NamedPicture[] = [];
  const leftOut: LeftOut[] = [];
  const names = new Map(
    kept.pictures.map(({ path, file }, at) => [path, { file, name: `${task.id}_${at + 1}${endingOf(file)}` }]),
  );
  const used = new Set<string>();
  for (const { path: place } of imagesIn(whole)) {
    const path = String(JSON.parse(text.slice(place.from, place.to)));
    const known = names.get(path);
    if (!known) {
      const reason = `the picture "${path.slice(0, 200)}" did not come with it`;
      leftOut.push({ item: task.id, from: `${ATIF}/image`, reason });
      continue;
    }
    edits.push({ from: place.from, to: place.to, text: JSON.stringify(sourceOf(known.name).path) });
    if (used.has(known.name)) continue;
    used.add(known.name);
    const picture: PictureRef = { path: fileOf(known.file), width: 0, height: 0, origin: { x: 0, y: 0 } };
    pictures.push({ picture, name: known.name });
  }
  const steps = memberOf(whole, 'steps')?.items ?? [];
  for (const [at, facts] of said(task, kept)) {
    const step = steps[at - 1];
    if (step) edits.push(withOurs(step, facts));
  }
  return { text: edited(text, edits), steps: steps.length, pictures, leftOut };
}

/** What we say of each step, by its number; one that was several actions has a list of them. */
function said({ subtasks }: ExportTask, kept: AtifSteps): Map<number, Record<string, unknown>> {
  const found = new Map<number, Record<string, unknown>[]>();
  for (const subtask of subtasks) {
    for (const exported of subtask.actions) {
      const event = eventOf(exported);
      const of = kept.steps.find(({ from, to }) => event >= from && event <= to);
      if (of) found.set(of.step, [...(found.get(of.step) ?? []), stepFacts(subtask, exported)]);
    }
  }
  // A step that became actions of which none is left was taken out by a person.
  for (const { step } of kept.steps) if (!found.has(step)) found.set(step, [{ removed: true }]);
  return new Map([...found].map(([step, facts]) => [step, facts.length === 1 ? facts[0]! : { actions: facts }]));
}

/** The raw index in an action's id, `<recording>:<index>` and `<recording>:<index>s` (A16). */
const eventOf = ({ id }: ExportAction): number => Number.parseInt(id.slice(id.lastIndexOf(':') + 1), 10);

const endingOf = (file: string): string => /\.[a-z]+$/.exec(file)?.[0] ?? '.png';

function withOurs(value: RawValue, facts: object): RawEdit {
  const extra = memberOf(value, 'extra');
  const json = JSON.stringify(facts);
  // null stands for none.
  if (!extra?.members) return setMember(value, 'extra', `{"${OURS}": ${json}}`);
  return setMember(extra, OURS, json);
}
