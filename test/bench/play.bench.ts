/**
 * Plays of the demonstrations on stages of their own: how many agree step by step, how much faster than the person with pace
 * `ready`, and what becomes of plays in which something is wrong on purpose. No wrong play may be called right.
 *
 *     node test/bench/play.bench.ts [--plays 10] [--app gimp|mousepad] [--json]
 *
 * Faults: a step left out; a point 60 px off; another key than the recorded one; a program whose window is 24 px further right
 * and lower than it was (to be carried through); the program's window comes 3 s late (to be carried through).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { type Recipe, recipeSchema } from '../../schemas/play.ts';
import type { PlayPart } from '../../studio/play/protocol.ts';
import { type Ended, runPlayer } from '../../studio/play/run-player.ts';
import { type Script, scriptOf } from '../../studio/play/script.ts';
import { setStage, type VirtualStage } from '../../studio/stage/stage.ts';
import { drawSamplePicture } from '../demo/sample-picture.ts';
import { SCRIPTS } from '../demo/scripts.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { startRecorder } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { handsFor, perform } from '../support/person.ts';
import { must, start } from '../support/process.ts';
import { sleep } from '../support/until.ts';

const PLAYS = Number(flag('plays') ?? 10);
const apps = (['gimp', 'mousepad'] as const).filter((app) => (flag('app') ?? app) === app);
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'play-bench-'));
const place = { x: 0, y: 0, width: 1278, height: 772 };
const base = { schema: 'trajectory-studio/recipe', version: 1, screen: { width: 1280, height: 800 } };
const NOTE = Array.from({ length: 60 }, (_, i) => `Line ${i + 1} of an older note`).join('\n');
const GIMPRC = '(check-updates no)\n(show-tips no)\n(single-window-mode yes)\n(save-session-info no)\n';

const RECIPES: Record<(typeof apps)[number], Recipe> = {
  gimp: recipeSchema.parse({
    ...base,
    files: [
      { attachment: 'landscape.png', to: 'landscape.png' },
      { text: GIMPRC, to: 'gimprc' },
    ],
    programs: [
      {
        command: 'gimp',
        args: ['--no-splash', '--new-instance', '--gimprc', '~/gimprc', '~/landscape.png'],
        window: 'landscape',
        place,
      },
    ],
  }),
  mousepad: recipeSchema.parse({
    ...base,
    files: [{ text: `${NOTE}\n`, to: 'note.txt' }],
    programs: [{ command: 'mousepad', args: ['--disable-server', '~/note.txt'], window: 'note.txt', place }],
  }),
};

const fileOf = (name: string): { root: string; path: string } | null =>
  fs.existsSync(path.join(root, name)) ? { root, path: name } : null;

async function onStage<T>(recipe: Recipe, work: (stage: VirtualStage) => Promise<T>): Promise<T> {
  const layout = { layout: 'us', variant: '' };
  const stage = await setStage({ recipe, width: 1280, height: 800, layout, task: null, workspace: null, fileOf });
  try {
    return await work(stage);
  } finally {
    await stage.end();
  }
}

async function demonstrate(app: (typeof apps)[number]): Promise<string> {
  return onStage(RECIPES[app], async ({ state, home }) => {
    const env = { ...process.env, ...state.env };
    const display = {
      ...{ env, home, name: state.display, width: state.width, height: state.height },
      launch: (command: string, args: readonly string[]) => start(command, args, { env }),
    } as unknown as VirtualDisplay; // What the person and the recorder take of it.
    const title = app === 'gimp' ? 'landscape' : 'note.txt';
    const window = (await must('xdotool', ['search', '--onlyvisible', '--name', title], { env }))
      .trim()
      .split('\n')
      .at(-1);
    const text = await must('xwininfo', ['-id', window ?? ''], { env });
    const value = (key: string): number => Number(new RegExp(`${key}:\\s+(-?\\d+)`).exec(text)?.[1]);
    const [left, top] = [value('Absolute upper-left X'), value('Absolute upper-left Y')];
    const args = ['--app', app, '--goal', SCRIPTS[app].goal];
    const recorder = await startRecorder(display, { workspace: path.join(root, 'workspace'), args });
    const hands = await handsFor(display, 'human');
    for (const [, step] of SCRIPTS[app].steps((x, y) => [left + x, top + y])) {
      await perform(display, hands, [step]);
      await sleep(700);
    }
    return (await recorder.stop()).line.folder;
  });
}

type Fault = {
  name: string;
  wrong: boolean;
  recipe?(recipe: Recipe): Recipe;
  parts?(parts: PlayPart[], n: number): PlayPart[];
};
const FAULTS: readonly Fault[] = [
  // The part stays in the list, so that what it would have changed is looked for.
  {
    name: 'a step left out',
    wrong: true,
    parts: (parts, n) => parts.map((part, at) => (at === n ? { ...part, events: [] } : part)),
  },
  {
    name: 'a point 60 px off',
    wrong: true,
    parts: (parts, n) => parts.map((part, at) => (at === n ? off(part) : part)),
  },
  {
    name: 'a wrong key',
    wrong: true,
    parts: (parts, n) => parts.map((part, at) => (at === n ? otherKey(part) : part)),
  },
  { name: 'a window 24 px away', wrong: false, recipe: (recipe) => moved(recipe, 24) },
];

const off = (part: PlayPart): PlayPart => ({
  ...part,
  events: part.events.map((event) => ('x' in event ? { ...event, x: event.x + 60, y: event.y + 60 } : event)),
});
const otherKey = (part: PlayPart): PlayPart => {
  let changed = false;
  return {
    ...part,
    events: part.events.map((event) => {
      if (!('code' in event) || !/^Key[A-Z]$/.test(event.code) || (changed && event.type === 'keydown')) return event;
      changed = true;
      return { ...event, code: event.code === 'KeyX' ? 'KeyY' : 'KeyX' };
    }),
  };
};
const moved = (recipe: Recipe, by: number): Recipe => ({
  ...recipe,
  programs: recipe.programs.map((program) =>
    program.place ? { ...program, place: { ...program.place, x: by, y: by } } : program,
  ),
});

const playOnce = (recipe: Recipe, parts: PlayPart[], pace: 'recorded' | 'ready'): Promise<Ended> =>
  onStage(recipe, ({ state }) =>
    runPlayer(
      { parts, pace, patienceMs: 6000, startNs: String(process.hrtime.bigint()) },
      { ...process.env, ...state.env },
      () => undefined,
      AbortSignal.timeout(600_000),
    ),
  );

/** Whether a fault changes anything of this step: an aimed step has a point, a typed one letters. */
const fits = (fault: Fault, part: PlayPart): boolean => {
  if (fault.name === 'a point 60 px off') return part.at !== null;
  if (fault.name === 'a wrong key')
    return part.events.some((event) => 'code' in event && /^Key[A-Z]$/.test(event.code));
  return true;
};

