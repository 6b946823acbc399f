import { ATIF_VERSION, type Atif, type AtifPart, type AtifStep } from '../../../schemas/export-atif.ts';
import { type ExportAction, type ExportSubtask, type ExportTask, itemName, type LeftOut } from '../model.ts';
import { type NamedPicture, pictureNames, stillName } from '../pictures.ts';
import { NO_PICTURE } from '../pyautogui/calls.ts';
import { thoughtsOf } from '../trajectories/steps.ts';
import { computerActions } from './computer.ts';

export const ATIF = 'atif';
/** Our member of each `extra`. */
export const OURS = 'trajectory_studio';
/** The tool's name, as OpenAI has it. */
const TOOL = 'computer';

export type AtifRun = {
  /** Null when nothing can stand in it. */
  file: Atif | null;
  pictures: NamedPicture[];
  leftOut: LeftOut[];
};

/**
 * A task as a run of ATIF: the goal and the first screen as the user's step, then an agent's step an action, with what was
 * done as a call of `computer` and the screen after it as its observation. What the format has no field for is our member of
 * `extra`.
 */
export function atifOf(task: ExportTask): AtifRun {
  const names = pictureNames();
  const leftOut: LeftOut[] = [];
  if (!task.goal.trim()) {
    const reason = 'it has no goal, so there is no instruction';
    return { file: null, pictures: [], leftOut: [{ item: task.id, from: ATIF, reason }] };
  }
  const image = (name: string): AtifPart => ({ type: 'image', source: sourceOf(name) });
  const query = queryPictures(task, names, leftOut);
  const asked: AtifPart[] = [{ type: 'text', text: task.goal }, ...query.map(image)];
  const steps: AtifStep[] = [{ step_id: 1, source: 'user', message: asked }];
  for (const subtask of task.subtasks.toSorted((a, b) => a.id - b.id)) {
    for (const exported of subtask.actions.toSorted((a, b) => a.rank - b.rank)) {
      const item = itemName(task.id, subtask.id, exported.rank);
      const { beforeImage, afterImage } = exported;
      if (!beforeImage) {
        leftOut.push({ item, from: ATIF, reason: NO_PICTURE });
        continue;
      }
      const made = computerActions(exported);
      if ('reason' in made) leftOut.push({ item, from: `${ATIF}/call`, reason: made.reason });
      const place = (role: 'before' | 'after') => stillName(task.id, subtask.id, exported.rank, role);
      const before = names.nameOf(beforeImage, place('before'));
      const after = afterImage && names.nameOf(afterImage, place('after'));
      // No observation comes before the first step: its screen is the last picture of what was asked.
      if (steps.length === 1) asked.push(image(before));
      const id = `call_${steps.length + 1}`;
      const seen: AtifPart[] = [
        ...(exported.observation?.trim() ? [{ type: 'text' as const, text: exported.observation }] : []),
        ...(after ? [image(after)] : []),
      ];
      const result = { ...('actions' in made && { source_call_id: id }), content: seen };
      const thoughts = thoughtsOf(exported);
      steps.push({
        step_id: steps.length + 1,
        ...timeOf(task, exported),
        source: 'agent',
        ...(task.run && exported.by === 'agent' && { model_name: task.run.model }),
        message: exported.narration,
        ...(thoughts && { reasoning_content: thoughts }),
        ...('actions' in made && {
          tool_calls: [{ tool_call_id: id, function_name: TOOL, arguments: { actions: made.actions } }],
        }),
        ...(seen.length > 0 && { observation: { results: [result] } }),
        // A person's step asked no model; with reasoning beside it the format does not let that be said (see docs/formats/atif.md).
        ...(thoughts === null && exported.by !== 'agent' && { llm_call_count: 0 }),
        extra: { [OURS]: { ...stepFacts(subtask, exported), screen_before: `${FOLDER}/${before}` } },
      });
    }
  }
  if (steps.length === 1) return { file: null, pictures: [], leftOut };
  const [recording] = task.recordings;
  const file: Atif = {
    schema_version: ATIF_VERSION,
    session_id: recording?.id ?? task.id,
    trajectory_id: task.id,
    agent: { ...agentOf(task), version: '1', tool_definitions: [toolOf(task)] },
    steps,
    final_metrics: { total_steps: steps.length },
    extra: { [OURS]: taskFacts(task) },
  };
  return { file, pictures: names.all(), leftOut };
}

