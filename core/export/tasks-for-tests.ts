import type { Action } from '../../schemas/actions.ts';
import { actionFrom } from '../keyframes/example-for-tests.ts';
import { type ExportAction, type ExportTask, type PictureRef, picturePositions } from './model.ts';

/** Made-up tasks for tests of the projections: pictures of 100 x 50 at (-100, 0), of which only the names matter. */

const still = (path: string): PictureRef => ({ path, width: 100, height: 50, origin: { x: -100, y: 0 } });

type StepSpec = Partial<Action> & Partial<Omit<ExportAction, 'action'>> & { at?: [number, number] };

/** A task with these steps in each subtask. `at` is a pixel of the picture. */
export function taskWith(subtasks: StepSpec[][], more: Partial<ExportTask> = {}): ExportTask {
  let count = 0;
  const made = subtasks.map((specs, index) => {
    const actions = specs.map((spec, place): ExportAction => {
      count++;
      const { at = [10, 20], ...rest } = spec;
      const start = { x: at[0] - 100, y: at[1], display: 2, t: count * 1e6 };
      const action = actionFrom(`a${count}`, 0, 0, { start, end: { ...start, t: count * 1e6 + 100 }, ...rest });
      const beforeImage = spec.beforeImage === undefined ? still(`before-${count}.png`) : spec.beforeImage;
      return {
        id: action.id,
        rank: place + 1,
        recording: 'r1',
        action,
        narration: `Step ${count}`,
        element: null,
        afterImage: still(`after-${count}.png`),
        thought: null,
        actionThought: null,
        observation: null,
        ...pick(rest),
        beforeImage,
        positions: picturePositions(action, beforeImage),
      };
    });
    const startImage = actions[0]?.beforeImage ?? null;
    return {
      id: index + 1,
      query: `Subtask ${index + 1}`,
      startImage,
      endImage: actions.at(-1)?.afterImage ?? null,
      actions,
    };
  });
  return {
    id: 'PPT_1',
    app: { id: 'powerpoint', name: 'PowerPoint', prefix: 'PPT' },
    goal: 'Make a slide',
    recordings: [{ id: 'r1', startedAt: '2024-05-01T09:30:00.125Z', video: null }],
    state: 'approved',
    visualQuery: { start: null, end: null },
    subtasks: made,
    answer: null,
    platform: 'linux',
    source: null,
    resolution: { width: 100, height: 50 },
    durationUs: count * 1e6,
    ...more,
  };
}

const FIELDS = [
  'pixels',
  'narration',
  'element',
  'afterImage',
  'thought',
  'actionThought',
  'observation',
  'drag',
  'judged',
] as const;

function pick(spec: StepSpec): Partial<ExportAction> {
  return Object.fromEntries(FIELDS.flatMap((name) => (name in spec ? [[name, spec[name]]] : [])));
}
