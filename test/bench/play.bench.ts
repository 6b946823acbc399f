/**
 * Plays demonstrations on stages of their own: how many agree step by step and pass their checks, how much faster than the
 * person with pace `ready`, and what becomes of plays in which something is wrong on purpose. No wrong play may be called right.
 *
 *     node scripts/setup.mjs --for bench
 *     node test/bench/play.bench.ts [--app calc,writer] [--demo sum] [--plays 2] [--fault late,moved | none] [--tries 1]
 *         [--pace ready|recorded] [--json] [--results FILE [--table]] [--keep FOLDER]
 *
 * `--plays`: plays of each demonstration without a fault. `--fault`: which faults (test/bench/play/faults.ts), `none` for none;
 * `--tries`: at how many steps of each demonstration each is made. A full disk needs root. `--results`: a file that each play
 * is added to as a line, and whose plays, those of earlier runs too, make the table: the whole takes hours on a small machine.
 * `--table`: nothing is played, the table of those plays is printed. `--keep`: of each play that is not as wanted the stage's
 * screen is filmed for three seconds after its end, beside the demonstration's folder.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { evaluateChecks } from '../../studio/play/checks/evaluate.ts';
import { runPlayer } from '../../studio/play/run-player.ts';
import { programsMissing } from '../../studio/play/stage/set-stage.ts';
import type { VirtualStage } from '../../studio/play/stage/stage.ts';
import { flag, machine, machineLine, progress, report } from '../support/bench.ts';
import { CHROMIUM } from './play/chromium.ts';
import { DESKTOP } from './play/desktop.ts';
import { DRAWING } from './play/drawing.ts';
import { FAULT_NAMES, FAULTS, type Fault, SAYS } from './play/faults.ts';
import { APPS, type Demonstration, SCREEN } from './play/kinds.ts';
import { givenFiles, makeMaterial } from './play/material.ts';
import { MORE } from './play/more.ts';
import { NEWEST } from './play/newest.ts';
import { OFFICE } from './play/office.ts';
import { leftFiles, onStage, record, THOUGHT_MS } from './play/stage.ts';
import { outcomeOf, type Played, tableOf } from './play/table.ts';

const DEMONSTRATIONS = [...DESKTOP, ...CHROMIUM, ...OFFICE, ...DRAWING, ...MORE, ...NEWEST];
const PACES = ['ready', 'recorded'] as const;
const PATIENCE_MS = 6000;
const DISK_MB = 300;

const chosen = <T extends string>(name: string, all: readonly T[]): readonly T[] => {
  const wanted = flag(name)?.split(',') ?? all;
  const unknown = wanted.filter((one) => one !== 'none' && !all.includes(one as T));
  if (unknown.length > 0) throw new Error(`--${name} takes ${all.join(', ')}; not ${unknown.join(', ')}`);
  return all.filter((one) => wanted.includes(one));
};
const apps = chosen('app', APPS);
const faults = chosen('fault', FAULT_NAMES);
const plays = Number(flag('plays') ?? 2);
const tries = Number(flag('tries') ?? 1);
const demo = flag('demo');
const table = process.argv.includes('--table');
const [pace = 'ready'] = chosen('pace', PACES).filter((one) => flag('pace') === one);
const wanted = DEMONSTRATIONS.filter(
  ({ app, name }) => apps.includes(app) && (demo === null || demo.split(',').includes(name)),
);
const missing = new Set(wanted.flatMap(({ recipe }) => programsMissing(recipe)));
if (missing.size > 0)
  progress(`Left out, not installed here: ${[...missing].join(', ')} (node scripts/setup.mjs --for bench).`);
const demonstrations = wanted.filter(({ recipe }) => programsMissing(recipe).length === 0);
if (demonstrations.length === 0) throw new Error('no demonstration is chosen');

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'play-bench-'));
const material = path.join(root, 'material');

/** Stages lie on a small file system of their own, which can be filled up. Needs root; elsewhere no disk is filled. */
const disk = path.join(root, 'disk');
fs.mkdirSync(disk);
const small = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk]).status === 0;
if (small) process.env.TMPDIR = disk;
else progress('A full disk is left out: no file system can be mounted here (root is needed).');

function tidy(): void {
  if (small) spawnSync('umount', ['-l', disk]);
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    tidy();
    process.exit(1);
  });

const kept = flag('keep');
/** A caret that blinks, a dialog that comes late: both are seen in a film only. */
function film(name: string, { env }: VirtualStage, folder: string): void {
  if (kept === null) return;
  fs.mkdirSync(kept, { recursive: true });
  fs.cpSync(folder, path.join(kept, path.basename(folder)), { recursive: true });
  const screen = ['-f', 'x11grab', '-framerate', '20', '-video_size', `${SCREEN.width}x${SCREEN.height}`];
  const file = path.join(kept, `${path.basename(folder)}-${name}.mkv`);
  const line = ['-y', '-v', 'error', ...screen, '-i', env.DISPLAY ?? '', '-t', '3', '-c:v', 'ffv1', file];
  spawnSync('ffmpeg', line, { env, stdio: 'inherit' });
}

