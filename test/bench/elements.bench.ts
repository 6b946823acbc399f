/**
 * The element at each press, in programs of several toolkits: a script clicks targets whose box and name are known, once each,
 * and what the recording says of each press is compared with them. Then what the asking costs.
 *
 *     node scripts/setup.mjs --for bench
 *     node test/bench/elements.bench.ts [--app mousepad,gimp] [--seconds 15] [--wrong] [--pictures DIR] [--json]
 *
 * The boxes of the browsers' targets are what the page itself measures; those of the others were read off a picture of the program
 * at this size with the fonts of Debian 12, so on a machine with other fonts they do not fit. A program that is not installed is
 * left out and named; GIMP answers only where libatk-adaptor is installed. `--wrong` lists each press whose box or name is not right,
 * `--pictures` keeps a picture of each program as it was clicked.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { elementProposal, spokenName } from '../../core/annotate/proposals/element.ts';
import { boxIou } from '../../core/rect.ts';
import { speakingArgs, speakingEnv } from '../../native/elements/speaking.ts';
import type { ElementLine } from '../../schemas/elements.ts';
import type { Rect } from '../../schemas/events.ts';
import { coresUsed, flag, has, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { startRecorder } from '../support/cli.ts';
import { startDisplay } from '../support/display.ts';
import { click, handsFor, perform, press, wait } from '../support/person.ts';
import { must, run } from '../support/process.ts';
import { readEvents } from '../support/recordings.ts';
import { sleep, until } from '../support/until.ts';
import { BROWSERS } from './elements/browsers.ts';
import { GTK } from './elements/gtk.ts';
import type { Script } from './elements/kinds.ts';
import { MORE } from './elements/more.ts';
import { OFFICE } from './elements/office.ts';
import { OLDER } from './elements/older.ts';
import { QT } from './elements/qt.ts';

const pictures = flag('pictures');
const SCREEN = { x: 0, y: 0, width: 1280, height: 800 };
const LIKELY = 0.5;
const SECONDS = Number(flag('seconds') ?? 15);
const SCRIPTS: Record<string, Script> = { ...GTK, ...QT, ...BROWSERS, ...OFFICE, ...MORE, ...OLDER };

type Outcome = { name: string; box: Rect; said: string | null; found: ElementLine | null; iou: number };
type Result = { app: string; presses: Outcome[] };

async function measure(app: string, script: Script): Promise<Result> {
  const display = await startDisplay({ width: 1280, height: 800, accessibility: true });
  try {
    const env = speakingEnv(display.env);
    const command = { program: script.program, args: script.args(display.home) };
    // Before the recorder says that accessibility is wanted, as with --launch.
    await display.launch(script.program, speakingArgs(command), { ...env, ...script.env });
    const id = await until(
      `the window of ${app}`,
      async () => {
        const found = await run('xdotool', ['search', '--onlyvisible', ...script.window], { env: display.env });
        return found.stdout.trim().split('\n').at(-1) ?? '';
      },
      { timeoutMs: 120_000 },
    );
    await sleep(6000);
    const { x, y, width, height } = script.place;
    await must('xdotool', ['windowsize', id, String(width), String(height), 'windowmove', id, String(x), String(y)], {
      env: display.env,
    });
    await must('xdotool', ['windowactivate', '--sync', id], { env: display.env });
    await sleep(3000);
    const text = await must('xwininfo', ['-id', id], { env: display.env });
    const value = (key: string): number => Number(new RegExp(`${key}:\\s+(-?\\d+)`).exec(text)?.[1]);
    const origin = { x: value('Absolute upper-left X'), y: value('Absolute upper-left Y') };
    const targets = await script.targets(display, origin);
    if (pictures !== null) {
      const taken = ['-f', 'x11grab', '-video_size', '1280x800', '-i', display.env.DISPLAY ?? '', '-frames:v', '1'];
      await must('ffmpeg', ['-v', 'error', ...taken, '-y', path.join(pictures, `${app}.png`)], { env: display.env });
    }
    const workspace = path.join(root, app);
    const recorder = await startRecorder(display, { workspace, args: ['--elements'] });
    const hands = await handsFor(display, 'human');
    for (const { box } of targets) {
      const at = [origin.x + box.x + Math.round(box.width / 2), origin.y + box.y + Math.round(box.height / 2)] as const;
      await perform(display, hands, [click(...at), wait(500), press('Escape'), wait(300)]);
    }
    await recorder.stop();
    const file = path.join(recorder.folder, 'elements.jsonl');
    // Not made where nobody answered.
    const lines = (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ElementLine);
    const downs = readEvents(recorder.folder).filter(({ type }) => type === 'down');
    return {
      app,
      presses: targets.map(({ name, box }, n) => {
        const found = lines.find(({ t }) => t === downs[n]?.t) ?? null;
        const truth = { ...box, x: box.x + origin.x, y: box.y + origin.y };
        const iou = found?.bounds ? boxIou(truth, found.bounds) : 0;
        return { name, box: truth, said: found && spokenName(found), found, iou };
      }),
    };
  } finally {
    await display.stop();
  }
}

/** The cores that the recorder uses while a person clicks in mousepad, with and without asking. */
async function cost(): Promise<{ without: number; withElements: number }> {
  const used: number[] = [];
  for (const args of [[], ['--elements']]) {
    const display = await startDisplay({ width: 1280, height: 800, accessibility: true });
    try {
      await display.launch('mousepad', ['--disable-server']);
      await sleep(5000);
      const recorder = await startRecorder(display, { workspace: path.join(root, `cost${args.length}`), args });
      const hands = await handsFor(display, 'human');
      const measured = coresUsed([recorder.started.pid], SECONDS * 1000);
      for (const until = performance.now() + SECONDS * 1000; performance.now() < until; )
        await perform(display, hands, [click(300 + Math.round(hands.random() * 300), 200), wait(200)]);
      used.push((await measured)[0] ?? Number.NaN);
      await recorder.stop();
    } finally {
      await display.stop();
    }
  }
  return { without: used[0] ?? Number.NaN, withElements: used[1] ?? Number.NaN };
}

