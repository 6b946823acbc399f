import {
  type AgentnetBench,
  agentnetBenchSchema,
  agentnetLineSchema,
  type BenchAction,
  type OpencuaContent,
  opencuaLineSchema,
} from '../../../../../schemas/export-trajectories.ts';
import { checkCall, checkCode, checkPlace, checkTermination, type ReadCall } from '../calls.ts';
import { TASK_ID_SHAPE } from '../expected.ts';
import type { PlaceReport } from '../problems.ts';
import { type CheckedFolder, checkUnused, eachLine, readJson } from '../reading.ts';

type Size = { width: number; height: number };

/** A task's id has its form and comes once. */
function taskIds({ inSplit }: CheckedFolder): (id: string, place: PlaceReport) => void {
  const seen = new Set<string>();
  return (id, place) => {
    if (!TASK_ID_SHAPE.test(id)) place('TASK_ID', `"${id}" is not of the form PPT_15`);
    if (seen.has(id)) place('ID_TWICE', `${id} stands here a second time`);
    seen.add(id);
    inSplit(id, place);
  };
}

export async function checkAgentnet(check: CheckedFolder): Promise<Record<string, number>> {
  const checkId = taskIds(check);
  let steps = 0;
  const lines = await eachLine(check, 'agentnet.jsonl', agentnetLineSchema, async (line, place) => {
    checkId(line.task_id, place);
    const calls: ReadCall[][] = [];
    for (const [index, step] of line.traj.entries()) {
      const at = within(place, `step ${step.index}`);
      if (step.index !== index) at('RANK_GAP', `it is step ${index} of the line`);
      const size = await check.pictures.look(`images/${step.image}`, at);
      calls.push(checkCode(step.value.code, size, at));
    }
    checkTermination(calls, check.explained('agentnet/terminate', line.task_id), within(place, line.task_id));
    steps += line.traj.length;
  });
  checkUnused(check, 'images');
  return { 'agentnet.jsonl': lines, steps, images: check.pictures.count() };
}

export async function checkOpencua(check: CheckedFolder): Promise<Record<string, number>> {
  const checkId = taskIds(check);
  let steps = 0;
  const lines = await eachLine(check, 'opencua.jsonl', opencuaLineSchema, async (line, place) => {
    checkId(line.task_id, place);
    checkOrder(line.content, place);
    const calls: ReadCall[][] = [];
    let size: Size | null = null;
    for (const [index, item] of line.content.entries()) {
      const at = within(place, `content ${index}`);
      if (item.class_ === 'image_observation') {
        if (item.content !== `images/${item.filename}`)
          at('REFERENCE_WRONG', `${item.content} is not ${item.filename}`);
        size = await check.pictures.look(item.content, at);
      } else if (item.class_ === 'gui_action') {
        steps++;
        calls.push(item.guiactions.map(({ action_type, args }) => ({ name: action_type, args: argsOf(args) })));
        for (const action of item.guiactions) {
          checkCall(action.action_type, argsOf(action.args), size, at);
          if (action.target) checkTarget(action.target, size, at);
        }
      }
    }
    checkTermination(calls, check.explained('opencua/terminate', line.task_id), place);
  });
  checkUnused(check, 'images');
  return { 'opencua.jsonl': lines, steps, images: check.pictures.count() };
}

/** Those that a call has. */
const argsOf = (args: object): ReadCall['args'] =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

/** The form of the answers, screen, instruction, action; then screen and action in turn. */
function checkOrder(content: readonly OpencuaContent[], place: PlaceReport): void {
  const classes = content.map(({ class_ }) => class_);
  const expected = classes.map((_, index) => {
    if (index === 0 || index === 2) return 'text_observation';
    return index === 1 || index % 2 === 0 ? 'image_observation' : 'gui_action';
  });
  const wrong = classes.findIndex((each, index) => each !== expected[index]);
  if (wrong >= 0) place('ORDER_WRONG', `content ${wrong} is a ${classes[wrong]}, expected a ${expected[wrong]}`);
  else if (classes.at(-1) !== 'gui_action') place('ORDER_WRONG', 'the last screen has no action');
}

type Target = NonNullable<Extract<OpencuaContent, { class_: 'gui_action' }>['guiactions'][number]['target']>;

function checkTarget({ bbox, pixel_bbox, image_size }: Target, size: Size | null, place: PlaceReport): void {
  const [width, height] = image_size;
  if (size && (size.width !== width || size.height !== height)) {
    place('SIZE_WRONG', `image_size is ${width} x ${height}, the picture ${size.width} x ${size.height}`);
  }
  const [left, top, right, bottom] = pixel_bbox;
  if (left >= right || top >= bottom || right > width || bottom > height) {
    place('BOX_OUTSIDE', `pixel_bbox ${pixel_bbox.join(', ')} does not lie in ${width} x ${height}`);
  }
  const pixels = [bbox[0] * width, bbox[1] * height, bbox[2] * width, bbox[3] * height];
  if (pixels.some((value, index) => Math.abs(value - pixel_bbox[index]!) > 0.01)) {
    place('BOX_WRONG', `bbox ${bbox.join(', ')} is not pixel_bbox ${pixel_bbox.join(', ')}`);
  }
}

