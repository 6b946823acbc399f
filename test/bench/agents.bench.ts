/**
 * A scripted model that knows a demonstration, at each task that `verify` has proven, with every agent and in each protocol, on
 * stages; and one that writes garbage. The first must reach every check, the second none. No real model is asked. The first looks at
 * the screen as a real one does: where that is not as it was before the step that comes, it waits, a few times at most.
 *
 *     node test/bench/agents.bench.ts [--workspace W] [--demo note,lines,gimp/crop | all] [--agent direct,minimal]
 *         [--protocol openai,gemini] [--spread] [--results FILE [--table]] [--json]
 *
 * `--workspace`: every proven demonstration of that workspace, whose runs are kept there; without it one is made with the
 * demonstrations that `--demo` names, which are verified first: `note`, a note in mousepad, and those of the bench of plays.
 * `--spread`: each demonstration with every agent, and each agent in one protocol only; the next demonstration has the next
 * protocol, so that four of them meet every agent in every protocol. Garbage is then written to one agent of them.
 * `--results`: a file that each demonstration is added to as a line; those in it are not done again. `--table`: nothing is done,
 * those of the file are printed.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { AGENTS, agentReportSchema } from '../../schemas/agents.ts';
import { PROTOCOLS } from '../../schemas/protocols.ts';
import { verifyReportSchema } from '../../schemas/verify.ts';
import { type ModelAsked, type ScriptedAnswer, startModelServer } from '../../studio/models/model-server-for-tests.ts';
import { openFolder } from '../../studio/recordings/closed.ts';
import { flag, has, machine, machineLine, progress, report } from '../support/bench.ts';
import { studio, studioMust } from '../support/cli.ts';
import { looking, stillsBefore } from '../support/looking-model.ts';
import { demonstrateNote, makeNoteTask, NOTE_TASK, newNoteStage } from '../support/played-note.ts';
import { scriptedActs } from '../support/scripted-acts.ts';
import { CHROMIUM } from './play/chromium.ts';
import { DESKTOP } from './play/desktop.ts';
import { DRAWING } from './play/drawing.ts';
import type { Demonstration } from './play/kinds.ts';
import { makeMaterial } from './play/material.ts';
import { MORE } from './play/more.ts';
import { NEWEST } from './play/newest.ts';
import { OFFICE } from './play/office.ts';
import { recordOnly } from './play/stage.ts';

/** The size of a task's stage: the server says places as shares of it. */
type Size = { width: number; height: number };

const resultSchema = z.object({
  agent: z.enum(AGENTS),
  protocol: z.enum(PROTOCOLS),
  model: z.enum(['knows', 'garbage']),
  passed: z.boolean(),
  how: z.string(),
});
type Result = z.infer<typeof resultSchema>;
/** `results` is null where `verify` did not prove it; `why` are its problems then. */
const triedSchema = z.object({
  name: z.string(),
  steps: z.int(),
  results: z.array(resultSchema).nullable(),
  why: z.string().optional(),
});
type Tried = z.infer<typeof triedSchema>;

const GARBAGE: ScriptedAnswer = { kind: 'answer', text: '%% x {{ [[' };

const agents = AGENTS.filter((one) => (flag('agent') ?? AGENTS.join(',')).split(',').includes(one));
const protocols = PROTOCOLS.filter((one) => (flag('protocol') ?? PROTOCOLS.join(',')).split(',').includes(one));
const all = ['note' as const, ...DESKTOP, ...CHROMIUM, ...OFFICE, ...DRAWING, ...MORE, ...NEWEST];
const named = (flag('demo') ?? 'note,lines,replace').split(',');
const nameOf = (one: (typeof all)[number]): string => (one === 'note' ? 'mousepad/note' : `${one.app}/${one.name}`);
const isNamed = (one: (typeof all)[number]): boolean =>
  named.some((name) => name === 'all' || nameOf(one) === name || nameOf(one).endsWith(`/${name}`));