type Shown = Awaited<ReturnType<typeof record>>;
async function playOnce(
  one: Demonstration,
  { script, left, folder }: Shown,
  fault: Fault | null,
  n: number,
): Promise<Played> {
  const recipe = fault?.recipe?.(one) ?? one.recipe;
  const parts = script.parts.map((part, at) => (at === n ? (fault?.parts?.(part) ?? part) : part));
  const changed = !fault?.parts || JSON.stringify(parts[n]) !== JSON.stringify(script.parts[n]);
  return onStage(recipe, material, async (stage) => {
    const env = stage.env;
    const early = n === 0 || fault?.early === true;
    const meddle = async (): Promise<boolean> => (await fault?.meddle?.(stage, one, script.parts)) ?? true;
    let happened: Promise<boolean> | null = null;
    if (early) happened = Promise.resolve(await meddle());
    let count = 0;
    const ended = await runPlayer(
      {
        parts,
        restless: script.restless,
        pace,
        patienceMs: PATIENCE_MS,
        startNs: String(process.hrtime.bigint()),
        clock: [],
      },
      env,
      {
        onBegan: () => undefined,
        onStep: () => {
          if (++count === n && !early) happened = meddle();
        },
      },
      AbortSignal.timeout(300_000),
    );
    // Null: the play stopped before the step that it was to be made wrong at.
    const injected = fault === null || (changed && ((await happened) ?? false));
    const place = { home: stage.home, still: null, titles: null, files: givenFiles(material), answer: null };
    const { passed } = await evaluateChecks(one.checks, place, env);
    const isWrong = fault?.wrong ?? false;
    if (isWrong === (ended.stopped === null)) film(fault?.name ?? 'right', stage, folder);
    const [first, last] = [script.actions[0], script.actions.at(-1)];
    const person = first && last ? (last.end.t - first.start.t) / 1000 : 0;
    return {
      app: one.app,
      demo: one.name,
      fault: fault?.name ?? null,
      step: fault ? n + 1 : null,
      injected,
      stoppedAt: ended.stopped ? ended.steps.length : null,
      why: ended.stopped?.why ?? null,
      passed,
      same: left.length > 0 && left.join() === leftFiles(one.checks, stage.home).join(),
      faster: ended.stopped ? null : person / ended.took,
    };
  });
}

const sentence = (one: Played): string => {
  const what = one.fault ? `${SAYS[one.fault]} at step ${one.step}: ` : '';
  const outcome = one.stoppedAt === null ? 'went to the end' : `stopped at step ${one.stoppedAt}: ${one.why}`;
  return `${one.app} ${one.demo}: ${one.injected ? '' : 'NOT INJECTED: '}${what}${outcome}; checks ${one.passed ? 'passed' : 'failed'}`;
};

/** Spread over the steps, so that few tries are not all at the beginning. */
const spread = (steps: readonly number[], count: number, seed: number): number[] =>
  Array.from({ length: Math.min(count, steps.length) }, (_, k) => {
    const at = (seed + Math.floor((k * steps.length) / Math.min(count, steps.length))) % steps.length;
    return steps[at] ?? 0;
  });

const results = flag('results');
const all: Played[] =
  results !== null && fs.existsSync(results)
    ? fs
        .readFileSync(results, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Played => JSON.parse(line))
    : [];
const broken: string[] = [];
const keep = (one: Played): void => {
  all.push(one);
  if (results !== null) fs.appendFileSync(results, `${JSON.stringify(one)}\n`);
  progress(`  ${sentence(one)}${one.faster ? ` (${one.faster.toFixed(1)} times as fast)` : ''}`);
};
try {
  const office = demonstrations.some(({ app }) => ['calc', 'writer', 'impress'].includes(app));
  if (!table) await makeMaterial(material, office);
  for (const [seed, one] of (table ? [] : demonstrations).entries()) {
    progress(`${one.app} ${one.name}: demonstrating`);
    const shown = await record(one, material, path.join(root, 'workspace'));
    const { script, report: seen } = shown;
    if (!seen.passed || script.parts.length !== one.steps.length) {
      const why = seen.checks.filter(({ score }) => score < 1).map((check) => check.why);
      broken.push(`${one.app} ${one.name}: ${script.parts.length} of ${one.steps.length} steps; ${why.join('; ')}`);
      progress(`  the demonstration itself is not right: ${broken.at(-1)}`);
      continue;
    }
    for (let n = 0; n < plays; n++) keep(await playOnce(one, shown, null, -1));
    for (const fault of FAULTS.filter(({ name }) => faults.includes(name) && (small || name !== 'disk')))
      for (const n of spread(fault.at(one, script.parts), tries, seed)) keep(await playOnce(one, shown, fault, n));
  }
  const odd = all.filter((one) => {
    const outcome = outcomeOf(one);
    const carried = one.fault === null || !(FAULTS.find(({ name }) => name === one.fault)?.wrong ?? true);
    if (outcome === 'not injected') return true;
    return carried ? outcome !== 'called right' : outcome !== 'at the step';
  });
  const text = [
    machineLine(await machine()),
    `Faster: than a person who thinks ${THOUGHT_MS / 1000} s before each step (the keystroke-level model).`,
    ...broken.map((line) => `Demonstrations that are not right themselves: ${line}`),
    ...(odd.length > 0 ? ['Not as wanted:', ...odd.map((one) => `    ${sentence(one)}`)] : []),
    tableOf(all),
  ].join('\n');
  report({ plays: all, broken }, text);
} finally {
  tidy();
}
