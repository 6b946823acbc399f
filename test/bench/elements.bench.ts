/**
 * The element at each press, in programs of several toolkits: a script clicks targets whose box and name are known, once each,
 * and what the recording says of each press is compared with them. Then what the asking costs.
 *
 *     node test/bench/elements.bench.ts [--app mousepad,featherpad,gimp,chromium] [--seconds 15] [--wrong] [--json]
 *
 * The boxes of Chromium's targets are what the page itself measures; those of the others were read off a picture of the program
 * at this size with the fonts of Debian 12, so on a machine with other fonts they do not fit. A program that is not installed is
 * left out and named; GIMP answers only where libatk-adaptor is installed. `--wrong` lists each press whose box or name is not right.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spokenName } from '../../core/annotate/proposals/element.ts';
import { boxIou } from '../../core/rect.ts';
import { speakingArgs, speakingEnv } from '../../native/elements/speaking.ts';
import type { ElementLine } from '../../schemas/elements.ts';
import type { Rect } from '../../schemas/events.ts';
import { coresUsed, flag, has, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { startRecorder } from '../support/cli.ts';
import { startDisplay, type VirtualDisplay } from '../support/display.ts';
import { click, handsFor, perform, press, wait } from '../support/person.ts';
import { must, run } from '../support/process.ts';
import { readEvents } from '../support/recordings.ts';
import { sleep, until } from '../support/until.ts';

type Target = { name: string; box: Rect };
/** Boxes are of the window's client area; what a click opens is closed by Escape. */
type Script = {
  program: string;
  args(home: string): string[];
  /** How xdotool finds its window. */
  window: readonly string[];
  place: Rect;
  targets(display: VirtualDisplay, origin: { x: number; y: number }): Promise<Target[]>;
};

const SECONDS = Number(flag('seconds') ?? 15);
const PLACE = { x: 20, y: 40, width: 1100, height: 680 };
/** A row of things: each with its name and its left and right edge. */
const row = (top: number, height: number, items: readonly [string, number, number][]): Target[] =>
  items.map(([name, left, right]) => ({ name, box: { x: left, y: top, width: right - left, height } }));

const SCRIPTS: Record<string, Script> = {
  mousepad: {
    program: 'mousepad',
    args: () => ['--disable-server'],
    window: ['--name', 'Mousepad'],
    place: PLACE,
    targets: async () => [
      ...row(0, 25, [
        ...[['File', 0, 38] satisfies [string, number, number], ['Edit', 39, 80], ['Search', 80, 140]],
        ...[['View', 140, 187] satisfies [string, number, number], ['Document', 188, 271], ['Help', 271, 317]],
      ] as [string, number, number][]),
    ],
  },
  featherpad: {
    program: 'featherpad',
    args: () => ['--standalone'],
    window: ['--class', 'featherpad'],
    place: PLACE,
    targets: async () => [
      ...row(0, 19, [
        ['File', 0, 40],
        ['Edit', 36, 77],
        ['Options', 77, 138],
        ['Search', 134, 194],
        ['Help', 190, 236],
      ]),
      ...row(23, 32, [
        ['New', 4, 36],
        ['Open', 37, 69],
        ['Reload', 175, 207],
        ['Find', 215, 247],
        ['Replace', 249, 281],
      ]),
    ],
  },
  gimp: {
    program: 'gimp',
    args: (home) => {
      const file = path.join(home, 'gimprc');
      fs.writeFileSync(file, '(check-updates no)\n(show-tips no)\n(single-window-mode yes)\n(save-session-info no)\n');
      return ['--no-splash', '--new-instance', '--gimprc', file];
    },
    window: ['--name', 'GNU Image Manipulation Program'],
    place: PLACE,
    targets: async () => [
      ...row(0, 26, [
        ['File', 0, 36],
        ['Edit', 36, 73],
        ['Select', 73, 125],
        ['View', 125, 169],
        ['Image', 169, 222],
        ['Layer', 222, 270],
        ['Colors', 270, 322],
        ['Tools', 322, 367],
        ['Filters', 367, 421],
        ['Windows', 421, 491],
        ['Help', 491, 533],
      ]),
      ...toolbox(53, ['Move', 'Rectangle Select', 'Free Select', 'Fuzzy Select', 'Crop', 'Unified Transform']),
      ...toolbox(81, ['Warp Transform', 'Bucket Fill', 'Paintbrush', 'Eraser', 'Clone', 'Smudge']),
      ...toolbox(109, ['Paths', 'Text', 'Color Picker', 'Zoom']),
    ],
  },
  chromium: {
    program: 'chromium',
    args: (home) => {
      fs.writeFileSync(path.join(home, 'page.html'), PAGE);
      return [
        ...['--no-sandbox', '--no-first-run', '--no-default-browser-check', '--disable-gpu', '--disable-dev-shm-usage'],
        ...[
          '--password-store=basic',
          '--disable-background-networking',
          `--user-data-dir=${path.join(home, 'chromium')}`,
        ],
        `--app=file://${path.join(home, 'page.html')}`,
      ];
    },
    window: ['--name', '^boxes'],
    place: PLACE,
    targets: boxesOfPage,
  },
};