const file = flag('results');
const tried: Tried[] =
  file !== null && fs.existsSync(file)
    ? fs
        .readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => triedSchema.parse(JSON.parse(line)))
    : [];
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'agents-bench-'));
const material = path.join(root, 'material');
/** Their files are made by the office itself, which takes a while. */
const OFFICE_APPS = ['calc', 'writer', 'impress', 'gnumeric'];
const workspace = flag('workspace') ?? path.join(root, 'workspace');
const where = ['--workspace', workspace];
try {
  if (!has('table')) await (flag('workspace') === null ? tryNamed() : tryWorkspace());
  const about = await machine();
  const [load = 0] = os.loadavg();
  const proven = tried.filter(({ results }) => results !== null);
  const results = proven.flatMap((one) => one.results ?? []);
  const unproven = tried.filter((one) => one.results === null);
  const programs = new Set(proven.map(({ name }) => name.split('/')[0]));
  const steps = proven.reduce((sum, one) => sum + one.steps, 0);
  report(
    { bench: 'agents', machine: about, load, tried },
    [
      `Success of scripted models over ${proven.length} proven demonstrations of ${programs.size} programs, ${steps} steps: ${machineLine(about)}`,
      `  load of the machine ${load.toFixed(1)}`,
      ...unproven.map(
        ({ name, why }) => `  not proven by \`verify\`, so not asked about: ${name}${why ? `: ${why}` : ''}`,
      ),
      ...tableOf(results),
      ...oddOf(proven),
      '  Scripts in a model’s place: it shows that requests, answers and stages are right, and nothing of a real model.',
    ].join('\n'),
  );
  if (oddOf(proven).length > 0) process.exitCode = 1;
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}

/** `results` is null where it was not proven. */
function keep(one: Tried): void {
  tried.push(one);
  if (file !== null) fs.appendFileSync(file, `${JSON.stringify(one)}\n`);
}

async function tryWorkspace(): Promise<void> {
  const { json } = await studioMust(['dataset', 'rows', '--proof', 'proven', '--json', ...where]);
  const { rows } = json as { rows: { recording: string; task: string }[] };
  if (rows.length === 0) throw new Error(`${workspace} has no proven demonstration: \`verify\` proves one`);
  for (const [n, { recording, task }] of rows.entries()) keep(await tryOne(`${task}/${recording}`, recording, task, n));
}

async function tryNamed(): Promise<void> {
  const wished = [...all.entries()].filter(
    ([, one]) => isNamed(one) && !tried.some(({ name }) => name === nameOf(one)),
  );
  const hasOffice = wished.some(([, one]) => one !== 'note' && OFFICE_APPS.includes(one.app));
  await makeMaterial(material, hasOffice);
  for (const [n, one] of wished) {
    progress(`${nameOf(one)}, and its proof`);
    // The first makes the workspace.
    const { recording, task } = await (one === 'note' ? demonstratedNote() : demonstrated(one));
    const verified = await studio(['verify', recording, '--times', '2', '--json', ...where]);
    const isProven = verified.status === 0;
    if (!isProven) progress(`not proven: ${verified.stdout}${verified.stderr}`);
    const { data } = verifyReportSchema.safeParse(verified.json);
    const why = data ? data.problems.join(' ') : verified.stderr.trim().split('\n').at(-1);
    keep(
      isProven
        ? await tryOne(nameOf(one), recording, task, n)
        : { name: nameOf(one), steps: 0, results: null, ...(why && { why }) },
    );
  }
}

async function tryOne(name: string, recording: string, task: string, turn: number): Promise<Tried> {
  const steps = await scriptedActs(recording, workspace);
  const folder = path.join(workspace, 'recordings', recording);
  const { width, height } = openFolder(folder).resolution;
  const stills = await stillsBefore(folder);
  const results: Result[] = [];
  for (const { agent, protocol, model } of wanted(turn)) {
    const about = { task, agent, protocol, size: { width, height }, rounds: model === 'knows' ? 200 : 30 };
    const waits: string[] = [];
    const knows = looking({ steps }, stills, (step) => waits.push(`${step + 1}`));
    results.push({ agent, protocol, model, ...(await ran(about, model === 'knows' ? knows : () => GARBAGE)) });
    if (waits.length > 0) progress(`it waited for the screen before the steps ${waits.join(', ')}`);
  }
  return { name, steps: steps.length, results };
}

