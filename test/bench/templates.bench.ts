/**
 * Templates of many members: how long its laws take (CP28 tries instances while one writes), and to make instances with tasks of their
 * own, beside a quarter as many members and as many instances, in the same run.
 *
 *     node test/bench/templates.bench.ts [--members 500] [--instances 200] [--json]
 *
 * For the largest one also the questions that pages ask while its instances are there: the list of compositions, the template, an
 * instance, the families of its tasks, and the same seed once more; each twice, with the longest time in which nobody else was
 * answered.
 *
 * Each member's task has a recipe and checks with a value that varies, so each instance makes a task for each: `--files no` leaves
 * them out, since what they take is the disk's.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { brokenLaws } from '../../core/compositions/laws.ts';
import { compositionOpened, compositionsListed } from '../../studio/agents/compositions/shown.ts';
import { familiesIn } from '../../studio/datasets/families.ts';
import { keepComposition } from '../../studio/documents/joined/composition-files.ts';
import { makeInstances } from '../../studio/play/instances.ts';
import { attach } from '../../studio/store/attachments.ts';
import { addSoftware } from '../../studio/store/software.ts';
import { ensureTask } from '../../studio/store/tasks.ts';
import { openWorkspace, type Workspace } from '../../studio/store/workspace.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { manyMembers } from '../support/many-members.ts';

const members = Number(flag('members') ?? 500);
const instances = Number(flag('instances') ?? 200);
const withFiles = flag('files') !== 'no';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'studio-templates-bench-'));

const seconds = async (work: () => unknown): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};

type Asked = { question: string; seconds: number; blockedSeconds: number };
const pages: Asked[] = [];
async function askForPages(workspace: Workspace): Promise<void> {
  const questions: Record<string, () => Promise<unknown>> = {
    'list of compositions': () => compositionsListed(workspace),
    template: () => compositionOpened(workspace, 'day'),
    'an instance': () => compositionOpened(workspace, 'day-1-1'),
    'families of tasks': () => familiesIn(workspace),
    'the same seed again': () => makeInstances(workspace, 'day', { count: instances, seed: 1 }),
  };
  for (const round of ['first', 'again'])
    for (const [name, ask] of Object.entries(questions)) {
      let [last, blocked] = [performance.now(), 0];
      const look = (): void => {
        const now = performance.now();
        [blocked, last] = [Math.max(blocked, now - last - LOOK_MS), now];
      };
      const looking = setInterval(look, LOOK_MS);
      const took = await seconds(ask);
      look();
      clearInterval(looking);
      pages.push({ question: `${name}, ${round}`, seconds: took, blockedSeconds: blocked / 1000 });
      progress(pageLine(pages.at(-1)!));
    }
  mostMemoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
}
const LOOK_MS = 5;
let mostMemoryMb = 0;
const pageLine = ({ question, seconds: took, blockedSeconds }: Asked): string =>
  `${question}: ${took.toFixed(2)} s, nobody else answered for ${blockedSeconds.toFixed(2)} s`;

async function made(of: number, count: number): Promise<number> {
  const dir = path.join(folder, `${of}-${count}`);
  const workspace = openWorkspace(dir, { create: true });
  try {
    const software = await addSoftware(workspace.store, { name: 'Notes', prefix: 'NOTE' });
    const recipe = { schema: 'trajectory-studio/recipe', version: 1, programs: [{ command: 'true' }] };
    for (let n = 0; n < of; n++) {
      const { id } = await ensureTask(workspace.store, { software, goal: `Note ${n}` });
      const body = Readable.from([Buffer.from(JSON.stringify(recipe))]);
      if (withFiles) await attach(workspace, { task: id, role: 'recipe', name: 'recipe.json', body });
    }
    keepComposition(workspace, manyMembers(of));
    const took = await seconds(() => makeInstances(workspace, 'day', { count, seed: 1 }));
    if (of === members && count === instances) await askForPages(workspace);
    return took;
  } finally {
    workspace.close();
    fs.rmSync(dir, { recursive: true });
  }
}

const few = Math.max(1, Math.round(members / 4));
const laws: Record<number, number> = {};
for (const count of [few, members]) {
  const composition = manyMembers(count);
  const times: number[] = [];
  for (let n = 0; n < 5; n++) {
    const before = process.cpuUsage();
    brokenLaws(composition);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1e6);
  }
  laws[count] = median(times);
  progress(`laws of ${count} members: ${laws[count]?.toFixed(3)} s of the processor`);
}
const making: { members: number; instances: number; seconds: number; eachTaskMs: number }[] = [];
const half = Math.max(1, Math.round(instances / 4));
for (const [of, count] of [
  [few, half],
  [few, instances],
  [members, half],
  [members, instances],
] as const) {
  const took = await made(of, count);
  const row = { members: of, instances: count, seconds: took, eachTaskMs: (took * 1000) / (of * count) };
  making.push(row);
  progress(`${of} members, ${count} instances: ${took.toFixed(1)} s, ${row.eachTaskMs.toFixed(2)} ms each task`);
}
fs.rmSync(folder, { recursive: true, force: true });
const about = await machine();
const lines = [
  machineLine(about),
  ...Object.entries(laws).map(
    ([count, took]) => `laws of ${count} members: ${(took * 1000).toFixed(0)} ms of the processor`,
  ),
  ...making.map(
    (row) =>
      `${row.members} members, ${row.instances} instances: ${row.seconds.toFixed(1)} s, ${row.eachTaskMs.toFixed(2)} ms each task`,
  ),
  ...pages.map(pageLine),
  `the process had at most ${mostMemoryMb} MB`,
];
report({ machine: about, laws, making, pages, mostMemoryMb }, lines.join('\n'));