function toolbox(top: number, names: readonly string[]): Target[] {
  return row(
    top,
    28,
    names.map((name, at) => [name, at * 31, at * 31 + 31]),
  );
}

/** Tells its boxes in its title, on the screen: where the pointer is says where the page lies. */
const PAGE = `<!doctype html><title>boxes</title><style>* { font: 15px sans-serif } body > * { margin: 14px }</style>
<h1>Orders</h1>
<button data-name="Save">Save</button><button data-name="Delete" aria-label="Delete"><svg width=24 height=24><circle cx=12 cy=12 r=9 /></svg></button>
<a href="#x" data-name="Terms">Terms</a> <a href="#y" data-name="Imprint"><span>Imprint</span></a><br>
<label>Name <input data-name="Name"></label> <label>Password <input type=password data-name="Password"></label><br>
<label for=c>Subscribe</label><input type=checkbox id=c data-name="Subscribe">
<label for=r>Express</label><input type=radio id=r data-name="Express">
<input type=search placeholder="Search orders" data-name="Search orders">
<input type=range aria-label="Volume" data-name="Volume"><br>
<div role=tablist><span role=tab data-name="Details" tabindex=0>Details</span> <span role=tab data-name="History" tabindex=0>History</span></div>
<div role=button tabindex=0 data-name="Add to basket"><b>Add</b> to basket</div>
<table><tr><td data-name="Pears" tabindex=0>Pears</td><td data-name="Apples" tabindex=0>Apples</td></tr></table>
<textarea aria-label="Remarks" data-name="Remarks"></textarea>
<img alt="Map" data-name="Map" width=90 height=60 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">
<script>
  addEventListener('mousemove', ({ screenX, screenY, clientX, clientY }) => {
    const box = (e) => { const r = e.getBoundingClientRect(); return [e.dataset.name, Math.round(r.x + screenX - clientX), Math.round(r.y + screenY - clientY), Math.round(r.width), Math.round(r.height)].join() }
    document.title = 'boxes ' + [...document.querySelectorAll('[data-name]')].map(box).join(';')
  }, { once: true })
  addEventListener('click', (e) => e.preventDefault())
</script>`;

async function boxesOfPage(display: VirtualDisplay, origin: { x: number; y: number }): Promise<Target[]> {
  const [x, y] = [origin.x + 700, origin.y + 500];
  return until('the page to tell its boxes', async () => {
    await must('xdotool', ['mousemove', String(x), String(y), 'mousemove', String(x + 3), String(y)], {
      env: display.env,
    });
    const { stdout: title } = await run('xdotool', ['getactivewindow', 'getwindowname'], { env: display.env });
    const said = /boxes (.+)/.exec(title)?.[1];
    return said?.split(';').map((one) => {
      const [name = '', ...numbers] = one.split(',');
      const [left = 0, top = 0, width = 0, height = 0] = numbers.map(Number);
      return { name, box: { x: left - origin.x, y: top - origin.y, width, height } };
    });
  });
}

type Outcome = { name: string; box: Rect; said: string | null; found: ElementLine | null; iou: number };
type Result = { app: string; presses: Outcome[] };

async function measure(app: string, script: Script): Promise<Result> {
  const display = await startDisplay({ width: 1280, height: 800, accessibility: true });
  try {
    const env = speakingEnv(display.env);
    const command = { program: script.program, args: script.args(display.home) };
    // Before the recorder says that accessibility is wanted, as with --launch.
    await display.launch(script.program, speakingArgs(command), env);
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
    results.push(await measure(app, script));
  }
  const spent = SECONDS > 0 ? await cost() : null;
  const rows = results.map(({ app, presses }) => {
    const took = presses.flatMap(({ found }) => (found?.took === undefined ? [] : [found.took / 1000]));
    const right = presses.filter(({ iou }) => iou >= 0.7).length;
    const named = presses.filter(isNamed).length;
    return { app, presses: presses.length, answered: took.length, right, named, median: median(took), p95: p95(took) };
  });
  const lines = rows.map(
    (row) =>
      `| ${row.app} | ${row.presses} | ${row.answered} | ${percent(row.right, row.presses)} | ${percent(row.named, row.presses)} | ${figure(row.median)} | ${figure(row.p95)} |`,
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
    '| Program | Presses | Answered | Box right | Name right | Answer, median ms | p95 ms |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    ...(absent.length > 0 ? ['', `Not installed here: ${absent.join(', ')}.`] : []),
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
