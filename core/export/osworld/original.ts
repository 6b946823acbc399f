import { z } from 'zod';
import { edited, rawValue, setMember } from '../../atif/raw.ts';
import { OURS, stepFacts, taskFacts } from '../atif/trajectory.ts';
import { folderName } from '../file-names.ts';
import type { ExportTask, LeftOut } from '../model.ts';
import type { NamedPicture } from '../pictures.ts';
import { FIRST_SCREEN, OSWORLD } from './run.ts';

/** A run that came as OSWorld's goes out with its own lines, byte for byte, and its own pictures; what was said of it since is ours. */

/** Names of an imported run's files in the recording's attachments/. */
export const ORIGINAL_TRAJ = 'osworld-traj.jsonl';
export const OSWORLD_STEPS = 'osworld-steps.json';

export const osworldStepsSchema = z.object({
  schema: z.literal('trajectory-studio/osworld-steps'),
  version: z.literal(1),
  /** What result.txt said; null: there was none. */
  result: z.string().max(10_000).nullable(),
  /** `lines`: from 1; `from`, `to`: raw indices of the first and the last event. */
  steps: z.array(
    z.object({
      lines: z.object({ from: z.int().min(1), to: z.int().min(1) }),
      from: z.int().min(0),
      to: z.int().min(0),
    }),
  ),
  pictures: z.array(z.object({ path: z.string(), file: z.string() })),
});
export type OsworldSteps = z.infer<typeof osworldStepsSchema>;

type Original = { text: string; kept: OsworldSteps; fileOf(name: string): string };

export type OriginalRun = {
  text: string;
  steps: number;
  pictures: NamedPicture[];
  /** The pictures in the order of its lines. */
  shown: NamedPicture[];
  result: string | null;
  leftOut: LeftOut[];
};

/** Its lines, each with our member. `fileOf`: full path of a kept picture. */
export function originalOsworld(task: ExportTask, { text, kept, fileOf }: Original): OriginalRun {
  const leftOut: LeftOut[] = [];
  const files = new Map(kept.pictures.map(({ path, file }) => [path, file]));
  const named = new Map<string, NamedPicture>();
  const shown: NamedPicture[] = [];
  const show = (path: string, name: string): void => {
    const file = files.get(path);
    if (file === undefined) return;
    const picture = { path: fileOf(file), width: 0, height: 0, origin: { x: 0, y: 0 } };
    const known = named.get(path) ?? { picture, name };
    named.set(path, known);
    shown.push(known);
  };
  const rows = text.split('\n');
  const own = rows.map((row) => namesIn(row));
  // The screen before the first step: a file of its own, or the first picture of its recording.
  const first = kept.pictures.find(({ path }) => !own.includes(path));
  if (first) show(first.path, isPicture(first.path) ? first.path : `${FIRST_SCREEN}.png`);
  const said = saidOf(task, kept);
  let line = 0;
  const lines = rows.map((row, at): string => {
    if (row.trim() === '') return row;
    line++;
    const name = own[at];
    if (name != null && files.has(name) && isPicture(name)) show(name, name);
    else if (name != null) {
      const reason = `the picture "${name.slice(0, 200)}" did not come with it`;
      leftOut.push({ item: task.id, from: `${OSWORLD}/image`, reason });
    }
    const run = line === 1 ? { run: { instruction: task.goal, ...taskFacts(task) } } : {};
    const facts = { ...said.get(line), ...run };
    return Object.keys(facts).length === 0 ? row : withOurs(row, facts);
  });
  return { text: lines.join('\n'), steps: line, pictures: [...named.values()], shown, result: kept.result, leftOut };
}

/** A picture's place in the run's own folder: what was imported was looked at, and may have been changed since. */
const isPicture = (name: string): boolean =>
  /\.(?:png|jpe?g|gif|webp)$/i.test(name) && name.split('/').every((part) => part !== '' && folderName(part) === part);

/** The picture that a line names; null where it names none, or is no line. */
function namesIn(row: string): string | null {
  try {
    const { screenshot_file: name } = Object(JSON.parse(row));
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

function withOurs(row: string, facts: object): string {
  try {
    const whole = rawValue(row);
    return whole.members === null ? row : edited(row, [setMember(whole, OURS, JSON.stringify(facts))]);
  } catch {
    return row; // Its last line may be torn; it goes out as it came.
  }
}

/** What we say of each step, at its first line. */
function saidOf({ subtasks }: ExportTask, kept: OsworldSteps): Map<number, Record<string, unknown>> {
  const found = new Map<number, Record<string, unknown>[]>();
  for (const subtask of subtasks) {
    for (const exported of subtask.actions) {
      const event = Number.parseInt(exported.id.slice(exported.id.lastIndexOf(':') + 1), 10);
      const of = kept.steps.find(({ from, to }) => event >= from && event <= to);
      if (of) found.set(of.lines.from, [...(found.get(of.lines.from) ?? []), stepFacts(subtask, exported)]);
    }
  }
  for (const { lines } of kept.steps) if (!found.has(lines.from)) found.set(lines.from, [{ removed: true }]);
  return new Map(
    [...found].map(([line, [facts = {}, ...more]]) => [
      line,
      more.length === 0 ? facts : { ...facts, actions: [facts, ...more] },
    ]),
  );
}