const isNamed = ({ name, said }: Outcome): boolean => said?.toLowerCase().includes(name.toLowerCase()) === true;
/** Offered before anything that the picture tells: with a chance that what only holds others does not have. */
const isOffered = ({ found }: Outcome): boolean => {
  const offered = found && elementProposal(found, SCREEN);
  return offered?.box !== null && (offered?.confidence ?? 0) > LIKELY;
};
const isWrong = (one: Outcome): boolean => isOffered(one) && one.iou < 0.7;
const isFilledInWrong = (one: Outcome): boolean => isWrong(one) && one.said !== null;
const percent = (part: number, of: number): string => (of === 0 ? '-' : `${Math.round((100 * part) / of)} %`);
const figure = (ms: number): string => (Number.isNaN(ms) ? '-' : ms.toFixed(1));
const p95 = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(numbers.length * 0.95) - 1)] ?? Number.NaN;

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'elements-bench-'));
const wanted = flag('app')?.split(',') ?? Object.keys(SCRIPTS);
const results: Result[] = [];
const absent: string[] = [];
try {
  for (const app of wanted) {
    const script = SCRIPTS[app];
    if (!script) throw new Error(`There is no script for ${app}.`);
    if ((await run('which', [script.program])).status !== 0) {
      absent.push(app);
      continue;
    }
    progress(app);
    try {
      results.push(await measure(app, script));
    } catch (error) {
      progress(`  could not be measured: ${error instanceof Error ? error.message : String(error)}`);
      absent.push(app);
    }
  }
  const spent = SECONDS > 0 ? await cost() : null;
  const every = { app: 'all', presses: results.flatMap(({ presses }) => presses) };
  const rows = [...results, every].map(({ app, presses }) => {
    const took = presses.flatMap(({ found }) => (found?.took === undefined ? [] : [found.took / 1000]));
    const right = presses.filter(({ iou }) => iou >= 0.7).length;
    const named = presses.filter(isNamed).length;
    const wrong = presses.filter(isWrong).length;
    const filled = presses.filter(isFilledInWrong).length;
    const times = { median: median(took), p95: p95(took) };
    return { app, presses: presses.length, answered: took.length, right, wrong, filled, named, ...times };
  });
  const lines = rows.map(
    (row) =>
      `| ${row.app} | ${row.presses} | ${row.answered} | ${percent(row.right, row.presses)} | ${row.wrong} | ${row.filled} | ${percent(row.named, row.presses)} | ${figure(row.median)} | ${figure(row.p95)} |`,
  );
  const wrong = results.flatMap(({ app, presses }) =>
    presses
      .filter((one) => one.iou < 0.7 || !isNamed(one))
      .map(({ name, box, said, found, iou }) => {
        const at = found?.bounds && Object.values(found.bounds).join(' ');
        const it = found ? `${found.role} "${found.name}" said "${said}"` : 'nothing';
        return `${app} ${name} ${Object.values(box).join(' ')}: ${it} ${at ?? ''} ${iou.toFixed(2)}`;
      }),
  );
  const m = await machine();
  const text = [
    machineLine(m),
    '',
    '| Program | Presses | Answered | Box right | Wrong box offered | Filled in wrong | Name right | Answer, median ms | p95 ms |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    ...(absent.length > 0 ? ['', `Not installed here, or not measured: ${absent.join(', ')}.`] : []),
    ...(spent
      ? [
          '',
          `The recorder uses ${spent.without.toFixed(3)} cores without asking, ${spent.withElements.toFixed(3)} with it.`,
        ]
      : []),
    ...(has('wrong') ? ['', ...wrong] : []),
  ].join('\n');
  report({ machine: m, rows, absent, cost: spent }, text);
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}
