import path from 'node:path';
import { traceProgram } from '../../../../../core/evaluate/keys/run.ts';
import { CodeError } from '../../../../../core/evaluate/keys/tokens.ts';
import { type OsworldRunLine, osworldRunSchema, osworldStepSchema } from '../../../../../schemas/export-osworld.ts';
import { osworldLineSchema } from '../../../../../schemas/osworld.ts';
import { wholeText } from '../bounds.ts';
import { TASK_ID_SHAPE } from '../expected.ts';
import { filmFacts } from '../mp4.ts';
import type { PlaceReport } from '../problems.ts';
import { type CheckedFolder, eachLine } from '../reading.ts';

/** Written down from OSWorld: results/<action space>/<observation>/<model>/<domain>/<example>. */
const RUN = /^pyautogui\/screenshot\/human\/[^/]+\/[^/]+\/traj\.jsonl$/;

/** Each run by its lines, its screens, its recording and its result, and the list of them. */
export async function checkOsworld(check: CheckedFolder): Promise<Record<string, number>> {
  const { found, has, report, pictures } = check;
  const files = found.filter((name) => RUN.test(name));
  const listed = new Set<string>();
  let steps = 0;
  const lines = await eachLine(check, 'runs.jsonl', osworldRunSchema, async (row, place) => {
    const { task_id: task, folder, imported, result } = row;
    const file = `${folder}/traj.jsonl`;
    if (!TASK_ID_SHAPE.test(task)) place('TASK_ID', `"${task}" is not of the form PPT_15`);
    check.inSplit(task, place);
    if (listed.has(file)) place('ID_TWICE', `${folder} stands here a second time`);
    listed.add(file);
    if (!files.includes(file)) {
      place('FILE_MISSING', `${file} is not there`);
      return;
    }
    const run = imported ? await importedRun(check, file, task) : await madeRun(check, file, task);
    steps += run.lines;
    if (run.lines !== row.steps || run.named.size !== row.images)
      place(
        'FIGURE_WRONG',
        `${file} has ${run.lines} lines and ${run.named.size} pictures, not ${row.steps} and ${row.images}`,
      );
    if (!imported) checkFilm(check, folder, run.named.size, place);
    checkResult(check, folder, result, place);
  });
  for (const name of files) if (!listed.has(name)) report('TASK_UNKNOWN', name, '', 'runs.jsonl does not list it');
  for (const name of found) {
    if (!/\.(?:png|jpe?g|gif|webp)$/i.test(name) || !name.startsWith('pyautogui/')) continue;
    if (!pictures.named(name) && has(name)) report('IMAGE_UNUSED', name, '', 'nothing names it');
  }
  return {
    'runs.jsonl': lines,
    'pyautogui/screenshot/human/*/*/traj.jsonl': files.length,
    steps,
    images: pictures.count(),
  };
}

type Run = { lines: number; named: Set<string> };

/** The screen before the first step, by the name that it has in every run. */
async function firstScreen({ found, pictures }: CheckedFolder, file: string, named: Set<string>, place: PlaceReport) {
  const folder = path.posix.dirname(file);
  const name = found.find(
    (one) => path.posix.dirname(one) === folder && /\/(?:step_0|initial_|screenshot_0)[^/]*\.(?:png|jpe?g)$/i.test(one),
  );
  if (name === undefined) return null;
  named.add(name);
  return pictures.look(name, place);
}

/** One that came from elsewhere: its own lines, of which only the pictures are ours to answer for. */
async function importedRun(check: CheckedFolder, file: string, task: string): Promise<Run> {
  const run: Run = { lines: 0, named: new Set() };
  const place: PlaceReport = (code, message) => check.report(code, file, '', message);
  await firstScreen(check, file, run.named, place);
  const lost = check.explained('osworld/image', task);
  const last = await eachLine(check, file, osworldLineSchema, async (line, say) => {
    const name = line.screenshot_file;
    if (name == null || (lost && !check.has(inFolder(file, name)))) return;
    if (leaves(name)) say('REFERENCE_WRONG', `the picture "${name.slice(0, 200)}" lies outside of its run`);
    else {
      run.named.add(inFolder(file, name));
      await check.pictures.look(inFolder(file, name), say);
    }
  });
  return { ...run, lines: last };
}

