import { plural } from '../words.ts';
import type { FormatName } from './formats.ts';
import type { ExportAction, ExportTask, LeftOut } from './model.ts';
import { highPlanRefusal } from './videogui/rows.ts';

/**
 * The content of a task beside its subtasks and actions, and the formats without a place for it. Nothing is dropped in silence:
 * what a format cannot hold is in `leftOut`, a line a task and kind, under `<format>/<what>`.
 */
type Holding =
  | 'source'
  | 'answer'
  | 'files'
  | 'query'
  | 'kind'
  | 'box'
  | 'drag'
  | 'end-box'
  | 'thought'
  | 'observation'
  | 'judgement'
  | 'error'
  | 'whose'
  | 'marks';

const ALL: readonly Holding[] = [
  ...(['source', 'answer', 'files', 'query', 'kind'] as const),
  ...(['drag', 'end-box', 'thought', 'observation', 'judgement', 'whose', 'marks'] as const),
];
const but = (...placed: Holding[]): Holding[] => ALL.filter((each) => !placed.includes(each));

/** The content that each format has no place for. VideoGUI's and ms-swift's parts are listed below. */
const LACKS: Readonly<Record<Exclude<FormatName, 'videogui' | 'ms-swift'>, readonly Holding[]>> = {
  // It says whether a step was right and needed, not which error it was.
  agentnet: [...but('thought', 'observation', 'judgement'), 'box', 'error'],
  opencua: but('thought', 'end-box'),
  agentnetbench: but('thought', 'end-box'),
  // Of a visual query that is a video its writer says so.
  atif: ['files'],
  osworld: ['files', 'query'],
  'cua-verifier-bench': ['files', 'query'],
  llamafactory: [...but('thought'), 'box'],
  screenspot: ALL,
  'screenspot-pro': ALL,
  coco: but('end-box', 'drag'),
  webdataset: but('source', 'answer', 'kind', 'drag', 'end-box', 'thought', 'observation'),
  lerobot: [...but('thought'), 'box'],
  videocua: [...but('thought'), 'box'],
  groundcua: ALL,
  imagefolder: but('source', 'answer', 'kind', 'drag', 'end-box', 'thought', 'observation'),
};

/** The content that each part of ms-swift can hold. */
const SWIFT_PLACES: Readonly<Record<string, readonly Holding[]>> = {
  messages: ['thought'],
  trajectory: ['answer', 'thought', 'observation'],
  grounding: [],
  candidates: ['thought'],
  pairs: ['thought'],
};

/** Parts that hold runs of models alone. */
const OF_RUNS: readonly string[] = ['candidates', 'pairs'];

/** The content of a task without a place in a format (in these of its parts), and what the format would need of it. */
export function unplaced(task: ExportTask, format: FormatName, parts: readonly string[]): LeftOut[] {
  return [...withoutPlace(task, format, parts), ...pixelNarrations(task, format, parts)];
}

/** Narrations go out as training text or as questions: those that say pixels go out too, and are counted. */
function pixelNarrations(task: ExportTask, format: FormatName, parts: readonly string[]): LeftOut[] {
  // Its grounding names elements alone.
  if (format === 'ms-swift' && !parts.some((part) => part !== 'grounding')) return [];
  const count = task.subtasks.reduce((sum, { actions }) => sum + actions.filter(({ pixels }) => pixels).length, 0);
  if (count === 0) return [];
  const reason = `${plural(count, 'narration says', 'narrations say')} pixels: nobody named the element, or where a drag ends`;
  return [{ item: task.id, from: `${format}/pixels`, reason }];
}

function withoutPlace(task: ExportTask, format: FormatName, parts: readonly string[]): LeftOut[] {
  if (format === 'ms-swift') {
    const boxes = parts.includes('grounding') ? [] : (['box'] as const);
    const own = parts.filter((part) => task.run !== undefined || !OF_RUNS.includes(part));
    return linesOf(task, format, [...but(...own.flatMap((part) => SWIFT_PLACES[part] ?? [])), ...boxes]);
  }
  if (format !== 'videogui') return linesOf(task, format, LACKS[format]);
  if (!parts.includes('parquet')) return linesOf(task, format, ['marks']);
  // The columns are the published ones and, for the task as a whole, ours behind them: these stand in its row.
  const ofTask = highPlanRefusal(task) === null ? [] : (['source', 'answer', 'files', 'query'] as const);
  return [
    ...linesOf(task, format, ['marks']),
    ...linesOf(task, 'VideoGUI-High-Plan', ofTask),
    ...linesOf(task, 'VideoGUI-Action', ['drag', 'end-box', 'thought', 'observation', 'judgement', 'whose']),
  ];
}

function linesOf(task: ExportTask, from: string, lacks: readonly Holding[]): LeftOut[] {
  return lacks.flatMap((holding) => {
    const held = HELD[holding](task);
    return held === null ? [] : [{ item: task.id, from: `${from}/${holding}`, reason: `no place for ${held}` }];
  });
}

/** In words; null when the task holds none. */
const HELD: Readonly<Record<Holding, (task: ExportTask) => string | null>> = {
  source: ({ source }) => source && 'the link to its source video',
  answer: ({ answer }) => answer && 'its answer',
  files: ({ attachments = [] }) => {
    if (attachments.length === 0) return null;
    const roles = [...Map.groupBy(attachments, ({ role = 'recording' }) => role)].map(
      ([role, of]) => `${of.length} ${role}`,
    );
    return `files kept with it: ${roles.sort().join(', ')}`;
  },
  query: ({ visualQuery: { start, end } }) => {
    const given = [...(start?.given ? ['start'] : []), ...(end?.given ? ['end'] : [])];
    return given.length === 0 ? null : `the visual query as it was given: ${given.join(' and ')}`;
  },
  kind: ({ kind }) => (kind === 'simple' ? 'that it is a simple task' : null),
  box: (task) => counted(task, 'the box of an element', ({ element }) => Boolean(element?.box)),
  drag: (task) => counted(task, 'what was said of a drag', ({ drag }) => isSaid(drag)),
  'end-box': (task) => counted(task, 'the box where a drag ends', ({ drag }) => Boolean(drag?.endBox)),
  thought: (task) => counted(task, 'the thought of a step', (one) => Boolean(one.thought || one.actionThought)),
  observation: (task) => counted(task, 'the observation of a step', ({ observation }) => Boolean(observation)),
  judgement: (task) => counted(task, 'what judges say of a step', ({ judged }) => judged !== undefined),
  whose: ({ run, subtasks }) => {
    if (!run) return null;
    const steps = subtasks.flatMap(({ actions }) => actions);
    const person = steps.filter(({ by }) => by === 'person').length;
    return `that it is a model's run, and whose its steps are (${person} of ${steps.length} a person's): manifest.json says it`;
  },
  marks: ({ marks = [] }) =>
    marks.length === 0
      ? null
      : plural(marks.length, 'mark that was made while recording', 'marks that were made while recording'),
  error: (task) =>
    counted(task, 'the kind of an error, and whether it was made good', ({ judged }) => judged?.wrong === true),
};

const isSaid = (drag: ExportAction['drag']): boolean =>
  Boolean(drag && (drag.startName || drag.endName || drag.purpose || drag.kind));

function counted({ subtasks }: ExportTask, what: string, has: (action: ExportAction) => boolean): string | null {
  const count = subtasks.reduce((sum, { actions }) => sum + actions.filter(has).length, 0);
  return count === 0 ? null : `${what} (${count} of them)`;
}
