import type { AgentHead, AgentShot } from '../../schemas/agents.ts';
import type { ModelPart } from '../../schemas/model-requests.ts';
import type { CoordinateScale } from '../../schemas/scales.ts';
import type { ExportTask, PictureRef } from '../export/model.ts';
import { type GuiCall, guiCalls, inUnits } from '../export/pyautogui/calls.ts';
import { pythonOf } from '../export/pyautogui/code.ts';

/** Demonstrations that an agent is shown before its task (shots): each screen before a step, and what was done there. */

/** A demonstration before its pictures are read. */
export type ShotToShow = Omit<AgentShot, 'steps'> & {
  steps: (Omit<AgentShot['steps'][number], 'picture'> & { picture: PictureRef | null })[];
};

/** Steps that only wait are left out: whoever is shown them has another screen to wait for. */
export function shotOf(task: ExportTask): ShotToShow {
  const actions = task.subtasks.flatMap((subtask) => subtask.actions.toSorted((a, b) => a.rank - b.rank));
  const steps = actions
    .filter(({ action }) => action.kind !== 'wait')
    .map((exported) => {
      const made = guiCalls(exported, task.platform);
      return {
        words: exported.narration.trim(),
        calls: 'calls' in made ? made.calls.map(kept) : [],
        picture: exported.beforeImage,
      };
    });
  return { recording: task.recordings[0]?.id ?? '', goal: task.goal, software: task.app.name, steps };
}

const kept = ({ module, name, args }: GuiCall): AgentShot['steps'][number]['calls'][number] => ({
  module,
  name,
  args: Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === 'object' ? [...value] : value]),
  ),
});

const UNITS: Readonly<Record<CoordinateScale, string>> = {
  pixels: 'whole pixels of the picture beside it',
  '0-1': 'shares of the picture beside it, from 0 to 1',
  '0-100': 'hundredths of the picture beside it',
  '0-1000': 'thousandths of the picture beside it',
};

/** The parts of a request that show them; none where the run has none. */
export function shotParts({
  shots = [],
  coordinates,
  declared,
}: Pick<AgentHead, 'shots' | 'coordinates' | 'declared'>): ModelPart[] {
  if (shots.length === 0) return [];
  const unit = coordinates ?? 'pixels';
  const one = shots.length === 1;
  const yours = declared ? ' That is how they are written here; use your own tool for what you do.' : '';
  const intro = `First ${one ? 'a demonstration' : `${shots.length} demonstrations`} of how a person reached ${one ? 'a goal' : 'their goals'} on a computer: the screen before each step, the step in words, and what was done as PyAutoGUI code, whose places are ${UNITS[unit]}.${yours} Nothing of it is on your screen.`;
  return [
    { text: intro },
    ...shots.flatMap((shot, n): ModelPart[] => [
      { text: `Demonstration ${n + 1}, in ${shot.software}. Its goal: ${JSON.stringify(shot.goal)}` },
      ...shot.steps.flatMap((step, at) => stepParts(step, at, unit)),
      { text: `Demonstration ${n + 1} ends here.` },
    ]),
    { text: 'Now your own task.' },
  ];
}

function stepParts(
  { words, calls, picture }: AgentShot['steps'][number],
  at: number,
  unit: CoordinateScale,
): ModelPart[] {
  const size = unit === 'pixels' ? (picture ?? { width: 1, height: 1 }) : SIZES[unit];
  const code = size === null ? pythonOf(calls) : pythonOf(inUnits(calls, size), { pixels: true });
  const done = calls.length === 0 ? 'What was done is not shown.' : `\`\`\`python\n${code}\n\`\`\``;
  return [...(picture === null ? [] : [{ picture }]), { text: `Step ${at + 1}: ${words || 'not described'}\n${done}` }];
}

/** Null: shares, as calls have them. */
const SIZES: Readonly<Record<Exclude<CoordinateScale, 'pixels'>, { width: number; height: number } | null>> = {
  '0-1': null,
  '0-100': { width: 100, height: 100 },
  '0-1000': { width: 1000, height: 1000 },
};
