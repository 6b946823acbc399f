/**
 * A rollout of many tasks on one stage: how long it takes until the next task is asked about, the memory and the open files of the
 * process that runs it, the processes it has, and those that outlive it. The tasks are questions without programs, answered at once, so that all of it is the runner's own time: the recording is closed,
 * the answer is looked at, the home is copied, the next recording begins.
 *
 *     node scripts/setup.mjs --for bench
 *     node test/bench/compositions.bench.ts [--tasks 70] [--json]
 *     node test/bench/compositions.bench.ts --tree ../older --tasks 8 --rounds 3      both in turn, for so many rounds
 *
 * The time between an answer and the next question is printed phase by phase, as medians. Target: the next task starts
 * within 5 s, memory, files and processes of the second half are those of the first, and no process is left.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { largestOf } from '../../core/lists.ts';
import { compositionSchema } from '../../schemas/composition.ts';
import { compositionRunSchema } from '../../schemas/composition-run.ts';
import { type ModelAsked, startModelServer } from '../../studio/models/model-server-for-tests.ts';
import { recipeOf, SCREEN } from '../demo/day/parts.ts';
import { importInto } from '../demo/day/run-day.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { CLI } from '../support/cli.ts';
import { type ProcessInfo, processInfo, processTree } from '../support/process.ts';
import { phasesOf, type TaskTimes } from './composition-phases.ts';

const tasks = Number(flag('tasks') ?? 70);
const tree = flag('tree');
const rounds = Number(flag('rounds') ?? 1);
/** Of fewer tasks nothing is said about the memory. */
const MANY = 20;
const names = Array.from({ length: tasks }, (_, n) => `word_${n + 1}`);

const composition = compositionSchema.parse({
  schema: 'trajectory-studio/composition',
  version: 1,
  id: 'long-day',
  kind: 'scenario',
  title: 'A long day',
  members: names.map((name, n) => ({
    id: name,
    task: `WORD_${n + 1}`,
    instructions: { base: `Say ${name}.` },
    outputs: [{ name: 'word', value: name }],
  })),
  tasks: names.map((name, n) => ({
    id: `WORD_${n + 1}`,
    software: 'Words',
    goal: `Say ${name}`,
    answer: name,
    recipe: recipeOf({ programs: [] }),
    checks: null,
  })),
});

const wordIn = ({ texts }: ModelAsked): string => /Say (word_\d+)\./.exec(texts.join('\n'))?.[1] ?? '';
/** Resident memory of a process, MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const filesOf = (pid: number): number => fs.readdirSync(`/proc/${pid}/fd`).length;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'long-day-'));
const seconds = (ms = 0): string => (ms / 1000).toFixed(2);

type Day = {
  passed: number;
  load: number;
  memory: number[];
  files: number[];
  processes: number[];
  left: string[];
  starts: number[];
  phases: [words: string, ms: number][];
};

/** Runs the day once, by the command line of `cli`, in a workspace of its own. */
async function runDay(cli: string, workspace: string): Promise<Day> {
  const memory: number[] = [];
  const files: number[] = [];
  const processes: number[] = [];
  /** Each process that was once seen below the command, by its number. */
  const seen = new Map<number, ProcessInfo>();
  const times = new Map<string, { asked: number; answered: number }>();
  let pid = 0;
  const now = (): number => performance.timeOrigin + performance.now();
  const server = await startModelServer((asked) => {
    const word = wordIn(asked);
    if (!times.has(word)) {
      memory.push(memoryOf(pid));
      files.push(filesOf(pid));
      const tree = processTree(pid);
      processes.push(tree.length);
      for (const one of tree) seen.set(one.pid, one);
      if (memory.length % 10 === 0) progress(`${memory.length} of ${tasks}: ${memory.at(-1)?.toFixed(0)} MB`);
    }
    times.set(word, { asked: times.get(word)?.asked ?? now(), answered: now() });
    return { kind: 'answer', text: `DONE: ${word}` };
  }, SCREEN);
  try {
    await importInto(workspace, composition);
    const given = ['--agent', 'direct', '--endpoint', server.url, '--model', 'scripted', '--yes', '--json'];
    const args = [cli, 'run', '--composition', 'long-day', ...given, '--workspace', workspace];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    pid = child.pid ?? 0;
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    await once(child, 'close');
    const { results } = compositionRunSchema.parse(JSON.parse(out));
    const done = results.flatMap(({ member, recording, copy }): TaskTimes[] => {
      const time = times.get(member);
      return recording === null || time === undefined ? [] : [{ recording, copy, ...time }];
    });
    return {
      passed: results.filter(({ outcome }) => outcome === 'passed').length,
      load: os.loadavg()[0] ?? 0,
      memory,
      files,
      processes,
      left: [...seen.values()]
        .filter((one) => processInfo(one.pid)?.command === one.command)
        .map(({ command }) => command),
      starts: done.slice(1).map(({ asked }, n) => asked - done[n]!.answered),
      phases: phasesOf(workspace, done),
    };
  } finally {
    await server.close();
    fs.rmSync(workspace, { recursive: true, force: true });
  }
}

function told(name: string, days: readonly Day[]): string {
  const all = (of: (day: Day) => readonly number[]): number[] => days.flatMap((day) => [...of(day)]);
  const half = Math.floor(tasks / 2);
  const [first, second] = [all(({ starts }) => starts.slice(0, half)), all(({ starts }) => starts.slice(half))];
  const [early, late] = [all(({ memory }) => memory.slice(5, half)), all(({ memory }) => memory.slice(half))];
  const halves = (of: (day: Day) => readonly number[]): string =>
    `${median(all((day) => of(day).slice(5, half)))} in the first half, ${median(all((day) => of(day).slice(half)))} in the second, at most ${largestOf(all(of))}`;
  const left = days.flatMap((day) => day.left);
  const passed = days.reduce((sum, day) => sum + day.passed, 0);
  return [
    `${name}${passed} of ${tasks * days.length} tasks passed on one stage; load ${days.map(({ load }) => load.toFixed(1)).join(', ')}`,
    `until the next task is asked about: median ${seconds(median(first))} s in the first half, ${seconds(median(second))} s in the second; at most ${seconds(largestOf([...first, ...second]))} s`,
    ...(days[0]?.phases ?? []).map(([words], n) => {
      const ms = median(days.map(({ phases }) => phases[n]?.[1] ?? Number.NaN));
      return `  ${seconds(ms).padStart(6)} s  ${words}`;
    }),
    ...(tasks < MANY
      ? []
      : [
          `memory of the process: median ${median(early).toFixed(0)} MB in the first half (without the first five), ${median(late).toFixed(0)} MB in the second`,
          `open files of the process: ${halves(({ files }) => files)}`,
          `processes of the run: ${halves(({ processes }) => processes)}`,
        ]),
    `processes left when it has ended: ${left.length === 0 ? 'none' : left.join('; ')}`,
  ].join('\n');
}

try {
  const before: Day[] = [];
  const after: Day[] = [];
  for (let round = 0; round < rounds; round++) {
    if (tree !== null) {
      progress(`round ${round + 1}: the older tree`);
      before.push(await runDay(path.join(path.resolve(tree), 'studio', 'cli', 'main.ts'), path.join(folder, 'before')));
    }
    progress(`round ${round + 1}`);
    after.push(await runDay(CLI, path.join(folder, 'after')));
  }
  const of = await machine();
  report(
    { machine: of, tasks, before, after },
    [machineLine(of), ...(tree === null ? [] : [told('older tree: ', before)]), told('', after)].join('\n'),
  );
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
