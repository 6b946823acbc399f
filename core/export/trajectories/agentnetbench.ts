import type { Rect } from '../../../schemas/events.ts';
import { type AgentnetBench, BENCH_ACTIONS, type BenchAction } from '../../../schemas/export-trajectories.ts';
import { contains, relativeXywh, xywh } from '../coordinates.ts';
import type { ExportAction, ExportTask, PictureRef, PlatformName } from '../model.ts';
import { type GuiCall, TERMINATE } from '../pyautogui/calls.ts';
import { pythonOf } from '../pyautogui/code.ts';
import { orNull, type Trajectory, thoughtsOf, trajectoryOf } from './steps.ts';

const AGENTNETBENCH = 'agentnetbench';

type BenchBox = NonNullable<BenchAction['metadata']['bboxes']>[number];

const STYLE = { namedKeys: true };
/** Python's `platform.system()`, which the authors write down. */
const SYSTEMS = { linux: 'Linux', windows: 'Windows', macos: 'Darwin' } as const satisfies Record<PlatformName, string>;

/**
 * A task as a file of AgentNetBench, null without a step. Its evaluator takes any position inside of a box in `bboxes` for
 * right, so a step without a box is scored by distance alone. Nobody recorded alternatives: `alternative_options` is empty.
 */
export function agentnetBenchOf(task: ExportTask): { file: AgentnetBench | null; trajectory: Trajectory } {
  const trajectory = trajectoryOf(task, { from: AGENTNETBENCH, known: BENCH_ACTIONS, plainClicks: true });
  if (trajectory.steps.length === 0) return { file: null, trajectory };
  const steps: AgentnetBench['steps'] = trajectory.steps.map(({ exported, image, calls, endsSubtask }, step_num) => ({
    step_num,
    image,
    action: pythonOf(calls, STYLE),
    milestone: endsSubtask,
    inner_monologue: {
      // Its own prompts print these: a null would be read as the word None.
      observation: '',
      thought: thoughtsOf(exported) ?? '',
      low_level_instruction: orNull(exported.narration) ?? '',
    },
    ground_truth_actions: groundTruth(calls, exported),
    alternative_options: [],
  }));
  if (trajectory.end) {
    steps.push({
      step_num: steps.length,
      image: trajectory.end,
      action: pythonOf([TERMINATE], STYLE),
      milestone: false,
      inner_monologue: { observation: '', thought: '', low_level_instruction: '' },
      ground_truth_actions: [{ type: 'terminate', params: { status: 'success' }, metadata: {} }],
      alternative_options: [],
    });
  }
  const frequency = frequencyOf(steps);
  const file: AgentnetBench = {
    task_id: task.id,
    user_task_description: task.goal,
    high_level_task_description: task.goal,
    steps,
    meta_info: {
      applications: [task.app.name],
      websites: [],
      system: task.platform && SYSTEMS[task.platform],
      // Field by field: a frozen version's text sorts its keys otherwise.
      screen_resolution: { width: task.resolution.width, height: task.resolution.height },
      action_entropy: entropy(Object.values(frequency)),
      action_frequency: frequency,
      ...(task.split != null && { split: task.split }),
      ...(task.proof !== undefined && task.proof !== 'untried' && { proof: task.proof }),
    },
  };
  return { file, trajectory };
}

function groundTruth(calls: readonly GuiCall[], exported: ExportAction): BenchAction[] {
  const bboxes = boxesOf(exported);
  let place: { x: number; y: number } | null = null;
  return calls.map(({ name, args }): BenchAction => {
    // Arguments are those that core/export/pyautogui/calls.ts gives to each name.
    if ('x' in args) place = { x: args.x as number, y: args.y as number };
    const type = name as BenchAction['type'];
    switch (type) {
      case 'write':
        return { type, params: { text: args.message as string }, metadata: {} };
      case 'press':
      case 'hotkey': {
        const times = typeof args.presses === 'number' ? args.presses : 1;
        const keys = Array.from({ length: times }, () => args.keys as readonly string[]).flat();
        return { type, params: { keys }, metadata: {} };
      }
      case 'scroll':
      case 'hscroll':
        return {
          type,
          params: { ...(place && { position: place }), amount: args.clicks as number },
          metadata: { bboxes: [] },
        };
      case 'dragTo': {
        const button = args.button as 'left' | 'right' | 'middle';
        return {
          type,
          params: { position: place!, ...(button !== 'left' && { button }) },
          metadata: { bboxes: endBoxesOf(exported) },
        };
      }
      default:
        return { type, params: { position: place! }, metadata: { bboxes } };
    }
  });
}

/** The element's box. A scroll may name an element that comes into view later: its box counts where the pointer was in it. */
function boxesOf({ action, element, beforeImage, positions }: ExportAction): BenchBox[] {
  const box = element?.box;
  if (!box || !beforeImage || !positions) return [];
  if (action.kind === 'scroll' && !contains(box, positions.start)) return [];
  return [benchBox(box, beforeImage)];
}

/** The box where a drag ends; without one, distance decides. */
function endBoxesOf({ drag, beforeImage }: ExportAction): BenchBox[] {
  return drag?.endBox && beforeImage ? [benchBox(drag.endBox, beforeImage)] : [];
}

function benchBox(box: Rect, picture: PictureRef): BenchBox {
  return {
    category_id: 1,
    rel_bbox: relativeXywh(box, picture),
    abs_bbox: xywh(box),
    area: box.width * box.height,
  };
}

function frequencyOf(steps: AgentnetBench['steps']): AgentnetBench['meta_info']['action_frequency'] {
  const types = steps.flatMap((step) => step.ground_truth_actions.map(({ type }) => type));
  return Object.fromEntries([...Map.groupBy(types, (type) => type)].map(([type, of]) => [type, of.length]));
}

/** Shannon's, in bits, with the authors' four decimals. */
function entropy(counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const bits = counts.reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0);
  return Math.round(bits * 1e4) / 1e4 + 0;
}
