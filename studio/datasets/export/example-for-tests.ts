import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { narrate } from '../../../core/annotate/narration.ts';
import {
  type ExportAction,
  type ExportSaid,
  type ExportSubtask,
  type ExportTask,
  type PictureRef,
  picturePositions,
} from '../../../core/export/model.ts';
import { actionFrom } from '../../../core/keyframes/example-for-tests.ts';
import type { Action, ActionKind } from '../../../schemas/actions.ts';

/** A tiny made-up data set for the export's tests: pictures of noise with a known size, on a display at (100, 50). */

const WIDTH = 64;
const HEIGHT = 40;
const ORIGIN = { x: 100, y: 50 };

export async function picture(folder: string, name: string, format: 'png' | 'jpeg' = 'png'): Promise<PictureRef> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, name);
  // Its own noise for each name, so that a picture in the wrong place would show.
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3);
  // (By whole numbers: the last letters of a long name would be lost in the others.)
  let state = [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);
  for (let index = 0; index < pixels.length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    pixels[index] = state >>> 24;
  }
  const image = sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  await writeFile(file, await (format === 'png' ? image.png() : image.jpeg()).toBuffer());
  return { path: file, width: WIDTH, height: HEIGHT, origin: ORIGIN };
}

/** A place by its pixel in the picture. */
const at = (x: number, y: number, t = 0) => ({ x: ORIGIN.x + x, y: ORIGIN.y + y, display: 1, t });

export const click = (x: number, y: number, more: Partial<Action> = {}): Partial<Action> => ({
  kind: 'click',
  start: at(x, y),
  end: at(x, y),
  ...more,
});
export const drag = (from: [number, number], to: [number, number]): Partial<Action> => ({
  kind: 'drag',
  start: at(...from),
  end: at(...to),
});
export const scroll = (dx: number, dy: number): Partial<Action> => ({
  kind: 'scroll',
  start: at(5, 6),
  end: at(5, 6),
  scroll: { dx, dy, unit: 'notch', natural: false },
});
export const typed = (text: string): Partial<Action> => ({ kind: 'type', text, keystrokes: [...text] });
export const pressed = (...keys: string[]): Partial<Action> => ({ kind: 'press', keys });
export const of = (kind: ActionKind): Partial<Action> => ({ kind, start: at(3, 4), end: at(3, 4) });

type SubtaskSpec = { query: string; actions: Partial<Action>[] };

/** A task whose actions follow each other in steps of a second, with stills in `folder`. */
export async function makeTask(
  folder: string,
  id: string,
  specs: SubtaskSpec[],
  more: Partial<ExportTask> = {},
): Promise<ExportTask> {
  let second = 0;
  const subtasks: ExportSubtask[] = [];
  for (const [index, { query, actions: list }] of specs.entries()) {
    const actions: ExportAction[] = [];
    for (const [place, spec] of list.entries()) {
      second++;
      const plain = actionFrom(`${id}:${second}`, second * 1000, second * 1000 + 200, spec);
      const action: Action = {
        ...plain,
        start: { ...plain.start, t: second * 1_000_000 },
        end: { ...plain.end, t: second * 1_000_000 + 200_000 },
      };
      const beforeImage = await picture(folder, `${id}-${second}-before.png`);
      actions.push({
        id: action.id,
        rank: place + 1,
        recording: 'rec1',
        action,
        narration: narrate(action, { element: action.kind === 'click' ? 'Insert tab' : null }, { origin: ORIGIN }),
        element: action.kind === 'click' ? { name: 'Insert tab', box: { x: 1, y: 2, width: 10, height: 8 } } : null,
        beforeImage,
        afterImage: await picture(folder, `${id}-${second}-after.png`),
        positions: picturePositions(action, beforeImage),
        thought: null,
        actionThought: null,
        observation: null,
      });
    }
    const startImage = actions[0]?.beforeImage ?? null;
    subtasks.push({ id: index + 1, query, startImage, endImage: actions.at(-1)?.afterImage ?? null, actions });
  }
  const [prefix] = id.split('_');
  const video = path.join(folder, `${id}.mp4`);
  await writeFile(video, Buffer.from('\0\0\0\x18ftypisom made-up video'));
  return {
    id,
    app: { id: prefix!.toLowerCase(), name: `App ${prefix}`, prefix: prefix! },
    goal: `Goal of ${id}`,
    recordings: [{ id: 'rec1', startedAt: '2024-05-01T09:30:00.125Z', video }],
    state: 'approved',
    visualQuery: { start: await picture(folder, `${id}-start.png`), end: await picture(folder, `${id}-end.png`) },
    subtasks,
    answer: null,
    platform: 'linux',
    source: 'https://example.org/video',
    resolution: { width: WIDTH, height: HEIGHT },
    durationUs: second * 1_000_000 + 500_000,
    ...more,
  };
}

/** Two tasks, three subtasks, every kind of action that the benchmark knows; the second was not divided. */
export async function makeTasks(folder: string): Promise<ExportTask[]> {
  return [
    await makeTask(folder, 'PPT_15', [
      {
        query: 'Insert the picture',
        actions: [click(12, 8), click(0, 0, { button: 'right' }), click(63, 39, { count: 2 })],
      },
      {
        query: "Écris «😀» and it's $5",
        actions: [typed("it's $5 😀\\n"), pressed('ctrl', 'c'), scroll(0, 3), scroll(0, -2)],
      },
    ]),
    await makeTask(folder, 'AE_2', [{ query: 'Move the clip', actions: [drag([1, 2], [60, 30])] }]),
  ];
}

/** Two people and a panel of two judges who say of it that it came out; the second person finds its first step wrong. */
export function saidForTests({ subtasks }: ExportTask): ExportSaid {
  const action = subtasks[0]!.actions[0]!.id;
  const opinion = {
    outcome: 'succeeded' as const,
    process: true,
    criteria: [
      { about: 'outcome' as const, text: 'It is there.', met: true, why: 'As the last picture shows.' },
      { about: 'process' as const, text: 'Nothing else was changed.', met: null, why: 'It cannot be seen.' },
    ],
    why: 'It succeeded.',
  };
  return {
    people: [
      {
        person: 'ana',
        good: true,
        comment: 'Done as asked.',
        steps: [{ action, judged: true, right: true, comment: '' }],
      },
      {
        person: 'bo',
        good: null,
        comment: '',
        steps: [{ action, judged: true, right: false, comment: 'The wrong tab' }],
      },
    ],
    rejected: false,
    judgings: [
      {
        kind: 'demonstration',
        at: '2026-11-28T10:00:00.000Z',
        panel: { models: ['m-1', 'm-2'], prompts: 1, protocol: 'openai', origin: 'http://127.0.0.1:9', rules: 1 },
        verdict: 'succeeded',
        cost: null,
        own: true,
        judges: ['m-1', 'm-2'].map((model) => ({ judge: { model, prompt: 1 }, opinion })),
      },
    ],
  };
}