/** What is asked about a demonstration whose turn it is, from 0. */
function wanted(turn: number): Pick<Result, 'agent' | 'protocol' | 'model'>[] {
  const models = ['knows', 'garbage'] as const;
  const every = agents.flatMap((agent) =>
    protocols.flatMap((protocol) => models.map((model) => ({ agent, protocol, model }))),
  );
  if (!has('spread')) return every;
  return every.filter(({ agent, protocol, model }) => {
    const its = protocols[(turn + agents.indexOf(agent)) % protocols.length];
    return protocol === its && (model === 'knows' || agent === agents[turn % agents.length]);
  });
}

type Demonstrated = { recording: string; task: string };

async function demonstratedNote(): Promise<Demonstrated> {
  await makeNoteTask(workspace, ['recipe', 'checks']);
  const stage = await newNoteStage(workspace);
  const recording = await demonstrateNote(workspace, stage);
  await studioMust(['stage', 'end', stage.stage]);
  return { recording, task: NOTE_TASK };
}

async function demonstrated(demonstration: Demonstration): Promise<Demonstrated> {
  const { app, goal, recipe, checks } = demonstration;
  if (!fs.existsSync(workspace)) await studioMust(['init', ...where]);
  await studio(['software', 'add', app, ...where]);
  const { json } = await studioMust(['tasks', 'add', '--app', app, '--goal', goal, '--json', ...where]);
  const { id } = (json as { task: { id: string } }).task; // As it prints it.
  const attach = async (name: string, text: string, role: string): Promise<void> => {
    fs.writeFileSync(path.join(root, name), text);
    await studioMust(['tasks', 'attach', id, path.join(root, name), '--role', role, ...where]);
  };
  await attach('recipe.json', JSON.stringify(recipe), 'recipe');
  await attach('checks.json', JSON.stringify(checks), 'checks');
  for (const given of recipe.files)
    if ('attachment' in given)
      await studioMust(['tasks', 'attach', id, path.join(material, given.attachment), ...where]);
  const { folder } = await recordOnly(demonstration, material, workspace, id);
  return { recording: path.basename(folder), task: id };
}

async function ran(
  {
    task,
    agent,
    protocol,
    size,
    rounds,
  }: Pick<Result, 'agent' | 'protocol'> & { task: string; size: Size; rounds: number },
  answer: (asked: ModelAsked) => ScriptedAnswer | Promise<ScriptedAnswer>,
): Promise<Pick<Result, 'passed' | 'how'>> {
  const server = await startModelServer(answer, size);
  try {
    const line = ['run', '--task', task, '--agent', agent, '--protocol', protocol, '--rounds', String(rounds)];
    const done = await studio([...line, '--endpoint', server.url, '--model', 'scripted', '--yes', '--json', ...where]);
    const { passed, how, why } = agentReportSchema.parse(done.json);
    progress(`${task}: ${agent} by ${protocol}: ${passed ? 'passed' : 'not passed'}, ${how} ${why}`);
    return { passed, how: why === '' ? how : `${how}: ${why}` };
  } finally {
    await server.close();
  }
}

function tableOf(results: readonly Result[]): string[] {
  const share = (wanted: Partial<Result>): string => {
    const found = results.filter((one) =>
      Object.entries(wanted).every(([key, value]) => one[key as keyof Result] === value),
    );
    return `${found.filter(({ passed }) => passed).length}/${found.length}`;
  };
  const cells = (name: string, values: readonly string[]): string =>
    `  ${name.padEnd(14)} ${values.map((value) => value.padStart(10)).join(' ')}`;
  return [
    cells('', [...protocols, 'garbage']),
    ...agents.map((agent) =>
      cells(agent, [
        ...protocols.map((protocol) => share({ agent, protocol, model: 'knows' })),
        share({ agent, model: 'garbage' }),
      ]),
    ),
  ];
}

function oddOf(proven: readonly Tried[]): string[] {
  return proven.flatMap(({ name, results }) =>
    (results ?? []).flatMap(({ agent, protocol, model, passed, how }) =>
      passed === (model === 'knows') ? [] : [`    not as meant: ${name}, ${agent}, ${protocol}, ${model}: ${how}`],
    ),
  );
}
