/**
 * How long a stage takes until its program's window is there and at rest, as a cage and without one, in turns, so that a change of
 * the machine meets both.
 *
 *     node scripts/setup.mjs --for bench
 *     node test/bench/stage.bench.ts [--rounds 9] [--json]
 *
 * Target: a cage costs at most 0.3 s more.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { recipeSchema } from '../../schemas/play.ts';
import { setStage } from '../../studio/play/stage/set-stage.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { must } from '../support/process.ts';

const rounds = Number(flag('rounds') ?? 9);
const WITHOUT_CAGE = 'TRAJECTORY_WITHOUT_CAGE';
const RECIPE = recipeSchema.parse({
  schema: 'trajectory-studio/recipe',
  version: 1,
  screen: { width: 1280, height: 800 },
  files: [{ text: 'One line\n', to: 'note.txt' }],
  programs: [{ command: 'mousepad', args: ['--disable-server', '~/note.txt'], window: 'note.txt' }],
});

/** One stage of this process, which knows of cages what its PATH shows; ms. */
async function once(): Promise<void> {
  const began = performance.now();
  const layout = { layout: 'us', variant: '' };
  const wishes = { recipe: RECIPE, width: 1280, height: 800, layout, task: null, workspace: null, fileOf: () => null };
  const stage = await setStage({ ...wishes, withoutCage: process.env[WITHOUT_CAGE] === '1' });
  const took = performance.now() - began;
  const caged = !stage.notes.some((note) => note.includes('no cage'));
  await stage.end();
  console.log(JSON.stringify({ took, caged }));
}

/** All programs of the system but bubblewrap. */
function pathWithout(folder: string): string {
  for (const name of fs.readdirSync('/usr/bin'))
    if (name !== 'bwrap') fs.symlinkSync(path.join('/usr/bin', name), path.join(folder, name));
  return [folder, '/usr/sbin'].join(path.delimiter);
}

async function measure(env: NodeJS.ProcessEnv, caged: boolean): Promise<number> {
  const said: { took: number; caged: boolean } = JSON.parse(
    await must(process.execPath, [import.meta.filename, '--once'], { env: { ...process.env, ...env } }),
  );
  if (said.caged !== caged) throw new Error(caged ? 'no cage can be made here' : 'a cage was made all the same');
  return said.took;
}

async function compare(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stage-bench-'));
  try {
    const without = { PATH: pathWithout(folder), [WITHOUT_CAGE]: '1' };
    const [caged, free]: [number[], number[]] = [[], []];
    for (let n = 0; n < rounds; n++) {
      caged.push(await measure({}, true));
      free.push(await measure(without, false));
      progress(`round ${n + 1}: ${caged.at(-1)?.toFixed(0)} ms as a cage, ${free.at(-1)?.toFixed(0)} ms without`);
    }
    const about = await machine();
    const [a, b] = [median(caged), median(free)];
    const difference = median(caged.map((ms, n) => ms - (free[n] ?? Number.NaN)));
    const text = [
      `Until a stage with mousepad is ready, median of ${rounds} rounds, in turns`,
      machineLine(about),
      `  as a cage        ${a.toFixed(0)} ms`,
      `  without a cage   ${b.toFixed(0)} ms`,
      `  cage / without: ${(a / b).toFixed(2)}; difference of each pair, median: ${difference.toFixed(0)} ms (target: at most 300 ms)`,
    ].join('\n');
    report({ bench: 'stage', machine: about, rounds, caged, without: free, ratio: a / b, difference }, text);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv.includes('--once')) await once();
else await compare();