const lines: string[] = [];
const rows: object[] = [];
try {
  await drawSamplePicture(path.join(root, 'landscape.png'));
  for (const app of apps) {
    progress(`${app}: demonstrating`);
    const script: Script = await scriptOf(await demonstrate(app), await findFfmpeg());
    const of = script.parts.length;
    const [first, last] = [script.actions[0], script.actions.at(-1)];
    const demonstrated = first && last ? (last.end.t - first.start.t) / 1000 : 0;
    for (const pace of ['recorded', 'ready'] as const) {
      const ended: Ended[] = [];
      for (let n = 0; n < PLAYS; n++) {
        progress(`${app}, ${pace}: play ${n + 1} of ${PLAYS}`);
        ended.push(await playOnce(RECIPES[app], script.parts, pace));
      }
      const good = ended.filter(({ stopped }) => stopped === null);
      const faster = demonstrated / median(good.map(({ took }) => took));
      const stops = ended.flatMap(({ stopped, steps }) => (stopped ? [`step ${steps.length}: ${stopped.why}`] : []));
      lines.push(
        `${app}, pace ${pace}: ${good.length} of ${PLAYS} plays agreed in all ${of} steps, ${faster.toFixed(1)} times as fast as the person`,
      );
      lines.push(...[...new Set(stops)].map((why) => `    needless stop at ${why}`));
      rows.push({ app, pace, plays: PLAYS, agreed: good.length, steps: of, faster, stops });
    }
    for (const fault of FAULTS) {
      const choices = script.parts.flatMap((part, n) => (fits(fault, part) ? [n] : []));
      const tried = fault.recipe ? [0] : choices.slice(0, Math.max(2, Math.ceil(PLAYS / 2)));
      let [right, through] = [0, 0];
      for (const n of tried) {
        progress(`${app}: ${fault.name}, at step ${n + 1}`);
        const parts = fault.parts?.(script.parts, n) ?? script.parts;
        const { stopped, steps } = await playOnce(fault.recipe?.(RECIPES[app]) ?? RECIPES[app], parts, 'ready');
        if (stopped === null) through++;
        else if (steps.length - 1 === n) right++;
        if (stopped === null && fault.wrong) lines.push(`    ${app}: ${fault.name} at step ${n + 1} was called right`);
        else if (stopped && !fault.wrong)
          lines.push(`    ${app}: ${fault.name}: stopped at step ${steps.length}: ${stopped.why}`);
      }
      const said = fault.wrong
        ? `${through} called right, ${right} stopped at that step`
        : `${through} carried through`;
      lines.push(`${app}, ${fault.name}: ${tried.length} plays, ${said}`);
      rows.push({ app, fault: fault.name, plays: tried.length, calledRight: through, atStep: right });
    }
  }
  report(rows, [machineLine(await machine()), ...lines].join('\n'));
} finally {
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