export async function checkAgentnetBench(check: CheckedFolder): Promise<Record<string, number>> {
  const checkId = taskIds(check);
  let steps = 0;
  const files = check.found.filter((name) => /^data\/[^/]+\.json$/.test(name));
  for (const name of files) {
    const file = await readJson(check, name, agentnetBenchSchema);
    if (!file) continue;
    const place: PlaceReport = (code, message) => check.report(code, name, '', message);
    checkId(file.task_id, place);
    if (name !== `data/${file.task_id}.json`) place('TASK_ID', `the file should be called ${file.task_id}.json`);
    steps += file.steps.length;
    const calls: ReadCall[][] = [];
    for (const [index, step] of file.steps.entries()) {
      const at = within(place, `step ${step.step_num}`);
      if (step.step_num !== index) at('RANK_GAP', `it is step ${index} of the file`);
      const size = await check.pictures.look(`data/images/${step.image}`, at);
      const read = checkCode(step.action, size, at);
      calls.push(read);
      checkTruth(step.ground_truth_actions, read, size, at);
    }
    checkTermination(calls, check.explained('agentnetbench/terminate', file.task_id), place);
    checkFigures(file, place);
  }
  checkUnused(check, 'data/images');
  return { 'data/*.json': files.length, steps, images: check.pictures.count() };
}

/** The ground truth says what the code says, and its boxes are in the picture. */
function checkTruth(
  truth: readonly BenchAction[],
  code: readonly ReadCall[],
  size: Size | null,
  at: PlaceReport,
): void {
  if (truth.map(({ type }) => type).join() !== code.map(({ name }) => name).join()) {
    at(
      'CODE_DIFFERS',
      `the ground truth is ${truth.map(({ type }) => type)}, the code ${code.map(({ name }) => name)}`,
    );
    return;
  }
  for (const [index, { type, params, metadata }] of truth.entries()) {
    const { args } = code[index]!;
    const { position } = params;
    if (position) checkPlace(position.x, position.y, size, at);
    const times = typeof args.presses === 'number' ? args.presses : 1;
    const keys = Array.isArray(args.keys) ? Array.from({ length: times }, () => args.keys).flat() : undefined;
    const same =
      (args.x === undefined || (args.x === position?.x && args.y === position?.y)) &&
      params.text === args.message &&
      params.amount === args.clicks &&
      params.keys?.join() === keys?.join() &&
      params.status === args.status;
    if (!same) at('CODE_DIFFERS', `${type} is ${JSON.stringify(params)} here and ${JSON.stringify(args)} in the code`);
    for (const box of metadata.bboxes ?? []) checkBox(box, size, at);
  }
}

type BenchBox = NonNullable<BenchAction['metadata']['bboxes']>[number];

function checkBox({ rel_bbox, abs_bbox, area }: BenchBox, size: Size | null, at: PlaceReport): void {
  const [left, top, width, height] = abs_bbox;
  if (Math.abs(area - width * height) > 0.01) at('FIGURE_WRONG', `the area of ${width} x ${height} is not ${area}`);
  if (!size) return;
  if (width <= 0 || height <= 0 || left + width > size.width || top + height > size.height) {
    at('BOX_OUTSIDE', `abs_bbox ${abs_bbox.join(', ')} does not lie in ${size.width} x ${size.height}`);
  }
  const pixels = rel_bbox.map((value, index) => value * (index % 2 === 0 ? size.width : size.height));
  if (pixels.some((value, index) => Math.abs(value - abs_bbox[index]!) > 0.01)) {
    at('BOX_WRONG', `rel_bbox ${rel_bbox.join(', ')} is not abs_bbox ${abs_bbox.join(', ')}`);
  }
}

function checkFigures(
  { steps, meta_info: { action_frequency, action_entropy } }: AgentnetBench,
  at: PlaceReport,
): void {
  const types = steps.flatMap((step) => step.ground_truth_actions.map(({ type }) => type));
  let bits = 0;
  for (const [type, of] of Map.groupBy(types, (each) => each)) {
    const share = of.length / types.length;
    bits -= share * Math.log2(share);
    if (action_frequency[type] !== of.length)
      at('FIGURE_WRONG', `there are ${of.length} ${type}, not ${action_frequency[type]}`);
  }
  if (Math.abs(bits - action_entropy) > 0.0001)
    at('FIGURE_WRONG', `action_entropy is ${bits.toFixed(4)}, not ${action_entropy}`);
}

/** A place inside of another: messages say which step. */
function within(place: PlaceReport, where: string): PlaceReport {
  return (code, message) => place(code, `${where}: ${message}`);
}