const inFolder = (file: string, name: string): string => `${path.posix.dirname(file)}/${name}`;
const leaves = (name: string): boolean => /^(?:[/\\]|[a-z]+:)|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(name);

async function madeRun(check: CheckedFolder, file: string, task: string): Promise<Run> {
  const run: Run = { lines: 0, named: new Set() };
  const place: PlaceReport = (code, message) => check.report(code, file, '', message);
  let before = await firstScreen(check, file, run.named, place);
  if (!before) place('IMAGE_MISSING', 'the screen before its first step (step_0) is not there');
  let done = false;
  let last = '';
  run.lines = await eachLine(check, file, osworldStepSchema, async (line, say, number) => {
    if (line.step_num !== number) say('ORDER_WRONG', `its step_num is ${line.step_num}, not ${number}`);
    if (done) say('TERMINATE_WRONG', 'it stands behind DONE');
    if (line.action_timestamp < last) say('ORDER_WRONG', `${line.action_timestamp} is before ${last}`);
    if (!/^\d{8}@\d{12}$/.test(line.action_timestamp))
      say('ROW_BAD', `"${line.action_timestamp}" is no time of OSWorld`);
    last = line.action_timestamp;
    done = line.action === 'DONE';
    if (line.done !== done) say('TERMINATE_WRONG', `done is ${line.done} at ${line.action.slice(0, 40)}`);
    if (leaves(line.screenshot_file)) {
      say('REFERENCE_WRONG', `the picture "${line.screenshot_file.slice(0, 200)}" lies outside of its run`);
      return;
    }
    checkAction(line, before, say);
    const name = inFolder(file, line.screenshot_file);
    run.named.add(name);
    before = await check.pictures.look(name, say);
  });
  if (run.lines > 0 && !done && !check.explained('osworld/terminate', task))
    place('TERMINATE_WRONG', 'nothing ends it');
  return run;
}

/** Its program does nothing but keys and mouse, inside of the screen before it. */
function checkAction(
  { action }: OsworldRunLine,
  screen: { width: number; height: number } | null,
  say: PlaceReport,
): void {
  if (action === 'DONE' || action === 'WAIT') return;
  try {
    const { acts, error } = traceProgram(action, { mouseCalls: 'ignored', screen: null, pictures: 'refused' });
    if (error !== null) say('CODE_BAD', `its program would end with ${error}`);
    if (acts.length === 0) say('CODE_BAD', 'its program does nothing');
    for (const act of acts) {
      const places = act.do === 'drag' ? [act.from, act.to] : 'at' in act ? [act.at] : [];
      for (const at of places) {
        if (!at || !screen || (at[0] >= 0 && at[1] >= 0 && at[0] < screen.width && at[1] < screen.height)) continue;
        say('POSITION_OUTSIDE', `(${at.join(', ')}) lies outside of ${screen.width} x ${screen.height}`);
      }
    }
  } catch (error) {
    if (!(error instanceof CodeError)) throw error;
    say('CODE_BAD', error.message);
  }
}

function checkFilm({ dir, has }: CheckedFolder, folder: string, least: number, place: PlaceReport): void {
  const film = `${folder}/recording.mp4`;
  if (!has(film)) {
    place('MEDIA_MISSING', `${film} is not there`);
    return;
  }
  const facts = filmFacts(path.join(dir, film));
  if ('damage' in facts) place('MEDIA_DAMAGED', `${film}: ${facts.damage}`);
  else if (facts.frames < least) place('FIGURE_WRONG', `${film} has ${facts.frames} pictures, the run ${least}`);
}

function checkResult({ dir, has }: CheckedFolder, folder: string, result: string | null, place: PlaceReport): void {
  const file = `${folder}/result.txt`;
  if (has(file) !== (result !== null))
    place('FIGURE_WRONG', `${file} is ${has(file) ? '' : 'not '}there, unlike its result`);
  else if (result !== null && wholeText(dir, file) !== `${result}\n`)
    place('FIGURE_WRONG', `${file} does not say ${result.slice(0, 40)}`);
}
