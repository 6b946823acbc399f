import { imagesIn } from '../../../../../core/atif/images.ts';
import { rawValue } from '../../../../../core/atif/raw.ts';
import { readAtif } from '../../../../../core/atif/rules.ts';
import { parseShallow } from '../../../../../core/json-depth.ts';
import { whyNot } from '../../../../../schemas/errors.ts';
import { atifRunSchema } from '../../../../../schemas/export-atif.ts';
import { wholeText } from '../bounds.ts';
import { TASK_ID_SHAPE } from '../expected.ts';
import type { PlaceReport } from '../problems.ts';
import { type CheckedFolder, checkUnused, eachLine } from '../reading.ts';

const FOLDER = 'trajectories';
const IMAGES = `${FOLDER}/images`;

/** Each run by its fields and the rules of ATIF (Harbor's own models), its pictures, and the list of them. */
export async function checkAtif(check: CheckedFolder): Promise<Record<string, number>> {
  const { found, report } = check;
  const files = found.filter((name) => /^trajectories\/[^/]+\.json$/.test(name));
  const read = new Map<string, { steps: number; images: number }>();
  for (const name of files) {
    const run = await checkRun(check, name);
    if (run) read.set(name, run);
  }
  const listed = new Set<string>();
  const lines = await eachLine(check, 'runs.jsonl', atifRunSchema, async (line, place) => {
    if (!TASK_ID_SHAPE.test(line.task_id)) place('TASK_ID', `"${line.task_id}" is not of the form PPT_15`);
    if (line.file !== `${FOLDER}/${line.task_id}.json`)
      place('TASK_ID', `${line.file} should be called ${line.task_id}.json`);
    if (listed.has(line.file)) place('ID_TWICE', `${line.file} stands here a second time`);
    listed.add(line.file);
    check.inSplit(line.task_id, place);
    const run = read.get(line.file);
    if (!files.includes(line.file)) place('FILE_MISSING', `${line.file} is not there`);
    else if (run && (run.steps !== line.steps || run.images !== line.images)) {
      place(
        'FIGURE_WRONG',
        `${line.file} has ${run.steps} steps and ${run.images} pictures, not ${line.steps} and ${line.images}`,
      );
    }
  });
  for (const name of files) if (!listed.has(name)) report('TASK_UNKNOWN', name, '', 'runs.jsonl does not list it');
  checkUnused(check, IMAGES);
  const steps = [...read.values()].reduce((sum, run) => sum + run.steps, 0);
  return { 'runs.jsonl': lines, 'trajectories/*.json': files.length, steps, images: check.pictures.count() };
}

async function checkRun(check: CheckedFolder, name: string): Promise<{ steps: number; images: number } | null> {
  const { dir, report, explained, pictures } = check;
  let text: string;
  let value: unknown;
  try {
    text = wholeText(dir, name);
    value = parseShallow(text);
  } catch (error) {
    report('JSON_BAD', name, '', whyNot(error));
    return null;
  }
  const result = readAtif(value);
  if ('problems' in result) {
    for (const { where, why } of result.problems.slice(0, 5)) report('ROW_BAD', name, where, why);
    return null;
  }
  const task = name.slice(FOLDER.length + 1, -'.json'.length);
  const named = new Set<string>();
  const lost = explained('atif/image', task);
  const look = async (image: string, place: PlaceReport): Promise<void> => {
    // What an imported run names and did not bring is in the manifest.
    if (lost && !check.has(`${FOLDER}/${image}`)) return;
    if (/^(?:[/\\]|[a-z]+:)|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(image)) {
      place('REFERENCE_WRONG', `the picture "${image.slice(0, 200)}" lies outside of the export`);
      return;
    }
    named.add(image);
    await pictures.look(`${FOLDER}/${image}`, place);
  };
  for (const { path, step } of imagesIn(rawValue(text))) {
    const place: PlaceReport = (code, message) =>
      report(code, name, step === 0 ? 'a subagent' : `step ${step}`, message);
    await look(String(JSON.parse(text.slice(path.from, path.to))), place);
  }
  for (const [at, { extra }] of result.run.steps.entries()) {
    const before: unknown = Object(extra?.trajectory_studio).screen_before;
    if (typeof before === 'string')
      await look(before, (code, message) => report(code, name, `step ${at + 1}`, message));
  }
  return { steps: result.run.steps.length, images: named.size };
}