const agentOf = ({ run }: ExportTask): { name: string; model_name?: string } =>
  run ? { name: run.agent, model_name: run.model } : { name: 'human' };

/** Pictures lie in it, beside the runs' files. */
export const FOLDER = 'images';
export const sourceOf = (name: string) => ({
  media_type: /\.jpe?g$/.test(name) ? ('image/jpeg' as const) : ('image/png' as const),
  path: `${FOLDER}/${name}`,
});

/** The visual query as pictures; of one that was given as a video the manifest says so. */
function queryPictures(task: ExportTask, names: ReturnType<typeof pictureNames>, leftOut: LeftOut[]): string[] {
  const found: string[] = [];
  for (const role of ['start', 'end'] as const) {
    const media = task.visualQuery[role];
    if (!media?.given) continue;
    const { ending } = media.given;
    if (!/^\.(?:png|jpe?g)$/.test(ending)) {
      const reason = `no place for the visual query's ${role}, which is a ${ending} file`;
      leftOut.push({ item: task.id, from: `${ATIF}/query`, reason });
      continue;
    }
    const picture = { path: media.path, width: 0, height: 0, origin: { x: 0, y: 0 } };
    found.push(names.nameOf(picture, `${task.id}_query_${role}`));
  }
  return found;
}

function timeOf({ recordings }: ExportTask, { recording, action }: ExportAction): { timestamp?: string } {
  const begun = recordings.find(({ id }) => id === recording)?.startedAt;
  if (begun === undefined) return {};
  return { timestamp: new Date(Date.parse(begun) + Math.round(action.start.t / 1000)).toISOString() };
}

const toolOf = ({ resolution: { width, height } }: ExportTask) => ({
  type: 'function',
  function: {
    name: TOOL,
    description: `Mouse and keyboard of a screen of ${width} x ${height} px. Places are px of the screen before the step.`,
    parameters: {
      type: 'object',
      properties: { actions: { type: 'array', items: { type: 'object' } } },
      required: ['actions'],
    },
  },
});

/** What we know of a task and ATIF has no field for. */
export function taskFacts(task: ExportTask): Record<string, unknown> {
  const { app, platform, platformWords, resolution, recordings, durationUs, split, proof, run } = task;
  return {
    task_id: task.id,
    app: app.name,
    kind: task.kind ?? 'full',
    state: task.state,
    answer: task.answer,
    source: task.source,
    platform: platformWords || platform,
    resolution: { width: resolution.width, height: resolution.height },
    duration_us: durationUs,
    recordings: recordings.map(({ id }) => id),
    ...(split != null && { split }),
    ...(proof !== undefined && proof !== 'untried' && { proof }),
    ...(run && { run }),
    ...(task.marks?.length && {
      marks: task.marks.map(({ recording, t, kind, words }) => ({ recording, t_us: t, kind, ...(words && { words }) })),
    }),
  };
}

/** The same of a step. Boxes are px of the screen before it. */
export function stepFacts(subtask: ExportSubtask, exported: ExportAction): Record<string, unknown> {
  const { id, action, element, drag, judged, narration, thought, actionThought, observation, by, drafted } = exported;
  return {
    action: id,
    kind: action.kind,
    subtask: { id: subtask.id, title: subtask.query },
    narration,
    ...(thought && { thought }),
    ...(actionThought && { action_thought: actionThought }),
    ...(observation && { observation }),
    ...(element && { element: { name: element.name, box: element.box } }),
    ...(drag && { drag }),
    ...(judged && { judged }),
    ...(drafted && { drafted }),
    ...(by && { by }),
    ...(action.holdMs !== null && { hold_ms: action.holdMs }),
    ...(action.withheld && { withheld: true }),
    start_us: action.start.t,
    end_us: action.end.t,
  };
}
